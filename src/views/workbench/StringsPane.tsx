import { type PointerEvent, useCallback } from 'react';
import type { StoredString } from '#analysis/workbench/changes.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { rowOfEvent } from '#ui/list-keys.ts';
import { Panel } from '#ui/Panel.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { ChangeSign } from './ChangeSign.tsx';
import styles from './panes.module.css';
import { lineIndexOf, type RawLine } from './raw-lines.ts';
import type { PaneProps, Pointed } from './subject.ts';

const ROW_HEIGHT = 20;

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
    (index: number) => {
      const string = strings[index];
      if (string === undefined) return null;
      const change = changes?.strings.has(string.offset) === true ? 'new' : null;
      return (
        <span
          className={styles.row}
          data-change={change ?? undefined}
          data-pointed={lit.has(string.offset)}
        >
          <ChangeSign change={change} />
          <span className={styles.offset}>{hexText(string.offset)}</span>
          <span className={styles.code}>
            <Name text={string.text} otherwise="(empty: no name)" />
          </span>
        </span>
      );
    },
    [strings, changes, lit],
  );
  const onPointerOver = (event: PointerEvent) => {
    const string = strings[rowOfEvent(event) ?? -1];
    if (string !== undefined) onPoint({ kind: 'string', offset: string.offset });
  };
  return (
    <Panel
      title="Strings"
      aside={
        <span className="small muted ellipsis">
          {countOf(types.strEnd - types.strStart, 'byte')}
        </span>
      }
    >
      <div className="tall" onPointerOver={onPointerOver} onPointerLeave={() => onPoint(null)}>
        <VirtualList
          label="Strings by name_off"
          count={strings.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={selected}
          scrollToIndex={selected}
          onSelect={(index) => {
            const string = strings[index];
            const base = types.fileOffset;
            if (string === undefined || base === null) return;
            select({ kind: 'bytes', start: base + string.start, end: base + string.end });
          }}
          renderRow={renderRow}
        />
      </div>
    </Panel>
  );
}

/** Which strings a selection or the pointer means. */

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
