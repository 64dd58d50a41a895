import { useMemo } from 'react';
import type { Scene, SceneBox } from '#analysis/graph/scene.ts';
import type { TypeTable } from '#model/type-table.ts';
import { column, NUMBER, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { shortSize } from '#views/parts/number-text.ts';
import { selectNode, toggleNode } from './graph-actions.ts';
import { edgesFromText, edgesToText } from './graph-text.ts';

type GraphTableProps = {
  readonly types: TypeTable;
  readonly scene: Scene;
  readonly selected: number | null;
};

/** The same graph in words: each type, the edges that reach it and that leave it. Enter expands and folds. */
export function GraphTable({ types, scene, selected }: GraphTableProps) {
  const columns = useMemo(() => columnsOf(scene), [scene]);
  return (
    <VirtualTable
      label="Types of the graph"
      columns={columns}
      count={scene.boxCount}
      selectedIndex={selected}
      scrollToIndex={selected}
      onSelect={(row) => selectNode(types, scene, scene.box(row).type)}
      onActivate={(row) => toggleNode(types, scene, scene.box(row))}
    />
  );
}

function columnsOf(scene: Scene): TableColumn[] {
  return rowColumns<SceneBox>(
    (row) => scene.box(row),
    [
      column('type', 'Type', 190, ({ text }) => <TypeCell text={text} />, { grow: 2 }),
      column('column', 'Column', 70, (box) => box.column, NUMBER),
      column('size', 'Size', 84, ({ text }) => shortSize(text.size), NUMBER),
      column('to', 'Reached by', 220, (_, row) => reachedBy(scene, row), { grow: 4, mono: true }),
      column('from', 'Leads to', 180, (_, row) => edgesFromText(scene, row), {
        grow: 3,
        mono: true,
      }),
    ],
  );
}

function reachedBy(scene: Scene, row: number): string {
  return row === 0 ? 'the root' : edgesToText(scene, row);
}

function TypeCell({ text }: Pick<SceneBox, 'text'>) {
  return (
    <span className="row gap-2 small">
      <KindBadge kind={text.kind} />
      <Name text={text.name} />
    </span>
  );
}
