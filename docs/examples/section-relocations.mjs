// Prints the relocations of one section, with what is written.
// node docs/examples/section-relocations.mjs public/samples/doc_ld_imm64.bpf.o .text
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { open, relocations, visible } from 'btfscope';

const [path, section] = argv.slice(2);
const object = await open(await readFile(path), { name: path });
for (const { offset, typeName, symbol, addend, text } of relocations(object, section)) {
  console.log(`0x${offset.toString(16)} ${typeName} ${visible(symbol)} + ${addend}`);
  console.log(`  ${visible(text)}`);
}
