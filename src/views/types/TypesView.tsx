import { Boxes } from 'lucide-react';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { useActive } from '#store/hooks.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { TypesPanes } from './TypesPanes.tsx';

/** All types of the file's BTF, and everything that is known of the selected one. */
export function TypesView() {
  const active = useActive();
  if (active === null) return null;
  const { model, id, selection } = active;
  return model.types === null ? (
    <EmptyState
      icon={<Boxes size={28} aria-hidden />}
      title="This file has no BTF that can be read"
      text={whyNone(model)}
    />
  ) : (
    <TypesPanes fileId={id} model={model} types={model.types} selection={selection} />
  );
}

function whyNone(model: ObjectModel): string {
  return isBpf(model)
    ? 'Types live in the section .BTF. clang writes it with -g, and strip -g leaves it in place. What is wrong with a .BTF that is there stands under Issues.'
    : 'Types live in the section .BTF. Kernels have it when they are built with CONFIG_DEBUG_INFO_BTF, other programs when pahole or the compiler was asked for it.';
}
