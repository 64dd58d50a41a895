import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useMemo,
  useState,
} from 'react';
import { selectionSpan } from '#analysis/code/selection.ts';
import { Run } from '#bytes/steps.ts';
import { drawnName } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { grouped } from '#ui/grouped.ts';
import { rowOfEvent } from '#ui/list-keys.ts';
import { type TableColumn, tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText, shareText, sizeText } from '#views/parts/number-text.ts';
import { useRun } from '#views/parts/use-run.ts';
import styles from './FileMap.module.css';
import { type DrawnPart, drawnFile, familySizes, partAt } from './file-map.ts';
import { type FilePart, filePartSteps } from './file-parts.ts';
import { OverviewCard } from './OverviewCard.tsx';
import { FAMILIES } from './section-rows.ts';

const NOTHING_YET: readonly DrawnPart[] = [];

/** The whole file as a strip to scale. Arrows move over its parts, Enter and a click show their bytes. */
export function FileMap({
  model,
  selection,
}: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  const found = useRun(drawnFile.runOf(model));
  const drawn = found ?? NOTHING_YET;
  const [pointed, setPointed] = useState<number | null>(null);
  const span = selectionSpan(model, selection);
  const lit = span === null ? -1 : partAt(drawn, span.start);
  const told = drawn[pointed ?? lit];
  return (
    <OverviewCard title="Map of the file" aside={countOf(model.size, 'byte')}>
      <Strip drawn={drawn} lit={lit} pointed={pointed} onPoint={setPointed} />
      <p className={styles.told}>
        {told === undefined ? (
          <span className="muted">
            {found === null
              ? `Going through ${countOf(sectionCount(model.sections), 'section')}…`
              : 'From the first byte to the last, to scale. Point at a part to see what it is.'}
          </span>
        ) : (
          <PartText part={told} fileSize={model.size} />
        )}
      </p>
      <FileMapLegend drawn={drawn} fileSize={model.size} />
      <div className={styles.table}>
        <Disclosure title="The map as a table">
          <FileMapTable model={model} selection={selection} />
        </Disclosure>
      </div>
    </OverviewCard>
  );
}

function Strip(props: {
  readonly drawn: readonly DrawnPart[];
  readonly lit: number;
  readonly pointed: number | null;
  readonly onPoint: (index: number | null) => void;
}) {
  const { drawn, lit, pointed, onPoint } = props;
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
          aria-label={partName(part)}
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

function partName(part: DrawnPart): string {
  return `${drawnName(part.label)}, ${FAMILIES[part.family].word}, ${sizeText(part.end - part.start)}`;
}

function PartText({ part, fileSize }: { readonly part: DrawnPart; readonly fileSize: number }) {
  const size = part.end - part.start;
  return (
    <>
      <bdi className={styles.toldName}>{drawnName(part.label)}</bdi>
      <span>{FAMILIES[part.family].word}</span>
      <span className="mono">
        {hexText(part.start)}–{hexText(part.end)}
      </span>
      <span>{countOf(size, 'byte')}</span>
      <span>{shareText(size, fileSize)}</span>
    </>
  );
}

/** What the colours of the map mean, and how much of the file each family takes. */
function FileMapLegend({
  drawn,
  fileSize,
}: {
  readonly drawn: readonly DrawnPart[];
  readonly fileSize: number;
}) {
  return (
    <ul className={styles.legend} aria-label="What the file is made of">
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

/** Going from a part of the file map to its bytes. */

/** What is selected when a part is: its section, or its bytes where it is none. */
function selectionOfPart(part: FilePart): Selection {
  return part.section === null
    ? { kind: 'bytes', start: part.start, end: part.end }
    : { kind: 'section', section: part.section };
}

/** Selects a part and shows its bytes. */
function showPart(part: FilePart): void {
  select(selectionOfPart(part), 'bytes');
}

/** Selects a section and shows its bytes. */
export function showSection(section: SectionIndex): void {
  select({ kind: 'section', section }, 'bytes');
}

/** The part of the file map that a key leads to; null when the key is none of the map's. `from` null = none yet. */
function mapKey(key: string, from: number | null, count: number): number | null {
  const last = count - 1;
  if (last < 0) return null;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return from === null ? 0 : Math.min(last, from + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return from === null ? last : Math.max(0, from - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** The parts of the file with their offsets; small ones and gaps too. */
function FileMapTable(props: { readonly model: ObjectModel; readonly selection: Selection }) {
  const { model, selection } = props;
  const run = useMemo(() => new Run(filePartSteps(model)), [model]);
  const parts = useRun(run);
  const columns = useMemo(
    () => rowColumns((index) => parts?.at(index), columnsOf(model.size)),
    [parts, model],
  );
  const count = parts?.length ?? 0;
  return (
    <div style={{ height: tableHeight(count, 12) }}>
      <LinkTable
        label="Parts of the file"
        columns={columns}
        count={count}
        selectedIndex={parts?.rowOf(selection) ?? null}
        onSelect={(index) => {
          const part = parts?.at(index);
          if (part !== undefined) select(selectionOfPart(part));
        }}
        onActivate={(index) => {
          const part = parts?.at(index);
          if (part !== undefined) showPart(part);
        }}
      />
    </div>
  );
}

function columnsOf(fileSize: number): RowColumn<FilePart>[] {
  return [
    {
      id: 'part',
      header: 'Part',
      width: 160,
      grow: 2,
      cell: (part) => (part.section === null ? part.label : <Name text={part.label} />),
    },
    {
      id: 'family',
      header: 'What',
      width: 150,
      grow: 1,
      cell: (part) => FAMILIES[part.family].word,
    },
    {
      id: 'start',
      header: 'From',
      width: 110,
      align: 'end',
      mono: true,
      cell: (part) => hexText(part.start),
    },
    {
      id: 'end',
      header: 'To',
      width: 110,
      align: 'end',
      mono: true,
      cell: (part) => hexText(part.end),
    },
    {
      id: 'size',
      header: 'Bytes',
      width: 110,
      align: 'end',
      cell: (part) => grouped(part.end - part.start),
    },
    {
      id: 'share',
      header: 'Share',
      width: 80,
      align: 'end',
      cell: (part) => shareText(part.end - part.start, fileSize),
    },
  ];
}

export type RowColumn<Row> = Omit<TableColumn, 'cell'> & {
  readonly cell: (row: Row) => ReactNode;
};

/** Columns that draw rows, as columns that draw row numbers; a number without a row draws nothing. */
export function rowColumns<Row>(
  rowAt: (index: number) => Row | undefined,
  columns: readonly RowColumn<Row>[],
): TableColumn[] {
  return columns.map((column) => ({
    ...column,
    cell: (index: number) => {
      const row = rowAt(index);
      return row === undefined ? null : column.cell(row);
    },
  }));
}
