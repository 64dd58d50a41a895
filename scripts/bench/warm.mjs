// Measures a function many times in one process: `ingestBytes` on BTF in memory, or a function that
// writes text of a just opened file. Started by tools.mjs with the built module, the file, the
// number of runs and the name of the function. Prints the milliseconds of each run on a line.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modulePath, path, runs, name] = process.argv.slice(2);
const { [name]: work, open } = await import(pathToFileURL(modulePath).href);
const bytes = new Uint8Array(readFileSync(path));
for (let left = Number(runs); left > 0; left--) {
  const given = name === 'ingestBytes' ? [basename(path), bytes] : [(await open(bytes)).types];
  const start = performance.now();
  await work(...given);
  process.stdout.write(`${(performance.now() - start).toFixed(3)}\n`);
}
