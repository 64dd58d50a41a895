/**
 * Builds a small ELF object for tests: header, sections, symbols, section headers.
 *
 * Spec: System V gABI, "Object Files". By default the object is relocatable and its machine EM_BPF.
 * The given sections are numbered from 1; `.symtab`, `.strtab` and `.shstrtab` follow. A test can
 * override any header field.
 */
import type { Endian } from '#bytes/span.ts';
import {
  align,
  assemble,
  cstring,
  i32,
  i64,
  label,
  offsetOf,
  type Part,
  type Reference,
  raw,
  u8,
  u16,
  u32,
  u64,
} from './assemble.ts';

export type ElfClass = 32 | 64;

export type ElfSection = {
  readonly name: string;
  /** Value of sh_type: 1 PROGBITS (the default), 4 RELA, 8 NOBITS, 9 REL. */
  readonly type?: number;
  /** Value of sh_flags: 1 WRITE, 2 ALLOC, 4 EXECINSTR. */
  readonly flags?: number;
  /** Value of sh_link: an index, or the name of the section with that index. */
  readonly link?: number | string;
  readonly info?: number | string;
  readonly addralign?: number;
  readonly entsize?: number;
  /** Content of the section: bytes, or parts to write in the object's byte order. */
  readonly data?: Uint8Array | readonly Part[];
  /** Value of sh_size, for NOBITS sections and wrong files; by default the length of `data`. */
  readonly size?: number;
};

export type ElfSymbol = {
  readonly name: string;
  /** Value of st_value: in a relocatable object the offset in bytes within the section. */
  readonly value?: number;
  readonly size?: number;
  /** Symbol type: 0 NOTYPE, 1 OBJECT, 2 FUNC, 3 SECTION, 4 FILE. */
  readonly type?: number;
  /** Symbol binding: 0 LOCAL, 1 GLOBAL (the default), 2 WEAK. */
  readonly bind?: number;
  readonly other?: number;
  /** Value of st_shndx: an index, or the name of a section; 0 (the default) for undefined. */
  readonly shndx?: number | string;
};

export type ElfHeaderFields = {
  readonly machine: number;
  readonly type: number;
  readonly flags: number;
  readonly shoff: number;
  readonly shentsize: number;
  readonly shnum: number;
  readonly shstrndx: number;
};

export type ElfSpec = {
  readonly endian?: Endian;
  readonly class?: ElfClass;
  readonly sections?: readonly ElfSection[];
  /** Symbols after the null symbol, which is added. Without symbols there is no `.symtab`. */
  readonly symbols?: readonly ElfSymbol[];
  readonly header?: Partial<ElfHeaderFields>;
};

export type ElfObject = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Returns the index of the section with this name; throws if there is none. */
  readonly sectionIndex: (name: string) => number;
  /** Returns the file offset of the section with this name. */
  readonly sectionOffset: (name: string) => number;
  /** File offset of the table of section headers. */
  readonly shoff: number;
};

type PlacedSection = Required<Omit<ElfSection, 'data' | 'size'>> & {
  readonly parts: readonly Part[];
  readonly size: number;
};

/**
 * Builds an ELF object. Throws for an unknown section name or a number that does not fit its field.
 */
export function elfObject(spec: ElfSpec = {}): ElfObject {
  const { endian = 'little', symbols = [], header = {} } = spec;
  const bits = spec.class ?? 64;
  const word = bits === 64 ? u64 : u32;
  const sections = layOut(spec.sections ?? [], symbols, endian, bits);
  const sectionIndex = (name: string) => indexOfName(sections, name);
  const indexOf = (at: number | string) => (typeof at === 'number' ? at : sectionIndex(at));
  const names = stringTable(sections.map((s) => s.name));
  const { bytes, at } = assemble(
    endian,
    ...fileHeader(bits, endian, header, sections.length + 1, sectionIndex('.shstrtab')),
    ...sections.flatMap((s, i) => [align(8), label(`section ${i}`), ...s.parts]),
    align(8),
    label('headers'),
    ...sectionHeader(word, { name: 0, type: 0, flags: 0, offset: 0, size: 0 }),
    ...sections.flatMap((s, i) =>
      sectionHeader(word, {
        ...s,
        name: names.offsetOf(s.name),
        offset: offsetOf(`section ${i}`),
        link: indexOf(s.link),
        info: indexOf(s.info),
      }),
    ),
  );
  return {
    bytes,
    sectionIndex,
    sectionOffset: (name) => at(`section ${sectionIndex(name) - 1}`),
    shoff: at('headers'),
  };
}

/** Returns the bytes of a REL record; `rOffset` is in bytes, `symbol` is an index. */
export function rel(bits: ElfClass, rOffset: number, symbol: number, type: number): Part[] {
  return bits === 64
    ? [u64(rOffset), u64((BigInt(symbol) << 32n) | BigInt(type))]
    : [u32(rOffset), u32(symbol * 0x100 + type)];
}

