import { type PointerEvent, useCallback } from 'react';
import { select } from '#store/navigation.ts';
import { rowOfEvent } from '#ui/list-keys.ts';
import { Panel } from '#ui/Panel.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import type { PaneProps } from './pane-props.ts';
import { RawLineRow } from './RawLineRow.tsx';
import { changeOfLine, lineIndexOf, type RawLine } from './raw-lines.ts';
import { type Lit, selectionOfLine } from './subject.ts';

const ROW_HEIGHT = 20;

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
    (index: number) => {
      const line = lines[index];
      return line === undefined ? null : (
        <RawLineRow
          types={types}
          line={line}
          change={changeOfLine(line, changes)}
          isPointed={isPointedLine(line, pointed)}
        />
      );
    },
    [types, lines, changes, pointed],
  );
  const onPointerOver = (event: PointerEvent) => {
    const line = lines[rowOfEvent(event) ?? -1];
    if (line !== undefined) onPoint({ kind: 'record', type: line.type, item: line.item });
  };
  return (
    <Panel
      title="Types"
      aside={<span className="small muted ellipsis">bpftool btf dump format raw</span>}
    >
      <div className="tall" onPointerOver={onPointerOver} onPointerLeave={() => onPoint(null)}>
        <VirtualList
          label="Records"
          count={lines.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={selected < 0 ? null : selected}
          scrollToIndex={selected < 0 ? null : selected}
          onSelect={(index) => {
            const line = lines[index];
            if (line !== undefined) select(selectionOfLine(types, line));
          }}
          onActivate={(index) => {
            const line = lines[index];
            if (line !== undefined) select(selectionOfLine(types, line), 'types');
          }}
          renderRow={renderRow}
        />
      </div>
    </Panel>
  );
}

function isPointedLine(line: RawLine, pointed: PaneProps['pointed']): boolean {
  if (pointed === null) return false;
  if (pointed.kind === 'string') return pointed.offset > 0 && line.nameOff === pointed.offset;
  return line.type === pointed.type && line.item === pointed.item;
}
