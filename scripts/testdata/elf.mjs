// A small reader of ELF64 and BTF in both byte orders. It is independent of src/, so that its
// results can be compared.
import { kindOf, recordLength } from '../btf-blob.mjs';

/** Returns the sections, with their bytes, and the symbols of an object. */
export function readElf(bytes) {
  const file = Buffer.from(bytes);
  const isLittle = file[5] === 1;
  const u16 = (at) => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const u32 = (at) => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const u64 = (at) => Number(isLittle ? file.readBigUInt64LE(at) : file.readBigUInt64BE(at));
  const shoff = u64(0x28);
  const count = u16(0x3c);
  const headers = Array.from({ length: count }, (_, i) => {
    const at = shoff + 64 * i;
    return {
      index: i,
      at,
      nameOff: u32(at),
      type: u32(at + 4),
      flags: u64(at + 8),
      offset: u64(at + 0x18),
      size: u64(at + 0x20),
      link: u32(at + 0x28),
      info: u32(at + 0x2c),
      entsize: u64(at + 0x38),
    };
  });
  const textAt = (table, offset) => {
    const start = table.offset + offset;
    return file.toString('utf8', start, file.indexOf(0, start));
  };
  const names = headers[u16(0x3e)];
  const sections = headers.map((header) => ({
    ...header,
    name: textAt(names, header.nameOff),
    data: header.type === 8 ? null : file.subarray(header.offset, header.offset + header.size),
  }));
  const table = sections.find((section) => section.type === 2);
  const symbols = [];
  for (let i = 0; table && i < table.size / 24; i++) {
    const at = table.offset + 24 * i;
    symbols.push({
      name: textAt(headers[table.link], u32(at)),
      type: file[at + 4] & 15,
      section: u16(at + 6),
      value: u64(at + 8),
      size: u64(at + 16),
    });
  }
  return {
    file,
    isLittle,
    u16,
    u32,
    u64,
    sections,
    symbols,
    section: (name) => sections.find((section) => section.name === name) ?? null,
  };
}

/** Returns the types of a blob: position, kind, name, vlen, and size or type of each. */
export function readBtf(bytes, { firstId = 1, baseStrings = null } = {}) {
  const blob = Buffer.from(bytes);
  const isLittle = blob[0] === 0x9f;
  const u32 = (at) => (isLittle ? blob.readUInt32LE(at) : blob.readUInt32BE(at));
  const u16 = (at) => (isLittle ? blob.readUInt16LE(at) : blob.readUInt16BE(at));
  const header = u32(4);
  const typesAt = header + u32(8);
  const typesEnd = typesAt + u32(12);
  const stringsAt = header + u32(16);
  const strings = blob.subarray(stringsAt, stringsAt + u32(20));
  const base = baseStrings?.length ?? 0;
  const nameAt = (offset) => {
    const [table, from] = offset < base ? [baseStrings, offset] : [strings, offset - base];
    return table.toString('utf8', from, table.indexOf(0, from));
  };
  const types = [];
  for (let at = typesAt; at < typesEnd; ) {
    const info = u32(at + 4);
    const kind = kindOf(info);
    const vlen = info & 0xffff;
    types.push({
      id: firstId + types.length,
      at,
      kind,
      vlen,
      name: nameAt(u32(at)),
      sizeOrType: u32(at + 8),
      kindFlag: info >>> 31 === 1,
    });
    at += recordLength(info);
  }
  return { blob, isLittle, u16, u32, header, typesAt, stringsAt, strings, types, nameAt };
}

/** Returns the CO-RE records of an object, in the order of the file, with their instructions. */
export function readCoreRecords(elf) {
  const btf = elf.section('.BTF');
  const ext = elf.section('.BTF.ext');
  if (!btf || !ext) return [];
  const { nameAt } = readBtf(btf.data);
  const data = ext.data;
  const u32 = (at) => (elf.isLittle ? data.readUInt32LE(at) : data.readUInt32BE(at));
  const header = u32(4);
  if (header < 32 || u32(28) === 0) return [];
  const start = header + u32(24);
  const end = start + u32(28);
  const size = u32(start);
  const records = [];
  for (let at = start + 4; at < end; ) {
    const section = nameAt(u32(at));
    const count = u32(at + 4);
    at += 8;
    const code = elf.section(section);
    for (let i = 0; i < count; i++, at += size) {
      const insnOff = u32(at);
      const func = elf.symbols.find(
        ({ type, section: own, value, size: length }) =>
          type === 2 && own === code.index && insnOff >= value && insnOff < value + length,
      );
      const isWide = code.data[insnOff] === 0x18;
      records.push({
        section,
        reloIndex: i,
        insnOff,
        typeId: u32(at + 4),
        accessStr: nameAt(u32(at + 8)),
        kind: u32(at + 12),
        prog: func?.name ?? '',
        progInsn: (insnOff - (func?.value ?? 0)) / 8,
        insn: code.data.subarray(insnOff, insnOff + (isWide ? 16 : 8)),
      });
    }
  }
  return records;
}
