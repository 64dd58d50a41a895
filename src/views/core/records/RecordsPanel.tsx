import { useMemo } from 'react';
import type { ChosenTarget } from '#store/core-target.ts';
import type { Active } from '#store/hooks.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { selectedCore } from '#views/core/parts/access-indices.ts';
import { useOutcome } from '#views/core/parts/OutcomeNote.tsx';
import { RecordInspector } from './RecordInspector.tsx';
import { RecordList } from './RecordList.tsx';
import { coreRowReader } from './record-rows.ts';

type RecordsPanelProps = Active & { readonly chosen: ChosenTarget | null };

/** All records with their results on the target, and one of them index by index. */
export function RecordsPanel({ id, model, selection, chosen }: RecordsPanelProps) {
  const read = useMemo(() => coreRowReader(model), [model]);
  const outcome = useOutcome(id, chosen);
  const resolved = { id, model, chosen, outcome };
  const core = selectedCore(model, selection);
  const step = selection.kind === 'core' ? selection.step : null;
  return (
    <Split
      label="Resize the list of CO-RE relocations"
      firstSize={50}
      minFirst={200}
      minSecond={240}
      first={<RecordList {...resolved} read={read} core={core} />}
      second={
        core === null ? (
          <Panel title="Access">
            <EmptyState
              title="Select a relocation to follow its access string"
              text="Each record names a local type and a string of indices such as 0:3:1. libbpf follows the string through the local types, looks for the same path in the running kernel, and patches the instruction with what it finds there."
            />
          </Panel>
        ) : (
          <RecordInspector {...resolved} row={read(core)} step={step} />
        )
      }
    />
  );
}
