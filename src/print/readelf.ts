/**
 * Writes file header, section headers, relocations and symbols of an ELF file as `llvm-readelf -h
 * -S -r -s -W` of LLVM 19 does. Warnings about damaged files are omitted. Source:
 * llvm/tools/llvm-readobj/ELFDumper.cpp, GNUELFDumper.
 */
import { llvmRelocationName } from '#analysis/relocations/names.ts';
import { upperBound } from '#bytes/arrays.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { decodeName, hexText } from '#bytes/text.ts';
import { bpfRelocationType } from '#formats/bpf/relocations.ts';
import {
  EM,
  reservedSectionName,
  SHN,
  SHT,
  symbolBindingName,
  symbolTypeName,
  symbolVisibilityName,
} from '#formats/elf/constants.ts';
import {
  type ElfHeader,
  elfHeaderSize,
  elfHeaderSpan,
  readElfHeader,
} from '#formats/elf/header.ts';
import { sectionHeaderSize } from '#formats/elf/records.ts';
import { sectionFlagLetters, sectionTypeName } from '#formats/elf/section-types.ts';
import {
  type SymbolVersion,
  symbolVersions,
  VERSYM_HIDDEN,
  type VersionSection,
} from '#formats/elf/symbol-versions.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolBinding, symbolName, symbolType } from '#model/symbols.ts';
import { batched } from './disassembly.ts';
import { fileHeader, hex, line } from './readelf-header.ts';

/** Part of the output: the tool's options -h, -S, -r and -s. */
export type ReadelfPart = 'file-header' | 'sections' | 'relocations' | 'symbols';

type Input = {
  readonly model: ObjectModel;
  readonly source: ByteSource;
  readonly header: ElfHeader;
  /** Returns the name of a section; null if the tool cannot read it. */
  readonly nameOf: (index: number) => string | null;
  /** Symbol tables that the tool reads, by section index. */
  readonly tables: ReadonlyMap<number, SymbolRows>;
};

type SymbolRows = {
  /** Row of the table's first symbol in the model. */
  readonly first: number;
  readonly count: number;
  /** True if the tool reads the string table of the symbol table. */
  readonly hasNames: boolean;
  /** Returns `@VERSION` for a version number; null for a table without versions. */
  readonly versionOf: ((number: number) => string) | null;
};

/**
 * Yields the lines of `parts` in the tool's order. Names are not escaped. Throws `Malformed` where
 * the tool stops: after the file header, or after the last section with a name.
 */
export async function* readelf(
  model: ObjectModel,
  source: ByteSource,
  parts: ReadonlySet<ReadelfPart>,
): AsyncGenerator<readonly string[]> {
  const header = readElfHeader(
    new ByteReader(await source.read(0, elfHeaderSize(64)), 'ELF header'),
  );
  const fault = sectionHeadersFault(header, model, source.size);
  if (parts.has('file-header')) yield fileHeader(header, model, fault !== null);
  if (fault !== null) throw unreadable(header, fault);
  const nameOf = sectionNames(model);
  if (parts.has('sections')) {
    const unnamed = hasNames(model) ? unnamedSection(model, nameOf) : -1;
    yield* batched(sectionLines(model, header, unnamed < 0 ? model.sections.count : unnamed));
    if (unnamed >= 0)
      throw unreadable(header, `the name of section ${unnamed} is outside their table`);
  }
  if (!parts.has('relocations') && !parts.has('symbols')) return;
  const input = { model, source, header, nameOf, tables: await symbolTables(model, source) };
  if (parts.has('relocations')) yield* relocationLines(input);
  if (parts.has('symbols')) yield* batched(symbolLines(input));
}

function unreadable({ elfClass }: ElfHeader, why: string): Malformed {
  return new Malformed({
    severity: 'error',
    code: 'elf.section-headers-unreadable',
    region: 'section headers',
    message: `section headers cannot be read: ${why}`,
    span: elfHeaderSpan(elfClass, 'e_shoff'),
  });
}

/** Returns true if the tool reads the table of section names: its last byte must be NUL. */
function hasNames({ sections: { names } }: ObjectModel): boolean {
  return names.at(-1) === 0;
}

function sectionNames(model: ObjectModel): (index: number) => string | null {
  const { sections } = model;
  const length = hasNames(model) ? sections.names.length : 0;
  return (index) => {
    const off = sections.nameOff[index] ?? 0;
    if (off === 0 && length === 0) return '';
    return off < length ? sectionName(sections, sectionIndex(index)) : null;
  };
}

