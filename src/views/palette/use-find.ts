import { useEffect, useState } from 'react';
import type { FindAnswer } from '#analysis/find/hit.ts';
import { clientOf } from '#store/files.ts';
import { baseChoice, type FileId, fileById, useSession } from '#store/session.ts';

/** Lines asked for: more than anybody scrolls through. */
const LIMIT = 50;

export type Found = {
  /** The latest answer; while another is on its way that of a stroke before. */
  readonly answer: FindAnswer | null;
  /** Is the answer to the text of now still on its way? */
  readonly isWaiting: boolean;
  /** How much of the index is built, 0 to 1; null where it is there. */
  readonly indexing: number | null;
  /** Why the worker could not answer; null where it could. */
  readonly failure: string | null;
};

type State = Pick<Found, 'answer' | 'failure'> & { readonly of: string };

const NOTHING: Found = { answer: null, isWaiting: false, indexing: null, failure: null };

/** Asks the file's worker what answers `text`, with each stroke anew; a question that is overtaken is cancelled. */
export function useFind(id: FileId | null, text: string): Found {
  const reading = useSession((state) => baseChoice(fileById(state, id)).reading);
  const [state, setState] = useState<State>({ of: '', answer: null, failure: null });
  const [indexing, setIndexing] = useState<number | null>(null);
  const file = `${id}:${reading}:`;
  const asks = `${file}${text}`;
  const asked = id !== null && text !== '';

  useEffect(() => {
    if (!asked) return;
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      onProgress: ({ done, total }: { readonly done: number; readonly total: number }) => {
        if (!controller.signal.aborted) setIndexing(total > 0 ? done / total : null);
      },
    };
    void clientOf(id)
      ?.call('find', { text, limit: LIMIT }, options)
      .then((outcome) => {
        if (controller.signal.aborted) return;
        setIndexing(null);
        const answer = outcome.ok ? outcome.value : null;
        setState({ of: asks, answer, failure: outcome.ok ? null : outcome.issue.message });
      });
    return () => controller.abort();
  }, [id, text, asks, asked]);

  if (!asked) return NOTHING;
  const isWaiting = state.of !== asks;
  const isSameFile = state.of.startsWith(file);
  return {
    answer: isSameFile ? state.answer : null,
    isWaiting,
    indexing: isWaiting ? indexing : null,
    failure: isWaiting ? null : state.failure,
  };
}
