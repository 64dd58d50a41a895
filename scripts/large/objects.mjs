// Makes ELF objects larger than compilers make them, as sections for `writeElf`.
import { generateBtf } from '../bench/generate-btf.mjs';
import { EM, ET, LORESERVE, SHT, XINDEX } from './elf-file.mjs';

const ALLOC = 2;
const ALLOC_EXEC = 6;
const GIGABYTE = 2 ** 30;
const SYMBOL_SIZE = 24;
const REL_SIZE = 16;
const INSN_SIZE = 8;
const EXIT = 0x0000000000000095n;
/** A `call` to a function that a relocation names: src_reg is BPF_PSEUDO_CALL. */
const CALL = 0xffffffff00001085n;
const R_BPF_64_32 = 10n;

/** Returns a kernel with more than 4 GB of debugging information before its `.BTF`. */
export function kernelWithDwarf(types) {
  return {
    machine: EM.x86_64,
    type: ET.exec,
    sections: [
      { name: '.text', type: SHT.progbits, flags: ALLOC_EXEC, size: GIGABYTE / 16 },
      { name: '.rodata', type: SHT.progbits, flags: ALLOC, size: GIGABYTE / 16 },
      { name: '.debug_info', type: SHT.progbits, size: 2 * GIGABYTE },
      { name: '.debug_line', type: SHT.progbits, size: GIGABYTE },
      { name: '.debug_str', type: SHT.progbits, size: GIGABYTE },
      { name: '.BTF', type: SHT.progbits, flags: ALLOC, data: generateBtf(types) },
    ],
  };
}

/** Returns a BPF object with `count` functions. Each has a section and a relocation section. */
export function manySections(count) {
  const code = words64([CALL, EXIT]);
  const { symtab, strtab, shndx } = functionSymbols(count, code.length, (i) => 5 + 2 * i);
  const functions = Array.from({ length: count }, (_, i) => {
    const rel = words64([0n, (BigInt(1 + i) << 32n) | R_BPF_64_32]);
    const info = 5 + 2 * i;
    return [
      { name: `.text.fn_${i}`, type: SHT.progbits, flags: ALLOC_EXEC, data: code },
      { name: `.rel.text.fn_${i}`, type: SHT.rel, data: rel, link: 1, info, entsize: REL_SIZE },
    ];
  });
  return {
    machine: EM.bpf,
    type: ET.rel,
    sections: [
      { name: '.symtab', type: SHT.symtab, data: symtab, link: 2, info: 1, entsize: SYMBOL_SIZE },
      { name: '.strtab', type: SHT.strtab, data: strtab },
      { name: '.symtab_shndx', type: SHT.symtabShndx, data: shndx, link: 1, entsize: 4 },
      { name: '.BTF', type: SHT.progbits, data: generateBtf(1000) },
      ...functions.flat(),
    ],
  };
}

/** Returns a BPF object with one section of `count` calls and a relocation for each. */
export function manyRelocations(count) {
  const SYMBOLS = 1000;
  const code = Buffer.alloc((count + 1) * INSN_SIZE);
  const rel = Buffer.alloc(count * REL_SIZE);
  for (let i = 0; i < count; i++) {
    code.writeBigUInt64LE(CALL, i * INSN_SIZE);
    rel.writeBigUInt64LE(BigInt(i * INSN_SIZE), i * REL_SIZE);
    rel.writeBigUInt64LE((BigInt(1 + (i % SYMBOLS)) << 32n) | R_BPF_64_32, i * REL_SIZE + 8);
  }
  code.writeBigUInt64LE(EXIT, count * INSN_SIZE);
  const size = Math.floor(count / SYMBOLS) * INSN_SIZE;
  const { symtab, strtab } = functionSymbols(SYMBOLS, size, () => 1);
  return {
    machine: EM.bpf,
    type: ET.rel,
    sections: [
      { name: '.text', type: SHT.progbits, flags: ALLOC_EXEC, data: code },
      { name: '.rel.text', type: SHT.rel, data: rel, link: 3, info: 1, entsize: REL_SIZE },
      { name: '.symtab', type: SHT.symtab, data: symtab, link: 4, info: 1, entsize: SYMBOL_SIZE },
      { name: '.strtab', type: SHT.strtab, data: strtab },
      { name: '.BTF', type: SHT.progbits, data: generateBtf(1000) },
    ],
  };
}

/** Returns `count` function symbols; `sectionOf` returns a symbol's section by its number. */
function functionSymbols(count, size, sectionOf) {
  const symtab = Buffer.alloc((count + 1) * SYMBOL_SIZE);
  const names = ['\0'];
  let nameOff = 1;
  const shndx = Buffer.alloc((count + 1) * 4);
  const taken = new Map();
  for (let i = 0; i < count; i++) {
    const at = (i + 1) * SYMBOL_SIZE;
    const section = sectionOf(i);
    const value = taken.get(section) ?? 0;
    taken.set(section, value + size);
    symtab.writeUInt32LE(nameOff, at);
    names.push(`fn_${i}\0`);
    nameOff += names.at(-1).length;
    // STB_GLOBAL and STT_FUNC.
    symtab.writeUInt8(0x12, at + 4);
    // Section numbers that do not fit are in a second table (SHT_SYMTAB_SHNDX).
    const fits = section < LORESERVE;
    symtab.writeUInt16LE(fits ? section : XINDEX, at + 6);
    if (!fits) shndx.writeUInt32LE(section, (i + 1) * 4);
    symtab.writeBigUInt64LE(BigInt(value), at + 8);
    symtab.writeBigUInt64LE(BigInt(size), at + 16);
  }
  return { symtab, strtab: Buffer.from(names.join('')), shndx };
}

function words64(values) {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, i) => {
    bytes.writeBigUInt64LE(value, i * 8);
  });
  return bytes;
}
