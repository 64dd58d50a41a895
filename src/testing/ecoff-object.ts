/**
 * Builds a small Alpha eCOFF object for tests. The file has headers, raw data, relocation entries
 * and external symbols, in this order.
 *
 * Spec: Tru64 UNIX Object File and Symbol Table Format Specification, chapters 2, 4 and 5.
 */
import {
  align,
  assemble,
  cstring,
  label,
  offsetOf,
  type Part,
  raw,
  u16,
  u32,
  u64,
  zeros,
} from './assemble.ts';

export type EcoffReloc = {
  readonly vaddr: number | bigint;
  /** Value of `r_symndx`. */
  readonly symndx: number;
  readonly type: number;
  readonly extern?: boolean;
  readonly offset?: number;
  readonly size?: number;
};

export type EcoffSection = {
  readonly name: string;
  readonly flags: number;
  readonly vaddr: number | bigint;
  /** Raw data of the section; undefined for bss. */
  readonly data?: Uint8Array;
  /** Value of `s_size` for a section without raw data. */
  readonly size?: number;
  readonly relocs?: readonly EcoffReloc[];
  /** Value of `s_nreloc`; by default the number of entries. */
  readonly nreloc?: number;
};

export type EcoffExternal = {
  readonly name: string;
  readonly value?: number | bigint;
  /** Symbol type `st`: 1 global (the default), 6 procedure. */
  readonly st?: number;
  /** Storage class `sc`: 6 undefined (the default), 1 text, 2 data. */
  readonly sc?: number;
};

export type EcoffObject = {
  readonly sections: readonly EcoffSection[];
  readonly externals?: readonly EcoffExternal[];
  readonly gp?: number | bigint;
};

/** Values of `s_flags` for the sections in tests. */
export const STYP = {
  text: 0x20,
  data: 0x40,
  sbss: 0x400,
  xdata: 0x02400000,
  pdata: 0x02800000,
  lita: 0x04000000,
  comment: 0x02100000,
  relocOverflow: 0x20000000,
} as const;

const SYMBOLIC_SIZE = 144;

/** Returns the bytes of an eCOFF object. */
export function ecoffObject(object: EcoffObject): Uint8Array {
  const { sections, externals = [], gp = 0 } = object;
  const parts: Part[] = [
    ...[u16(0x183), u16(sections.length), u32(0), u64(offsetOf('symbolic'))],
    ...[u32(SYMBOLIC_SIZE), u16(80), u16(0)],
    ...[u16(0o407), u16(0x030d), u16(0), u16(0), zeros(56), u32(0), u32(0), u64(BigInt(gp))],
    ...sections.flatMap(sectionHeader),
    ...sections.flatMap((s, i) => [align(16), label(`data${i}`), raw(s.data ?? new Uint8Array(0))]),
    ...sections.flatMap((s, i) => [align(8), label(`relocs${i}`), ...(s.relocs ?? []).map(entry)]),
    ...symbols(externals),
  ];
  return assemble('little', ...parts).bytes;
}

/** Returns the bytes of the given 32-bit words. */
export function words(...values: readonly number[]): Uint8Array {
  return assemble('little', ...values.map((value) => u32(value >>> 0))).bytes;
}

/** Returns the data of a `.comment` section that contains one subsection, with the tag `tag`. */
export function commentData(tag: number, data: Uint8Array): Uint8Array {
  const header = (t: number, length: number, value: number) => [
    u32(t),
    u32(length),
    u64(BigInt(value)),
  ];
  return assemble(
    'little',
    ...header(3, 0, 0),
    ...header(tag, data.length, 48),
    ...header(0, 0, 0),
    raw(data),
    align(16),
  ).bytes;
}

function sectionHeader(section: EcoffSection, i: number): readonly Part[] {
  const name = new Uint8Array(8);
  new TextEncoder().encodeInto(section.name, name);
  const hasData = section.data !== undefined;
  const hasRelocs = (section.relocs?.length ?? 0) > 0;
  return [
    raw(name),
    u64(BigInt(section.vaddr)),
    u64(BigInt(section.vaddr)),
    u64(BigInt(section.data?.length ?? section.size ?? 0)),
    u64(hasData ? offsetOf(`data${i}`) : 0n),
    u64(hasRelocs ? offsetOf(`relocs${i}`) : 0n),
    u64(0n),
    u16(section.nreloc ?? section.relocs?.length ?? 0),
    u16(0),
    u32(section.flags),
  ];
}

function entry(reloc: EcoffReloc): Part {
  const { type, extern = false, offset = 0, size = 0 } = reloc;
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(reloc.vaddr), true);
  view.setUint32(8, reloc.symndx, true);
  view.setUint32(12, (type | (extern ? 0x100 : 0) | (offset << 9) | (size << 26)) >>> 0, true);
  return raw(bytes);
}

function symbols(externals: readonly EcoffExternal[]): readonly Part[] {
  const names: Part[] = [];
  const records: Part[] = [];
  let iss = 0;
  for (const { name, value = 0, st = 1, sc = 6 } of externals) {
    names.push(cstring(name));
    const bits = (st | (sc << 6) | (0xfffff << 12)) >>> 0;
    records.push(u64(BigInt(value)), u32(iss), u32(bits), u32(0), u32(0xffffffff));
    iss += new TextEncoder().encode(name).length + 1;
  }
  return [
    ...[align(8), label('symbolic'), u16(0x1992), u16(0x030d), zeros(28), u32(iss), zeros(8)],
    ...[u32(externals.length), zeros(64), u64(offsetOf('strings')), zeros(16)],
    ...[u64(offsetOf('externals')), label('strings'), ...names],
    ...[align(8), label('externals'), ...records],
  ];
}
