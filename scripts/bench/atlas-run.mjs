// Builds an atlas of real or derived kernels. Started by atlas.mjs. Arguments: the file to write,
// the number of kernels, 1 for an extractable atlas or else 0, the kernels. Prints JSON: the
// processor time in ms to read and index each kernel and to build the atlas, and sizes in bytes.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { AtlasBuilder } from '#analysis/atlas/builder.ts';
import { kernelInfo } from '#analysis/atlas/kernel-name.ts';
import { buildFinder } from '#analysis/find/finder.ts';
import { Slices } from '#bytes/long-work.ts';
import { ingestBytes } from '#ingest/ingest.ts';
import { neighbourName, neighbours } from './neighbours.mjs';

const HEADER = 40;
const [out, count, extract, ...paths] = process.argv.slice(2);
const fd = openSync(out, 'w');
let size = HEADER;
const builder = new AtlasBuilder({
  write: (bytes) => {
    writeSync(fd, bytes, 0, bytes.length, size);
    size += bytes.length;
  },
  extract: extract === '1',
});
const spent = { read: 0, index: 0, build: 0 };
for (const [i, path] of paths.entries()) {
  const blob = readFileSync(path);
  const name = kernelInfo(path).name;
  await take(basename(path), blob);
  const own = Math.ceil((Number(count) - paths.length - i) / paths.length);
  let number = 0;
  for (const other of own > 0 ? neighbours(blob, own, i + 1) : []) {
    number++;
    await take(`vmlinux-${neighbourName(name, number)}.btf`, other);
  }
}
const head = await measureTime('build', () => builder.finish());
writeSync(fd, head, 0, head.length, 0);
closeSync(fd);
const { maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({ ...spent, size, kernels: builder.kernelCount, memory: 1024 * maxRSS }),
);

async function take(name, blob) {
  const bytes = new Uint8Array(blob);
  const { model } = await measureTime('read', () => ingestBytes(name, bytes));
  const slices = new Slices(Number.POSITIVE_INFINITY, new AbortController().signal);
  await measureTime('index', () => buildFinder(model, slices, () => undefined));
  await measureTime('build', () => builder.add(kernelInfo(name), model.types));
}

/** Measures processor time, which includes the threads that compress. */
async function measureTime(part, work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  spent[part] += (user + system) / 1000;
  return result;
}
