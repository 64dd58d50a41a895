/**
 * The initial bytes of an object's data, and what its pointers point at.
 *
 * The model keeps no section's bytes: who asks brings the sections that
 * `dataSections` names.
 */
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import { holdsStrings, sectionRole } from '#analysis/objects/section-role.ts';
import { symbolAt, symbolOffset } from '#analysis/objects/symbol-places.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { variableAt } from '#analysis/types/datasecs.ts';
import type { ByteSource } from '#bytes/source.ts';
import { stringEnd } from '#bytes/text.ts';
import { type SectionIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolType } from '#model/symbols.ts';
import type { PointerTarget } from './decode.ts';

/** Bytes of a section as stored; null where they are not at hand, or packed. */
export type SectionBytes = (section: SectionIndex) => Uint8Array | null;

const NOBITS = 8;
const COMPRESSED = 0x800n;

/** Sections whose bytes the values are read from: data that the loader takes along, `license` and `version`. */
export function dataSections(model: ObjectModel): SectionIndex[] {
  const found: SectionIndex[] = [];
  const { license, version, maps, '.maps': ownMaps } = loaderSections.of(model.sections);
  const said = new Set([...license, ...version, ...maps, ...ownMaps]);
  for (let i = 1; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    if (!said.has(section) && sectionRole(model, i) !== 'data') continue;
    if (isZeros(model, section) || ((model.sections.flags[section] ?? 0n) & COMPRESSED) !== 0n)
      continue;
    found.push(section);
  }
  return found;
}

/** Larger sections are not data of a BPF object; the loader rejects them. */
const MAX_SECTION = 1 << 28;

/** Reads the sections that hold data. Rejects as `source` does. */
export async function readDataSections(
  model: ObjectModel,
  source: ByteSource,
): Promise<SectionBytes> {
  const bytes = new Map<SectionIndex, Uint8Array>();
  for (const section of dataSections(model)) {
    const start = model.sections.fileOffset[section] ?? 0;
    const length = Math.min(MAX_SECTION, model.sections.byteLength[section] ?? 0);
    bytes.set(section, await source.read(start, start + length));
  }
  return (section) => bytes.get(section) ?? null;
}

/** Is it one of zeros that are not in the file, as `.bss`? */
export function isZeros(model: ObjectModel, section: SectionIndex): boolean {
  return model.sections.type[section] === NOBITS;
}

/** Initial bytes: those in the file, and how many there are with the zeros that are not. */
export type InitialBytes = { readonly bytes: Uint8Array; readonly byteLength: number };

/**
 * `byteLength` bytes from `byteOffset` of a section, as far as the section goes.
 * Null where the bytes are not at hand.
 */
export function initialBytes(
  model: ObjectModel,
  sectionBytes: SectionBytes,
  section: SectionIndex,
  byteOffset: number,
  byteLength: number,
): InitialBytes | null {
  if (isZeros(model, section)) {
    const left = Number(model.sections.declaredSize[section] ?? 0n) - byteOffset;
    return {
      bytes: new Uint8Array(0),
      byteLength: Math.max(0, Math.min(byteLength, left)),
    };
  }
  const all = sectionBytes(section);
  if (all === null || byteOffset < 0) return null;
  const bytes = all.subarray(byteOffset, byteOffset + byteLength);
  return { bytes, byteLength: bytes.length };
}

/** What the pointer at `byteOffset` of `section` refers to by its relocation; null where there is none. */
export function pointerTarget(
  model: ObjectModel,
  sectionBytes: SectionBytes,
  section: SectionIndex,
  byteOffset: number,
): PointerTarget | null {
  const [reloc] = relocationsInRange(model, section, byteOffset, byteOffset + 1);
  if (reloc === undefined) return null;
  const { target, addend } = relocationMeaning(model, reloc);
  if (target === null) return null;
  const symbol = symbolIndex(model.relocations.symbol[reloc] ?? 0);
  const isSection = symbolType(model.symbols, symbol) === SymbolType.SECTION;
  const delta = isSection ? deltaIn(model, target) : (addend ?? 0n);
  return { ...target, delta, text: textAt(model, sectionBytes, target) };
}

/** From the variable or function that was found at a place of a section. */
function deltaIn(model: ObjectModel, { section, offset, what, name }: RelocationTarget): bigint {
  if (section === null || what === 'section' || what === 'string') return offset;
  const symbol = symbolAt(model, section, Number(offset));
  if (symbol !== null) return offset - BigInt(symbolOffset(model, symbol));
  const variable =
    model.types && variableAt(model.types, sectionName(model.sections, section), Number(offset));
  return variable === null || name === '' ? offset : offset - BigInt(variable.offset);
}

/** Longer ones are cut: a name for a pointer, not a document. */
const MAX_TEXT = 256;

function textAt(
  model: ObjectModel,
  sectionBytes: SectionBytes,
  { section, offset }: Pick<RelocationTarget, 'section' | 'offset'>,
): Uint8Array | null {
  if (section === null || !holdsStrings(model, section)) return null;
  const bytes = sectionBytes(section);
  if (bytes === null || offset < 0n || offset >= BigInt(bytes.length)) return null;
  const start = Number(offset);
  return bytes.subarray(start, Math.min(stringEnd(bytes, start), start + MAX_TEXT));
}

export type DataString = { readonly byteOffset: number; readonly bytes: Uint8Array };

/** The strings of a section that holds nothing else, in order; without the NULs that end them. */
export function* stringsOf(bytes: Uint8Array): Generator<DataString> {
  for (let start = 0; start < bytes.length; ) {
    const end = stringEnd(bytes, start);
    if (end > start) yield { byteOffset: start, bytes: bytes.subarray(start, end) };
    start = end + 1;
  }
}

/** Sections of merged string literals, `.rodata.str1.1` and their like. */
export function stringSections(model: ObjectModel): SectionIndex[] {
  return dataSections(model).filter((section) => holdsStrings(model, section));
}
