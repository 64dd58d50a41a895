/** Bytes of `.debug_` sections, with relocations applied as `.rela.debug_` states them. */
import type { FileStructure } from '#analysis/fields/context.ts';
import { relocationOffset, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationBits, typesOfEntry, writingType } from '#analysis/relocations/names.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { memoized } from '#bytes/cache.ts';
import { decodeText } from '#bytes/text.ts';
import { SHF, SHT } from '#formats/elf/constants.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { AddendSource } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';

/** Bytes of a section from `offset` on. Offsets in both readers are relative to `offset`. */
export type SectionBytes = {
  readonly section: SectionIndex;
  readonly offset: number;
  /** Bytes as the file stores them. */
  readonly stored: ByteReader;
  /** Bytes with relocations applied; the stored ones in linked files. */
  readonly linked: ByteReader;
};

const NAME = /^\.debug_([a-z_]+)(\.dwo)?$/;

/** Returns the name of a section without `.debug_` and `.dwo`; null for other sections. */
export function debugName(model: ObjectModel, section: SectionIndex): string | null {
  return NAME.exec(sectionName(model.sections, section))?.[1] ?? null;
}

/** Finds the first `.debug_` section of each name. Compressed ones have no bytes to decode. */
const sectionsByName = memoized(({ sections }: ObjectModel): ReadonlyMap<string, SectionIndex> => {
  const found = new Map<string, SectionIndex>();
  for (let index = 1; index < sections.count; index++) {
    const name = sectionName(sections, sectionIndex(index));
    const isPacked = ((sections.flags[index] ?? 0n) & SHF.compressed) !== 0n;
    if (!NAME.test(name) || isPacked || sections.type[index] === SHT.nobits) continue;
    if (!found.has(name)) found.set(name, sectionIndex(index));
  }
  return found;
});

/** Returns the section `.debug_NAME` that belongs to the section `beside`; null if there is none. */
export function debugSection(
  model: ObjectModel,
  name: string,
  beside: SectionIndex,
): SectionIndex | null {
  const isSplit = sectionName(model.sections, beside).endsWith('.dwo');
  const found = sectionsByName(model);
  return (isSplit ? found.get(`.debug_${name}.dwo`) : null) ?? found.get(`.debug_${name}`) ?? null;
}

/** Returns bytes of a section; null until they are loaded. Fewer at the end of the section. */
export function bytesOf(
  { model, read }: FileStructure,
  section: SectionIndex,
  offset: number,
  length: number,
): SectionBytes | null {
  const { sections, endian } = model;
  const start = (sections.fileOffset[section] ?? 0) + offset;
  const available = Math.max(0, (sections.byteLength[section] ?? 0) - offset);
  const wanted = Math.min(length, available);
  const bytes = wanted === 0 ? new Uint8Array(0) : read(start, start + wanted);
  if (bytes === null) return null;
  const region = sectionName(sections, section);
  const stored = new ByteReader(bytes, region, endian, start);
  const changed = relocated(model, section, offset, bytes);
  const linked = changed === bytes ? stored : new ByteReader(changed, region, endian, start);
  return { section, offset, stored, linked };
}

/** Returns a copy with relocations of the form S + A applied; `bytes` itself if there are none. */
function relocated(
  model: ObjectModel,
  section: SectionIndex,
  offset: number,
  bytes: Uint8Array,
): Uint8Array {
  const { relocations, symbols } = model;
  if (model.fileType !== 'relocatable') return bytes;
  if (isBpf(model)) return relocatedBytes(model, section, offset, bytes);
  let changed: Uint8Array | null = null;
  for (const reloc of relocationsInRange(model, section, offset, offset + bytes.length)) {
    const type = writingType(typesOfEntry(model, reloc));
    if (type?.formula !== 'S+A') continue;
    const size = relocationBits(type, model.addressBits) / 8;
    const at = relocationOffset(model, reloc) - offset;
    const isKnown = relocations.addendSource[reloc] !== AddendSource.unknown;
    if (at < 0 || at + size > bytes.length || size < 1 || !isKnown) continue;
    const value = (symbols.value[relocations.symbol[reloc] ?? -1] ?? 0n) + addendOf(model, reloc);
    changed ??= bytes.slice();
    for (let i = 0; i < size; i++) {
      const shift = 8 * (model.endian === 'little' ? i : size - 1 - i);
      changed[at + i] = Number(BigInt.asUintN(8, value >> BigInt(shift)));
    }
  }
  return changed ?? bytes;
}

const addendOf = ({ relocations }: ObjectModel, reloc: number) => relocations.addend[reloc] ?? 0n;

/** Longest string that a field shows, in bytes. */
const MAX_STRING = 256;

/** Returns the string at `offset` of a section; null without such bytes, or until they are loaded. */
export function stringIn(
  structure: FileStructure,
  section: SectionIndex | null,
  offset: number,
): string | null {
  if (section === null) return null;
  const found = bytesOf(structure, section, offset, MAX_STRING);
  if (found === null || found.stored.length === 0) return null;
  const { bytes } = found.stored;
  const end = bytes.indexOf(0);
  return end < 0 ? `${decodeText(bytes)}…` : decodeText(bytes.subarray(0, end));
}
