// Prints the structs that are different in two kernels, and each member that is.
// node docs/examples/compare-kernels.mjs testdata/kernels/vmlinux-small-1-amd64.btf.zst testdata/kernels/vmlinux-small-1-s390x.btf.zst
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { compare, compareType, open, visible } from 'btfscope';

const [before, after] = await Promise.all(
  argv.slice(2).map(async (path) => await open(await readFile(path), { name: path })),
);

const { types, same } = compare(before.types, after.types);
console.log(`${types.length} types differ, ${same} are the same`);
for (const type of types.filter(({ kind }) => kind === 'struct')) {
  console.log(`${type.state} struct ${visible(type.name)}`);
  if (type.state !== 'changed') continue;
  const { changes, lines } = compareType(type.before, type.after);
  for (const change of changes) console.log(`  ${visible(change)}`);
  for (const line of lines) {
    console.log(`  ${visible(line.after ?? line.before)}: ${visible(line.changes.join(', '))}`);
  }
}
