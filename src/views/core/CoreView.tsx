import { Waypoints } from 'lucide-react';
import { type ComponentType, lazy, Suspense } from 'react';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { useCoreTarget } from '#store/core-target.ts';
import { CORE_MODE_TITLES } from '#store/core-view.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { type CoreMode, coreState } from '#store/view-state.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { CoreToolbar } from './CoreToolbar.tsx';
import styles from './CoreView.module.css';
import { RecordsPanel } from './records/RecordsPanel.tsx';

/** The CO-RE relocations of the file, and their results on other kernels. */
export function CoreView() {
  const active = useActive();
  if (active === null) return null;
  return <CoreParts key={active.id} active={active} />;
}

function CoreParts({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const modes = modesOf(model);
  const mode = shownMode(modes, coreState.useOf(id).mode);
  const chosen = useCoreTarget(id);
  if (mode === null) {
    return <EmptyState icon={<Waypoints size={28} aria-hidden />} {...noCore(model)} />;
  }
  return (
    <div className={styles.view}>
      <CoreToolbar id={id} model={model} modes={modes} mode={mode} chosen={chosen} />
      <div className="shrink-y">
        {mode === 'records' ? (
          <RecordsPanel {...active} chosen={chosen} />
        ) : (
          <LaterPart mode={mode} active={active} />
        )}
      </div>
    </div>
  );
}

type LaterMode = Exclude<CoreMode, 'records'>;
type Part = ComponentType<{ readonly active: Active }>;

/** Fetched when it is first shown. */
function LaterPart({ mode, active }: { readonly mode: LaterMode; readonly active: Active }) {
  const Shown = LATER[mode];
  return (
    <Suspense fallback={<p className={styles.waiting}>Loading {CORE_MODE_TITLES[mode]}…</p>}>
      <Shown active={active} />
    </Suspense>
  );
}

const later = (load: () => Promise<Part>) => lazy(async () => ({ default: await load() }));

const LATER: Readonly<Record<LaterMode, Part>> = {
  matrix: later(async () => (await import('./matrix/MatrixPanel.tsx')).MatrixPanel),
  log: later(async () => (await import('./log/LogPanel.tsx')).LogPanel),
  playground: later(async () => (await import('./playground/PlaygroundPanel.tsx')).PlaygroundPanel),
  needs: later(async () => (await import('./needs/NeedsPanel.tsx')).NeedsPanel),
};

const WITH_RECORDS: readonly CoreMode[] = ['records', 'matrix', 'log', 'playground', 'needs'];
/** A kernel has no records of its own; logs and access strings can be tried on its types. */
const TYPES_ONLY: readonly CoreMode[] = ['playground', 'log'];

/** The parts that have something to show; none for a file without types and records. */
export function modesOf(model: ObjectModel): readonly CoreMode[] {
  if (model.ext.core.count > 0) return WITH_RECORDS;
  return model.types === null ? [] : TYPES_ONLY;
}

/** The part that is shown: the one that was asked for, where the file has it, else its first. */
export function shownMode(modes: readonly CoreMode[], wanted: CoreMode): CoreMode | null {
  return modes.includes(wanted) ? wanted : (modes[0] ?? null);
}

const WHAT =
  'They tell libbpf which field, type or enumerator of the running kernel an instruction depends on. clang -g --target=bpf writes them into .BTF.ext for every access to a type with preserve_access_index, which all types of vmlinux.h have, and for BPF_CORE_READ and related macros. They are not ELF relocations: llvm-readelf -r does not show them.';

/** The title and the text of the empty view. */
export function noCore(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (model.format === 'btf') {
    return {
      title: 'A BTF blob has no CO-RE relocations',
      text: `It holds types only; the relocations are in the .BTF.ext section of an object file. ${WHAT}`,
    };
  }
  return {
    title: isBpf(model)
      ? 'This object has no CO-RE relocations'
      : 'This file has no CO-RE relocations',
    text: WHAT,
  };
}
