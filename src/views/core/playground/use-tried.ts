import { useEffect, useState } from 'react';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { type TriedAccess, tryAccess } from '#store/core-tries.ts';
import type { FileId } from '#store/session.ts';

export type Tried = ReadonlyMap<FileId, readonly CoreResult[]>;

const NONE: Tried = new Map();

/**
 * What an access comes to on some files, as they answer. One after the other: the
 * local types are sent along, and thirty copies of a kernel's at once are too many.
 */
export function useTried(
  targets: readonly FileId[],
  types: TriedAccess['types'],
  access: Omit<TriedAccess, 'types'>,
): Tried {
  const key = JSON.stringify([targets, access]);
  const [tried, setTried] = useState({ key, types, results: NONE });

  useEffect(() => {
    const controller = new AbortController();
    const [ids, asked] = JSON.parse(key) as [FileId[], Omit<TriedAccess, 'types'>];
    const ask = async () => {
      const results = new Map<FileId, readonly CoreResult[]>();
      for (const id of asked.asked.length === 0 ? [] : ids) {
        const answer = await tryAccess(id, { ...asked, types }, controller.signal);
        if (controller.signal.aborted) return;
        if (answer !== null) results.set(id, answer);
        setTried({ key, types, results: new Map(results) });
      }
    };
    void ask();
    return () => controller.abort();
  }, [key, types]);

  return tried.key === key && tried.types === types ? tried.results : NONE;
}
