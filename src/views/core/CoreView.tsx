import { Waypoints } from 'lucide-react';
import { type ComponentType, lazy, Suspense } from 'react';
import { useCoreTarget } from '#store/core-target.ts';
import { CORE_MODE_TITLES, type CoreMode, useCoreView } from '#store/core-view.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CoreToolbar } from './CoreToolbar.tsx';
import styles from './CoreView.module.css';
import { modesOf, shownMode } from './core-modes.ts';
import { noCore } from './no-core.ts';
import { RecordsPanel } from './RecordsPanel.tsx';
import { useCoreArrival } from './use-core-arrival.ts';

/** The CO-RE relocations of the file: what they are, and what they come to on other kernels. */
export function CoreView() {
  const active = useActive();
  if (active === null) return null;
  return <CoreParts key={active.id} active={active} />;
}

function CoreParts({ active }: { readonly active: Active }) {
  const { id, model, selection } = active;
  useCoreArrival(id, selection);
  const modes = modesOf(model);
  const mode = shownMode(
    modes,
    useCoreView((state) => state.mode),
  );
  const chosen = useCoreTarget(id);
  if (mode === null) {
    return <EmptyState icon={<Waypoints size={28} aria-hidden />} {...noCore(model)} />;
  }
  return (
    <div className={styles.view}>
      <CoreToolbar id={id} model={model} modes={modes} mode={mode} chosen={chosen} />
      <div className={styles.part}>
        {mode === 'records' ? (
          <RecordsPanel {...active} chosen={chosen} />
        ) : (
          <LaterPart mode={mode} />
        )}
      </div>
    </div>
  );
}

type LaterMode = Exclude<CoreMode, 'records'>;

/** Fetched when it is first shown. */
function LaterPart({ mode }: { readonly mode: LaterMode }) {
  const Part = LATER[mode];
  return (
    <Suspense fallback={<p className={styles.waiting}>Loading {CORE_MODE_TITLES[mode]}…</p>}>
      <Part />
    </Suspense>
  );
}

const LATER: Readonly<Record<LaterMode, ComponentType>> = {
  matrix: lazy(async () => ({ default: (await import('./matrix/MatrixPanel.tsx')).MatrixPanel })),
  log: lazy(async () => ({ default: (await import('./log/LogPanel.tsx')).LogPanel })),
  playground: lazy(async () => ({
    default: (await import('./playground/PlaygroundPanel.tsx')).PlaygroundPanel,
  })),
  needs: lazy(async () => ({ default: (await import('./needs/NeedsPanel.tsx')).NeedsPanel })),
};
