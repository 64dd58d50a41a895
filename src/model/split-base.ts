/**
 * What is known of the base of split BTF: how large it must be, the distilled
 * one that the file brings along, and the one that was chosen for it.
 */
import type { Issue } from '#bytes/issue.ts';
import type { TypeId } from './ids.ts';
import type { TypeTable } from './type-table.ts';

/**
 * `certain`: one value explains all of the data. `likely`: one value explains
 * it best. `unknown`: the data does not tell, the value is the smallest that fits.
 */
export type Sureness = 'certain' | 'likely' | 'unknown';

export type Estimate = { readonly value: number; readonly sure: Sureness };

/** The size of the base, as the split BTF alone lets one tell. */
export type BaseNeeds = {
  /** Types in the base, void not counted. */
  readonly typeCount: Estimate;
  /** Bytes of strings in the base. */
  readonly strLen: Estimate;
};

/** Where a type of a distilled base is in the chosen one. */
export type DistilledMatch = {
  /** Id in the distilled base. */
  readonly id: TypeId;
  /** `ambiguous`: more than one type of the base answers to it. `invalid`: no distilled base may have it. */
  readonly outcome: 'mapped' | 'ambiguous' | 'missing' | 'invalid';
  /** Ids in the chosen base: the one it is, or the first two that it could be; empty when there is none. */
  readonly baseIds: readonly TypeId[];
  /** A struct or union that own types hold by value: then its size must be the same. */
  readonly isEmbedded: boolean;
  /** Why it is not mapped, a sentence without its end; empty when it is. Names in it are raw text. */
  readonly reason: string;
};

export type SplitBase = {
  /** null where the file brings its base along. */
  readonly needs: BaseNeeds | null;
  /** The types of `.BTF.base`; null where there is none. */
  readonly distilled: TypeTable | null;
  /** How the distilled types were looked for in the base that was given; empty where none was, or none had to be. */
  readonly matches: readonly DistilledMatch[];
  /** Why the base that was given is not in use; null when it is, or none was given. */
  readonly refusal: Issue | null;
};
