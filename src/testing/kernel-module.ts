/** Builds a kernel module with one relocation entry, for tests. */
import { elfObject, rela } from './elf-object.ts';

/** Returns a 64-bit module of a machine. Its only entry has type 1. */
export function kernelModule(machine: number): Uint8Array<ArrayBuffer> {
  return elfObject({
    class: 64,
    header: { machine },
    sections: [
      { name: '.text', flags: 6, data: new Uint8Array(8) },
      { name: '.rela.text', type: 4, link: '.symtab', info: '.text', data: rela(64, 0, 1, 1, 0) },
      { name: '.debug_info', data: new Uint8Array(8) },
      { name: '.gnu.linkonce.this_module', flags: 3, data: new Uint8Array(8) },
    ],
    symbols: [{ name: 'f' }],
  }).bytes;
}
