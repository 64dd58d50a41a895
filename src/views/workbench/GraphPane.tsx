import { Fragment, type MouseEvent, type PointerEvent, useMemo } from 'react';
import { layoutGraph, type Scene, sceneOf } from '#analysis/graph/scene.ts';
import type { Changes } from '#analysis/workbench/changes.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { select, showView } from '#store/address/navigation.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Edge, EdgeLabel } from '#views/graph/GraphLayer.tsx';
import { Box } from '#views/graph/GraphNode.tsx';
import { faceOf } from '#views/graph/graph-text.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LayoutPane.module.css';
import type { Lit, PaneProps, Pointed } from './subject.ts';

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

const MARGIN = 12;
/** A smaller picture could not be read: it scrolls. */
const LEAST_SCALE = 0.62;

type GraphPictureProps = {
  readonly scene: Scene;
  readonly changes: Changes | null;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
  /** The selected type; null = none. */
  readonly selected: number | null;
};

/** The graph as it fits into the pane. For the eye and the pointer: the list of records says the same to the keyboard. */
function GraphPicture({ scene, changes, pointed, onPoint, selected }: GraphPictureProps) {
  const { bounds } = scene.picture;
  const width = bounds.width + 2 * MARGIN;
  const height = bounds.height + 2 * MARGIN;
  const boxes = Array.from({ length: scene.boxCount }, (_, i) => scene.box(i));
  const links = Array.from({ length: scene.linkCount }, (_, i) => scene.link(i));
  const typeUnder = (event: PointerEvent | MouseEvent) => {
    const box = event.target instanceof Element ? event.target.closest('[data-type]') : null;
    const type = Number(box?.getAttribute('data-type') ?? 0);
    return type > 0 ? typeId(type) : null;
  };
  const label = `Graph: ${scene.box(0).text.name} and ${countOf(scene.boxCount - 1, 'other type')}`;
  return (
    <div className="tall flex scroll ground" {...scrollRegion(label)}>
      <svg
        aria-hidden="true"
        className={styles.picture}
        viewBox={`${bounds.x - MARGIN} ${bounds.y - MARGIN} ${width} ${height}`}
        style={{ maxWidth: width, minWidth: LEAST_SCALE * width }}
        onClick={(event) => {
          const type = typeUnder(event);
          if (type !== null) select(typeSelection(type));
        }}
        onPointerOver={(event) => {
          const type = typeUnder(event);
          onPoint(type === null ? null : { kind: 'record', type, item: null });
        }}
        onPointerLeave={() => onPoint(null)}
      >
        {links.map((link) => (
          <Fragment key={link.index}>
            <Edge scene={scene} link={link} mark="plain" />
            <EdgeLabel scene={scene} link={link} isButton={false} />
          </Fragment>
        ))}
        {boxes.map((box) => (
          <Box
            key={box.type}
            box={box}
            face={{ ...faceOf(box), button: '' }}
            data-change={changes?.types.get(box.type)}
            data-selected={box.type === selected}
            data-pointed={pointed?.kind === 'record' && pointed.type === box.type}
          />
        ))}
      </svg>
    </div>
  );
}
