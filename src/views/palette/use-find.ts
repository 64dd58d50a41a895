import { useEffect, useState } from 'react';
import type { FindAnswer, FindHit } from '#analysis/find/make-hit.ts';
import { clientOf } from '#store/session/files.ts';
import { baseChoice, type FileId, fileById, useSession } from '#store/session/session.ts';

/** Maximum number of hits requested from a worker; nobody scrolls through more. */
const MAX_HITS = 50;

/** A hit and the file that contains it; `file` is null for the active file. */
export type FoundHit = { readonly hit: FindHit; readonly file: FileId | null };

type Answer = Pick<FindAnswer, 'total' | 'problem'> & { readonly hits: readonly FoundHit[] };

export type Found = {
  /** Hits of the current text. Until they arrive, hits of the previous text. */
  readonly answer: Answer | null;
  /** True while the hits of the current text are loading. */
  readonly isWaiting: boolean;
  /** Progress of the search index, from 0 to 1; null if it is complete. */
  readonly indexing: number | null;
  /** Error message of the worker; null if it has not failed. */
  readonly failure: string | null;
};

type State = Pick<Found, 'answer' | 'failure'> & { readonly of: string };

const NO_SEARCH: Found = { answer: null, isWaiting: false, indexing: null, failure: null };

/** Splits off the prefix `all:`, which makes the search include all open files. */
export function scopeOf(text: string): { readonly isAll: boolean; readonly question: string } {
  const [, question] = /^\s*all\s*:\s*(.*)$/is.exec(text) ?? [];
  return question === undefined ? { isAll: false, question: text } : { isAll: true, question };
}

/** Merges the hits of several files. Each file gets an equal share of `MAX_HITS`. */
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

/** Searches the active file, or all files if the text has `all:`. A new text cancels it. */
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

  if (!asked) return NO_SEARCH;
  const isWaiting = state.of !== asks;
  return {
    answer: state.of.startsWith(scope) ? state.answer : null,
    isWaiting,
    indexing: isWaiting ? indexing : null,
    failure: isWaiting ? null : state.failure,
  };
}
