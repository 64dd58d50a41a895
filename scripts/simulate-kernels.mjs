// Writes plausible neighbours of real kernels, to build a large atlas of:
// `node scripts/simulate-kernels.mjs DIR COUNT vmlinux-NAME.btf…`. COUNT is how many kernels there are in
// all, the real ones with them; DIR gets the others, as `vmlinux-NAME.btf`.
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
  // Equal numbers of each; the remainder goes to the first.
  const own = Math.ceil((Number(count) - paths.length - i) / paths.length);
  let number = 0;
  for (const blob of neighbours(readFileSync(path), own, i + 1)) {
    number++;
    writeFileSync(join(folder, `vmlinux-${neighbourName(name, number)}.btf`), blob);
  }
}
