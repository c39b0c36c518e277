// The page's source, read rather than run: what may not be in it, and that all of it was read.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HERE, listed, read, ROOT, sources } from "./sources.mjs";

// Whatever makes a document, a script or a form out of a string, or reaches outside: each with one that is guilty.
const FORBIDDEN = [
  [/\b(?:inner|outer)HTML\b/, "element.innerHTML = words"],
  [/\binsertAdjacentHTML\b/, "element.insertAdjacentHTML('beforeend', words)"],
  [/\bdocument\s*\.\s*write(?:ln)?\b/, "document.write(words)"],
  [/\bDOMParser\b/, "new DOMParser()"],
  [/\bXSLTProcessor\b/, "new XSLTProcessor()"],
  [/\bcreateContextualFragment\b/, "range.createContextualFragment(words)"],
  [/\b(?:setHTML|setHTMLUnsafe|parseHTMLUnsafe)\b/, "element.setHTMLUnsafe(words)"],
  [/\beval\b/, "eval(words)"],
  [/\bFunction\s*\(/, "new Function(words)"],
  [/\bsrcdoc\b/, "frame.srcdoc = words"],
  [/javascript:/i, "location = 'JavaScript:void 0'"],
  [/\bimport\s*\(/, "import(words)"],
  [/\bset(?:Timeout|Interval)\s*\(\s*["'`]/, "setTimeout('words', 1)"],
  [/\bsetAttribute\s*\(\s*["'`](?:style|on\w+)["'`]/, "element.setAttribute('onclick', words)"],
  [/\bcreatePolicy\b/, "trustedTypes.createPolicy('x', {})"],
  [/<\s*form\b/i, "<form>"],
  [/["'`](?:form|input|textarea|select|iframe|embed|script|a)["'`]/, 'el("input", null)'],
  [/\bonmessage\s*=/, "window.onmessage = take"],
  [/\b(?:local|session)Storage\b|\bindexedDB\b|document\.cookie/, "localStorage.x = 1"],
  [/\bfetch\s*\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon/, "fetch(address)"],
  [/window\.open\b/, "window.open(address)"],
  [/\b100d?vh\b/, "height: 100vh"],
  [/@import|url\(/, "background: url(x.png)"],
];

const guiltOf = (source) => FORBIDDEN.filter(([pattern]) => pattern.test(source)).map(([pattern]) => String(pattern));

test("no source parses a string as HTML or script, makes a form, or reaches outside", () => {
  let seen = 0;
  for (const path of sources()) {
    assert.deepEqual(guiltOf(read(path)), [], path);
    seen += 1;
  }
  // The lists themselves and the document stand beside what they name.
  const all = listed("modules.txt").length + listed("styles.txt").length + 3;
  assert.ok(all > 15, `${all} files are listed`);
  assert.equal(seen, all, "files that were read");
});

test("each pattern finds what it is for", () => {
  for (const [pattern, guilty] of FORBIDDEN) assert.deepEqual(guiltOf(guilty), [String(pattern)]);
});

test("the lists name every module and style sheet once", () => {
  const files = sources();
  assert.deepEqual(listed("modules.txt").toSorted(), files.filter((path) => path.endsWith(".js")).toSorted());
  assert.deepEqual(listed("styles.txt").toSorted(), files.filter((path) => path.endsWith(".css")).toSorted());
});

test("the kind's fields of motion and rest are those of its spec", () => {
  const spec = readFileSync(join(ROOT, "spec/views/pull_request.yaml"), "utf8");
  const [, moving, settled] = /^refresh: \{ in_motion: \[(.+)\], settled: \[(.+)\] \}$/m.exec(spec);
  const script = read("kinds/pull_request.js");
  const fieldsOf = (name) => {
    const [, body] = new RegExp(`${name}: \\(payload\\) => (.+),$`, "m").exec(script);
    return body.split(" || ").map((each) => each.replace("payload.", ""));
  };
  assert.deepEqual(fieldsOf("inMotion"), moving.split(", "));
  assert.deepEqual(fieldsOf("settled"), settled.split(", "));
});

test("no file is longer than it may be", () => {
  const tests = readdirSync(HERE).filter((name) => name.endsWith(".mjs"));
  for (const path of sources()) assert.ok(read(path).split("\n").length <= 500, path);
  for (const name of tests) assert.ok(readFileSync(join(HERE, name), "utf8").split("\n").length <= 500, name);
});