/** Returns the first section whose name is outside the table: the tool stops there. -1 = none. */
function unnamedSection({ sections }: ObjectModel, nameOf: Input['nameOf']): number {
  return sections.nameOff.findIndex((_, i) => nameOf(i) === null);
}

/** Returns why the tool cannot read the section headers (`ELFFile::sections`), or null. */
function sectionHeadersFault(
  { eShoff, eShnum, eShentsize, elfClass }: ElfHeader,
  { sections }: ObjectModel,
  fileSize: number,
): string | null {
  const size = sectionHeaderSize(elfClass);
  if (eShoff === 0n) return null;
  if (eShentsize !== size) return `e_shentsize is ${eShentsize}, expected ${size}`;
  if (eShoff + BigInt(size) > BigInt(fileSize)) return `e_shoff is ${hexText(eShoff)}`;
  const count = eShnum === 0 ? (sections.declaredSize[0] ?? 0n) : BigInt(eShnum);
  const end = eShoff + count * BigInt(size);
  return end > BigInt(fileSize) ? 'the table ends behind the file' : null;
}

/** Yields the first `end` section headers. Yields the key to the flags only after all headers. */
function* sectionLines(model: ObjectModel, header: ElfHeader, end: number): Generator<string> {
  const { sections } = model;
  if (sections.count === 0) {
    yield '';
    yield 'There are no sections in this file.';
    return;
  }
  yield `There are ${sections.count} section headers, starting at offset ${hexText(header.eShoff)}:`;
  yield '';
  yield 'Section Headers:';
  const digits = header.elfClass / 4;
  const back = 16 - digits;
  const columns = [2, 7, 25, 41, ...[58, 65, 72, 75, 79, 82, 86].map((column) => column - back)];
  const row = (cells: readonly string[]) => line(cells.map((cell, i) => [columns[i] ?? 0, cell]));
  yield row('[Nr] Name Type Address Off Size ES Flg Lk Inf Al'.split(' '));
  for (let i = 0; i < end; i++) {
    yield row([
      `[${`${i}`.padStart(2)}]`,
      hasNames(model) ? sectionName(sections, sectionIndex(i)) : '<no-strings>',
      sectionTypeName(sections.type[i] ?? 0, header.eMachine),
      hex(sections.addr[i] ?? 0n, digits),
      hex(sections.declaredOffset[i] ?? 0n, 6),
      hex(sections.declaredSize[i] ?? 0n, 6),
      hex(sections.entsize[i] ?? 0n, 2),
      sectionFlagLetters(sections.flags[i] ?? 0n, header.eMachine).padStart(3),
      `${sections.link[i] ?? 0}`.padStart(2),
      `${sections.info[i] ?? 0}`.padStart(3),
      `${sections.addralign[i] ?? 0n}`.padStart(2),
    ]);
  }
  if (end < sections.count) return;
  const machineFlags =
    header.eMachine === EM.x86_64
      ? ', l (large)'
      : header.eMachine === EM.arm
        ? ', y (purecode)'
        : '';
  yield 'Key to Flags:';
  yield '  W (write), A (alloc), X (execute), M (merge), S (strings), I (info),';
  yield '  L (link order), O (extra OS processing required), G (group), T (TLS),';
  yield '  C (compressed), x (unknown), o (OS specific), E (exclude),';
  yield `  R (retain)${machineFlags}, p (processor specific)`;
}

/** Returns true if the tool reads a table: whole entries of `size` bytes, all in the file. */
function isReadable({ sections }: ObjectModel, index: number, size: number): boolean {
  const declared = sections.declaredSize[index] ?? 0n;
  return (
    sections.entsize[index] === BigInt(size) &&
    declared % BigInt(size) === 0n &&
    (sections.type[index] === SHT.nobits || declared === BigInt(sections.byteLength[index] ?? 0))
  );
}

async function sectionBytes(
  { sections }: ObjectModel,
  source: ByteSource,
  index: number,
): Promise<Uint8Array> {
  const start = sections.fileOffset[index] ?? 0;
  return await source.read(start, start + (sections.byteLength[index] ?? 0));
}

