/** The base of split BTF: its estimated size, the distilled base, and the chosen base. */
import type { Issue } from '#bytes/issue.ts';
import type { TypeId } from './ids.ts';
import type { TypeTable } from './type-table.ts';

/**
 * `certain`: only one value explains the data. `likely`: one value explains the data best.
 * `unknown`: larger values fit as well; the value is the smallest that fits.
 */
export type Sureness = 'certain' | 'likely' | 'unknown';

export type Estimate = { readonly value: number; readonly sure: Sureness };

/** Size of the base, estimated from the split BTF. */
export type BaseNeeds = {
  /** Number of types in the base, without void. */
  readonly typeCount: Estimate;
  /** Length of the base's strings in bytes. */
  readonly strLen: Estimate;
};

/** Result of the search for a distilled type in the chosen base. */
export type DistilledMatch = {
  /** Id of the type in the distilled base. */
  readonly id: TypeId;
  /** `ambiguous`: several base types match. `invalid`: not allowed in a distilled base. */
  readonly outcome: 'mapped' | 'ambiguous' | 'missing' | 'invalid';
  /** Ids in the chosen base: the match, or the first two candidates; empty for none. */
  readonly baseIds: readonly TypeId[];
  /** True for a struct or union that types of the split BTF contain by value. */
  readonly isEmbedded: boolean;
  /** Why the type is not mapped, without a full stop; else empty. Names are not escaped. */
  readonly reason: string;
};

export type SplitBase = {
  /** Estimated size of the base; null if the file contains its base. */
  readonly needs: BaseNeeds | null;
  /** Types in `.BTF.base`; null if there is no such section. */
  readonly distilled: TypeTable | null;
  /** Match of each distilled type; empty if either base is missing. */
  readonly matches: readonly DistilledMatch[];
  /** Why the chosen base is not used; null if it is used or none was chosen. */
  readonly refusal: Issue | null;
};
