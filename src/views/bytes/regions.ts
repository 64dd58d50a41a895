/** The regions that the hex view can show: the file, or one of its sections. */
import { selectionSpan } from '#analysis/code/selection.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { Span } from '#bytes/span.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionAt } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { changedSpan } from './byte-marks.ts';

export type Region = {
  /** null = the whole file. */
  readonly section: SectionIndex | null;
  /** Offset in the file. */
  readonly start: number;
  /** Bytes that are there. */
  readonly length: number;
};

export function wholeFile(model: ObjectModel): Region {
  return { section: null, start: 0, length: model.size };
}

/** The bytes of a section as stored; none for NOBITS. */
export function sectionRegion(model: ObjectModel, section: SectionIndex): Region {
  return {
    section,
    start: model.sections.fileOffset[section] ?? 0,
    length: model.sections.byteLength[section] ?? 0,
  };
}

/** The smallest region that holds what is selected: its section, else the file. */
export function regionOfSelection(model: ObjectModel, selection: Selection): Region {
  if (selection.kind === 'section') {
    return selection.section < model.sections.count
      ? sectionRegion(model, selection.section)
      : wholeFile(model);
  }
  const own = sectionThatIsMeant(model, selection);
  if (own !== null) return sectionRegion(model, own);
  const span = selectionSpan(model, selection);
  const section = span === null ? null : sectionAt(model.sections, span.start);
  if (span === null || section === null) return wholeFile(model);
  const region = sectionRegion(model, section);
  return span.end <= region.start + region.length ? region : wholeFile(model);
}

/** Sections may overlap: a row that names its section is shown there, wherever else its bytes lie. */
function sectionThatIsMeant(model: ObjectModel, selection: Selection): SectionIndex | null {
  switch (selection.kind) {
    case 'relocation':
      return sectionOrNull(model.relocations.targetSection[selection.reloc]);
    case 'core':
      return sectionOrNull(model.ext.core.section[selection.core]);
    case 'insn':
      return selection.section < model.sections.count ? selection.section : null;
    default:
      return null;
  }
}

function sectionOrNull(section: number | undefined): SectionIndex | null {
  return section === undefined || section < 0 ? null : sectionIndex(section);
}

/**
 * File bytes to light up: what `selectionSpan` says, but a relocation outside of
 * BPF code as wide as it is. Null for a section, which is shown by being the region.
 */
export function litSpan(model: ObjectModel, selection: Selection): Span | null {
  if (selection.kind === 'section') return null;
  if (selection.kind === 'relocation') {
    const meaning = relocationMeaning(model, selection.reloc);
    const { site } = meaning;
    const isInsn = site !== null && isBpf(model) && isCode(model.sections, site.section);
    if (!isInsn) return changedSpan(model, selection.reloc, meaning);
  }
  return selectionSpan(model, selection);
}

/** Regions as rows of a list: the file first, then the sections but for the null section. */
export function regionCount(model: ObjectModel): number {
  return Math.max(1, model.sections.count);
}

/** Row → region; row 0 is the file, and every other row is the section of that index. */
export function regionAtRow(model: ObjectModel, row: number): Region {
  return row === 0 ? wholeFile(model) : sectionRegion(model, sectionIndex(row));
}

export function rowOfRegion(region: Region): number {
  return region.section ?? 0;
}
