/** Position in the Bytes view: region, active byte, described byte, scrolling. */
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

/** Position after the latest selection in this view. Valid until another view selects something. */
type Here = {
  readonly selection: Selection;
  /** Region that was shown. It stays, so that the bytes under the pointer do not move. */
  readonly region: Region;
  /** Byte that was clicked; null for the first byte of the selection. */
  readonly cursor: number | null;
  /** Whether the byte was under the pointer, so that no scrolling is needed. */
  readonly isSeen: boolean;
};

/** Returns the position in the view. Only a selection made elsewhere changes the region. */
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
    /** Selected bytes of the file; null if there are none. */
    lit,
    /** File offset of the active byte, from which keys move. */
    cursor,
    /** File offset of the byte in the detail: the byte under the pointer, else of the selection. */
    byte: hovered ?? (selection.kind === 'bytes' ? selection.start : cursor),
    isHovered: hovered !== null,
    /** File offset to scroll to; null if no scrolling is needed. */
    scrollTo: here?.isSeen ? null : (lit?.start ?? null),
    /** Shows the section of that index, or the whole file for 0. */
    pickRow: (row: number) => {
      setHovered(null);
      if (row === 0) {
        setLast({ selection, region: wholeFile(model), cursor: null, isSeen: false });
      } else {
        setLast(null);
        select({ kind: 'section', section: sectionIndex(row) });
      }
    },
    /** Selects bytes of the file. `at` is the offset of the byte under the pointer. */
    selectBytes: (range: Span, at: number) =>
      selectHere(selectionOfRange(model, region, range), at),
    /** Selects an object and scrolls to the first byte of the object. */
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

/** Returns the relocation if the range is one byte that it changes; otherwise the bytes. */
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

/** Returns the first byte of the selection; for a relocation, the first byte that it changes. */
function firstByte(model: ObjectModel, selection: Selection): number | null {
  const site =
    selection.kind === 'relocation' ? relocationMeaning(model, selection.reloc).siteSpan : null;
  return (site ?? litSpan(model, selection))?.start ?? null;
}

/** Structure of the file, as far as its bytes are loaded. */
export type FileStructure = {
  readonly root: StructureField;
  /** Returns loaded bytes, and requests bytes that are not loaded. */
  readonly read: ReadBytes;
  /** Number that changes when bytes have been loaded. */
  readonly version: number;
};

export function useStructure({ id, model }: Active): FileStructure {
  const version = useSession((state) => state.bytesVersion);
  return useMemo(() => {
    const read: ReadBytes = (start, end) => bytesNow(id, start, end);
    return { root: fileField(model, read), read, version };
  }, [id, model, version]);
}

/** Returns the fields that contain the byte under the pointer, or else all selected bytes. */
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

/** Returns the nearest relocation after (or before) a file offset; null if there is none. */
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

/** Returns the file offset from which the search for the next or previous relocation starts. */
export function stepOrigin(model: ObjectModel, reloc: RelocIndex): number {
  const target = model.relocations.targetSection[reloc] ?? -1;
  return (model.sections.fileOffset[target] ?? 0) + relocationOffset(model, reloc);
}
