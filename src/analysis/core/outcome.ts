/** What a relocation comes to on a target, in one word: what lists and tables tell apart. */
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

/** The state of a result. The numbers decide, not the bytes: both sides of them are known. */
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
