// Writes ELF files that are too large for memory. Sections without bytes become holes, which take
// no disk space. Source: System V gABI, "Object Files"; for e_shnum 0 and SHN_XINDEX, "Sections".
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

const HEADER_SIZE = 64;
const ROW_SIZE = 64;
/** First section number that is too large for 16-bit fields; these hold `XINDEX` instead. */
export const LORESERVE = 0xff00;
export const XINDEX = 0xffff;

export const SHT = { progbits: 1, symtab: 2, strtab: 3, rel: 9, symtabShndx: 18 };
export const EM = { x86_64: 62, bpf: 247 };
export const ET = { rel: 1, exec: 2 };

/**
 * Writes a little-endian ELF64 file. Sections have `name`, `type`, and `data` (a Buffer) or `size`
 * (for a hole); `flags`, `link`, `info` and `entsize` are 0 by default. Adds the null section and
 * `.shstrtab`.
 */
export function writeElf(path, { machine, type, sections }) {
  const names = nameTable([...sections.map(({ name }) => name), '.shstrtab']);
  const all = [...sections, { name: '.shstrtab', type: SHT.strtab, data: names.bytes }];
  const rows = Buffer.alloc((all.length + 1) * ROW_SIZE);
  const fd = openSync(path, 'w');
  try {
    let at = HEADER_SIZE;
    all.forEach((section, i) => {
      const size = section.data?.length ?? section.size;
      const nameOff = names.offsets.get(section.name);
      writeRow(rows, (i + 1) * ROW_SIZE, section, { nameOff, offset: at, size });
      if (section.data !== undefined) writeAll(fd, section.data, at);
      at = aligned(at + size);
    });
    const count = all.length + 1;
    const isMany = count >= LORESERVE;
    if (isMany) {
      rows.writeBigUInt64LE(BigInt(count), 32);
      rows.writeUInt32LE(count - 1, 40);
    }
    writeAll(fd, rows, at);
    ftruncateSync(fd, at + rows.length);
    writeAll(fd, header(machine, type, at, isMany ? 0 : count, isMany ? XINDEX : count - 1), 0);
  } finally {
    closeSync(fd);
  }
}

function nameTable(names) {
  const offsets = new Map();
  const parts = [Buffer.from('\0')];
  let length = 1;
  for (const name of names) {
    if (offsets.has(name)) continue;
    const bytes = Buffer.from(`${name}\0`);
    offsets.set(name, length);
    parts.push(bytes);
    length += bytes.length;
  }
  return { offsets, bytes: Buffer.concat(parts) };
}

function header(machine, type, shoff, shnum, shstrndx) {
  const bytes = Buffer.alloc(HEADER_SIZE);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes.writeUInt16LE(type, 16);
  bytes.writeUInt16LE(machine, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeBigUInt64LE(BigInt(shoff), 40);
  bytes.writeUInt16LE(HEADER_SIZE, 52);
  bytes.writeUInt16LE(ROW_SIZE, 58);
  bytes.writeUInt16LE(shnum, 60);
  bytes.writeUInt16LE(shstrndx, 62);
  return bytes;
}

function writeRow(rows, at, section, { nameOff, offset, size }) {
  rows.writeUInt32LE(nameOff, at);
  rows.writeUInt32LE(section.type, at + 4);
  rows.writeBigUInt64LE(BigInt(section.flags ?? 0), at + 8);
  rows.writeBigUInt64LE(BigInt(offset), at + 24);
  rows.writeBigUInt64LE(BigInt(size), at + 32);
  rows.writeUInt32LE(section.link ?? 0, at + 40);
  rows.writeUInt32LE(section.info ?? 0, at + 44);
  rows.writeBigUInt64LE(8n, at + 48);
  rows.writeBigUInt64LE(BigInt(section.entsize ?? 0), at + 56);
}

function writeAll(fd, bytes, position) {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

function aligned(offset) {
  return Math.ceil(offset / 8) * 8;
}
