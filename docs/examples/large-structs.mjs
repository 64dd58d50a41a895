// Counts the structs of a kernel that are larger than 1 KiB, and lists them.
// node docs/examples/large-structs.mjs testdata/kernels/vmlinux-small-3-amd64.btf.zst
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { open, visible } from 'btfscope';

const [path] = argv.slice(2);
const { types } = await open(await readFile(path), { name: path });

const large = [...types.ofKind('struct')]
  .filter(({ size }) => size > 1024)
  .sort((a, b) => b.size - a.size);
console.log(`${large.length} structs of more than 1,024 bytes`);
for (const type of large) console.log(`${type.size} ${visible(`${type}`)}`);
