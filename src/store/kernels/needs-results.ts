/** Needs of an object that its chosen kernels lack, from the kernels' workers. */
import { useEffect } from 'react';
import type { Needs } from '#analysis/needs/needs.ts';
import type { NeedsOnKernel } from '#analysis/needs/on-kernel.ts';
import { askKernel } from '#store/session/files.ts';
import { type FileId, useSession } from '#store/session/session.ts';
import { type TaskState, Tasks, taskState } from '#store/session/tasks.ts';
import { loadState, targetChoices } from './core-view.ts';
import { factsOf } from './kernel-facts.ts';
import { type LoadKey, openedObject, pairKey } from './load-results.ts';

/** An open kernel, and the needs that it lacks; the task is null before it starts. */
export type KernelNeeds = {
  readonly id: FileId;
  /** Name of the kernel, not escaped. */
  readonly name: string;
  readonly task: TaskState<NeedsOnKernel> | null;
};

const tasks = new Tasks<LoadKey, NeedsOnKernel>();

/** Returns the kernels of *Load* with the needs that they lack. Asks their workers. React hook. */
export function useNeedsOnKernels(object: FileId, needs: Needs): readonly KernelNeeds[] {
  const files = useSession((state) => state.files);
  const { targets } = loadState.useOf(object);
  const known = tasks.use((all) => all);
  const kernels = targetChoices(object, files, targets).flatMap(({ id, name, isChosen }) => {
    if (!isChosen) return [];
    return [{ id, name, task: taskState(known, pairKey({ object, kernel: id })) }];
  });
  const waiting = kernels.flatMap(({ id, task }) => (task === null ? [id] : [])).join(' ');
  useEffect(() => {
    for (const id of waiting === '' ? [] : waiting.split(' ')) {
      void askKernelNeeds(object, needs, Number(id));
    }
  }, [object, needs, waiting]);
  return kernels;
}

async function askKernelNeeds(object: FileId, needs: Needs, kernel: FileId): Promise<void> {
  const { key: _, ...facts } = factsOf(kernel);
  await tasks.run(pairKey({ object, kernel }), async (options) => {
    const opened = await openedObject(object);
    if (opened === null) return null;
    return askKernel(kernel, 'needsOnKernel', { object: opened, needs, facts }, options);
  });
}
