import { Workflow } from 'lucide-react';
import { selectionType } from '#analysis/selection.ts';
import { useActive } from '#store/hooks.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { TypeSuggestions } from '#views/parts/TypeSuggestions.tsx';
import { GraphPane } from './GraphPane.tsx';

/** The types around the selected one: what it holds, points at and takes. */
export function GraphView() {
  const active = useActive();
  if (active === null) return null;
  const { model, selection } = active;
  const selected = selectionType(model, selection);
  if (model.types === null) {
    return (
      <EmptyState
        icon={<Workflow size={28} aria-hidden />}
        title="There is nothing to draw: this file has no BTF that can be read"
        text="The graph shows how types refer to each other, and types live in the section .BTF."
      />
    );
  }
  return selected === null ? (
    <EmptyState
      icon={<Workflow size={28} aria-hidden />}
      title="Choose a type to begin with"
      text="The graph shows what a struct holds and points at, up to three steps away. Any type under Types has a way here."
      actions={<TypeSuggestions model={model} view="graph" />}
    />
  ) : (
    <GraphPane types={model.types} selected={selected} />
  );
}
