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

/** An id that no file has. */
const NO_FILE: FileId = -1;

/** Resolves the records of `object` on its target. Returns the task; null without a target. */
export function useOutcome(object: FileId, chosen: ChosenTarget | null): CoreTask | null {
  const fresh = useFreshCandidates();
  const target = chosen?.id ?? NO_FILE;
  const types = chosen?.types ?? null;
  const outcome = useCoreOutcome({ object, target, fresh });
  const facts = useFacts(target);
  // Start before the first paint: the page then shows progress, not a missing result.
  useLayoutEffect(() => {
    // Start again when the base of the file (`types`) or its modules (`facts`) change.
    if (types !== null && facts !== null) void resolveCore({ object, target, fresh });
  }, [object, target, types, fresh, facts]);
  return outcome;
}

/** An object, its chosen target, and the results of its records on that target. */
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

/** Shows the progress of resolving the records, then libbpf's error for the target's BTF. */
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

/** Shows the error of libbpf when it reads the target's BTF; hidden if there is none. */
function RefusedTarget({ chosen }: { readonly chosen: ChosenTarget }) {
  const { value } = useAnswer(chosen.id, 'libbpfVerdict', null);
  if (value?.verdict !== 'refused') return null;
  return (
    <Callout severity="warning" title={`libbpf does not read ${drawnName(chosen.name)}`}>
      {drawnName(refusedTargetText(value))}
    </Callout>
  );
}
