// One thread, one file: what each index costs in time and memory. Built from our sources
// and started by growth.mjs, with --expose-gc. Prints one JSON object; times are the
// least of some, as what else the machine does only ever adds to them.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { buildFinder } from '#analysis/find/finder.ts';
import { Slices } from '#bytes/slices.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { buildNameIndex } from '../../src/analysis/find/type-search.ts';
import { buildReferrers } from '../../src/analysis/types/references.ts';

const [path, least] = process.argv.slice(2);
const bytes = new Uint8Array(readFileSync(path));
const slices = () => new Slices(Number.POSITIVE_INFINITY, new AbortController().signal);

const opened = await timed(() => ingestBytes(basename(path), bytes));
const { model } = opened.value;
const { types } = model;
const names = await timed(() => buildNameIndex(types));
const referrers = await timed(() => buildReferrers(types));
const finder = await timed(() => buildFinder(model, slices(), () => undefined));

const told = ({ ms, held }) => ({ ms, held });
process.stdout.write(
  JSON.stringify({
    types: types.count,
    size: bytes.length,
    index: told(opened),
    names: told(names),
    referrers: told(referrers),
    finder: told(finder),
  }),
);

/** The least time of as many runs as are asked for, and what the last result holds in memory. */
async function timed(make) {
  const before = await inUse();
  let start = performance.now();
  const value = await make();
  let ms = performance.now() - start;
  // Of the first alone: what a later one replaces is not gone when one would like it to be.
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
