import { Waypoints } from 'lucide-react';
import { useMemo } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { useActive } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Split } from '#ui/Split.tsx';
import { CoreGuide } from './CoreGuide.tsx';
import { CoreInspector } from './CoreInspector.tsx';
import { CoreList } from './CoreList.tsx';
import { coreRowReader } from './core-rows.ts';
import { noCore } from './no-core.ts';
import { selectedCore } from './selected-core.ts';

/** The CO-RE relocations of the file, and one of them followed index by index. */
export function CoreView() {
  const active = useActive();
  if (active === null) return null;
  if (active.model.ext.core.count === 0) {
    return <EmptyState icon={<Waypoints size={28} aria-hidden />} {...noCore(active.model)} />;
  }
  return <CorePanes key={active.id} {...active} />;
}

type CorePanesProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly selection: Selection;
};

function CorePanes({ id, model, selection }: CorePanesProps) {
  const read = useMemo(() => coreRowReader(model), [model]);
  const core = selectedCore(model, selection);
  const step = selection.kind === 'core' ? selection.step : null;
  return (
    <Split
      label="Resize the list of CO-RE relocations"
      firstSize={54}
      minFirst={200}
      minSecond={240}
      first={<CoreList model={model} read={read} core={core} />}
      second={
        core === null ? (
          <CoreGuide />
        ) : (
          <CoreInspector id={id} model={model} row={read(core)} step={step} />
        )
      }
    />
  );
}
