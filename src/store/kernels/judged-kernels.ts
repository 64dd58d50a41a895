/** Verdicts on an object on the open kernels that its table in *Load* shows. */
import { useEffect, useMemo } from 'react';
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import type { JudgedKernel } from '#analysis/load/load-sentence.ts';
import { isBpf } from '#model/object-model.ts';
import { whenIdle } from '#store/page/when-idle.ts';
import { type FileId, fileById, modelOf, useSession } from '#store/session/session.ts';
import { dependsOnKernels, loadState, targetChoices } from './core-view.ts';
import { judgePair, loadOutcome, useLoadOutcomes } from './load-results.ts';

type ChosenKernel = JudgedKernel<LoadVerdict> & { readonly id: FileId };

/** Returns the chosen kernels of an object with the verdicts that are known. React hook. */
export function useJudgedKernels(object: FileId): readonly ChosenKernel[] {
  const files = useSession((state) => state.files);
  const { targets } = loadState.useOf(object);
  const known = useLoadOutcomes();
  return useMemo(() => {
    const model = modelOf(files.find(({ id }) => id === object) ?? null);
    if (model === null || !isBpf(model) || !dependsOnKernels(model)) return [];
    return targetChoices(object, files, targets).flatMap(({ id, name, isChosen }) => {
      if (!isChosen) return [];
      const task = loadOutcome(known, { object, kernel: id });
      const verdict = task?.step === 'ready' ? task.value.verdict : null;
      return [{ id, name, verdict, isFailed: task?.step === 'failed' }];
    });
  }, [object, files, targets, known]);
}

/**
 * Judges an object on its chosen kernels while the page is idle. The kernels of an atlas are judged
 * only when *Load* is shown: there may be dozens. React hook.
 */
export function useJudging(object: FileId): void {
  const kernels = useJudgedKernels(object);
  const { stopped } = loadState.useOf(object);
  const waiting = useSession((state) =>
    kernels
      .filter(({ id, verdict, isFailed }) => {
        return verdict === null && isFailed !== true && fileById(state, id) !== null;
      })
      .map(({ id }) => id)
      .join(' '),
  );
  useEffect(() => {
    if (stopped || waiting === '') return;
    return whenIdle(() => {
      for (const id of waiting.split(' ')) void judgePair({ object, kernel: Number(id) });
    });
  }, [object, stopped, waiting]);
}
