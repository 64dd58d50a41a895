// Judges loading all objects on some kernels, in one thread. Started by load.mjs. Arguments: number
// of kernels, kernels, objects. Prints JSON: processor milliseconds, and the number of pairs by
// outcome.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import { loadObject } from '#analysis/libbpf/open.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { isBpf } from '#model/object-model.ts';

const [count, ...paths] = process.argv.slice(2);
const kernels = paths.slice(0, Number(count));
const objects = [];
let start = cpuMs();
for (const path of paths.slice(Number(count))) {
  const opened = await open(path);
  if (opened !== null && isBpf(opened.model)) {
    objects.push({ path, object: await loadObject(opened.model, opened.source) });
  }
}
const openMs = cpuMs() - start;

let readMs = 0;
let judgeMs = 0;
const outcomes = {};
const slowest = { ms: 0, path: '' };
for (const path of kernels) {
  start = cpuMs();
  const { model } = await open(path);
  readMs += cpuMs() - start;
  const kernel = {
    name: basename(path),
    vmlinux: model.types,
    modules: null,
    config: null,
    kallsyms: null,
    release: null,
    unameVersion: null,
  };
  for (const { path: name, object } of objects) {
    const before = cpuMs();
    const { outcome } = judgeLoad(object, kernel);
    const ms = cpuMs() - before;
    judgeMs += ms;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (ms > slowest.ms)
      Object.assign(slowest, { ms, path: `${basename(name)} on ${kernel.name}` });
  }
}

process.stdout.write(
  JSON.stringify({
    openMs,
    readMs,
    judgeMs,
    objects: objects.length,
    pairs: objects.length * kernels.length,
    outcomes,
    slowest,
  }),
);

async function open(path) {
  const opened = await ingestBytes(basename(path), new Uint8Array(readFileSync(path)));
  return opened.kind === 'object' ? opened : null;
}

/**
 * Returns the processor time of this process in ms, with all threads and garbage collection. Other
 * work on the machine does not count.
 */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
