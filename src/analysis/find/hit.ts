/** One line of the palette, as the worker sends it: plain data, texts raw. */
import type { Selection } from '#model/selection.ts';

export type HitWhat =
  | 'type'
  | 'member'
  /** A name that members of several types have; choosing it asks for them. */
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
  /** A C type: that of a member, or of what a typedef stands for. */
  readonly typeText?: string;
  readonly bytes?: number;
  /** Bits from the start of the struct that the title begins with. */
  readonly bitOffset?: number;
  /** Width in bits, of a bit-field. */
  readonly bits?: number;
  /** Members, enumerators, variables; of a member name the types that have one. */
  readonly items?: number;
  /** Of an enumerator, decimal. */
  readonly value?: string;
  /** Where it is: a section, an enum, a function. */
  readonly place?: string;
  /** Kind of a CO-RE record, binding of a symbol. */
  readonly word?: string;
};

export type FindHit = {
  readonly what: HitWhat;
  /** BTF_KIND_* of the type that is gone to; null for what is no type. */
  readonly kind: number | null;
  readonly title: string;
  /** Characters of the title that were asked for: start and end (exclusive) of each run. */
  readonly ranges: readonly number[];
  readonly facts: HitFacts;
  /** Where it leads; null where the bytes are not in the file as such, and for a member name. */
  readonly selection: Selection | null;
  /** The question that it stands for; null where it leads somewhere itself. */
  readonly refine: string | null;
  /** Is it of the base of split BTF? */
  readonly inBase: boolean;
};

export type FindAnswer = {
  /** The best ones, the best first. */
  readonly hits: readonly FindHit[];
  /** How many there are; the hits are the first of them. */
  readonly total: number;
  /** Why there are none, in one sentence with raw names; null where nothing needs saying. */
  readonly problem: string | null;
};

export const NO_HITS: FindAnswer = { hits: [], total: 0, problem: null };
