import type { ReactNode } from 'react';
import type { Scene } from '#analysis/graph/scene.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { setViewParam } from '#store/view-state.ts';
import { Button } from '#ui/Button.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './GraphToolbar.module.css';
import { startAt } from './graph-actions.ts';

type GraphToolbarProps = {
  readonly types: TypeTable;
  readonly scene: Scene | null;
  readonly selected: TypeId;
  /** The switch between the graph and paths. */
  readonly mode: ReactNode;
  /** At the far end. */
  readonly end: ReactNode;
};

const STEPS: Readonly<Record<string, string>> = { '1': '1', '2': '2', '3': '3' };

/** What the graph is of, how far it goes, and what can be done with the selected type. */
export function GraphToolbar({ types, scene, selected, mode, end }: GraphToolbarProps) {
  const root = scene?.picture.root ?? selected;
  return (
    <Toolbar label="Graph" end={end}>
      {mode}
      <h2 className={styles.title}>
        <span className="visually-hidden">Graph of </span>
        <KindBadge kind={kindOf(types, root)} />
        <span className="shrink ellipsis">
          <Name text={typeTitle(types, root)} />
        </span>
      </h2>
      <p className="small muted" aria-live="polite">
        {scene === null ? 'Laying out…' : countText(scene)}
      </p>
      <span className="row gap-2 small muted">
        <span aria-hidden>Depth</span>
        <Segmented
          label="Depth"
          options={STEPS}
          value={`${scene?.picture.depth ?? ''}`}
          onChange={(value) => setViewParam('graph', 'depth', value)}
        />
      </span>
      <Button disabled={selected === root} onClick={() => startAt(selected)}>
        Start here
      </Button>
      <Button variant="quiet" onClick={() => select(typeSelection(selected), 'types')}>
        Show type
      </Button>
    </Toolbar>
  );
}

function countText({ boxCount, linkCount, picture }: Scene): string {
  if (boxCount === 1 && picture.boxes.state[0] === 0)
    return 'refers to no other type that is shown';
  const count = `${countOf(boxCount, 'type')}, ${countOf(linkCount, 'edge')}`;
  return picture.truncated ? `the nearest ${count}` : count;
}

const MODES = { explore: 'Explore', paths: 'Paths' } as const;

/** The types around one, or the ways from one to another. */
export function ModeSwitch({ isPaths }: { readonly isPaths: boolean }) {
  return (
    <Segmented
      label="Graph options"
      options={MODES}
      value={isPaths ? 'paths' : 'explore'}
      onChange={(mode) => setViewParam('graph', 'path', mode === 'paths' ? '' : null)}
    />
  );
}
