/** The result of a relocation on a target in one word, for lists and tables. */
import type { CoreResult } from './resolve.ts';

/**
 * `same`: the instruction stays as it is, also where libbpf skips the record. `changed`: another offset, size or value
 * is written. `absent`: nothing matches and the answer is 0, as for a question
 * whether something exists. `poisoned`: the instruction is made invalid. `fails`:
 * libbpf refuses the program.
 */
export type CoreState = 'same' | 'changed' | 'absent' | 'poisoned' | 'fails';

/** `field_exists`, `type_exists`, `enumval_exists`, `type_matches`; `target_type_id` and `type_size` are 0 for no type. */
const ANSWERED: ReadonlySet<number> = new Set([2, 7, 8, 9, 10, 12]);

/** Returns the state of a result, by the numbers: the bytes of the instruction may differ where the numbers do not. */
export function coreState({
  record,
  status,
  decision,
  matched,
}: Pick<CoreResult, 'record' | 'status' | 'decision' | 'matched'>): CoreState {
  if (status === 'skipped') return 'same';
  if (status === 'poisoned') return 'poisoned';
  if (status !== 'ok' || decision === null) return 'fails';
  if (matched.length === 0 && ANSWERED.has(record.kind)) return 'absent';
  const { origVal, newVal, origSz, newSz } = decision;
  return origVal === newVal && origSz === newSz ? 'same' : 'changed';
}
