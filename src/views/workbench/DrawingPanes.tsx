import { Fragment, type MouseEvent, type PointerEvent, useMemo } from 'react';
import { layoutGraph, type Scene, sceneOf } from '#analysis/graph/scene.ts';
import { keysToUnfold, memberRows, rowOfPath } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { type Changes, changeOfItem } from '#analysis/workbench/changes.ts';
import { drawnName } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { select, showView } from '#store/address/navigation.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Box, Edge, EdgeLabel } from '#views/graph/GraphLayer.tsx';
import { faceOf } from '#views/graph/graph-text.ts';
import { unusedTexts } from '#views/parts/layout-text.ts';
import { countOf } from '#views/parts/number-text.ts';
import { StructDrawing } from '#views/parts/StructStrip.tsx';
import styles from './DrawingPanes.module.css';
import type { Lit, PaneProps, Pointed } from './subject.ts';

const LINE_BYTES = 8;
/** Maximum number of drawn rows. The view *Types* shows all rows. */
const MAX_MEMBERS = 500;

type LayoutPaneProps = PaneProps & {
  /** The struct or union to draw; null if there is none. */
  readonly composite: TypeId | null;
  readonly memberPath: readonly number[];
};

/** Shows the selected struct or union to scale, eight bytes per row. */
export function LayoutPane({ composite, ...props }: LayoutPaneProps) {
  if (composite !== null) return <Layout {...props} composite={composite} />;
  return (
    <Panel title="Layout">
      <p className={styles.none}>No struct or union declared.</p>
    </Panel>
  );
}

/** Draws the layout. It handles only the pointer: for the keyboard there is the list of records. */
function Layout(props: LayoutPaneProps & { readonly composite: TypeId }) {
  const { types, composite, memberPath, changes, pointed, onPoint } = props;
  const layout = useMemo(() => structLayout(types, composite), [types, composite]);
  const { sizeBytes } = layout;
  const rows = useMemo(
    () =>
      memberRows(types, composite, keysToUnfold(types, composite, 'unnamed')).slice(0, MAX_MEMBERS),
    [types, composite],
  );
  const scale = useMemo(() => drawToScale(rows, sizeBytes, LINE_BYTES, false), [rows, sizeBytes]);
  const name = drawnName(typeExpression(types, composite));
  const text = [countOf(sizeBytes, 'byte'), ...unusedTexts(layout)].join(', ');
  return (
    <Panel
      title="Layout"
      aside={
        <span className="small muted ellipsis" title={`${name}: ${text}`}>
          <bdi className="mono strong">{name}</bdi> {text}
        </span>
      }
    >
      {sizeBytes === 0 ? (
        <p className={styles.none}>It takes no bytes.</p>
      ) : (
        <div className={styles.scroller} {...scrollRegion('Layout to scale')}>
          <StructDrawing
            types={types}
            rows={rows}
            strips={scale.strips}
            lineBytes={LINE_BYTES}
            selectedRow={rowOfPath(rows, memberPath)}
            dataOf={({ path: [item = -1] }) => ({
              'data-change': (changes && changeOfItem(changes, composite, item)) ?? undefined,
              'data-pointed':
                pointed?.kind === 'record' && pointed.type === composite && pointed.item === item,
            })}
            onSelect={({ path }) => select(typeSelection(composite, path))}
            onPoint={(row) =>
              onPoint(row && { kind: 'record', type: composite, item: row.path[0] ?? null })
            }
          />
        </div>
      )}
    </Panel>
  );
}

/** Maximum number of boxes in this graph. The view *Graph* shows larger graphs. */
const MAX_BOXES = 16;

type GraphPaneProps = PaneProps & {
  /** Type in the middle of the graph; null if there is none. */
  readonly root: TypeId | null;
  readonly lit: Lit | null;
};

/** Shows the types to which the selected type refers. */
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
/** Minimum scale of the picture. A picture that is still too large scrolls. */
const LEAST_SCALE = 0.62;

type GraphPictureProps = {
  readonly scene: Scene;
  readonly changes: Changes | null;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
  /** The selected type; null if none is selected. */
  readonly selected: number | null;
};

/** Draws the graph. It handles only the pointer: for the keyboard there is the list of records. */
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
