import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { Derived, isRest, Run, type Steps } from '#bytes/long-work.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import type { Active } from '#store/session/hooks.ts';
import { grouped } from '#ui/grouped.ts';
import { rowAfterKey, rowOfEvent } from '#ui/list-keys.ts';
import { Disclosure } from '#ui/Panel.tsx';
import { column, NUMBER, type RowColumn } from '#ui/table-columns.ts';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, shareText, sizeText } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { useRun } from '#views/parts/WhenReady.tsx';
import styles from './FileMap.module.css';
import {
  FAMILIES,
  type Family,
  type FilePart,
  filePartSteps,
  type PartList,
} from './file-parts.ts';
import { OverviewCard } from './OverviewCard.tsx';

const NO_DRAWN_PARTS: readonly DrawnPart[] = [];

/** Shows the file as a strip to scale. Arrow keys select parts; Enter or a click shows bytes. */
export function FileMap({ model, selection }: Omit<Active, 'id'>) {
  const ready = useRun(drawnFile.runOf(model));
  const drawn = ready ?? NO_DRAWN_PARTS;
  const [pointed, setPointed] = useState<number | null>(null);
  const span = selectionSpan(model, selection);
  const lit = span === null ? -1 : partAt(drawn, span.start);
  const described = drawn[pointed ?? lit];
  return (
    <OverviewCard title="Map of the file" aside={countOf(model.size, 'byte')}>
      <Strip drawn={drawn} lit={lit} pointed={pointed} onPoint={setPointed} />
      <p className={styles.told}>
        {described === undefined ? (
          <span className="muted">
            {ready === null
              ? `Reading ${countOf(sectionCount(model.sections), 'section')}…`
              : 'All bytes, to scale. Point at a part for details.'}
          </span>
        ) : (
          <PartText part={described} fileSize={model.size} />
        )}
      </p>
      <FileMapLegend drawn={drawn} fileSize={model.size} />
      <div className={styles.table}>
        <Disclosure title="Map as a table">
          <FileMapTable model={model} selection={selection} />
        </Disclosure>
      </div>
    </OverviewCard>
  );
}

type StripProps = {
  readonly drawn: readonly DrawnPart[];
  readonly lit: number;
  readonly pointed: number | null;
  readonly onPoint: (index: number | null) => void;
};

function Strip({ drawn, lit, pointed, onPoint }: StripProps) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = pointed ?? (lit < 0 ? null : lit);
    const part = at === null ? undefined : drawn[at];
    const next = mapKey(event.key, at, drawn.length);
    if (event.key === 'Enter' && part !== undefined) showPart(part);
    else if (next !== null) onPoint(next);
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const part = drawn[rowOfEvent(event) ?? -1];
    if (part !== undefined) showPart(part);
  };
  return (
    <div
      role="listbox"
      aria-label="Map of the file"
      aria-orientation="horizontal"
      aria-activedescendant={pointed === null ? undefined : `${id}${pointed}`}
      tabIndex={0}
      className={styles.strip}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onMouseMove={(event) => onPoint(rowOfEvent(event))}
      onMouseLeave={() => onPoint(null)}
      onFocus={() => onPoint(pointed ?? Math.max(0, lit))}
      onBlur={() => onPoint(null)}
    >
      {drawn.map((part, index) => (
        <div
          key={`${part.start}:${part.end}:${part.label}`}
          id={`${id}${index}`}
          role="option"
          tabIndex={-1}
          data-row={index}
          data-tone={FAMILIES[part.family].tone}
          data-family={part.family}
          data-pointed={index === pointed}
          aria-selected={index === lit}
          aria-label={`${drawnName(part.label)}, ${FAMILIES[part.family].word}, ${sizeText(part.end - part.start)}`}
          className={styles.part}
          style={{ flexGrow: part.shown }}
        >
          <span aria-hidden className={styles.label}>
            {drawnName(part.label)}
          </span>
        </div>
      ))}
    </div>
  );
}

