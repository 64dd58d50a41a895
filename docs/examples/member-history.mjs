// Prints since which kernel a struct has a member, where it is, and what else changed in the struct.
// node docs/examples/member-history.mjs task_struct __state docs/examples/kernels.btfatlas
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { openAtlas, visible } from 'btfscope';

const [type, name, path] = argv.slice(2);
const atlas = await openAtlas(await readFile(path), { name: path });
const { kernels, missing } = await atlas.member(type, name);
for (const [kernel, { bitOffset, bitSize, type: memberType }] of kernels) {
  console.log(`${kernel}: bit ${bitOffset}, ${bitSize} bits, ${visible(memberType)}`);
}
console.log(`without it: ${missing.join(', ') || 'none'}`);

const history = await atlas.history(type);
for (const { title, kernels: having, changes } of history?.forms ?? []) {
  console.log(`\n${visible(title)}: ${having.join(', ')}`);
  for (const { sign, text } of changes) console.log(`  ${sign} ${visible(text)}`);
}
