import { useMemo, useState } from 'react';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { GraphCanvas } from './GraphCanvas.tsx';
import styles from './GraphPane.module.css';
import { GraphTable } from './GraphTable.tsx';
import { GraphToolbar } from './GraphToolbar.tsx';
import { type Depth, firstDepth, graphAround, hasNode } from './graph-model.ts';

type GraphPaneProps = { readonly types: TypeTable; readonly selected: TypeId };

/** The graph around a root. The selection moves in it; what is selected elsewhere becomes its root. */
export function GraphPane({ types, selected }: GraphPaneProps) {
  const [root, setRoot] = useState(selected);
  const [chosenDepth, setChosenDepth] = useState<Depth | null>(null);
  const [isTable, setTable] = useState(false);
  const depth = useMemo(() => chosenDepth ?? firstDepth(types, root), [chosenDepth, types, root]);
  const graph = useMemo(() => graphAround(types, root, depth), [types, root, depth]);
  if (!hasNode(graph, selected)) setRoot(selected);

  const changeDepth = (next: Depth) => {
    setChosenDepth(next);
    if (!hasNode(graphAround(types, root, next), selected)) select(typeSelection(root));
  };
  const start = (type: TypeId) => {
    setRoot(type);
    select(typeSelection(type));
  };
  return (
    <div className={styles.pane}>
      <GraphToolbar
        types={types}
        graph={graph}
        selected={selected}
        depth={depth}
        onDepth={changeDepth}
        onStart={start}
        isTable={isTable}
        onTable={setTable}
      />
      <div className={styles.body}>
        {isTable ? (
          <GraphTable types={types} graph={graph} selected={selected} onStart={start} />
        ) : (
          <GraphCanvas
            // Another graph is looked at from its own beginning.
            key={`${root}:${depth}`}
            types={types}
            graph={graph}
            selected={selected}
            onStart={start}
          />
        )}
      </div>
    </div>
  );
}
