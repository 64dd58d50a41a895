// Compares two BTF blobs. Started by compare.mjs in a new process, so that the first comparison is
// measured, as in a worker. Prints JSON with times in milliseconds.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { compareTables } from '#analysis/compare/compare-tables.ts';
import { compareTypes, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { counterpartOf } from '#analysis/compare/match-types.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { listedRows } from '#views/compare/whole-rows.ts';
import { findTypeKey } from '../../src/analysis/types/type-key.ts';

const [a, b] = await Promise.all(process.argv.slice(2, 4).map(open));

// Measures copying the table, because the page copies the other file's table into the worker.
const { ms: copyMs } = measureTime(() => structuredClone(b));

let longestMs = 0;
const { ms: wholeMs, value: whole } = measureTime(() => {
  const work = compareTables(a, b);
  for (;;) {
    const step = measureTime(() => work.next());
    longestMs = Math.max(longestMs, step.ms);
    if (step.value.done) return step.value.value;
  }
});

const ALL = { states: new Set(), facets: new Set(), kind: null, order: 'weight', descending: true };
const list = (text) => measureTime(() => listedRows(whole, { a, b }, ALL, text)).ms;
const listMs = { first: list(''), filter: list('task'), again: list('task_') };

const types = ['task_struct', 'sk_buff', 'net_device', 'inode', 'bpf_prog'].flatMap((name) => {
  const id = findTypeKey(a, { kind: 'struct', name, ordinal: 0 });
  if (id === null) return [];
  const { ms, value } = measureTime(() => {
    const graph = pairGraphOf(a, b);
    const other = counterpartOf(graph, id);
    return other === null ? null : compareTypes(graph, id, other);
  });
  return value === null ? [] : [{ name, ms, lines: value.lines.length }];
});

process.stdout.write(
  JSON.stringify({
    copyMs,
    wholeMs,
    longestMs,
    listMs,
    types,
    rows: whole.count,
    same: whole.same,
  }),
);

async function open(path) {
  const { model } = await ingestBytes(basename(path), new Uint8Array(readFileSync(path)));
  return model.types;
}

function measureTime(work) {
  const before = performance.now();
  const value = work();
  return { value, ms: performance.now() - before };
}
