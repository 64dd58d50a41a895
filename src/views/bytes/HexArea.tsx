import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { storedLayout } from '#analysis/relocations/layout.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { useSettings } from '#store/kept/settings.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { usePaneHighlight } from '#store/session/highlight.ts';
import type { Active } from '#store/session/hooks.ts';
import { usePins } from '#store/session/pins.ts';
import { classNames } from '#ui/class-names.ts';
import { useElementWidth } from '#ui/element-size.tsx';
import { HexGrid } from '#ui/HexGrid.tsx';
import { ASCII_GAP, hexWidth, OFFSET_PADDING, offsetDigits } from '#ui/hex-marks.ts';
import { EmptyState } from '#ui/Panel.tsx';
import { isPacked } from '#views/parts/use-section-bytes.ts';
import styles from './BytesView.module.css';
import { pinMarks, shiftedMarks, withPins, withUses } from './byte-marks.ts';
import { activate } from './field-links.ts';
import { emptyNote, type Region } from './regions.ts';
import type { Places, useStructure } from './use-places.ts';

type HexAreaProps = {
  readonly model: ObjectModel;
  readonly places: Places;
  /** Number to add to a file offset before it is displayed. */
  readonly shift: number;
  readonly marks: ReturnType<typeof useMarks>;
  readonly getBytes: (from: number, to: number) => Uint8Array | null;
  readonly structure: ReturnType<typeof useStructure>;
  readonly hexRef: RefObject<HTMLDivElement | null>;
  /** React key of the grid: a new key resets the grid. */
  readonly gridKey: string;
};

/** Shows the bytes of a region, or why the region has none. */
export function HexArea(props: HexAreaProps) {
  const { model, places, shift, marks, getBytes, structure, hexRef, gridKey } = props;
  const { section, start, length } = places.region;
  const { lit } = places;
  const width = useElementWidth(hexRef);
  const isResting = usePointerRest(hexRef);
  const { bytesPerRow } = useSettings();
  const empty = emptyNote(model, section);
  return (
    <div ref={hexRef} className={styles.hex}>
      {empty !== null ? (
        <EmptyState title={empty.title} text={empty.text} />
      ) : (
        <HexGrid
          key={gridKey}
          length={length}
          baseOffset={start + shift}
          columns={
            bytesPerRow === 'fit' ? columnsFor(width, start + shift + length) : COLUMNS[bytesPerRow]
          }
          getBytes={getBytes}
          marks={marks}
          selection={lit && { start: lit.start + shift, end: lit.end + shift }}
          cursor={places.cursor + shift}
          onSelect={(range, at) =>
            places.selectBytes({ start: range.start - shift, end: range.end - shift }, at - shift)
          }
          onHover={(offset) => {
            if (offset === null) places.hover(null);
            else if (!isResting()) places.hover(offset - shift);
          }}
          onActivate={(offset) => activate(model, section, offset - shift, structure.read)}
          scrollTo={places.scrollTo === null ? null : places.scrollTo + shift}
          version={structure.version}
        />
      )}
    </div>
  );
}

/** Whether bytes are shown as stored in the file, or after relocations are applied. */
export type Reading = 'stored' | 'relocated';

/** Returns `bytes`, which begin at `fileOffset`, as the hex view shows them. */
export type ShowBytes = (fileOffset: number, bytes: Uint8Array) => Uint8Array;

const asStored: ShowBytes = (_, bytes) => bytes;

/** Returns a function that applies relocations. `layout` is null if addresses affect no result. */
function asRelocated(
  model: ObjectModel,
  section: SectionIndex,
  layout: RelocationLayout | null,
): ShowBytes {
  const start = model.sections.fileOffset[section] ?? 0;
  return (fileOffset, bytes) => relocatedBytes(model, section, fileOffset - start, bytes, layout);
}

/** Maximum number of relocations tested for a known result. */
const LOOKED_AT = 256;

/** Returns true if a relocation of the section has a known result. */
function canRelocate(model: ObjectModel, section: SectionIndex | null): boolean {
  if (section === null || isPacked(model, section)) return false;
  const length = model.sections.byteLength[section] ?? 0;
  return relocationsInRange(model, section, 0, length)
    .slice(0, LOOKED_AT)
    .some((reloc) => {
      const { result, siteSpan } = relocationMeaning(model, reloc);
      // Relocations whose `result` is null here have one with the layout that the file stores.
      return siteSpan !== null && (result !== null || storedLayout(model) !== null);
    });
}

