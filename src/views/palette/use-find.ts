import { useEffect, useState } from 'react';
import type { FindAnswer, FindHit } from '#analysis/find/make-hit.ts';
import { clientOf } from '#store/session/files.ts';
import { baseChoice, type FileId, fileById, useSession } from '#store/session/session.ts';

/** Lines asked for: more than anybody scrolls through. */
const MAX_HITS = 50;

/** A line, and the file that it is of; null for the file that is looked at. */
export type FoundHit = { readonly hit: FindHit; readonly file: FileId | null };

type Answer = Pick<FindAnswer, 'total' | 'problem'> & { readonly hits: readonly FoundHit[] };

export type Found = {
  /** The latest answer; while another is on its way that of a stroke before. */
  readonly answer: Answer | null;
  /** Is the answer to the text of now still on its way? */
  readonly isWaiting: boolean;
  /** How much of the index is built, 0 to 1; null where it is there. */
  readonly indexing: number | null;
  /** Why the worker could not answer; null where it could. */
  readonly failure: string | null;
};

type State = Pick<Found, 'answer' | 'failure'> & { readonly of: string };

const NOTHING: Found = { answer: null, isWaiting: false, indexing: null, failure: null };

/** Behind `all:` a question is for all open files. */
export function scopeOf(text: string): { readonly isAll: boolean; readonly question: string } {
  const [, question] = /^\s*all\s*:\s*(.*)$/is.exec(text) ?? [];
  return question === undefined ? { isAll: false, question: text } : { isAll: true, question };
}

/** The answers of several files as one, file by file: of each as many of the best as there is room for. */
export function mergedAnswers(
  answers: readonly (readonly [file: FileId | null, answer: FindAnswer])[],
): Answer {
  const taken = answers.map(() => 0);
  let left = MAX_HITS;
  for (let i = 0; i < MAX_HITS && left > 0; i++) {
    for (const [at, [, { hits: own }]] of answers.entries()) {
      if (own[i] === undefined || left === 0) continue;
      taken[at] = i + 1;
      left--;
    }
  }
  const hits = answers.flatMap(([file, { hits: own }], at) =>
    own.slice(0, taken[at]).map((hit): FoundHit => ({ hit, file })),
  );
  const total = answers.reduce((sum, [, answer]) => sum + answer.total, 0);
  return { hits, total, problem: answers[0]?.[1].problem ?? null };
}

/** Asks the file's worker what answers `text`, with `all:` those of all open files, with each stroke anew; a question that is overtaken is cancelled. */
export function useFind(id: FileId | null, text: string): Found {
  const reading = useSession((state) => baseChoice(fileById(state, id)).reading);
  const open = useSession(({ files }) =>
    files
      .filter(({ status }) => status.step === 'ready')
      .map((file) => file.id)
      .join(),
  );
  const [state, setState] = useState<State>({ of: '', answer: null, failure: null });
  const [indexing, setIndexing] = useState<number | null>(null);
  const { isAll, question } = scopeOf(text);
  const files = isAll ? open : `${id ?? ''}`;
  const scope = `${files}:${isAll}:${reading}:`;
  const asks = `${scope}${question}`;
  const asked = files !== '' && question !== '';

  useEffect(() => {
    if (!asked) return;
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      onProgress: ({ done, total }: { readonly done: number; readonly total: number }) => {
        if (!controller.signal.aborted) setIndexing(total > 0 ? done / total : null);
      },
    };
    const asking = files.split(',').map(async (file) => {
      const fileId = Number(file);
      const outcome = await clientOf(fileId)?.call(
        'find',
        { text: question, limit: MAX_HITS },
        options,
      );
      return { fileId, outcome };
    });
    void Promise.all(asking).then((outcomes) => {
      if (controller.signal.aborted) return;
      setIndexing(null);
      const answers = outcomes.flatMap(({ fileId, outcome }) =>
        outcome?.ok === true ? [[isAll ? fileId : null, outcome.value] as const] : [],
      );
      const failed = outcomes.find(({ outcome }) => outcome?.ok === false)?.outcome;
      setState({
        of: asks,
        answer: answers.length === 0 ? null : mergedAnswers(answers),
        failure: failed?.ok === false ? failed.issue.message : null,
      });
    });
    return () => controller.abort();
  }, [files, question, isAll, asks, asked]);

  if (!asked) return NOTHING;
  const isWaiting = state.of !== asks;
  return {
    answer: state.of.startsWith(scope) ? state.answer : null,
    isWaiting,
    indexing: isWaiting ? indexing : null,
    failure: isWaiting ? null : state.failure,
  };
}
