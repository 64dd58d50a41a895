/** Where the Bytes view is: which region, which byte, where to scroll. */
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
import { litSpan, type Region, regionOfSelection, wholeFile } from './regions.ts';
import { sectionsInRange } from './section-places.ts';

export type Places = {
  readonly region: Region;
  /** File bytes of what is selected; null when that has none or is the region itself. */
  readonly lit: Span | null;
  /** The byte that keys start from, file offset. */
  readonly cursor: number;
  /** The byte that the panel tells of, file offset: hovered, else the first selected, else the cursor's. */
  readonly byte: number;
  /** Is the pointer over that byte? */
  readonly isHovered: boolean;
  /** File offset to bring into sight; null where the person is already. */
  readonly scrollTo: number | null;
  /** 0 = the whole file, else the section of that index. */
  readonly pickRow: (row: number) => void;
  /** Selects file bytes; `cursor` is the byte that was pointed at. */
  readonly selectBytes: (range: Span, cursor: number) => void;
  /** Selects what was picked elsewhere in the view, and brings its bytes into sight. */
  readonly show: (selection: Selection) => void;
  readonly hover: (fileOffset: number | null) => void;
  readonly goTo: (fileOffset: number) => void;
  readonly step: (step: Step) => void;
};

/** What was done here last; it holds as long as its selection does. */
type Here = {
  readonly selection: Selection;
  /** Stays, so that the bytes are not taken away from under the person's hand. */
  readonly region: Region;
  /** null = where the selection begins. */
  readonly cursor: number | null;
  /** Whether it was pointed at, and so needs no scrolling. */
  readonly isSeen: boolean;
};

/** The region follows what is selected elsewhere; what is selected here stays in the region at hand. */
export function usePlaces({ model, selection }: Active): Places {
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
    lit,
    cursor,
    // A range is told of by its first byte, whichever end it was drawn from.
    byte: hovered ?? (selection.kind === 'bytes' ? selection.start : cursor),
    isHovered: hovered !== null,
    scrollTo: here?.isSeen ? null : (lit?.start ?? null),
    pickRow: (row) => {
      setHovered(null);
      if (row === 0) {
        setLast({ selection, region: wholeFile(model), cursor: null, isSeen: false });
      } else {
        setLast(null);
        select({ kind: 'section', section: sectionIndex(row) });
      }
    },
    selectBytes: (range, at) => selectHere(selectionOfRange(model, region, range), at),
    show: (next) => {
      setHovered(null);
      const span = litSpan(model, next);
      const stays = span !== null && span.start >= region.start && span.end <= regionEnd(region);
      if (stays) selectHere(next, null);
      else {
        setLast(null);
        select(next);
      }
    },
    hover: setHovered,
    goTo: (fileOffset) =>
      selectHere({ kind: 'bytes', start: fileOffset, end: fileOffset + 1 }, null),
    step: (step) => {
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

function regionEnd({ start, length }: Region): number {
  return start + length;
}

/** One byte of a relocation's site means the relocation, all else the bytes. */
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

/** The byte of a selection that says most: for a relocation the first that it changes. */
function firstByte(model: ObjectModel, selection: Selection): number | null {
  const site =
    selection.kind === 'relocation' ? relocationMeaning(model, selection.reloc).siteSpan : null;
  return (site ?? litSpan(model, selection))?.start ?? null;
}

/** The structure of the file that is looked at, over its bytes as they arrive. */
export type FileStructure = {
  readonly root: StructureField;
  /** Bytes of the file that are at hand; asks for the others. */
  readonly read: ReadBytes;
  /** A new number with each piece of the file that has come. */
  readonly version: number;
};

/** Draws again when bytes have come. */
export function useStructure({ id, model }: Active): FileStructure {
  const version = useSession((state) => state.bytesVersion);
  return useMemo(() => {
    const read: ReadBytes = (start, end) => bytesNow(id, start, end);
    return { root: fileField(model, read), read, version };
  }, [id, model, version]);
}

/** The owners of the byte that the panel tells of; of a selection those that hold all of it. */
export function fieldsShown(
  { model }: Active,
  { read }: FileStructure,
  places: Places,
): StructureField[] {
  const chain = fieldsAt(model, places.byte, read);
  return places.isHovered ? chain : holding(chain, places.lit);
}

/** The owners of `chain` that hold `span`; all of them where it is not in the first. */
function holding(chain: readonly StructureField[], span: Span | null): StructureField[] {
  const all = span === null ? [] : chain.filter((owner) => holds(owner.span, span));
  return all.length === 0 ? [...chain] : all;
}

function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

/** Stepping from one relocation to the next through the bytes of a region. */
export type Step = 'next' | 'previous';

/**
 * The entry with the nearest `r_offset` behind (or before) the byte at
 * `fileOffset`; null when there is none in the region.
 */
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
    const found = nearest(model, section, fileOffset, step);
    if (found !== null) return found;
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
  const [found] = relocationsInRange(model, section, Math.max(0, from + 1), length);
  return found ?? null;
}

/** The file offset that steps count from when this entry is where one is. */
export function stepOrigin(model: ObjectModel, reloc: RelocIndex): number {
  const target = model.relocations.targetSection[reloc] ?? -1;
  return (model.sections.fileOffset[target] ?? 0) + relocationOffset(model, reloc);
}
