/** Goals of a reason: its CO-RE record, its instruction and C line. */

import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import type { LoadProgram } from '#analysis/libbpf/open.ts';
import type { Reason } from '#analysis/libbpf/outcome.ts';
import { reasonPlace, reasonRecord } from '#analysis/load/load-table.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import type { CoreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/address/navigation.ts';

export type OneReason = {
  readonly model: ObjectModel;
  /** On the kernel that it is a reason on; null where no kernel is meant. */
  readonly verdict: LoadVerdict | null;
  /** Null for a reason of the whole object. */
  readonly program: LoadProgram | null;
  readonly reason: Reason;
};

type ReasonGoals = { readonly place: InsnPlace | null; readonly record: CoreIndex | null };

export function reasonGoals({ model, verdict, program, reason }: OneReason): ReasonGoals {
  return {
    place: program === null ? null : reasonPlace(program, reason),
    record: reasonRecord(model, verdict, program, reason),
  };
}

export function showRecord(core: CoreIndex): void {
  select({ kind: 'core', core, step: null }, 'core');
}

/** The listing has the C lines over their instructions. */
export function showCode({ section, insnOff }: InsnPlace): void {
  select({ kind: 'insn', section, insnOff }, 'code');
}

/** Goes to the record of the reason, else to its instruction. */
export function goToReason(one: OneReason): void {
  const { place, record } = reasonGoals(one);
  if (record !== null) showRecord(record);
  else if (place !== null) showCode(place);
}
