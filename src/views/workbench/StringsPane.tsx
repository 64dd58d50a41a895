import { useCallback } from 'react';
import type { StoredString } from '#analysis/workbench/changes.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import styles from './ListPane.module.css';
import { ChangeSign, ListPane } from './ListPane.tsx';
import { lineIndexOf, type RawLine } from './raw-lines.ts';
import type { PaneProps, Pointed } from './subject.ts';

type StringsPaneProps = PaneProps & {
  readonly strings: readonly StoredString[];
  readonly lines: readonly RawLine[];
  readonly selection: Selection;
};

/** The strings in their order; every name is one of them, and stands there once. */
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
    <ListPane
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

const NONE: ReadonlySet<number> = new Set();

/** Number of the string that is selected itself, or names what is selected; null = none. */
export function stringAtSelection(
  types: TypeTable,
  strings: readonly StoredString[],
  lines: readonly RawLine[],
  selection: Selection,
): number | null {
  const base = types.fileOffset ?? 0;
  const found =
    selection.kind === 'bytes'
      ? strings.findIndex(({ start, end }) => {
          const at = selection.start - base;
          return start <= at && at < end;
        })
      : selection.kind === 'type'
        ? indexOfName(strings, lines, selection.type, selection.memberPath[0] ?? null)
        : -1;
  return found < 0 ? null : found;
}

function indexOfName(
  strings: readonly StoredString[],
  lines: readonly RawLine[],
  type: number,
  item: number | null,
): number {
  const nameOff = lines[lineIndexOf(lines, type, item)]?.nameOff ?? 0;
  // Offset 0 says that there is no name.
  return nameOff === 0 ? -1 : strings.findIndex(({ offset }) => offset === nameOff);
}

/** `name_off` of the strings that the pointer is at, or that name what it is at. */
export function pointedStrings(
  lines: readonly RawLine[],
  pointed: Pointed | null,
): ReadonlySet<number> {
  if (pointed === null) return NONE;
  if (pointed.kind === 'string') return new Set([pointed.offset]);
  const nameOff = lines[lineIndexOf(lines, pointed.type, pointed.item)]?.nameOff ?? 0;
  return nameOff === 0 ? NONE : new Set([nameOff]);
}
