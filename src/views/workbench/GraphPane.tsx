import { useMemo } from 'react';
import { layoutGraph, sceneOf } from '#analysis/graph/scene.ts';
import type { TypeId } from '#model/ids.ts';
import { showView } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { Panel } from '#ui/Panel.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { GraphPicture } from './GraphPicture.tsx';
import styles from './LayoutPane.module.css';
import type { Lit, PaneProps } from './subject.ts';

/** More boxes than this are for the view of its own. */
const MAX_BOXES = 16;

type GraphPaneProps = PaneProps & {
  /** The type in the middle; null where there is nothing to draw. */
  readonly root: TypeId | null;
  readonly lit: Lit | null;
};

/** What the selected type leads to, as a small picture. */
export function GraphPane({ types, root, changes, pointed, onPoint, lit }: GraphPaneProps) {
  const scene = useMemo(() => {
    if (root === null) return null;
    const request = { selected: root, depth: 0, open: '', hide: null, path: [], forced: [] };
    return sceneOf(types, layoutGraph(types, request, MAX_BOXES));
  }, [types, root]);
  return (
    <Panel
      title="Graph"
      aside={
        scene === null ? null : (
          <span className="small muted ellipsis">{countOf(scene.boxCount, 'type')}</span>
        )
      }
      actions={
        <Button variant="quiet" size="small" onClick={() => showView('graph')}>
          Open graph
        </Button>
      }
    >
      {scene === null ? (
        <p className={styles.none}>Nothing is selected.</p>
      ) : (
        <GraphPicture
          scene={scene}
          changes={changes}
          pointed={pointed}
          onPoint={onPoint}
          selected={lit?.type ?? null}
        />
      )}
    </Panel>
  );
}
