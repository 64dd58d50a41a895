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
const NOBODY: FileId = -1;

/** What the records of `object` come to on its target, asked for when that is not yet done. Null without a target. */
export function useOutcome(object: FileId, chosen: ChosenTarget | null): CoreTask | null {
  const fresh = useFreshCandidates();
  const target = chosen?.id ?? NOBODY;
  const types = chosen?.types ?? null;
  const outcome = useCoreOutcome({ object, target, fresh });
  const facts = useFacts(target);
  // Before the page is painted: what is shown is that work goes on, not that there is none.
  useLayoutEffect(() => {
    // Other types of the same file: it was read again, on another base. Other facts: it may have other modules.
    if (types !== null && facts !== null) void resolveCore({ object, target, fresh });
  }, [object, target, types, fresh, facts]);
  return outcome;
}

/** An object, the target that is chosen for it, and its results there. */
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

/** Progress of resolving the records on the target, with a cancel button; once they are resolved, what speaks against the target. */
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

/** What libbpf says of the types of a target that it does not read; nothing of others. */
function RefusedTarget({ chosen }: { readonly chosen: ChosenTarget }) {
  const { value } = useAnswer(chosen.id, 'libbpfVerdict', null);
  if (value?.verdict !== 'refused') return null;
  return (
    <Callout severity="warning" title={`libbpf does not read ${drawnName(chosen.name)}`}>
      {drawnName(refusedTargetText(value))}
    </Callout>
  );
}
