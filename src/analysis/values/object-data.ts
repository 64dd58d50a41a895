/**
 * Finds the initial bytes of an object's data, and the targets of pointers in the data. The model
 * has no section contents, so the caller must read the sections that `dataSections` returns.
 */
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import { isCompressed } from '#analysis/objects/section-code.ts';
import { holdsStrings, sectionRole } from '#analysis/objects/section-role.ts';
import { symbolAt, symbolDistance } from '#analysis/objects/symbol-places.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { variableAt } from '#analysis/types/datasecs.ts';
import type { ByteSource } from '#bytes/source.ts';
import { stringEnd } from '#bytes/text.ts';
import { SHT } from '#formats/elf/constants.ts';
import { type SectionIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { SymbolType, symbolType } from '#model/symbols.ts';
import type { PointerTarget } from './decode.ts';

/** Returns a section's bytes in the file, or null if they are compressed or not loaded. */
export type SectionBytes = (section: SectionIndex) => Uint8Array | null;

/** Returns the sections with data to show: the loader's data sections, `license` and `version`. */
export function dataSections(model: ObjectModel): SectionIndex[] {
  const { sections } = model;
  const { license, version, maps, '.maps': btfMaps } = loaderSections.of(sections);
  const ofLoader = new Set([...license, ...version, ...maps, ...btfMaps]);
  const result: SectionIndex[] = [];
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    if (!ofLoader.has(section) && sectionRole(model, i) !== 'data') continue;
    if (!isZeros(model, section) && !isCompressed(sections, section)) result.push(section);
  }
  return result;
}

/** Maximum size of a section in bytes. The loader rejects larger sections. */
const MAX_SECTION = 1 << 28;

/** Reads the data sections. Rejects with the errors of `source`. */
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

/** Returns true if the section consists of zeros that are not stored in the file, like `.bss`. */
export function isZeros(model: ObjectModel, section: SectionIndex): boolean {
  return model.sections.type[section] === SHT.nobits;
}

/** Initial bytes in the file; `byteLength` also counts zeros that are not in the file. */
export type InitialBytes = { readonly bytes: Uint8Array; readonly byteLength: number };

/** Returns up to `byteLength` bytes of a section from `byteOffset` on, or null until loaded. */
export function initialBytes(
  model: ObjectModel,
  sectionBytes: SectionBytes,
  section: SectionIndex,
  byteOffset: number,
  byteLength: number,
): InitialBytes | null {
  if (isZeros(model, section)) {
    const left = Number(model.sections.declaredSize[section] ?? 0n) - byteOffset;
    return { bytes: new Uint8Array(0), byteLength: Math.max(0, Math.min(byteLength, left)) };
  }
  const all = sectionBytes(section);
  if (all === null || byteOffset < 0) return null;
  const bytes = all.subarray(byteOffset, byteOffset + byteLength);
  return { bytes, byteLength: bytes.length };
}

/** Returns the target of the pointer at `byteOffset` of `section`, or null without a relocation. */
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

/** Returns how many bytes the target is after the start of the variable or function it is in. */
function deltaIn(model: ObjectModel, { section, offset, what, name }: RelocationTarget): bigint {
  if (section === null || what === 'section' || what === 'string') return offset;
  const symbol = symbolAt(model, section, Number(offset));
  if (symbol !== null) return offset - symbolDistance(model, symbol);
  const variable =
    model.types && variableAt(model.types, sectionName(model.sections, section), Number(offset));
  return variable === null || name === '' ? offset : offset - BigInt(variable.offset);
}

/** Maximum bytes of a string; longer strings are cut. */
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

/** Yields the strings of a string section in order, without their final NULs. */
export function* stringsOf(bytes: Uint8Array): Generator<DataString> {
  for (let start = 0; start < bytes.length; ) {
    const end = stringEnd(bytes, start);
    if (end > start) yield { byteOffset: start, bytes: bytes.subarray(start, end) };
    start = end + 1;
  }
}

/** Returns the sections whose string literals the linker merges, such as `.rodata.str1.1`. */
export function stringSections(model: ObjectModel): SectionIndex[] {
  return dataSections(model).filter((section) => holdsStrings(model, section));
}
