// How long our reader takes to index a BTF blob that is in memory, again and again in
// one process: started by tools.mjs, prints one time in milliseconds a line.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modulePath, path, runs] = process.argv.slice(2);
const { ingestBytes } = await import(pathToFileURL(modulePath).href);
const bytes = new Uint8Array(readFileSync(path));
for (let left = Number(runs); left > 0; left--) {
  const start = performance.now();
  await ingestBytes(basename(path), bytes);
  process.stdout.write(`${(performance.now() - start).toFixed(3)}\n`);
}
