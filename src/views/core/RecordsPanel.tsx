import { useMemo } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { ChosenTarget } from '#store/core-target.ts';
import type { FileId } from '#store/session.ts';
import { Split } from '#ui/Split.tsx';
import { CoreGuide } from './CoreGuide.tsx';
import { CoreInspector } from './CoreInspector.tsx';
import { CoreList } from './CoreList.tsx';
import { coreRowReader } from './core-rows.ts';
import { selectedCore } from './selected-core.ts';
import { useOutcome } from './use-outcome.ts';

/** All records with what they come to on the target, and one of them followed index by index. */
export function RecordsPanel({
  id,
  model,
  selection,
  chosen,
}: {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly selection: Selection;
  readonly chosen: ChosenTarget | null;
}) {
  const read = useMemo(() => coreRowReader(model), [model]);
  const outcome = useOutcome(id, chosen);
  const core = selectedCore(model, selection);
  const step = selection.kind === 'core' ? selection.step : null;
  return (
    <Split
      label="Resize the list of CO-RE relocations"
      firstSize={50}
      minFirst={200}
      minSecond={240}
      first={
        <CoreList id={id} model={model} read={read} core={core} chosen={chosen} outcome={outcome} />
      }
      second={
        core === null ? (
          <CoreGuide />
        ) : (
          <CoreInspector
            id={id}
            model={model}
            row={read(core)}
            step={step}
            chosen={chosen}
            outcome={outcome}
          />
        )
      }
    />
  );
}
