// Decodes the bytes of a map's value, such as `bpftool map lookup` gives, by the map's type.
// node docs/examples/map-value.mjs public/samples/xdp_counter.bpf.o protocols 0500000000000000dc05000000000000
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { decode, maps, open } from 'btfscope';

const [path, name, hex] = argv.slice(2);
const object = await open(await readFile(path), { name: path });
const map = (await maps(object)).find((each) => each.name === name);
if (map?.value == null) throw new Error(`no map ${name}, or it has no type for its values`);

const bytes = Uint8Array.from(hex.match(/../g), (byte) => Number.parseInt(byte, 16));
const value = decode(map.value, bytes);
console.log(`${map.mapType} ${name}: ${map.valueSize} bytes, ${map.value}`);
for (const part of value.parts()) console.log(`${part.name} = ${part.value}`);
console.log(value.toC());
console.log(value.toJson());