async function symbolTables(
  model: ObjectModel,
  source: ByteSource,
): Promise<ReadonlyMap<number, SymbolRows>> {
  const { symbols, sections } = model;
  const tables = new Map<number, SymbolRows>();
  const versions = await versionTexts(model, source);
  for (let first = 0; first < symbols.count; ) {
    const index = symbols.table[first] ?? 0;
    let end = first;
    while (end < symbols.count && symbols.table[end] === index) end++;
    const link = sections.link[index] ?? 0;
    const strings = (sections.fileOffset[link] ?? 0) + (sections.byteLength[link] ?? 0);
    const hasNames =
      sections.type[link] === SHT.strtab &&
      (sections.byteLength[link] ?? 0) > 0 &&
      (await source.read(strings - 1, strings))[0] === 0;
    const isDynamic = sections.type[index] === SHT.dynsym;
    const versionOf = isDynamic ? versions : null;
    if (isReadable(model, index, symbols.entrySize)) {
      tables.set(index, { first, count: end - first, hasNames, versionOf });
    }
    first = end;
  }
  return tables;
}

/** Returns a function from a version number to the text after a symbol's name: `@GLIBC_2.2.5`. */
async function versionTexts(
  model: ObjectModel,
  source: ByteSource,
): Promise<((number: number) => string) | null> {
  const { sections, endian } = model;
  const versionIndex = sections.type.indexOf(SHT.versym);
  if (versionIndex < 0) return null;
  const reader = async (index: number) =>
    new ByteReader(await sectionBytes(model, source, index), 'symbol versions', endian);
  const section = async (type: number): Promise<VersionSection | null> => {
    const index = sections.type.indexOf(type);
    if (index < 0) return null;
    const names = await sectionBytes(model, source, sections.link[index] ?? 0);
    return { table: await reader(index), names };
  };
  const versions = symbolVersions(await section(SHT.verdef), await section(SHT.verneed));
  const words = await reader(versionIndex);
  return (number) => {
    if (number * 2 + 2 > words.length) return '@<corrupt>';
    const word = words.u16(number * 2);
    const index = word & ~VERSYM_HIDDEN;
    return index < 2 ? '' : versionText(versions.get(index), (word & VERSYM_HIDDEN) !== 0);
  };
}

function versionText(version: SymbolVersion | undefined, isHidden: boolean): string {
  if (version === undefined) return '@<corrupt>';
  const name = decodeName(version.names, version.nameOff);
  return name === '' ? '' : `${version.isDefined && !isHidden ? '@@' : '@'}${name}`;
}

/** Returns the printed name of a symbol. For a section symbol, this is the name of the section. */
function fullName({ model, nameOf }: Input, rows: SymbolRows, number: number): string {
  const { symbols } = model;
  const row = rows.first + number;
  const symbol = symbolIndex(row);
  // The model marks a name outside of its table by an offset outside of all names.
  if (!rows.hasNames || (symbols.nameOff[row] ?? 0) >= symbols.names.length) return '<?>';
  const name = symbolName(symbols, symbol);
  if (name === '' && symbolType(symbols, symbol) === SymbolType.SECTION) {
    const section = symbols.section[row] ?? -1;
    if (section > 0) return nameOf(section) ?? `<section ${section}>`;
    const shndx = symbols.shndx[row] ?? 0;
    const isReserved = shndx === SHN.undef || shndx >= SHN.loreserve;
    return isReserved ? '<?>' : `<section ${shndx}>`;
  }
  return rows.versionOf === null ? name : `${name}${rows.versionOf(number)}`;
}

const isRelr = (type: number) => type === SHT.relr || type === SHT.androidRelr;

async function* relocationLines(input: Input): AsyncGenerator<readonly string[]> {
  const { model, header } = input;
  const { sections, relocations } = model;
  let row = 0;
  let hasSome = false;
  for (let i = 1; i < sections.count; i++) {
    const type = sections.type[i] ?? 0;
    const isRela = type === SHT.rela;
    if (!isRela && type !== SHT.rel && !isRelr(type)) continue;
    hasSome = true;
    const title = (count: bigint | number | string) => [
      '',
      `Relocation section '${input.nameOf(i) ?? '<?>'}' at offset ${hexText(sections.declaredOffset[i] ?? 0n)} contains ${count} entries:`,
    ];
    if (isRelr(type)) {
      yield* relrLines(input, i, title);
      continue;
    }
    const entsize = sections.entsize[i] ?? 0n;
    yield title(entsize === 0n ? 0 : (sections.declaredSize[i] ?? 0n) / entsize);
    const columns =
      header.elfClass === 64
        ? "    Offset             Info             Type               Symbol's Value  Symbol's Name"
        : " Offset     Info    Type                Sym. Value  Symbol's Name";
    yield [`${columns}${isRela ? ' + Addend' : ''}`];
    const first = row;
    while (row < relocations.count && relocations.relSection[row] === i) row++;
    const size = (header.elfClass / 8) * (isRela ? 3 : 2);
    if (isReadable(model, i, size)) yield* batched(entryLines(input, i, first, row));
  }
  if (!hasSome) yield ['', 'There are no relocations in this file.'];
}

