// Searches one kernel, in one thread. Started by find.mjs. Types each word letter by letter; a
// keystroke is measured until its hits are ready to be sent. Prints JSON: times in milliseconds,
// memory in bytes.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { find } from '#analysis/find/find.ts';
import { buildFinder } from '#analysis/find/finder.ts';
import { Slices } from '#bytes/long-work.ts';
import { ingestBytes } from '#ingest/ingest.ts';

const [kernel, ...words] = process.argv.slice(2);
const LINES = 50;

// Without pauses, so that only work is measured.
const slices = () => new Slices(Number.POSITIVE_INFINITY, new AbortController().signal);

const { model } = await ingestBytes(basename(kernel), new Uint8Array(readFileSync(kernel)));
const before = heldBytes();
const start = performance.now();
const finder = await buildFinder(model, slices(), () => undefined);
const indexMs = performance.now() - start;
const indexBytes = heldBytes() - before;

const strokes = [];
for (const word of words) {
  for (let length = 1; length <= word.length; length++) {
    const text = word.slice(0, length);
    const from = performance.now();
    const { total } = await find(finder, text, LINES, slices());
    strokes.push({ text, ms: performance.now() - from, total });
  }
}

const fromStrings = performance.now();
await find(finder, 'string:GPL', LINES, slices());
const stringsMs = performance.now() - fromStrings;

const names = finder.types?.pool.count ?? 0;
process.stdout.write(JSON.stringify({ indexMs, indexBytes, names, strokes, stringsMs }));

/** Collects garbage; returns the bytes of the heap and of buffers outside of it. */
function heldBytes() {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
