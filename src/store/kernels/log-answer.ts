/** Answers on logs: why a program was refused. The log's worker reads the object and the kernel. */
import { useEffect } from 'react';
import type { ToldAnswer } from '#analysis/verifier/told-answer.ts';
import { clientOf } from '#store/session/files.ts';
import { type FileId, fileNow, logOf } from '#store/session/session.ts';
import { type Revision, revisionOf, type TaskState, Tasks } from '#store/session/tasks.ts';
import type { BoundKernel, BoundProgram } from './log-binding.ts';

type AnswerKey = {
  readonly files: readonly Revision[];
  readonly part: number;
  readonly program: string | null;
  readonly hasObject: boolean;
};

const answers = new Tasks<AnswerKey, ToldAnswer>();

/** Returns the answer on a part of a log; null until it is asked for. React hook. */
export function useLogAnswer(
  log: FileId,
  part: number,
  bound: BoundProgram | null,
  kernel: BoundKernel | null,
): TaskState<ToldAnswer> | null {
  const object = bound?.model ?? null;
  const program = bound?.program ?? null;
  const types = kernel?.types ?? null;
  const objectId = bound?.file.id ?? null;
  const ids = [log, objectId, kernel?.file.id ?? null];
  const keyNow = (): AnswerKey => ({
    files: ids.flatMap((id) => (id === null ? [] : [revisionOf(id)])),
    part,
    program,
    hasObject: object !== null,
  });
  const index = JSON.stringify(keyNow());
  useEffect(() => {
    const key = JSON.parse(index) as AnswerKey;
    const params = { part, object, program, kernel: types };
    void answers.run(key, async (options) => {
      const name = program ?? logOf(fileNow(log))?.parts[part]?.program ?? null;
      const client = objectId === null ? null : clientOf(objectId);
      const code = await client?.call('programCode', { program: name }, options);
      const own = { ...params, code: code?.ok ? code.value : null };
      return await clientOf(log)?.call('answerLog', own, options);
    });
  }, [index, log, part, object, objectId, program, types]);
  return answers.useTask(keyNow);
}