/** Yields rows `first` to `end` of a REL or RELA section. Skips rows with unreadable symbols. */
function* entryLines(input: Input, index: number, first: number, end: number): Generator<string> {
  const { model, header } = input;
  const { relocations, symbols, sections } = model;
  const rows = input.tables.get(sections.link[index] ?? 0);
  const digits = header.elfClass / 4;
  const columns = header.elfClass === 32 ? [0, 10, 19, 42, 53] : [0, 18, 35, 58, 69];
  for (let row = first; row < end; row++) {
    const type = relocations.type[row] ?? 0;
    const number = relocations.symbolNumber[row] ?? 0;
    const symbol = relocations.symbol[row] ?? -1;
    if (number !== 0 && (symbol < 0 || rows?.hasNames !== true)) continue;
    const value = number === 0 ? '' : hex(symbols.value[symbol] ?? 0n, digits);
    const name =
      number === 0 || rows === undefined ? '' : fullName(input, rows, number) || '<null>';
    const cells = [
      hex(relocations.offset[row] ?? 0n, digits),
      hex(relocations.info[row] ?? 0n, digits),
      relocationTypeName(header, type),
      value,
      name,
    ];
    const text = line(cells.map((cell, i) => [columns[i] ?? 0, cell]));
    const isExplicit = relocations.addendSource[row] === AddendSource.explicit;
    yield isExplicit ? `${text}${addendText(relocations.addend[row] ?? 0n, name !== '')}` : text;
  }
}

function addendText(addend: bigint, isBehindName: boolean): string {
  if (!isBehindName) return hex(BigInt.asUintN(64, addend));
  return addend < 0n ? ` - ${hex(-addend)}` : ` + ${hex(addend)}`;
}

function relocationTypeName({ eMachine, elfClass }: ElfHeader, type: number): string {
  if (eMachine === EM.bpf) return bpfRelocationType(type, false).name;
  return llvmRelocationName(eMachine, type, elfClass) ?? 'Unknown';
}

/** Yields the words of a RELR section, their addresses, and the nearest symbol before each. */
async function* relrLines(
  input: Input,
  index: number,
  title: (count: number | string) => readonly string[],
): AsyncGenerator<readonly string[]> {
  const { model, header } = input;
  const size = header.elfClass / 8;
  if (!isReadable(model, index, size)) {
    yield title('<?>');
    return;
  }
  const words = new ByteReader(
    await sectionBytes(model, input.source, index),
    'RELR',
    header.endian,
  );
  const wordAt = (at: number) => (size === 8 ? words.u64(at) : BigInt(words.u32(at)));
  let count = 0;
  for (let at = 0; at < words.length; at += size) count += addressesOf(wordAt(at), 0n, size).length;
  yield title(count);
  yield [
    size === 8
      ? 'Index: Entry            Address           Symbolic Address'
      : 'Index: Entry    Address   Symbolic Address',
  ];
  yield* batched(relrEntries(words.length / size, size, (i) => wordAt(i * size), nearest(input)));
}

function* relrEntries(
  count: number,
  size: number,
  wordAt: (i: number) => bigint,
  symbolic: (address: bigint) => string,
): Generator<string> {
  const digits = size * 2;
  let base = 0n;
  for (let i = 0; i < count; i++) {
    const word = wordAt(i);
    const addresses = addressesOf(word, base, size);
    const start = `${`${i}`.padStart(4, '0')}:  ${hex(word, digits)} `;
    for (const [nth, address] of addresses.entries()) {
      const before = nth === 0 ? start : ' '.repeat(8 + digits);
      yield `${before}${hex(address, digits)}${symbolic(address)}`;
    }
    base = (word & 1n) === 0n ? word + BigInt(size) : base + BigInt((size * 8 - 1) * size);
  }
}

