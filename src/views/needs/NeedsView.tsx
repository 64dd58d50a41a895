import { isBpf } from '#model/object-model.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { Segmented } from '#ui/inputs.tsx';
import { ViewToolbar } from '#ui/Panel.tsx';
import {
  NotTargets,
  OpenKernels,
  TargetFrame,
  useKernelFiles,
} from '#views/parts/core/TargetFrame.tsx';
import { KernelNeeds } from './KernelNeeds.tsx';
import { NeedsPanel } from './NeedsPanel.tsx';
import { type NeedsPart, needsState } from './state.ts';

/** Shows what the object needs: features of the kernel, or the fields that CO-RE reads. */
export function NeedsView() {
  const active = useActive();
  return active === null ? null : <Parts key={active.id} active={active} />;
}

function Parts({ active }: { readonly active: Active }) {
  const { part } = needsState.useActive();
  // Other files have no programs.
  const hasPrograms = isBpf(active.model);
  if (hasPrograms && part === 'kernel') return <KernelPart active={active} />;
  return (
    <TargetFrame active={active} tools={hasPrograms ? <PartSwitch part={part} /> : null}>
      <NeedsPanel active={active} />
    </TargetFrame>
  );
}

function PartSwitch({ part }: { readonly part: NeedsPart }) {
  return (
    <Segmented
      label="Needs"
      options={{ kernel: 'Kernel features', fields: 'CO-RE fields' }}
      value={part}
      onChange={(next) => needsState.set({ part: next })}
    />
  );
}

function KernelPart({ active }: { readonly active: Active }) {
  const kernels = useKernelFiles(active.id);
  return (
    <div className="stack tall head-and-body">
      <div>
        <ViewToolbar label="Needs">
          <PartSwitch part="kernel" />
          <OpenKernels kernels={kernels} />
        </ViewToolbar>
        <NotTargets kernels={kernels} />
      </div>
      <div className="shrink-y">
        <KernelNeeds active={active} />
      </div>
    </div>
  );
}
