/** Region of the hex view: the whole file, or one section. */

import { sectionTypeText } from '#analysis/formats/section-text.ts';
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { upperBound } from '#bytes/arrays.ts';
import { Derived, isRest, type Run, type Steps, sortSteps } from '#bytes/long-work.ts';
import type { Span } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { SHT } from '#formats/elf/constants.ts';
import { type RelocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import { hasBpfCode, type ObjectModel } from '#model/object-model.ts';
import { isCode, type SectionTable, sectionAt, sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { sizeText } from '#views/parts/number-text.ts';
import { isPacked } from '#views/parts/use-section-bytes.ts';

export type Region = {
  /** Section of the region; null for the whole file. */
  readonly section: SectionIndex | null;
  /** File offset of the first byte. */
  readonly start: number;
  /** Number of bytes that the file has for the region. */
  readonly length: number;
};

export function wholeFile(model: ObjectModel): Region {
  return { section: null, start: 0, length: model.size };
}

/** Returns the bytes of a section in the file. SHT_NOBITS sections have none. */
export function sectionRegion(model: ObjectModel, section: SectionIndex): Region {
  return {
    section,
    start: model.sections.fileOffset[section] ?? 0,
    length: model.sections.byteLength[section] ?? 0,
  };
}

/** Returns the section of the selection, or the whole file if the selection has no section. */
export function regionOfSelection(model: ObjectModel, selection: Selection): Region {
  const named = namedSection(model, selection);
  if (named !== null) return sectionRegion(model, named);
  const span = selectionSpan(model, selection);
  const section = span === null ? null : sectionAt(model.sections, span.start);
  if (span === null || section === null) return wholeFile(model);
  const region = sectionRegion(model, section);
  return span.end <= region.start + region.length ? region : wholeFile(model);
}

/** Returns the section that a selection names; null for selections without a section. */
function namedSection(model: ObjectModel, selection: Selection): SectionIndex | null {
  switch (selection.kind) {
    case 'relocation':
      return sectionOrNull(model.relocations.targetSection[selection.reloc]);
    case 'core':
      return sectionOrNull(model.ext.core.section[selection.core]);
    case 'section':
    case 'insn':
      return selection.section < model.sections.count ? selection.section : null;
    default:
      return null;
  }
}

function sectionOrNull(section: number | undefined): SectionIndex | null {
  return section === undefined || section < 0 ? null : sectionIndex(section);
}

/** Returns the selected bytes: for a data relocation the changed bytes, for a section null. */
export function litSpan(model: ObjectModel, selection: Selection): Span | null {
  if (selection.kind === 'section') return null;
  if (selection.kind === 'relocation') {
    const meaning = relocationMeaning(model, selection.reloc);
    const { site } = meaning;
    const isInsn = site !== null && hasBpfCode(model) && isCode(model.sections, site.section);
    if (!isInsn) return changedSpan(model, selection.reloc, meaning);
  }
  return selectionSpan(model, selection);
}

/** Returns the number of regions: the whole file, and each section but the null section. */
export function regionCount(model: ObjectModel): number {
  return Math.max(1, model.sections.count);
}

const NULL = 0;

/** Returns name (not escaped), type, flags, stated offset and stated size of a section. */
export function sectionText(model: ObjectModel, section: SectionIndex) {
  const { sections } = model;
  return {
    name: sectionName(sections, section),
    ...sectionTypeText(model, section),
    offset: sections.declaredOffset[section] ?? 0n,
    size: sections.declaredSize[section] ?? 0n,
  };
}

/** Returns `[3] kprobe/do_unlinkat: 0x40, 216 bytes` for a section. The name is not escaped. */
export function sectionLine(model: ObjectModel, section: SectionIndex): string {
  const { name, offset, size } = sectionText(model, section);
  return `[${section}] ${name || '(no name)'}: ${hexText(offset)}, ${sizeText(Number(size))}`;
}

type RegionNote = { readonly title: string; readonly text: string };

/** Returns why the region has no bytes to show; null if it has bytes. */
export function emptyNote(model: ObjectModel, section: SectionIndex | null): RegionNote | null {
  if (section === null) {
    return model.size > 0 ? null : { title: 'The file is empty', text: 'It has no bytes.' };
  }
  if ((model.sections.byteLength[section] ?? 0) > 0) return null;
  const { size, type } = sectionText(model, section);
  switch (model.sections.type[section]) {
    case NULL:
      return {
        title: 'The null section',
        text: 'Section 0 means “no section”. It has a header and no bytes.',
      };
    case SHT.nobits:
      return {
        title: `${type}: no bytes in the file`,
        text: `The section takes ${sizeText(Number(size))} once it is loaded, all of them zero. The file stores only the size.`,
      };
    default:
      return size === 0n
        ? { title: 'The section is empty', text: 'Its header declares 0 bytes.' }
        : {
            title: 'Bytes outside the file',
            text: `The header declares ${sizeText(Number(size))}, which lie outside the file.`,
          };
  }
}

/** Returns a note if the bytes of the section are compressed or truncated; else null. */
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
  if (BigInt(there) < declared && model.sections.type[section] !== SHT.nobits && there > 0) {
    return {
      title: 'Truncated section',
      text: `The header declares ${sizeText(Number(declared))}; the file ends after ${sizeText(there)}.`,
    };
  }
  return null;
}

export type OffsetBase = 'file' | 'section';

/** Returns the number to add to a file offset before it is displayed. */
export function offsetShift(regionStart: number, base: OffsetBase): number {
  return base === 'section' ? -regionStart : 0;
}

/** Returns the bytes that a relocation changes: one byte for an unknown width, null for none. */
export function changedSpan(
  model: ObjectModel,
  reloc: RelocIndex,
  { site, siteSpan }: RelocationMeaning,
): Span | null {
  if (siteSpan !== null || site === null) return siteSpan;
  const { section, bitSize } = site;
  const offset = relocationOffset(model, reloc);
  const length = model.sections.byteLength[section] ?? 0;
  if (bitSize !== 0 || offset < 0 || offset >= length || isPacked(model, section)) return null;
  const start = (model.sections.fileOffset[section] ?? 0) + offset;
  return { start, end: start + 1 };
}

type SectionPlaces = {
  /** Sections with bytes, in order of their file offsets. */
  readonly order: Uint32Array;
  /** At `i`, the largest end offset of the sections `order[0]` to `order[i]`, which can overlap. */
  readonly reach: Float64Array;
};

const sectionPlaces = new Derived(placeSteps);

/** Returns the work that must be done before `sectionsInRange`: all sections are sorted. */
export function sectionPlacesRun(sections: SectionTable): Run<unknown> {
  return sectionPlaces.runOf(sections);
}

/** Returns the sections with bytes between two file offsets, in order of their file offsets. */
export function sectionsInRange(
  sections: SectionTable,
  start: number,
  end: number,
): SectionIndex[] {
  const { order, reach } = sectionPlaces.of(sections);
  const overlapping: SectionIndex[] = [];
  for (let i = upperBound(reach, start); i < order.length; i++) {
    const section = order[i] ?? 0;
    const from = sections.fileOffset[section] ?? 0;
    if (from >= end) break;
    if (from + (sections.byteLength[section] ?? 0) > start) overlapping.push(sectionIndex(section));
  }
  return overlapping;
}

function* placeSteps({ count, fileOffset, byteLength }: SectionTable): Steps<SectionPlaces> {
  const withBytes = new Uint32Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) {
    if (isRest(i)) yield;
    if ((byteLength[i] ?? 0) > 0) withBytes[length++] = i;
  }
  const order = yield* sortSteps(
    withBytes.slice(0, length),
    (a, b) => (fileOffset[a] ?? 0) - (fileOffset[b] ?? 0),
  );
  const reach = new Float64Array(length);
  let furthest = 0;
  for (let i = 0; i < length; i++) {
    if (isRest(i)) yield;
    const section = order[i] ?? 0;
    furthest = Math.max(furthest, (fileOffset[section] ?? 0) + (byteLength[section] ?? 0));
    reach[i] = furthest;
  }
  return { order, reach };
}
