import { EmptyState } from '#ui/EmptyState.tsx';
import { Panel } from '#ui/Panel.tsx';

/** What stands beside the list while no record is selected. */
export function CoreGuide() {
  return (
    <Panel title="Access">
      <EmptyState
        title="Select a relocation to follow its access string"
        text="Each record names a local type and a string of indices such as 0:3:1. libbpf follows the string through the local types, looks for the same path in the running kernel, and patches the instruction with what it finds there."
      />
    </Panel>
  );
}
