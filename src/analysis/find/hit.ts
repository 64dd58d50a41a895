/** One line of the palette as the worker sends it: plain data with raw texts. */
import type { Selection } from '#model/selection.ts';

export type HitWhat =
  | 'type'
  | 'member'
  /** A name that members of several types have. Choosing it lists the members. */
  | 'member-name'
  | 'enumerator'
  | 'function'
  | 'section'
  | 'symbol'
  | 'string'
  | 'core'
  /** Bytes of a struct that no member covers. */
  | 'hole';

export type HitFacts = {
  /** C type of a member or of a typedef. */
  readonly typeText?: string;
  readonly bytes?: number;
  /** Bits from the start of the struct that the title begins with. */
  readonly bitOffset?: number;
  /** Width in bits, of a bit-field. */
  readonly bits?: number;
  /** Number of members, enumerators or variables; of a member name, number of types that have it. */
  readonly items?: number;
  /** Value of an enumerator, in decimal. */
  readonly value?: string;
  /** Place: a section, an enum, a function. */
  readonly place?: string;
  /** Kind of a CO-RE record, binding of a symbol. */
  readonly word?: string;
};

export type FindHit = {
  readonly what: HitWhat;
  /** BTF_KIND_* of the target type; null for other targets. */
  readonly kind: number | null;
  readonly title: string;
  /** Matching characters of the title: start and end (exclusive) of each run. */
  readonly ranges: readonly number[];
  readonly facts: HitFacts;
  /** Target; null if its bytes are not in the file as such, and for a member name. */
  readonly selection: Selection | null;
  /** The query that it stands for; null if it has a target. */
  readonly refine: string | null;
  /** Is it in the base of split BTF? */
  readonly inBase: boolean;
};

export type FindAnswer = {
  /** Best hits, the best first. */
  readonly hits: readonly FindHit[];
  /** Number of all matches. */
  readonly total: number;
  /** Reason for an empty result, in one sentence with raw names; null without one. */
  readonly problem: string | null;
};

export const NO_HITS: FindAnswer = { hits: [], total: 0, problem: null };
