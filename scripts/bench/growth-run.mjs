// One thread, one file: what each index costs in time and memory, and a search that has
// none. Built from our sources
// and started by growth.mjs, with --expose-gc. Prints one JSON object; times are the
// least of some, as what else the machine does only ever adds to them.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { buildFinder } from '#analysis/find/finder.ts';
import { Slices } from '#bytes/slices.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { searchTypes } from '../../src/analysis/find/type-search.ts';
import { referrersOf } from '../../src/analysis/types/references.ts';

const [path, least] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(path));
const slices = () => new Slices(Number.POSITIVE_INFINITY, new AbortController().signal);

const opened = await timed(() => ingestBytes(basename(path), bytes));
const { model } = opened.value;
const { types } = model;
const finder = await timed(() => buildFinder(model, slices(), () => undefined));
const query = { text: 'task_s', kinds: 0, order: 'id', descending: false };
const filter = await timed(() => searchTypes(types, query, async () => finder.value.types));
const referrers = await timed(() => referrersOf(types, 1));

const told = ({ ms, held }) => ({ ms, held });
process.stdout.write(
  JSON.stringify({
    types: types.count,
    size: bytes.length,
    index: told(opened),
    finder: told(finder),
    filter: told(filter),
    referrers: told(referrers),
  }),
);

/** The least time of as many runs as are asked for, and what the last result holds in memory. */
async function timed(make) {
  const before = await inUse();
  let start = performance.now();
  const value = await make();
  let ms = performance.now() - start;
  // Of the first alone: memory of a replaced result is not freed at once.
  const held = (await inUse()) - before;
  for (let run = 1; run < Number(least); run++) {
    start = performance.now();
    await make();
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, held, value };
}

/** Bytes in use once the rubbish is gone, also what was held by work that has just ended. */
async function inUse() {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    globalThis.gc?.();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
