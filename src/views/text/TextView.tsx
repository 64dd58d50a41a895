import { FileText } from 'lucide-react';
import { useActive } from '#store/hooks.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { TextPanel } from './TextPanel.tsx';

/** All types of the file as one text, as bpftool and pahole print it. */
export function TextView() {
  const active = useActive();
  if (active === null) return null;
  const { types } = active.model;
  if (types === null || types.count === 0) {
    return (
      <EmptyState
        icon={<FileText size={28} aria-hidden />}
        title="There are no types to write"
        text={
          types === null
            ? 'bpftool and pahole print the types in the section .BTF. This file has none that can be read; what is wrong with one that is there stands under Issues.'
            : 'bpftool and pahole print the types in the section .BTF. That of this file has none.'
        }
      />
    );
  }
  return <TextPanel key={active.id} active={active} types={types} />;
}