/** Returns the bytes of a RELA record: REL with an addend. */
export function rela(
  bits: ElfClass,
  rOffset: number,
  symbol: number,
  type: number,
  addend: number,
): Part[] {
  return [...rel(bits, rOffset, symbol, type), bits === 64 ? i64(addend) : i32(addend)];
}

function fileHeader(
  bits: ElfClass,
  endian: Endian,
  header: Partial<ElfHeaderFields>,
  shnum: number,
  shstrndx: number,
): Part[] {
  const word = bits === 64 ? u64 : u32;
  return [
    raw([0x7f, 0x45, 0x4c, 0x46, bits / 32, endian === 'little' ? 1 : 2, 1, 0]),
    raw([0, 0, 0, 0, 0, 0, 0, 0]),
    u16(header.type ?? 1),
    u16(header.machine ?? 247),
    u32(1),
    word(0),
    word(0),
    word(header.shoff ?? offsetOf('headers')),
    u32(header.flags ?? 0),
    u16(bits === 64 ? 64 : 52),
    u16(0),
    u16(0),
    u16(header.shentsize ?? (bits === 64 ? 64 : 40)),
    u16(header.shnum ?? shnum),
    u16(header.shstrndx ?? shstrndx),
  ];
}

type HeaderRow = {
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly offset: number | Reference;
  readonly size: number;
  readonly link?: number;
  readonly info?: number;
  readonly addralign?: number;
  readonly entsize?: number;
};

function sectionHeader(word: (value: number | Reference) => Part, row: HeaderRow): Part[] {
  return [
    u32(row.name),
    u32(row.type),
    word(row.flags),
    word(0),
    word(row.offset),
    word(row.size),
    u32(row.link ?? 0),
    u32(row.info ?? 0),
    word(row.addralign ?? 0),
    word(row.entsize ?? 0),
  ];
}

/** Returns all sections in order, with their bytes: the given ones, then the tables. */
function layOut(
  given: readonly ElfSection[],
  symbols: readonly ElfSymbol[],
  endian: Endian,
  bits: ElfClass,
): readonly PlacedSection[] {
  const all: ElfSection[] = [...given];
  if (symbols.length > 0) {
    const names = stringTable(symbols.map((s) => s.name));
    const indexOf = (at: number | string) => (typeof at === 'number' ? at : indexOfName(given, at));
    all.push({
      name: '.symtab',
      type: 2,
      link: '.strtab',
      info: 1 + symbols.filter((s) => s.bind === 0).length,
      addralign: 8,
      entsize: bits === 64 ? 24 : 16,
      data: [
        ...symbolParts(bits, 0, { name: '', bind: 0 }, 0),
        ...symbols.flatMap((s) =>
          symbolParts(bits, names.offsetOf(s.name), s, indexOf(s.shndx ?? 0)),
        ),
      ],
    });
    all.push({ name: '.strtab', type: 3, data: names.parts });
  }
  const shstrtab: ElfSection = { name: '.shstrtab', type: 3 };
  all.push({ ...shstrtab, data: stringTable([...all, shstrtab].map((s) => s.name)).parts });
  return all.map((s) => {
    const parts = s.data instanceof Uint8Array ? [raw(s.data)] : (s.data ?? []);
    return {
      type: 1,
      flags: 0,
      link: 0,
      info: 0,
      addralign: 1,
      entsize: 0,
      ...s,
      parts,
      size: s.size ?? assemble(endian, ...parts).bytes.length,
    };
  });
}

function symbolParts(bits: ElfClass, nameOff: number, s: ElfSymbol, shndx: number): Part[] {
  const info = u8((s.bind ?? 1) * 16 + (s.type ?? 0));
  const other = u8(s.other ?? 0);
  return bits === 64
    ? [u32(nameOff), info, other, u16(shndx), u64(s.value ?? 0), u64(s.size ?? 0)]
    : [u32(nameOff), u32(s.value ?? 0), u32(s.size ?? 0), info, other, u16(shndx)];
}

function indexOfName(sections: readonly { readonly name: string }[], name: string): number {
  const index = sections.findIndex((s) => s.name === name);
  if (index < 0) throw new Error(`no section ${name}`);
  return index + 1;
}

function stringTable(names: readonly string[]) {
  const offsets = new Map<string, number>([['', 0]]);
  const parts: Part[] = [cstring('')];
  let end = 1;
  for (const name of names) {
    if (offsets.has(name)) continue;
    const part = cstring(name);
    offsets.set(name, end);
    parts.push(part);
    end += part.length(0);
  }
  return { parts, offsetOf: (name: string) => offsets.get(name) ?? 0 };
}
