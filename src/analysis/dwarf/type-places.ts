/** Where a type read from DWARF is declared, and where its code or bytes are. */
import { hexText } from '#bytes/text.ts';
import { DW_TAG } from '#formats/dwarf/constants.ts';
import { languageName } from '#formats/dwarf/language-names.ts';
import { type SectionIndex, sectionIndex, type TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';

/** Place of a function or variable in memory. */
export type MemoryPlace = {
  readonly section: SectionIndex;
  /** Offset in the section in bytes. */
  readonly offset: number;
  /** Address in a linked file; null in a relocatable one. */
  readonly address: bigint | null;
};

export type TypePlace = {
  /** Offset of the entry in `.debug_info`; null if a supplementary or split file has it. */
  readonly entry: number | null;
  /** File and line of the declaration; the line is 0 if only the file is known. */
  readonly declared: { readonly file: string; readonly line: number } | null;
  readonly memory: MemoryPlace | null;
  /** Language of the unit, and what it declares if the kinds of BTF have no such thing. */
  readonly source: string;
};

/** Returns the place of a type; null if it was not read from an entry of DWARF. */
export function typePlace(model: ObjectModel, type: TypeId): TypePlace | null {
  const { dwarf, types } = model;
  if (dwarf?.dieOffset == null || dwarf.places === null || types === null) return null;
  const row = type - types.firstId;
  const { places } = dwarf;
  if ((places.dieSize[row] ?? 0) === 0) return null;
  const entry = dwarf.dieOffset[row] ?? -1;
  const file = places.files[(places.declFile[row] ?? 0) - 1];
  return {
    entry: entry < 0 ? null : entry,
    declared: file === undefined ? null : { file, line: places.declLine[row] ?? 0 },
    source: sourceText(places.language[row] ?? 0, places.tag[row] ?? 0),
    memory: memoryPlace(model, places.section[row] ?? -1, places.sectionOffset[row] ?? 0),
  };
}

/**
 * What languages declare and the kinds of BTF lack. A reference is left out: it became one with the
 * pointer to its type.
 */
const SHOWN_AS: ReadonlyMap<number, string> = new Map([
  [DW_TAG.class_type, 'class, a struct in C'],
  [DW_TAG.interface_type, 'interface, a struct in C'],
  [DW_TAG.variant_part, 'enum with data, in C a struct with a union of its variants'],
]);

function sourceText(language: number, tag: number): string {
  const name = language === 0 ? '' : languageName(language);
  return [name, SHOWN_AS.get(tag) ?? ''].filter((text) => text !== '').join(': ');
}

function memoryPlace(model: ObjectModel, index: number, offset: number): MemoryPlace | null {
  if (index < 0) return null;
  const section = sectionIndex(index);
  const isLinked = model.fileType !== 'relocatable';
  const start = model.sections.addr[section] ?? 0n;
  return { section, offset, address: isLinked ? start + BigInt(offset) : null };
}

/** Returns `main.c:12`, or the file alone. Not escaped. */
export function declarationText({ declared }: TypePlace): string {
  if (declared === null) return '';
  return declared.line === 0 ? declared.file : `${declared.file}:${declared.line}`;
}

/** Returns `0x1139 in .text`, or `.text+0x10` in a relocatable file. Not escaped. */
export function memoryText(model: ObjectModel, { section, offset, address }: MemoryPlace): string {
  const name = sectionName(model.sections, section);
  return address === null ? `${name}+${hexText(offset)}` : `${hexText(address)} in ${name}`;
}

/** Returns `0x2d of .debug_info`, or of the debug file; empty for another file. Not escaped. */
export function entryText({ dwarf, sections }: ObjectModel, { entry }: TypePlace): string {
  if (dwarf === null || entry === null) return '';
  const { section, debugFile } = dwarf;
  const where = section === null ? (debugFile ?? '') : sectionName(sections, section);
  return `${hexText(entry)} of ${where}`;
}
