import { useCallback } from 'react';
import type { Change } from '#analysis/workbench/changes.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import styles from './ListPane.module.css';
import { ChangeSign, ListPane } from './ListPane.tsx';
import { changeOfLine, headParts, lineIndexOf, type RawLine } from './raw-lines.ts';
import { type Lit, type PaneProps, selectionOfLine } from './subject.ts';

type RawTypesPaneProps = PaneProps & {
  readonly lines: readonly RawLine[];
  readonly lit: Lit | null;
};

/** All records as bpftool prints them. */
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
    <ListPane
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

/** A line of the raw text, its kind in colour. */
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
