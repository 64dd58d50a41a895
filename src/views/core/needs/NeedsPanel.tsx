import { useMemo } from 'react';
import { coreNeeds } from '#analysis/core-needs/needs.ts';
import { useActive } from '#store/hooks.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { HeaderSection } from './HeaderSection.tsx';
import { MinBtfSection } from './MinBtfSection.tsx';
import { NeedsList } from './NeedsList.tsx';

/** The kernel types and fields that the object's relocations name, and the least that holds them. */
export function NeedsPanel() {
  const active = useActive();
  const model = active?.model ?? null;
  const needs = useMemo(() => (model === null ? null : coreNeeds(model)), [model]);
  if (active === null || needs === null) return null;
  const { types } = active.model;
  if (types === null || needs.count === 0) {
    return (
      <EmptyState
        title="This object asks nothing of a kernel"
        text="None of its relocations names a kernel’s type or field: it loads on every kernel, as far as CO-RE goes."
      />
    );
  }
  return (
    <Split
      label="Resize the list of what is needed"
      firstSize={58}
      minFirst={240}
      minSecond={220}
      first={<NeedsList types={types} needs={needs} selection={active.selection} />}
      second={
        <Panel title="The least that holds it">
          <MinBtfSection id={active.id} />
          <HeaderSection name={active.model.name} types={types} needs={needs} />
        </Panel>
      }
    />
  );
}
