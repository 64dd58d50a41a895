/** Position of the Bytes view: region, cursor, described byte, scrolling. */
import { useMemo, useState } from 'react';
import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { relocationOffset, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { fieldsAt, fileField } from '#analysis/structure/structure.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { type RelocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionAt } from '#model/sections.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import type { Active } from '#store/session/hooks.ts';
import { announceInView, useSession } from '#store/session/session.ts';
import { symbolLine } from '#views/parts/relocation-look.ts';
import { relocationOnByte } from './byte-marks.ts';
import { litSpan, type Region, regionOfSelection, sectionsInRange, wholeFile } from './regions.ts';

export type Places = ReturnType<typeof usePlaces>;

/** Last action in this view; valid while its selection is current. */
type Here = {
  readonly selection: Selection;
  /** Kept, so that the bytes under the pointer stay. */
  readonly region: Region;
  /** null for the start of the selection. */
  readonly cursor: number | null;
  /** Whether the byte was under the pointer, and needs no scrolling. */
  readonly isSeen: boolean;
};

/** Returns the position. A selection from elsewhere changes the region; one made here does not. */
export function usePlaces({ model, selection }: Active) {
  const [hovered, setHovered] = useState<number | null>(null);
  const [last, setLast] = useState<Here | null>(null);

  const here = last !== null && sameSelection(last.selection, selection) ? last : null;
  const region = here?.region ?? regionOfSelection(model, selection);
  const lit = litSpan(model, selection);
  const cursor = here?.cursor ?? firstByte(model, selection) ?? region.start;

  const selectHere = (next: Selection, at: number | null) => {
    setLast({ selection: next, region, cursor: at, isSeen: at !== null });
    select(next);
  };

  return {
    region,
    /** Selected file bytes; null if there are none or they are the region itself. */
    lit,
    /** File offset that keys start from. */
    cursor,
    /** File offset of the described byte; a range is described by its first byte. */
    byte: hovered ?? (selection.kind === 'bytes' ? selection.start : cursor),
    isHovered: hovered !== null,
    /** File offset to scroll to; null if it is already visible. */
    scrollTo: here?.isSeen ? null : (lit?.start ?? null),
    /** Shows the section of that index; 0 is the whole file. */
    pickRow: (row: number) => {
      setHovered(null);
      if (row === 0) {
        setLast({ selection, region: wholeFile(model), cursor: null, isSeen: false });
      } else {
        setLast(null);
        select({ kind: 'section', section: sectionIndex(row) });
      }
    },
    /** Selects file bytes; `at` is the byte under the pointer. */
    selectBytes: (range: Span, at: number) =>
      selectHere(selectionOfRange(model, region, range), at),
    /** Makes a selection and scrolls to its bytes. */
    show: (next: Selection) => {
      setHovered(null);
      const span = litSpan(model, next);
      const stays =
        span !== null && span.start >= region.start && span.end <= region.start + region.length;
      if (stays) selectHere(next, null);
      else {
        setLast(null);
        select(next);
      }
    },
    hover: setHovered,
    goTo: (fileOffset: number) =>
      selectHere({ kind: 'bytes', start: fileOffset, end: fileOffset + 1 }, null),
    step: (step: Step) => {
      const reloc = stepRelocation(model, region, stepFrom(model, region, selection, step), step);
      if (reloc === null) {
        announceInView(step === 'next' ? 'No next relocation' : 'No previous relocation');
        return;
      }
      setHovered(null);
      selectHere({ kind: 'relocation', reloc }, null);
      const meaning = relocationMeaning(model, reloc);
      announceInView(drawnName(`${meaning.typeName} ${symbolLine(meaning)}`));
    },
  };
}

/** A single byte in the site of a relocation selects the relocation; other ranges select bytes. */
function selectionOfRange(model: ObjectModel, region: Region, range: Span): Selection {
  const section = region.section ?? sectionAt(model.sections, range.start);
  const isByte = range.end - range.start === 1;
  const reloc = isByte && section !== null ? relocationOnByte(model, section, range.start) : null;
  return reloc === null ? { kind: 'bytes', ...range } : { kind: 'relocation', reloc };
}

function stepFrom(model: ObjectModel, region: Region, selection: Selection, step: Step): number {
  if (selection.kind === 'relocation') return stepOrigin(model, selection.reloc);
  const lit = litSpan(model, selection);
  if (lit !== null) return lit.start;
  return step === 'next' ? region.start - 1 : region.start + region.length;
}

/** Returns the first byte of the selection; for a relocation the first byte that it changes. */
function firstByte(model: ObjectModel, selection: Selection): number | null {
  const site =
    selection.kind === 'relocation' ? relocationMeaning(model, selection.reloc).siteSpan : null;
  return (site ?? litSpan(model, selection))?.start ?? null;
}

/** Structure of the file, read from the bytes that are loaded. */
export type FileStructure = {
  readonly root: StructureField;
  /** Returns loaded bytes, and requests the others. */
  readonly read: ReadBytes;
  /** Changes whenever bytes arrive. */
  readonly version: number;
};

export function useStructure({ id, model }: Active): FileStructure {
  const version = useSession((state) => state.bytesVersion);
  return useMemo(() => {
    const read: ReadBytes = (start, end) => bytesNow(id, start, end);
    return { root: fileField(model, read), read, version };
  }, [id, model, version]);
}

/** Returns the fields of the described byte; for a selection those that contain all of it. */
export function fieldsShown(
  { model }: Active,
  { read }: FileStructure,
  places: Places,
): StructureField[] {
  const chain = fieldsAt(model, places.byte, read);
  const { isHovered, lit } = places;
  const around =
    isHovered || lit === null
      ? []
      : chain.filter(({ span }) => span.start <= lit.start && span.end >= lit.end);
  return around.length === 0 ? chain : around;
}

export type Step = 'next' | 'previous';

/** Returns the next (or previous) entry by `r_offset` from `fileOffset`; null if there is none. */
export function stepRelocation(
  model: ObjectModel,
  region: Region,
  fileOffset: number,
  step: Step,
): RelocIndex | null {
  const sections =
    region.section === null
      ? sectionsInRange(model.sections, region.start, region.start + region.length)
      : [region.section];
  for (const section of step === 'next' ? sections : sections.toReversed()) {
    const reloc = nearest(model, section, fileOffset, step);
    if (reloc !== null) return reloc;
  }
  return null;
}

function nearest(
  model: ObjectModel,
  section: SectionIndex,
  fileOffset: number,
  step: Step,
): RelocIndex | null {
  const { sections } = model;
  const from = fileOffset - (sections.fileOffset[section] ?? 0);
  const length = sections.byteLength[section] ?? 0;
  if (step === 'previous')
    return relocationsInRange(model, section, 0, Math.min(from, length)).at(-1) ?? null;
  const [first] = relocationsInRange(model, section, Math.max(0, from + 1), length);
  return first ?? null;
}

/** Returns the file offset from which the next step from this entry counts. */
export function stepOrigin(model: ObjectModel, reloc: RelocIndex): number {
  const target = model.relocations.targetSection[reloc] ?? -1;
  return (model.sections.fileOffset[target] ?? 0) + relocationOffset(model, reloc);
}
