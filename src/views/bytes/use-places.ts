/** Where the Bytes view is: which region, which byte, where to scroll. */
import { useState } from 'react';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { Span } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionAt } from '#model/sections.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { announce } from '#store/session.ts';
import { symbolLine } from '#views/parts/relocation-look.ts';
import { relocationOnByte } from './byte-marks.ts';
import { type Step, stepOrigin, stepRelocation } from './next-relocation.ts';
import { litSpan, type Region, regionOfSelection, wholeFile } from './regions.ts';

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
        announce(step === 'next' ? 'No relocation behind this' : 'No relocation before this');
        return;
      }
      setHovered(null);
      selectHere({ kind: 'relocation', reloc }, null);
      const meaning = relocationMeaning(model, reloc);
      announce(drawnName(`${meaning.typeName} ${symbolLine(meaning)}`));
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
