// Prints the functions of a kernel with a parameter of one type, as C prototypes.
// node docs/examples/functions-by-prototype.mjs testdata/kernels/vmlinux-small-1-amd64.btf.zst 'struct file *'
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { declarationText, open, visible } from 'btfscope';

const [path, wanted] = argv.slice(2);
const { types } = await open(await readFile(path), { name: path });
for (const func of types.ofKind('func')) {
  if (func.params.some(({ type }) => `${type}` === wanted)) {
    console.log(visible(declarationText(func)));
  }
}
