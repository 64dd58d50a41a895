import { type ReactNode, useMemo, useState } from 'react';
import { typeTitle } from '#analysis/types/type-name.ts';
import { visible } from '#bytes/text.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import styles from './GraphPane.module.css';
import { GraphStage } from './GraphStage.tsx';
import { GraphTable } from './GraphTable.tsx';
import { GraphToolbar } from './GraphToolbar.tsx';
import { marksOf } from './graph-marks.ts';
import type { GraphSubject } from './graph-subject.ts';
import { ReferrersPanel } from './ReferrersPanel.tsx';
import { useGraph } from './use-graph.ts';
import { WayBar } from './WayBar.tsx';

type GraphPaneProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly subject: GraphSubject;
  readonly selection: Selection;
  readonly mode: ReactNode;
};

/** The graph around a root. The selection moves in it; what is selected elsewhere becomes its root. */
export function GraphPane({ id, types, subject, selection, mode }: GraphPaneProps) {
  const scene = useGraph(id, types, subject);
  const [isTable, setTable] = useState(false);
  const [hasReferrers, setReferrers] = useState(false);
  const { type } = subject;
  const marks = useMemo(() => (scene === null ? null : marksOf(scene, subject)), [scene, subject]);
  return (
    <div className="column tall">
      <GraphToolbar
        types={types}
        scene={scene}
        selected={type}
        mode={mode}
        end={
          <>
            <Button aria-pressed={hasReferrers} onClick={() => setReferrers(!hasReferrers)}>
              Referrers
            </Button>
            <Button aria-pressed={isTable} onClick={() => setTable(!isTable)}>
              Show as table
            </Button>
            {scene === null ? null : (
              <ExportMenu scene={scene} name={visible(typeTitle(types, scene.picture.root))} />
            )}
          </>
        }
      />
      {selection.kind === 'core' && subject.way !== null ? (
        <WayBar core={selection.core} way={subject.way} step={subject.step} />
      ) : null}
      <div className={styles.body}>
        {scene === null || marks === null ? (
          <p className={styles.waiting}>Laying out the graph…</p>
        ) : isTable ? (
          <GraphTable types={types} scene={scene} selected={marks.selected} />
        ) : (
          <GraphStage
            // Another root is looked at from its own beginning.
            key={`${id}:${scene.picture.root}`}
            types={types}
            scene={scene}
            marks={marks}
          />
        )}
        {scene !== null && hasReferrers ? (
          <ReferrersPanel
            id={id}
            types={types}
            scene={scene}
            type={type}
            onClose={() => setReferrers(false)}
          />
        ) : null}
      </div>
    </div>
  );
}
