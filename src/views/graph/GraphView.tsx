import { Workflow } from 'lucide-react';
import { useMemo } from 'react';
import { useActive } from '#store/hooks.ts';
import { useViewParam } from '#store/view-state.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Toolbar } from '#ui/Toolbar.tsx';
import { PathsPane } from '#views/graph/paths/PathsPane.tsx';
import { TypeSuggestions } from '#views/parts/TypePicker.tsx';
import { GraphPane } from './GraphPane.tsx';
import styles from './GraphView.module.css';
import { subjectOf } from './graph-subject.ts';
import { ModeSwitch } from './ModeSwitch.tsx';

/** The types around the selected one: what it holds, points at and takes; or the paths between two. */
export function GraphView() {
  const active = useActive();
  const isPaths = useViewParam(active?.id ?? 0, 'graph', 'path') !== null;
  const model = active?.model ?? null;
  const selection = active?.selection ?? null;
  const subject = useMemo(
    () =>
      model === null || model.types === null || selection === null
        ? null
        : subjectOf(model, model.types, selection),
    [model, selection],
  );
  if (active === null || model === null) return null;
  if (model.types === null) {
    return (
      <EmptyState
        icon={<Workflow size={28} aria-hidden />}
        title="There is nothing to draw: this file has no BTF that can be read"
        text="The graph shows how types refer to each other, and types live in the section .BTF."
      />
    );
  }
  const mode = <ModeSwitch isPaths={isPaths} />;
  if (!isPaths && subject !== null) {
    return (
      <GraphPane
        id={active.id}
        types={model.types}
        subject={subject}
        selection={active.selection}
        mode={mode}
      />
    );
  }
  return (
    <div className={styles.view}>
      <Toolbar label="Graph">{mode}</Toolbar>
      {isPaths ? (
        <PathsPane />
      ) : (
        <EmptyState
          icon={<Workflow size={28} aria-hidden />}
          title="Choose a type to begin with"
          text="The graph shows what a struct holds and points at, up to three steps away. Any type under Types has a way here."
          actions={<TypeSuggestions model={model} view="graph" />}
        />
      )}
    </div>
  );
}
