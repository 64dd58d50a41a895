// Prints the structs with holes, as pahole counts them: those that waste most first.
// node docs/examples/holes.mjs public/samples/layout.bpf.o
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { open, visible } from 'btfscope';

const [path] = argv.slice(2);
const { types } = await open(await readFile(path), { name: path });

const found = [...types.ofKind('struct')]
  .map((type) => ({ type, layout: type.layout }))
  .filter(({ layout }) => layout.holeBits > 0)
  .sort((a, b) => b.layout.holeBits - a.layout.holeBits);
for (const { type, layout } of found) {
  console.log(`${visible(`${type}`)}: ${layout.size} bytes, ${layout.holeBits} bits in holes`);
  for (const { kind, bitOffset, bitSize } of layout.rows) {
    if (kind !== 'hole') continue;
    const isWhole = bitOffset % 8 === 0 && bitSize % 8 === 0;
    const [unit, per] = isWhole ? ['byte', 8] : ['bit', 1];
    console.log(`  ${unit} ${bitOffset / per}: ${bitSize / per} ${unit}s`);
  }
}
