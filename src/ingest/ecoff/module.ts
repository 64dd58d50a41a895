/**
 * Reads an Alpha eCOFF file as a model: headers for display, tables in the columns that all formats
 * share, and the eCOFF file itself in `own`.
 */
import { shownFields } from '#bytes/c-struct.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import { commentTagName, SUBSECTION_HEADER } from '#formats/ecoff/comment.ts';
import { COMPACT_HEADER } from '#formats/ecoff/compact.ts';
import { type EcoffFile, type EcoffPart, readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { EXTERNAL_SIZE, externalAt, sectionOfClass } from '#formats/ecoff/external-symbols.ts';
import {
  FILE_HEADER,
  fileFlagNames,
  magicName,
  OPTIONAL_HEADER,
  objectType,
  optionalMagicName,
  SYMBOLIC_HEADER,
} from '#formats/ecoff/headers.ts';
import { SECTION_HEADER, sectionFlagNames } from '#formats/ecoff/section-headers.ts';
import { EM, STB } from '#formats/elf/constants.ts';
import { NO_BTF_IDS } from '#model/btf-ids.ts';
import { NO_EXT } from '#model/ext.ts';
import type { HeaderBlock, ObjectModel } from '#model/object-model.ts';
import type { SectionTable } from '#model/sections.ts';
import { NO_SYMBOLS, newSymbols, type SymbolTable, SymbolType } from '#model/symbols.ts';
import { ecoffRelocations } from './relocations.ts';
import { ecoffSections, rowsByName } from './sections.ts';

const F_EXEC = 0x0002;

/** Reads the file `name`. `unpacked` is null if it is not compressed. Throws `Malformed`. */
function ingest(
  name: string,
  bytes: Uint8Array,
  containers: readonly string[],
  issues: Issue[],
): { readonly model: ObjectModel; readonly unpacked: Uint8Array | null } {
  const issueCount = issues.length;
  const file = readEcoff(bytes, issues);
  if (file === null) throw refused(name, issues.slice(issueCount));
  const isPacked = file.compressed !== null;
  const all = isPacked ? [...containers, 'eCOFF 0x188'] : containers;
  return { model: modelOf(name, file, all, issues), unpacked: isPacked ? file.bytes : null };
}

export const ecoff = { ingest };

function modelOf(
  name: string,
  file: EcoffFile,
  containers: readonly string[],
  issues: readonly Issue[],
): ObjectModel {
  const sections = ecoffSections(file);
  const own: EcoffPart = { formatName: 'eCOFF', file };
  return {
    name,
    format: 'ecoff',
    size: file.bytes.length,
    containers,
    endian: 'little',
    addressBits: 64,
    machine: { number: EM.alpha, name: 'DEC Alpha' },
    fileType: fileTypeOf(file),
    headers: [...ecoffHeaderBlocks(file)],
    sections,
    symbols: ecoffSymbols(file, sections),
    relocations: ecoffRelocations(file, sections),
    types: null,
    splitBase: null,
    dwarf: null,
    kernelVersion: null,
    ext: NO_EXT,
    btfIds: NO_BTF_IDS,
    own,
    issues,
  };
}

function fileTypeOf({ header }: EcoffFile): string {
  if (objectType(header.fFlags) === 'F_SHARABLE') return 'shared object';
  return (header.fFlags & F_EXEC) === 0 ? 'relocatable' : 'executable';
}

/** Returns the error for an unreadable file: the first of its issues. */
function refused(region: string, issues: readonly Issue[]): Malformed {
  const [first] = issues;
  return new Malformed(
    first ?? {
      code: 'ecoff.unreadable',
      region,
      message: `${region} cannot be read`,
      span: null,
    },
  );
}

/** Largest number of header blocks of a kind, because the overview has a line for each. */
const MAX_BLOCKS = 32;

/** Yields the file, optional, section and symbolic headers, and headers of compact relocations. */
function* ecoffHeaderBlocks(file: EcoffFile): Generator<HeaderBlock> {
  const { header, optional, symbolic, sections } = file;
  const block = (title: string, start: number, fields: HeaderBlock['fields']): HeaderBlock => ({
    title,
    span: { start, end: fields.at(-1)?.span.end ?? start },
    fields,
  });
  const flags = [...fileFlagNames(header.fFlags), objectType(header.fFlags)];
  const fileMeanings = {
    fMagic: magicName(header.fMagic) ?? '',
    fTimdat: header.fTimdat === 0 ? '' : new Date(header.fTimdat * 1000).toISOString(),
    ...(header.fSymptr === 0n ? { fSymptr: 'stripped' } : {}),
    fFlags: flags.filter((name) => name !== 'none').join(' | '),
  };
  yield block('file header', 0, shownFields(FILE_HEADER, 0, header, fileMeanings));
  if (optional !== null) {
    const vstamp = `version ${optional.vstamp >> 8}.${optional.vstamp & 0xff}`;
    const meanings = { magic: optionalMagicName(optional.magic) ?? '', vstamp };
    const start = FILE_HEADER.size;
    yield block('optional header', start, shownFields(OPTIONAL_HEADER, start, optional, meanings));
  }
  for (const section of sections.slice(0, MAX_BLOCKS)) {
    const { index, name, fileOffset } = section;
    const meanings = { sFlags: sectionFlagNames(section.sFlags).join(' | ') };
    const values = { ...section, sName: name };
    const fields = shownFields(SECTION_HEADER, fileOffset, values, meanings);
    yield block(`section header ${index + 1}: ${name}`, fileOffset, fields);
  }
  if (symbolic !== null) {
    const start = symbolic.fileOffset;
    yield block('symbolic header', start, shownFields(SYMBOLIC_HEADER, start, symbolic));
  }
  for (const [i, subsection] of (file.comment?.subsections ?? []).slice(0, MAX_BLOCKS).entries()) {
    const { fileOffset, dataFileOffset, compact, cmTag, cmLen } = subsection;
    const meanings = {
      cmTag: commentTagName(cmTag) ?? '',
      cmLen: cmLen === 0 ? 'no data: cm_val is the datum' : 'bytes of data',
      cmVal: cmLen === 0 ? '' : 'offset of the data in the section',
    };
    const fields = shownFields(SUBSECTION_HEADER, fileOffset, subsection, meanings);
    yield block(`comment subsection ${i}`, fileOffset, fields);
    if (compact === null || dataFileOffset === null) continue;
    const compactFields = shownFields(COMPACT_HEADER, dataFileOffset, compact.header);
    yield block('compact relocation header', dataFileOffset, compactFields);
  }
}

/**
 * External symbols in the model's columns, in file order, because relocation entries use the order.
 * `info` and `section` have values of ELF; `shndx` is the storage class.
 */

const ST = { static: 2, label: 5, proc: 6, file: 11, staticProc: 14 } as const;
const SC_UNDEFINED: ReadonlySet<number> = new Set([6, 9, 21]);

/** Returns the external symbols; none without a symbolic header. */
function ecoffSymbols({ externals }: EcoffFile, sections: SectionTable): SymbolTable {
  if (externals === null) return NO_SYMBOLS;
  const { count } = externals;
  const table = newSymbols(count, EXTERNAL_SIZE, namesOf(externals.strings));
  table.value.set(externals.value);
  const rows = rowsByName(sections);
  for (let i = 0; i < count; i++) {
    const symbol = externalAt(externals, i);
    if (symbol === null) continue;
    const { iss, st, sc } = symbol;
    const isNamed = iss >= 0 && iss < externals.strings.length;
    const section = SC_UNDEFINED.has(sc) ? 0 : (rows.get(sectionOfClass(sc) ?? '') ?? -1);
    table.indexInTable[i] = i;
    table.entryOffset[i] = externals.fileOffset + i * EXTERNAL_SIZE;
    table.nameOff[i] = isNamed ? iss + 1 : 0;
    table.shndx[i] = sc;
    table.section[i] = section;
    table.info[i] = (bindingOf(symbol) << 4) | typeOf(st, section);
  }
  return table;
}

/** Returns `strings` after a NUL. As in ELF, offset 0 is then the empty name. */
function namesOf(strings: Uint8Array): Uint8Array {
  const names = new Uint8Array(strings.length + 1);
  names.set(strings, 1);
  return names;
}

function bindingOf({ st, isWeak }: { readonly st: number; readonly isWeak: boolean }): number {
  if (isWeak) return STB.weak;
  return st === ST.static || st === ST.staticProc ? STB.local : STB.global;
}

function typeOf(st: number, section: number): number {
  if (st === ST.proc || st === ST.staticProc) return SymbolType.FUNC;
  if (st === ST.file) return SymbolType.FILE;
  return st === ST.label || section <= 0 ? SymbolType.NOTYPE : SymbolType.OBJECT;
}
