// Resolves all objects on one kernel, in one thread. Started by core.mjs. Reads the kernel first,
// as its worker does. Prints JSON: times in milliseconds and the number of relocations.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { coreObjectOf } from '#analysis/core/core-records.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { essentialNameIndex, targetOf } from '../../src/analysis/core/candidates.ts';

const [kernel, ...objects] = process.argv.slice(2);

const { ms: readMs, value: bytes } = measureTime(() => new Uint8Array(readFileSync(kernel)));
const start = performance.now();
const { model } = await ingestBytes(basename(kernel), bytes);
const indexMs = performance.now() - start;
const target = targetOf(basename(kernel), model.types);
const locals = [];
for (const path of objects) {
  const local = await openObject(path);
  if (local !== null) locals.push(local);
}

const { ms: namesMs } = measureTime(() => essentialNameIndex(model.types));
const times = locals.map((local) => {
  const { ms, value } = measureTime(() => resolveObject(local, target));
  return { ms, relocations: value.length };
});

process.stdout.write(JSON.stringify({ readMs, indexMs, namesMs, times }));

async function openObject(path) {
  const bytes = new Uint8Array(readFileSync(path));
  const opened = await ingestBytes(basename(path), bytes);
  if (opened.kind !== 'object') return null;
  const { sections } = opened.model;
  return coreObjectOf(opened.model, (section) => {
    const from = sections.fileOffset[section] ?? 0;
    return bytes.subarray(from, from + (sections.byteLength[section] ?? 0));
  });
}

function measureTime(work) {
  const before = performance.now();
  const value = work();
  return { value, ms: performance.now() - before };
}
