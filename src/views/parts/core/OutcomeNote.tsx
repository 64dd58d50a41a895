import { useLayoutEffect } from 'react';
import { refusedTargetText } from '#analysis/kernel/verdict.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import {
  type ChosenTarget,
  type CoreTask,
  cancelCore,
  resolveCore,
  useCoreOutcome,
} from '#store/kernels/core-results.ts';
import { useFreshCandidates } from '#store/kernels/core-view.ts';
import { useFacts } from '#store/kernels/kernel-facts.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';

/** No file has this id. */
const NO_FILE: FileId = -1;

/**
 * Starts resolving the records of `object` on its target; returns the task, null without target.
 */
export function useOutcome(object: FileId, chosen: ChosenTarget | null): CoreTask | null {
  const fresh = useFreshCandidates();
  const target = chosen?.id ?? NO_FILE;
  const types = chosen?.types ?? null;
  const outcome = useCoreOutcome({ object, target, fresh });
  const facts = useFacts(target);
  // Before the first paint: the page shows progress, not a missing result.
  useLayoutEffect(() => {
    // `types` change with the base of a file, `facts` with its modules.
    if (types !== null && facts !== null) void resolveCore({ object, target, fresh });
  }, [object, target, types, fresh, facts]);
  return outcome;
}

/** An object, its chosen target and its results there. */
export type ResolvedObject = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly chosen: ChosenTarget | null;
  readonly outcome: CoreTask | null;
};

type OutcomeNoteProps = {
  readonly object: FileId;
  readonly chosen: ChosenTarget;
  readonly outcome: CoreTask | null;
};

/** Progress of resolving the records, then libbpf's error for the target's BTF, if any. */
export function OutcomeNote({ object, chosen, outcome }: OutcomeNoteProps) {
  const fresh = useFreshCandidates();
  const again = () => void resolveCore({ object, target: chosen.id, fresh });
  if (outcome === null || outcome.step === 'stopped') {
    return (
      <Callout
        severity="note"
        title={`Not resolved on ${drawnName(chosen.name)}`}
        actions={
          <Button size="small" onClick={again}>
            Resolve
          </Button>
        }
      />
    );
  }
  switch (outcome.step) {
    case 'running':
      return (
        <ProgressBar
          label={`Relocating against ${drawnName(chosen.name)}`}
          fraction={outcome.total === 0 ? null : outcome.done / outcome.total}
          onCancel={() => cancelCore(object, chosen.id)}
        />
      );
    case 'failed':
      return (
        <Callout
          severity="error"
          title={`Could not resolve the relocations on ${drawnName(chosen.name)}`}
          actions={
            <Button size="small" onClick={again}>
              Try again
            </Button>
          }
        >
          {drawnName(outcome.issue.message)}
        </Callout>
      );
    case 'ready':
      return <RefusedTarget chosen={chosen} />;
  }
}

/** libbpf's error for the BTF of a target; hidden if libbpf reads it. */
function RefusedTarget({ chosen }: { readonly chosen: ChosenTarget }) {
  const { value } = useAnswer(chosen.id, 'libbpfVerdict', null);
  if (value?.verdict !== 'refused') return null;
  return (
    <Callout severity="warning" title={`libbpf does not read ${drawnName(chosen.name)}`}>
      {drawnName(refusedTargetText(value))}
    </Callout>
  );
}
