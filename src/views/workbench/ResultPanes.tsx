import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type Change, type Changes, storedStrings } from '#analysis/workbench/changes.ts';
import { visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { Active } from '#store/session/hooks.ts';
import { NARROW, useMediaQuery, useNarrow } from '#ui/element-size.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { BlobPane } from './BlobPane.tsx';
import { GraphPane, LayoutPane } from './DrawingPanes.tsx';
import { RawTypesPane, StringsPane } from './LinePanes.tsx';
import styles from './ResultPanes.module.css';
import { type Lit, type Pointed, rawLines, shownComposite } from './subject.ts';
import type { Workbench } from './workbench-state.ts';

const PANES = {
  types: 'Types',
  layout: 'Layout',
  graph: 'Graph',
  strings: 'Strings',
  bytes: 'Bytes',
} as const;
type PaneName = keyof typeof PANES;
const PANE_NAMES = Object.keys(PANES) as PaneName[];

type ResultPanesProps = {
  readonly active: Active;
  readonly workbench: Workbench;
  /** True while the types are still those of an earlier text. */
  readonly isStale: boolean;
  readonly lit: Lit | null;
};

/** Shows the results of compiling side by side; on a narrow page, shows one at a time. */
export function ResultPanes(props: ResultPanesProps) {
  const { types } = props.active.model;
  if (types === null || types.count === 0) {
    return (
      <EmptyState
        title="No declarations yet"
        text="Type a struct, union, enum or typedef, or choose an example."
      />
    );
  }
  return <Results {...props} types={types} />;
}

function Results(props: ResultPanesProps & { readonly types: TypeTable }) {
  const { active, workbench, isStale, lit, types } = props;
  const { model, selection } = active;
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [shown, setShown] = useState<PaneName>('types');
  const isNarrow = useNarrow(NARROW);
  const isGlowing = useGlow(workbench.changeCount);
  const changes = isGlowing ? workbench.changes : null;
  const lines = useMemo(() => rawLines(types), [types]);
  const strings = useMemo(() => storedStrings(types), [types]);
  const composite = useMemo(() => shownComposite(types, lit), [types, lit]);
  const path = selection.kind === 'type' ? selection.memberPath : NO_PATH;
  const common = { model, types, changes, pointed, onPoint: setPointed };

  const panes: Readonly<Record<PaneName, ReactNode>> = {
    types: <RawTypesPane {...common} lines={lines} lit={lit} />,
    layout: <LayoutPane {...common} composite={composite} memberPath={path} />,
    graph: <GraphPane {...common} root={lit?.type ?? composite} lit={lit} />,
    strings: <StringsPane {...common} strings={strings} lines={lines} selection={selection} />,
    bytes: <BlobPane {...common} strings={strings} selection={selection} />,
  };
  return (
    <div className={styles.results} data-stale={isStale}>
      <ChangeNews isStale={isStale} changes={changes} />
      {isNarrow ? (
        <>
          <div className={styles.switch}>
            <Segmented label="Shown" options={PANES} value={shown} onChange={setShown} />
          </div>
          <div className={styles.one}>{panes[shown]}</div>
        </>
      ) : (
        <div className={styles.grid}>
          {PANE_NAMES.map((value) => (
            <div key={value} className={styles.pane} data-pane={value}>
              {panes[value]}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

const NO_PATH: readonly number[] = [];

const MAX_GONE = 3;
const MAX_NAME = 40;

/** Shows the last change in words, or says that the results are of an earlier text. */
function ChangeNews({
  isStale,
  changes,
}: {
  readonly isStale: boolean;
  readonly changes: Changes | null;
}) {
  const news = isStale ? STALE : changes === null ? '' : changeWords(changes);
  if (news === '') return null;
  return (
    <p className={styles.news} data-stale={isStale}>
      {news}
    </p>
  );
}

const STALE = 'From the last text without errors';

function changeWords({ types, goneTypes, bytes }: Changes): string {
  const count = (change: Change) => [...types.values()].filter((one) => one === change).length;
  const [fresh, changed] = [count('new'), count('changed')];
  const byteCount = bytes.reduce((sum, { start, end }) => sum + end - start, 0);
  const gone = goneTypes.slice(0, MAX_GONE).map((name) => visible(name.slice(0, MAX_NAME)));
  const more = goneTypes.length - gone.length;
  return [
    fresh > 0 ? `${fresh} new` : '',
    changed > 0 ? `${changed} changed` : '',
    gone.length > 0 ? `gone: ${gone.join(', ')}${more > 0 ? ` and ${more} more` : ''}` : '',
    byteCount > 0 ? `${countOf(byteCount, 'byte')} differ` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Milliseconds for which changes are marked. */
const GLOW_MS = 2000;

/** Returns true while the last change is marked; with reduced motion, until the next change. */
function useGlow(changeCount: number): boolean {
  const isSteady = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [faded, setFaded] = useState(isSteady ? 0 : changeCount);
  useEffect(() => {
    const timer = setTimeout(() => setFaded(changeCount), GLOW_MS);
    return () => clearTimeout(timer);
  }, [changeCount]);
  return changeCount > 0 && (isSteady || faded !== changeCount);
}
