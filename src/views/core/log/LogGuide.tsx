import { ScrollText } from 'lucide-react';
import { EmptyState } from '#ui/EmptyState.tsx';

/** What can be done here, while no line is chosen. */
export function LogGuide() {
  return (
    <EmptyState
      icon={<ScrollText size={28} aria-hidden />}
      title="Every line of a loader’s log, in plain words"
      text="Paste what libbpf, cilium/ebpf, aya or the verifier printed. Relocations, types, members and instructions become links, and the step of an access that fails is marked. Names are looked up in every kernel that is open here."
    />
  );
}