/** Returns functions that read stored and displayed bytes. Both take displayed offsets. */
export function useReading(
  { id, model }: Active,
  region: Region,
  shift: number,
  layout: RelocationLayout | null,
) {
  const { section } = region;
  const [chosen, setReading] = useState<Reading>('stored');
  const reading = useMemo(
    () => (canRelocate(model, section) ? chosen : null),
    [model, section, chosen],
  );
  const shown = useMemo(
    () =>
      reading === 'relocated' && section !== null ? asRelocated(model, section, layout) : asStored,
    [model, section, reading, layout],
  );
  const getStored = useCallback(
    (from: number, to: number) => bytesNow(id, from - shift, to - shift),
    [id, shift],
  );
  const getBytes = useCallback(
    (from: number, to: number) => {
      const bytes = getStored(from, to);
      return bytes === null ? null : shown(from - shift, bytes);
    },
    [getStored, shown, shift],
  );
  return { reading, setReading, shown, getStored, getBytes };
}

/** Returns the marks of relocations, type uses and pins. */
export function useMarks(
  { id, model, selection }: Active,
  { section }: Region,
  shift: number,
  getStored: (from: number, to: number) => Uint8Array | null,
) {
  // Selecting bytes must not make new marks: dragging would then draw all rows again.
  const { kind } = selection;
  const marked = kind === 'relocation' || kind === 'core' ? selection : NO_SELECTION;
  const pins = usePins(id);
  const highlight = usePaneHighlight();
  const marks = useMemo(
    () =>
      shiftedMarks(model, section, shift, {
        read: getStored,
        lit: marked,
        litClass: styles.litMark ?? '',
        bitClass,
      }),
    [model, section, shift, getStored, marked],
  );
  return useMemo(
    () =>
      withPins(
        highlight === null ? marks : withUses(marks, highlight, shift, styles.use ?? ''),
        pinMarks(pins, shift, (isLit) => (isLit ? styles.litPin : styles.pin) ?? ''),
      ),
    [marks, highlight, pins, shift],
  );
}

/** Returns the CSS class that colours bits `from` to `to` of a byte. */
function bitClass(from: number, to: number): string {
  return classNames(styles.bits, styles[`from${from}`], styles[`to${to}`]);
}

/**
 * Returns a function that returns true while the pointer rests. Bytes that scroll under a resting
 * pointer must not change the described byte.
 */
function usePointerRest(element: RefObject<HTMLElement | null>): () => boolean {
  const last = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const isResting = useRef(true);
  useEffect(() => {
    const node = element.current;
    if (node === null) return;
    const look = ({ clientX: x, clientY: y }: PointerEvent) => {
      const before = last.current;
      isResting.current = before === null || (before.x === x && before.y === y);
      last.current = { x, y };
    };
    // Listeners of the capture phase run before those of React.
    node.addEventListener('pointerover', look, { capture: true });
    node.addEventListener('pointermove', look, { capture: true });
    return () => {
      node.removeEventListener('pointerover', look, { capture: true });
      node.removeEventListener('pointermove', look, { capture: true });
    };
  }, [element]);
  return () => isResting.current;
}

const COLUMNS = { '8': 8, '16': 16, '32': 32 } as const;

/** Width of a character in CSS pixels, rounded up to one decimal place. */
const CHAR = 7.9;

/** CSS pixels after the text: padding and a scroll bar. */
const END_PADDING = 12 + 12;

/** Returns how many columns (32, 16 or 8) fit into `width` CSS pixels; at least 8. */
export function columnsFor(width: number, lastOffset: number): 8 | 16 | 32 {
  const offsetWidth = offsetDigits(lastOffset) + 2;
  const fits = (columns: number) => {
    const chars = offsetWidth + hexWidth(columns) + ASCII_GAP + columns;
    return chars * CHAR + OFFSET_PADDING + END_PADDING <= width;
  };
  if (fits(32)) return 32;
  return fits(16) ? 16 : 8;
}
