// Writes a find as files: the input, and the command that repeats the failure.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, '.cache/fuzz');

/** Writes a find; returns the path of its input, relative to the root. */
export function writeFind(target, { kind, step, stack }, input) {
  mkdirSync(FOLDER, { recursive: true });
  const hash = createHash('sha256').update(input).digest('hex').slice(0, 10);
  const path = join(FOLDER, `${target}-${kind}-${hash}`);
  const shown = relative(ROOT, path);
  const again = `node scripts/fuzz.mjs --target ${target} --input ${shown}`;
  writeFileSync(path, input);
  writeFileSync(
    `${path}.txt`,
    `${kind} in step "${step}", ${input.length} bytes\n\n${stack}\n\n${again}\n`,
  );
  return shown;
}
