import { Waypoints } from 'lucide-react';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { showView } from '#store/address/navigation.ts';
import { useCoreTarget } from '#store/kernels/core-results.ts';
import { dependsOnKernels, hasRecords } from '#store/kernels/core-view.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { FreshSwitch } from '#views/parts/core/FreshSwitch.tsx';
import { TargetFrame } from '#views/parts/core/TargetFrame.tsx';
import { RecordsPanel } from './RecordInspector.tsx';

/** The CO-RE relocations of the file, with their results on one kernel. */
export function CoreView() {
  const active = useActive();
  if (active === null) return null;
  const { model } = active;
  if (hasRecords(model)) return <Records key={active.id} active={active} />;
  return (
    <EmptyState
      icon={<Waypoints size={28} aria-hidden />}
      {...noCore(model)}
      actions={
        dependsOnKernels(model) ? (
          <Button onClick={() => showView('load')}>Show whether it loads</Button>
        ) : null
      }
    />
  );
}

function Records({ active }: { readonly active: Active }) {
  const chosen = useCoreTarget(active.id);
  return (
    <TargetFrame active={active} tools={chosen === null ? null : <FreshSwitch />}>
      <RecordsPanel {...active} chosen={chosen} />
    </TargetFrame>
  );
}

const WHAT =
  'They tell libbpf which field, type or enumerator of the running kernel an instruction depends on. clang -g --target=bpf writes them into .BTF.ext for every access to a type with preserve_access_index, which all types of vmlinux.h have, and for BPF_CORE_READ and related macros. They are not ELF relocations: llvm-readelf -r does not show them.';

/** Returns the title and the text of the empty view. */
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
