/** The base of split BTF: its estimated size, the distilled base in the file, and the chosen base. */
import type { Issue } from '#bytes/issue.ts';
import type { TypeId } from './ids.ts';
import type { TypeTable } from './type-table.ts';

/**
 * `certain`: one value explains all of the data. `likely`: one value explains it best. `unknown`:
 * any larger value fits as well; the value is the smallest that fits.
 */
export type Sureness = 'certain' | 'likely' | 'unknown';

export type Estimate = { readonly value: number; readonly sure: Sureness };

/** The size of the base, estimated from the split BTF alone. */
export type BaseNeeds = {
  /** Number of types in the base, without void. */
  readonly typeCount: Estimate;
  /** Length of the strings of the base in bytes. */
  readonly strLen: Estimate;
};

/** Result of the search for a type of a distilled base in the chosen base. */
export type DistilledMatch = {
  /** Id in the distilled base. */
  readonly id: TypeId;
  /** `ambiguous`: more than one type of the base matches. `invalid`: a distilled base must not have the type. */
  readonly outcome: 'mapped' | 'ambiguous' | 'missing' | 'invalid';
  /** Ids in the chosen base: the match, or the first two candidates; empty if there is none. */
  readonly baseIds: readonly TypeId[];
  /** True for a struct or union that types of the split BTF contain by value: its size must be the same. */
  readonly isEmbedded: boolean;
  /** Reason if the type is not mapped, a sentence without its full stop; else empty. Names in it are raw text. */
  readonly reason: string;
};

export type SplitBase = {
  /** null if the file has its base. */
  readonly needs: BaseNeeds | null;
  /** The types of `.BTF.base`; null if there is none. */
  readonly distilled: TypeTable | null;
  /** Matches of the distilled types in the chosen base; empty without a distilled or a chosen base. */
  readonly matches: readonly DistilledMatch[];
  /** Reason why the chosen base is not in use; null if it is, or if none was chosen. */
  readonly refusal: Issue | null;
};
