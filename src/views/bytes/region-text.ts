/** Sections and regions in words. */
import { sectionTypeText } from '#analysis/formats/section-text.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { hexText, sizeText } from '#views/parts/number-text.ts';
import { isPacked } from './byte-marks.ts';

const NULL = 0;
const NOBITS = 8;

export type SectionWords = {
  /** Raw text; empty where the section has none. */
  readonly name: string;
  readonly type: string;
  /** Letters as `llvm-readelf -S` prints them. */
  readonly flags: string;
  /** As the header states it, unchecked. */
  readonly offset: bigint;
  readonly size: bigint;
};

export function sectionWords(model: ObjectModel, section: SectionIndex): SectionWords {
  const { sections } = model;
  return {
    name: sectionName(sections, section),
    ...sectionTypeText(model, section),
    offset: sections.declaredOffset[section] ?? 0n,
    size: sections.declaredSize[section] ?? 0n,
  };
}

/** One line for a choice in a menu: `[3] kprobe/do_unlinkat  0x40, 216 bytes`. Raw name. */
export function sectionLine(model: ObjectModel, section: SectionIndex): string {
  const { name, offset, size } = sectionWords(model, section);
  return `[${section}] ${name || '(no name)'}: ${hexText(offset)}, ${sizeText(Number(size))}`;
}

export type RegionNote = { readonly title: string; readonly text: string };

/** Why there is nothing to see in the section; null where there are bytes. */
export function emptyNote(model: ObjectModel, section: SectionIndex | null): RegionNote | null {
  if (section === null) {
    return model.size > 0 ? null : { title: 'The file is empty', text: 'It has no bytes.' };
  }
  if ((model.sections.byteLength[section] ?? 0) > 0) return null;
  const { size, type } = sectionWords(model, section);
  switch (model.sections.type[section]) {
    case NULL:
      return {
        title: 'The null section',
        text: 'Section 0 stands for “no section”. It has a header and no bytes.',
      };
    case NOBITS:
      return {
        title: `${type}: no bytes in the file`,
        text: `The section takes ${sizeText(Number(size))} once it is loaded, all of them zero. The file only says how many.`,
      };
    default:
      return size === 0n
        ? { title: 'The section is empty', text: 'Its header says that it has 0 bytes.' }
        : {
            title: 'Bytes outside the file',
            text: `The header declares ${sizeText(Number(size))}, which lie outside the file.`,
          };
  }
}

/** What to know before reading the bytes; null where they are what they seem. */
export function storedNote(model: ObjectModel, section: SectionIndex | null): RegionNote | null {
  if (section === null) return null;
  const declared = model.sections.declaredSize[section] ?? 0n;
  const there = model.sections.byteLength[section] ?? 0;
  if (isPacked(model, section)) {
    return {
      title: 'Compressed (SHF_COMPRESSED)',
      text: 'These are the bytes as stored: a header, then packed data. Relocations count in the unpacked bytes, so none are marked.',
    };
  }
  if (BigInt(there) < declared && model.sections.type[section] !== NOBITS && there > 0) {
    return {
      title: 'Truncated section',
      text: `The header declares ${sizeText(Number(declared))}; the file ends after ${sizeText(there)}.`,
    };
  }
  return null;
}

export type OffsetBase = 'file' | 'section';

/** What to add to an offset in the file to get it as it is written. */
export function offsetShift(regionStart: number, base: OffsetBase): number {
  return base === 'section' ? -regionStart : 0;
}
