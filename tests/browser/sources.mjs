// Where things are in the repository, and the page's files as they are read rather than run.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(HERE, "../..");
export const PAGE = join(ROOT, "view/page");

/** Where screenshots go. */
export const OUT = join(HERE, "out");

export const read = (path) => readFileSync(join(PAGE, path), "utf8");

/** The files that the build joins, in its order. */
export function listed(name) {
  return read(name).split("\n").filter(Boolean);
}

/** Every file under a folder, by its path in it. */
export function sources(folder = PAGE, inside = "") {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sources(join(folder, entry.name), `${inside}${entry.name}/`) : [`${inside}${entry.name}`],
  );
}
