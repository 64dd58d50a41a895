// Finds the fields that contain random bytes of one file. Prints the times as JSON.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ingestBytes } from '#ingest/ingest.ts';
import { fieldsAt } from '../../src/analysis/structure/structure.ts';

const COUNT = 50_000;
const STEP = 48_271 * 4_093;

const [path] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(path));
const { model } = await ingestBytes(basename(path), bytes);
const read = (start, end) => bytes.subarray(start, end);

const firstMs = measureTime(() => fieldsAt(model, model.size >> 1, read));
const all = measureTime(() => {
  for (let i = 0; i < COUNT; i++) fieldsAt(model, (i * STEP) % model.size, read);
});
process.stdout.write(JSON.stringify({ count: COUNT, firstMs, eachMs: all / COUNT }));

function measureTime(work) {
  const before = performance.now();
  work();
  return performance.now() - before;
}
