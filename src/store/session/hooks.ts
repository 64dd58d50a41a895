/** React hooks for views: the model in their pane, file bytes, answers of the file's worker. */
import { useEffect, useEffectEvent, useState } from 'react';
import type { Issue } from '#bytes/issue.ts';
import type { Progress } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { Method, Methods } from '#worker/protocol.ts';
import { bytesNow } from './bytes-cache.ts';
import { clientOf } from './files.ts';
import { usePaneFile } from './panes.ts';
import { baseChoice, type FileId, fileById, modelOf, useSession } from './session.ts';

export type Active = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly selection: Selection;
};

/** Returns the file of the component's pane; null if there is none or it has no model yet. */
export function useActive(): Active | null {
  const file = usePaneFile();
  const model = modelOf(file);
  return file === null || model === null ? null : { id: file.id, model, selection: file.selection };
}

/** Returns the bytes of a file from `start` to `end`; null until they are read. */
export function useBytes(id: FileId, start: number, end: number): Uint8Array | null {
  useSession((state) => state.bytesVersion);
  return bytesNow(id, start, end);
}

export type Answer<T> =
  | { readonly step: 'waiting'; readonly value: T | null; readonly progress?: Progress }
  | { readonly step: 'ready'; readonly value: T }
  | { readonly step: 'failed'; readonly issue: Issue; readonly value: null };

/** Returns the worker's answer to a request, sent again when `params` or the file change. */
export function useAnswer<M extends Method>(
  id: FileId,
  method: M,
  params: Methods[M]['params'],
  known: Methods[M]['result'] | null = null,
): Answer<Methods[M]['result']> {
  const key = JSON.stringify(params);
  const [answer, setAnswer] = useState<{
    readonly of: string;
    readonly answer: Answer<Methods[M]['result']>;
  }>({ of: '', answer: { step: 'waiting', value: null } });
  const reading = useSession((state) => baseChoice(fileById(state, id)).reading);
  const asks = `${id}:${method}:${reading}:${key}`;

  useEffect(() => {
    if (known !== null) {
      setAnswer({ of: asks, answer: { step: 'ready', value: known } });
      return;
    }
    const controller = new AbortController();
    const asked = JSON.parse(key) as Methods[M]['params'];
    void clientOf(id)
      ?.call(method, asked, {
        signal: controller.signal,
        onProgress: (progress) => {
          if (controller.signal.aborted) return;
          setAnswer({ of: asks, answer: { step: 'waiting', value: null, progress } });
        },
      })
      .then((outcome) => {
        if (controller.signal.aborted) return;
        setAnswer({
          of: asks,
          answer: outcome.ok
            ? { step: 'ready', value: outcome.value }
            : { step: 'failed', issue: outcome.issue, value: null },
        });
      });
    return () => controller.abort();
  }, [id, method, key, asks, known]);

  if (known !== null) return { step: 'ready', value: known };
  if (answer.of === asks) return answer.answer;
  const sameFile = answer.of.startsWith(`${id}:${method}:${reading}:`);
  return { step: 'waiting', value: sameFile ? answer.answer.value : null };
}

/** Returns the last value that `ask` passed to `put`, or null. Calls `ask` for each new key. */
export function useAsync<T>(
  key: unknown,
  ask: (put: (value: T) => void, signal: AbortSignal) => void | Promise<void>,
): T | null {
  const [latest, setLatest] = useState<{ readonly of: unknown; readonly value: T } | null>(null);
  const begin = useEffectEvent(ask);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void begin((value) => {
      if (!signal.aborted) setLatest({ of: key, value });
    }, signal);
    return () => controller.abort();
  }, [key]);
  return latest !== null && latest.of === key ? latest.value : null;
}
