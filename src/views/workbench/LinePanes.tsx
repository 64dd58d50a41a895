import { type PointerEvent, type ReactNode, useCallback, useMemo } from 'react';
import type { Change, StoredString } from '#analysis/workbench/changes.ts';
import { hexText } from '#bytes/text.ts';
import type { Selection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { rowOfEvent } from '#ui/list-keys.ts';
import { Panel } from '#ui/Panel.tsx';
import { rowRenderer, VirtualList } from '#ui/VirtualList.tsx';
import { kindStyle } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LinePanes.module.css';
import {
  changeOfLine,
  headParts,
  type Lit,
  lineIndexOf,
  type PaneProps,
  type Pointed,
  type RawLine,
  selectionOfLine,
} from './subject.ts';

const ROW_HEIGHT = 20;

type LinesPaneProps<Row> = Pick<PaneProps, 'onPoint'> & {
  readonly title: string;
  readonly aside: string;
  readonly label: string;
  readonly rows: readonly Row[];
  readonly selected: number | null;
  /** Draws a row. The function must be the same at each render while the rows are unchanged. */
  readonly renderRow: (row: Row) => ReactNode;
  /** Returns the record or string that a row under the pointer shows. */
  readonly pointedOf: (row: Row) => Pointed;
  readonly onSelect: (row: Row) => void;
  readonly onActivate?: (row: Row) => void;
};

/** Shows a list, with marks on the selected line and on the line under the pointer. */
function LinesPane<Row>(props: LinesPaneProps<Row>) {
  const { title, aside, label, rows, selected, onPoint, renderRow } = props;
  const withRow = (act: ((row: Row) => void) | undefined) => (index: number) => {
    const row = rows[index];
    if (row !== undefined) act?.(row);
  };
  const renderIndex = useMemo(() => rowRenderer(rows, renderRow), [rows, renderRow]);
  return (
    <Panel title={title} aside={<span className="small muted ellipsis">{aside}</span>}>
      <div
        className="tall"
        onPointerOver={(event: PointerEvent) =>
          withRow((row) => onPoint(props.pointedOf(row)))(rowOfEvent(event) ?? -1)
        }
        onPointerLeave={() => onPoint(null)}
      >
        <VirtualList
          label={label}
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={selected}
          scrollToIndex={selected}
          onSelect={withRow(props.onSelect)}
          onActivate={withRow(props.onActivate)}
          renderRow={renderIndex}
        />
      </div>
    </Panel>
  );
}

const SIGNS: Readonly<Record<Change, string>> = { new: '+', changed: '~' };

/** Shows the sign of a change, or an empty space if nothing has changed. */
function ChangeSign({ change }: { readonly change: Change | null }) {
  return (
    <span className={styles.sign} aria-hidden="true">
      {change === null ? '' : SIGNS[change]}
    </span>
  );
}

type StringsPaneProps = PaneProps & {
  readonly strings: readonly StoredString[];
  readonly lines: readonly RawLine[];
  readonly selection: Selection;
};

/** Shows the strings in the order of the string table. */
export function StringsPane(props: StringsPaneProps) {
  const { types, strings, lines, changes, pointed, onPoint, selection } = props;
  const selected = stringAtSelection(types, strings, lines, selection);
  const lit = pointedStrings(lines, pointed);
  const renderRow = useCallback(
    ({ offset, text }: StoredString) => {
      const change = changes?.strings.has(offset) === true ? 'new' : null;
      return (
        <span
          className={styles.row}
          data-change={change ?? undefined}
          data-pointed={lit.has(offset)}
        >
          <ChangeSign change={change} />
          <span className={styles.offset}>{hexText(offset)}</span>
          <span className={styles.code}>
            <Name text={text} otherwise="(empty: no name)" />
          </span>
        </span>
      );
    },
    [changes, lit],
  );
  return (
    <LinesPane
      title="Strings"
      aside={countOf(types.strEnd - types.strStart, 'byte')}
      label="Strings by name_off"
      rows={strings}
      selected={selected}
      renderRow={renderRow}
      pointedOf={({ offset }) => ({ kind: 'string', offset })}
      onPoint={onPoint}
      onSelect={({ start, end }) => {
        const base = types.fileOffset;
        if (base !== null) select({ kind: 'bytes', start: base + start, end: base + end });
      }}
    />
  );
}

const NO_OFFSETS: ReadonlySet<number> = new Set();

/** Returns the index of the selected string, or of the name of the selected item; else null. */
export function stringAtSelection(
  types: TypeTable,
  strings: readonly StoredString[],
  lines: readonly RawLine[],
  selection: Selection,
): number | null {
  const base = types.fileOffset ?? 0;
  const index =
    selection.kind === 'bytes'
      ? strings.findIndex(({ start, end }) => {
          const at = selection.start - base;
          return start <= at && at < end;
        })
      : selection.kind === 'type'
        ? indexOfName(strings, lines, selection.type, selection.memberPath[0] ?? null)
        : -1;
  return index < 0 ? null : index;
}

function indexOfName(
  strings: readonly StoredString[],
  lines: readonly RawLine[],
  type: number,
  item: number | null,
): number {
  const nameOff = lines[lineIndexOf(lines, type, item)]?.nameOff ?? 0;
  // Offset 0 means that the item has no name.
  return nameOff === 0 ? -1 : strings.findIndex(({ offset }) => offset === nameOff);
}

/** Returns the offsets (`name_off`) of the strings that belong to the place under the pointer. */
export function pointedStrings(
  lines: readonly RawLine[],
  pointed: Pointed | null,
): ReadonlySet<number> {
  if (pointed === null) return NO_OFFSETS;
  if (pointed.kind === 'string') return new Set([pointed.offset]);
  const nameOff = lines[lineIndexOf(lines, pointed.type, pointed.item)]?.nameOff ?? 0;
  return nameOff === 0 ? NO_OFFSETS : new Set([nameOff]);
}

type RawTypesPaneProps = PaneProps & {
  readonly lines: readonly RawLine[];
  readonly lit: Lit | null;
};

/** Shows all records as bpftool prints them. */
export function RawTypesPane(props: RawTypesPaneProps) {
  const { types, lines, lit, changes, pointed, onPoint } = props;
  const exact = lit === null ? -1 : lineIndexOf(lines, lit.type, lit.item);
  const selected = exact < 0 && lit !== null ? lineIndexOf(lines, lit.type, null) : exact;
  const renderRow = useCallback(
    (line: RawLine) => (
      <RawLineRow
        types={types}
        line={line}
        change={changeOfLine(line, changes)}
        isPointed={isPointedLine(line, pointed)}
      />
    ),
    [types, changes, pointed],
  );
  return (
    <LinesPane
      title="Types"
      aside="bpftool btf dump format raw"
      label="Records"
      rows={lines}
      selected={selected < 0 ? null : selected}
      renderRow={renderRow}
      pointedOf={({ type, item }) => ({ kind: 'record', type, item })}
      onPoint={onPoint}
      onSelect={(line) => select(selectionOfLine(types, line))}
      onActivate={(line) => select(selectionOfLine(types, line), 'types')}
    />
  );
}

function isPointedLine(line: RawLine, pointed: PaneProps['pointed']): boolean {
  if (pointed === null) return false;
  if (pointed.kind === 'string') return pointed.offset > 0 && line.nameOff === pointed.offset;
  return line.type === pointed.type && line.item === pointed.item;
}

type RawLineRowProps = {
  readonly types: TypeTable;
  readonly line: RawLine;
  readonly change: Change | null;
  readonly isPointed: boolean;
};

/** Shows a line of bpftool's raw dump. The kind is coloured. */
function RawLineRow({ types, line, change, isPointed }: RawLineRowProps) {
  const head = headParts(line);
  return (
    <span
      className={styles.row}
      data-item={line.item !== null}
      data-change={change ?? undefined}
      data-pointed={isPointed}
      title={line.text}
    >
      <ChangeSign change={change} />
      {head === null ? (
        <span className={styles.code}>{line.text}</span>
      ) : (
        <span className={styles.code}>
          <span className="soft">{head.id}</span>{' '}
          <span className={styles.kind} data-tone={kindStyle(kindOf(types, line.type)).tone}>
            {head.kind}
          </span>{' '}
          {head.rest}
        </span>
      )}
    </span>
  );
}