/** Returns the addresses in a RELR word: an even word is an address, an odd word is a bitmap. */
function addressesOf(word: bigint, base: bigint, size: number): readonly bigint[] {
  if ((word & 1n) === 0n) return [word];
  const addresses: bigint[] = [];
  for (let i = 1; i < size * 8; i++) {
    if (((word >> BigInt(i)) & 1n) === 1n) addresses.push(base + BigInt((i - 1) * size));
  }
  return addresses;
}

/** Returns a function that returns an address's nearest `.symtab` symbol, ` symbol + 0x8`. */
function nearest(input: Input): (address: bigint) => string {
  const { symbols, sections } = input.model;
  const table = sections.type.indexOf(SHT.symtab);
  const rows = input.tables.get(table);
  if (rows === undefined || !rows.hasNames) return () => '';
  const named: { value: bigint; name: string }[] = [];
  for (let i = 0; i < rows.count; i++) {
    const row = rows.first + i;
    if (symbols.shndx[row] === SHN.undef) continue;
    named.push({ value: symbols.value[row] ?? 0n, name: fullName(input, rows, i) });
  }
  const order = (a: bigint | string, b: bigint | string) => (a < b ? -1 : a > b ? 1 : 0);
  named.sort((a, b) => order(a.value, b.value) || order(a.name, b.name));
  const values = named.map(({ value }) => value);
  return (address) => {
    const symbol = named[upperBound(values, address) - 1];
    if (symbol === undefined) return '';
    const distance = address - symbol.value;
    return `  ${symbol.name}${distance === 0n ? '' : ` + ${hexText(distance)}`}`;
  };
}

/** Yields the symbols of the first dynamic symbol table, then those of the first `.symtab`. */
function* symbolLines(input: Input): Generator<string> {
  for (const type of [SHT.dynsym, SHT.symtab]) {
    const index = input.model.sections.type.indexOf(type);
    const rows = input.tables.get(index);
    if (rows !== undefined) yield* tableLines(input, index, rows);
  }
}

function* tableLines(input: Input, index: number, rows: SymbolRows): Generator<string> {
  const { model, header } = input;
  const { symbols } = model;
  const isWide = header.elfClass === 64;
  const others = symbols.other.subarray(rows.first, rows.first + rows.count);
  // The column is wider if st_other of any symbol has other bits than the visibility.
  const wider = others.some((other) => (other & ~3) !== 0) ? 13 : 0;
  const name = input.nameOf(index) ?? '<?>';
  yield '';
  yield `Symbol table ${name === '' ? 'for image' : `'${name}'`} contains ${rows.count} entries:`;
  yield line([
    [0, `   Num:    Value${isWide ? '          Size' : '  Size'} Type    Bind   Vis`],
    [(isWide ? 56 : 48) + wider, 'Ndx Name'],
  ]);
  const shift = isWide ? 8 : 0;
  const columns = [0, 8, 17, 23, 31, 38, 48 + wider, 51].map((column, i) =>
    i < 2 ? column : column + shift,
  );
  for (let i = 0; i < rows.count; i++) {
    const row = rows.first + i;
    const symbol = symbolIndex(row);
    const cells = [
      `${`${i}`.padStart(6)}:`,
      hex(symbols.value[row] ?? 0n, isWide ? 16 : 8),
      `${BigInt.asIntN(64, symbols.size[row] ?? 0n)}`.padStart(5),
      symbolTypeName(symbolType(symbols, symbol)),
      symbolBindingName(symbolBinding(symbols, symbol)),
      symbolVisibilityName(symbols.other[row] ?? 0, header.eMachine),
      sectionNumber(model, row),
      fullName(input, rows, i),
    ];
    yield line(cells.map((cell, c) => [columns[c] ?? 0, cell]));
  }
}

function sectionNumber({ symbols }: ObjectModel, row: number): string {
  const shndx = symbols.shndx[row] ?? 0;
  const reserved = reservedSectionName(shndx);
  if (reserved !== null) return reserved;
  const section = symbols.section[row] ?? -1;
  if (shndx === SHN.xindex) return section < 0 ? 'RSV[0xffff]' : `${section}`.padStart(3);
  return `${shndx}`.padStart(3);
}
