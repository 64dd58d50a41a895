import { useMemo } from 'react';
import { sizeOf } from '#analysis/sizes.ts';
import { typeTitle } from '#analysis/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { shortSize } from '#views/parts/type-size-text.ts';
import styles from './GraphTable.module.css';
import type { TypeGraph } from './graph-model.ts';
import { waysTo } from './graph-ways.ts';

type GraphTableProps = {
  readonly types: TypeTable;
  readonly graph: TypeGraph;
  readonly selected: TypeId;
  readonly onStart: (type: TypeId) => void;
};

/** The same graph in words: each type, how far it is, and by which edges it is reached. */
export function GraphTable({ types, graph, selected, onStart }: GraphTableProps) {
  const columns = useMemo(() => columnsOf(types, graph), [types, graph]);
  const { nodes } = graph;
  return (
    <VirtualTable
      label="Types of the graph"
      columns={columns}
      count={nodes.length}
      selectedIndex={nodes.findIndex((node) => node.type === selected)}
      onSelect={(row) => {
        const node = nodes[row];
        if (node !== undefined) select(typeSelection(node.type));
      }}
      onActivate={(row) => {
        const node = nodes[row];
        if (node !== undefined) onStart(node.type);
      }}
    />
  );
}

function columnsOf(types: TypeTable, { root, nodes, edges }: TypeGraph): TableColumn[] {
  const ways = waysTo(types, edges);
  return [
    {
      id: 'type',
      header: 'Type',
      width: 190,
      grow: 2,
      cell: (row) => {
        const type = nodes[row]?.type;
        return type === undefined ? null : (
          <span className={styles.type}>
            <KindBadge kind={kindOf(types, type)} />
            <Name text={typeTitle(types, type)} />
          </span>
        );
      },
    },
    {
      id: 'ways',
      header: 'Reached by',
      width: 200,
      grow: 4,
      mono: true,
      cell: (row) => {
        const type = nodes[row]?.type;
        if (type === undefined) return null;
        return ways.get(type) ?? (type === root ? 'the root' : '');
      },
    },
    {
      id: 'steps',
      header: 'Steps',
      width: 64,
      align: 'end',
      mono: true,
      cell: (row) => nodes[row]?.depth ?? '',
    },
    {
      id: 'size',
      header: 'Size',
      width: 84,
      align: 'end',
      mono: true,
      cell: (row) => {
        const type = nodes[row]?.type;
        return type === undefined ? null : shortSize(sizeOf(types, type));
      },
    },
  ];
}
