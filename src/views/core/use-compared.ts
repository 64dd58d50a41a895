import { useEffect, useMemo, useState } from 'react';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { explainCore } from '#store/core-results.ts';
import type { ChosenTarget } from '#store/core-target.ts';
import type { FileId } from '#store/session.ts';
import { type Compared, compare } from './compared.ts';

/** One record on the target; its details come a moment later than what all records come to. */
export function useCompared(
  object: FileId,
  chosen: ChosenTarget | null,
  results: readonly CoreResult[] | null,
  row: number,
  fresh: boolean,
): Compared | null {
  const known = results?.[row] ?? null;
  const [explained, setExplained] = useState<{
    readonly of: CoreResult;
    readonly result: CoreResult;
  } | null>(null);
  const target = chosen?.id ?? null;

  useEffect(() => {
    if (target === null || known === null) return;
    const controller = new AbortController();
    void explainCore({ object, target, fresh }, row, controller.signal).then((result) => {
      if (!controller.signal.aborted && result !== null) setExplained({ of: known, result });
    });
    return () => controller.abort();
  }, [object, target, fresh, row, known]);

  const result = explained !== null && explained.of === known ? explained.result : known;
  return useMemo(() => compare(chosen, result), [chosen, result]);
}