function PartText({ part, fileSize }: { readonly part: DrawnPart; readonly fileSize: number }) {
  const size = part.end - part.start;
  return (
    <>
      <bdi className="mono bold break strong">{drawnName(part.label)}</bdi>
      <span>{FAMILIES[part.family].word}</span>
      <span className="mono">
        {offsetCell(part.start)}–{offsetCell(part.end)}
      </span>
      <span>{countOf(size, 'byte')}</span>
      <span>{shareText(size, fileSize)}</span>
    </>
  );
}

function FileMapLegend({
  drawn,
  fileSize,
}: {
  readonly drawn: readonly DrawnPart[];
  readonly fileSize: number;
}) {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {familySizes(drawn).map(({ family, size }) => (
        <li key={family} className={styles.legendItem}>
          <span
            aria-hidden
            className={styles.swatch}
            data-tone={FAMILIES[family].tone}
            data-family={family}
          />
          {FAMILIES[family].word}{' '}
          <span className="muted" title={sizeText(size)}>
            {shareText(size, fileSize)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Returns the section of a part. A part outside of sections is selected as bytes. */
function selectionOfPart(part: FilePart): Selection {
  return part.section === null
    ? { kind: 'bytes', start: part.start, end: part.end }
    : { kind: 'section', section: part.section };
}

function showPart(part: FilePart): void {
  select(selectionOfPart(part), 'bytes');
}

/** Returns the index of the part that a key moves to; null for other keys. `from` may be null. */
function mapKey(key: string, from: number | null, count: number): number | null {
  if (key.startsWith('Page')) return null;
  const listKey = key === 'ArrowRight' ? 'ArrowDown' : key === 'ArrowLeft' ? 'ArrowUp' : key;
  return rowAfterKey(listKey, from, count, 1);
}

const NO_PARTS: readonly FilePart[] = [];

function FileMapTable({ model, selection }: Omit<Active, 'id'>) {
  const run = useMemo(() => new Run(filePartSteps(model)), [model]);
  const parts = useRun(run);
  const columns = useMemo(() => columnsOf(model.size), [model]);
  return (
    <SelectionTable
      label="Parts of the file"
      rows={parts ?? NO_PARTS}
      columns={columns}
      most={12}
      selectedIndex={parts?.rowOf(selection) ?? null}
      selectionOf={selectionOfPart}
      view="bytes"
    />
  );
}

function columnsOf(fileSize: number): RowColumn<FilePart>[] {
  const label = ({ section, label: text }: FilePart) =>
    section === null ? text : <Name text={text} />;
  const share = (part: FilePart) => shareText(part.end - part.start, fileSize);
  return [
    column('part', 'Part', 160, label, { grow: 2 }),
    column('family', 'What', 150, (part) => FAMILIES[part.family].word, { grow: 1 }),
    column('start', 'From', 110, (part) => offsetCell(part.start), NUMBER),
    column('end', 'To', 110, (part) => offsetCell(part.end), NUMBER),
    column('size', 'Bytes', 110, (part) => grouped(part.end - part.start), { align: 'end' }),
    column('share', 'Share', 80, share, { align: 'end' }),
  ];
}

/** A part as drawn. `shown` is the number of its bytes that earlier parts do not cover. */
type DrawnPart = FilePart & { readonly shown: number };

/** Cache of the drawn parts of each file. */
export const drawnFile = new Derived(function* (model: ObjectModel): Steps<DrawnPart[]> {
  return yield* drawnSteps(yield* filePartSteps(model), model.size);
});

/** Number of large parts that are never joined. Among up to twice as many parts, none is joined. */
const MAX_PARTS = 40;

/**
 * Computes the drawn parts: without small gaps and covered parts. In a file of many parts, small
 * neighbours are joined, so that the pointer can reach each part.
 */
export function* drawnSteps(parts: PartList, fileSize: number): Steps<DrawnPart[]> {
  const seen = yield* partsInSight(parts, fileSize);
  const most = seen.rows.length <= 2 * MAX_PARTS ? seen.rows.length : MAX_PARTS;
  const largest = yield* largestOf(seen.shown, most);
  const drawn: DrawnPart[] = [];
  let run: JoinedRun | null = null;
  const flush = () => {
    const part = run === null ? null : joinedPart(parts, run);
    if (part !== null) drawn.push(part);
    run = null;
  };
  for (let i = 0; i < seen.rows.length; i++) {
    if (isRest(i)) yield;
    const isLarge = largest.has(i);
    // A large part is never joined with its neighbours.
    if (isLarge) flush();
    run = joined(parts, run, seen.rows[i] ?? 0, seen.shown[i] ?? 0);
    if (isLarge) flush();
  }
  flush();
  return drawn;
}

/** Returns the indexes of the visible parts, and the number of visible bytes of each. */
function* partsInSight(
  parts: PartList,
  fileSize: number,
): Steps<{ readonly rows: Uint32Array; readonly shown: Float64Array }> {
  const rows = new Uint32Array(parts.length);
  const shown = new Float64Array(parts.length);
  const leastGap = Math.max(16, fileSize / 500);
  let count = 0;
  let reached = 0;
  for (let row = 0; row < parts.length; row++) {
    if (isRest(row)) yield;
    const end = parts.endOf(row);
    const length = end - Math.max(parts.startOf(row), reached);
    reached = Math.max(reached, end);
    if (length <= 0 || (length < leastGap && parts.isGap(row))) continue;
    rows[count] = row;
    shown[count++] = length;
  }
  return { rows: rows.subarray(0, count), shown: shown.subarray(0, count) };
}

/** Returns the indexes of the `most` greatest numbers in `lengths`. */
function* largestOf(lengths: Float64Array, most: number): Steps<ReadonlySet<number>> {
  const largest: number[] = [];
  for (let i = 0; i < lengths.length; i++) {
    if (isRest(i)) yield;
    const length = lengths[i] ?? 0;
    if (largest.length === most && length <= (lengths[largest.at(-1) ?? 0] ?? 0)) continue;
    let at = largest.length;
    while (at > 0 && (lengths[largest[at - 1] ?? 0] ?? 0) < length) at--;
    largest.splice(at, 0, i);
    if (largest.length > most) largest.pop();
  }
  return new Set(largest);
}

/** A group of neighbouring parts that are drawn as one part. */
type JoinedRun = {
  /** Index of the first part of the group. */
  readonly first: number;
  readonly end: number;
  /** Family of the parts; null if they belong to several families. */
  readonly family: Family | null;
  readonly count: number;
  readonly shown: number;
};

/** Returns the group `run` with one more part; if the part cannot be joined, a new group. */
function joined(parts: PartList, run: JoinedRun | null, row: number, shown: number): JoinedRun {
  const [end, family] = [parts.endOf(row), parts.familyOf(row)];
  if (run === null) return { first: row, end, family, count: 1, shown };
  return {
    first: run.first,
    end: Math.max(run.end, end),
    family: run.family === family ? family : null,
    count: run.count + 1,
    shown: run.shown + shown,
  };
}

function joinedPart(parts: PartList, run: JoinedRun): DrawnPart | null {
  const { end, family, count, shown } = run;
  const first = parts.at(run.first);
  if (first === undefined) return null;
  if (count === 1) return { ...first, shown };
  return {
    start: first.start,
    end,
    family: family ?? 'other',
    label: `${count} small parts`,
    section: null,
    merged: count,
    shown,
  };
}

/** Returns the total size of each family, in the order in which the families first occur. */
export function familySizes(parts: readonly DrawnPart[]): { family: Family; size: number }[] {
  const sizes = new Map<Family, number>();
  for (const { family, shown } of parts) sizes.set(family, (sizes.get(family) ?? 0) + shown);
  return [...sizes].map(([family, size]) => ({ family, size }));
}

/** Returns the index of the part that contains the byte at `fileOffset`; -1 if there is none. */
export function partAt(parts: readonly DrawnPart[], fileOffset: number): number {
  return parts.findIndex((part) => fileOffset >= part.start && fileOffset < part.end);
}
