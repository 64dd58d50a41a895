// Writes kernels that are similar to real ones, for a large atlas: `node
// scripts/simulate-kernels.mjs DIR COUNT vmlinux-NAME.btf…`. COUNT is the number of kernels,
// including the real ones. The new kernels are written to DIR as `vmlinux-NAME.btf`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { neighbourName, neighbours } from './bench/neighbours.mjs';

const [folder, count, ...paths] = process.argv.slice(2);
if (!(Number(count) >= paths.length) || paths.length === 0) {
  console.error('usage: node scripts/simulate-kernels.mjs DIR COUNT vmlinux-NAME.btf…');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const [i, path] of paths.entries()) {
  const name = basename(path, '.btf').replace(/^vmlinux-/, '');
  // Each real kernel gets equally many similar ones; the first real kernels may get one more.
  const own = Math.ceil((Number(count) - paths.length - i) / paths.length);
  let number = 0;
  for (const blob of neighbours(readFileSync(path), own, i + 1)) {
    number++;
    writeFileSync(join(folder, `vmlinux-${neighbourName(name, number)}.btf`), blob);
  }
}
