"""What a person does to the spec, done to a copy of the repository.

The copy shares the target folder, so only this project's own crates are compiled again.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import writing

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
COPY = TARGET / "copy"


def run(command, **more):
    return subprocess.run(command, text=True, capture_output=True, **more)


def make_copy():
    """Copies what is, or would be, committed."""
    shutil.rmtree(COPY, ignore_errors=True)
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True).stdout
    for name in filter(None, listed.split("\0")):
        source = ROOT / name
        if source.is_file():
            place = COPY / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place)
    # Another version, so that the shared folder keeps what is built of the two apart.
    replace(COPY / "Cargo.toml", 'version = "0.1.0"', 'version = "0.1.0-copy"')
    lock = (COPY / "Cargo.lock").read_text()
    (COPY / "Cargo.lock").write_text(re.sub(r'(name = "bb(?:-[a-z-]+)?"\nversion = "[^"]+)"', r'\1-copy"', lock))


def replace(path, old, new):
    text = path.read_text()
    assert old in text, f"{path} has no {old}"
    path.write_text(text.replace(old, new, 1))


def build(folder=COPY):
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET)}
    return run(["cargo", "build", "-p", "bb", "--locked", "--offline", "--message-format=json"], cwd=folder, env=environment)


def errors(result):
    """What the compiler says, whole."""
    found = []
    for line in result.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-message" and message["message"]["level"] == "error":
            found.append(message["message"]["message"])
    return found


def executable(result):
    for line in result.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and message["target"]["name"] == "bb" and message.get("executable"):
            return message["executable"]
    raise AssertionError(result.stderr)


def listed(program):
    """The names in tools/list."""
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "copy", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
         "params": {"name": "list_labels_of_time", "arguments": {"project": "PAY", "repo": "ledger", "limit": 1}}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/list"},
    ]
    text = "".join(json.dumps(message) + "\n" for message in messages)
    answer = run([program, "ai", "mcp", "serve", "--demo"], input=text, check=True).stdout
    answers = {message["id"]: message for message in map(json.loads, answer.splitlines())}
    return answers[2]["result"], [tool["name"] for tool in answers[3]["result"]["tools"]]


def a_tool_without_its_scope_line_fails_at_its_place():
    path = COPY / "spec/tools/list_tags.yaml"
    text = path.read_text()
    path.write_text(text.replace("scope: project_repo\n", ""))
    found = errors(build())
    path.write_text(text)
    assert len(found) == 1, found
    for part in ["tool `list_tags` has no scope rule", "spec/tools/list_tags.yaml:1:7", "docs/scope-rules.md"]:
        assert part in found[0], found[0]


def a_rule_that_cannot_bound_the_operations_fails():
    path = COPY / "spec/tools/get_build_status.yaml"
    text = path.read_text()
    changed = text.replace("scope: unbounded\n", "scope: project_repo\n")
    path.write_text(changed)
    found = errors(build())
    path.write_text(text)
    line = changed.splitlines().index("scope: project_repo") + 1
    all_of_it = "\n".join(found)
    assert f"spec/tools/get_build_status.yaml:{line}:8" in all_of_it, all_of_it
    assert "the operation cannot be bounded by this rule" in all_of_it, all_of_it
    assert "GET /rest/build-status/latest/commits/{commit}" in all_of_it, all_of_it


def a_copied_tool_file_is_a_tool():
    source = COPY / "spec/tools/list_tags.yaml"
    place = COPY / "spec/tools/list_labels_of_time.yaml"
    place.write_text(source.read_text().replace("tool: list_tags", "tool: list_labels_of_time"))
    writing.add(COPY)
    result = build()
    assert result.returncode == 0, errors(result)
    called, names = listed(executable(result))
    assert "list_labels_of_time" in names and "list_tags" in names, names
    assert len(called["structuredContent"]["tags"]) == 1, called
    writing.check(executable(result))


def main():
    make_copy()
    tests = [
        a_tool_without_its_scope_line_fails_at_its_place,
        a_rule_that_cannot_bound_the_operations_fails,
        a_copied_tool_file_is_a_tool,
    ]
    try:
        for test in tests:
            test()
            print(f"ok {test.__name__}")
        shutil.rmtree(COPY)
    finally:
        # The copy's program took the place of this repository's in the shared folder.
        build(ROOT).check_returncode()
    print(f"{len(tests)} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
