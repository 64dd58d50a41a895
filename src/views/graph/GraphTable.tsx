import { useMemo } from 'react';
import type { Scene } from '#analysis/graph/scene.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { TableColumn } from '#ui/table-columns.ts';
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
  return [
    {
      id: 'type',
      header: 'Type',
      width: 190,
      grow: 2,
      cell: (row) => {
        const { text } = scene.box(row);
        return (
          <span className="row gap-2 small">
            <KindBadge kind={text.kind} />
            <Name text={text.name} />
          </span>
        );
      },
    },
    {
      id: 'column',
      header: 'Column',
      width: 70,
      align: 'end',
      mono: true,
      cell: (row) => scene.box(row).column,
    },
    {
      id: 'size',
      header: 'Size',
      width: 84,
      align: 'end',
      mono: true,
      cell: (row) => shortSize(scene.box(row).text.size),
    },
    {
      id: 'to',
      header: 'Reached by',
      width: 220,
      grow: 4,
      mono: true,
      cell: (row) => (row === 0 ? 'the root' : edgesToText(scene, row)),
    },
    {
      id: 'from',
      header: 'Leads to',
      width: 180,
      grow: 3,
      mono: true,
      cell: (row) => edgesFromText(scene, row),
    },
  ];
}
