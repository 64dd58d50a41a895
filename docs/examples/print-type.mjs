// Prints one type: its C declaration, what pahole prints, and Rust with the same layout.
// node docs/examples/print-type.mjs public/samples/layout.bpf.o nested
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { declarationText, open, paholeText, rustText } from 'btfscope';

const [path, name] = argv.slice(2);
const { types } = await open(await readFile(path), { name: path });

const type = types.find(name);
if (type === null) throw new Error(`no type is named ${name}`);
console.log(`${type.key}: ${type.size} bytes, aligned to ${type.align}\n`);
console.log(declarationText(type));
console.log(paholeText(type));
console.log(rustText(type));
