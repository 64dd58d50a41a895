// Measures time and memory of each index of one file, and of a search without an index, in one
// thread. Started by growth.mjs with --expose-gc. Prints JSON. Each time is the shortest of several
// runs, because other work on the machine can only add time.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { buildFinder } from '#analysis/find/finder.ts';
import { Slices } from '#bytes/long-work.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { searchTypes } from '../../src/analysis/find/type-search.ts';
import { referrersOf } from '../../src/analysis/types/references.ts';

const [path, least] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(path));
const slices = () => new Slices(Number.POSITIVE_INFINITY, new AbortController().signal);

const opened = await measureTime(() => ingestBytes(basename(path), bytes));
const { model } = opened.value;
const { types } = model;
const finder = await measureTime(() => buildFinder(model, slices(), () => undefined));
const query = { text: 'task_s', kinds: 0, order: 'id', descending: false };
const filter = await measureTime(() => searchTypes(types, query, async () => finder.value.types));
const referrers = await measureTime(() => referrersOf(types, 1));

const costOf = ({ ms, held }) => ({ ms, held });
process.stdout.write(
  JSON.stringify({
    types: types.count,
    size: bytes.length,
    index: costOf(opened),
    finder: costOf(finder),
    filter: costOf(filter),
    referrers: costOf(referrers),
  }),
);

/** Returns the shortest time of `least` runs and the memory of the first result. */
async function measureTime(make) {
  const before = await inUse();
  let start = performance.now();
  const value = await make();
  let ms = performance.now() - start;
  // Measured after the first run, since the memory of a dropped result is not free at once.
  const held = (await inUse()) - before;
  for (let run = 1; run < Number(least); run++) {
    start = performance.now();
    await make();
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, held, value };
}

/** Collects garbage, also of recent work; returns the bytes in use. */
async function inUse() {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    globalThis.gc?.();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
