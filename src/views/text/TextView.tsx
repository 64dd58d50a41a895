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
        title="No types"
        text={
          types === null
            ? 'bpftool and pahole print the types in .BTF. This file has no readable .BTF; Issues lists what is wrong with a damaged one.'
            : 'bpftool and pahole print the types in .BTF. The .BTF of this file has no types.'
        }
      />
    );
  }
  return <TextPanel key={active.id} active={active} types={types} />;
}
