/** A lesson as data, read by `read-lesson.ts` from the format of docs/lessons.md. */
import type { RootContent } from 'mdast';
import type { Counted } from './check-value.ts';

/** Limit of steps in a lesson. */
export const MAX_STEPS = 200;

/** A selection as in an address: `type=struct:foo&member=b`, `bytes=.BTF@0x0-0x4`. */
export type PlaceText = string;

export type Callout = { readonly at: PlaceText; readonly text: string };

/** A question. The answer is computed from the open file if the kind allows it. */
export type Question = { readonly prompt: readonly RootContent[] } & (
  | {
      /** Select bytes inside the place. */
      readonly kind: 'click';
      readonly at: PlaceText;
    }
  /** Type the access string of `path` from the type `root`. `path` is C without the variable. */
  | {
      readonly kind: 'access';
      /** A type key: `struct:foo`. */
      readonly root: string;
      readonly path: string;
    }
  /** Type the value of the CO-RE record at the place on the target. */
  | {
      readonly kind: 'value';
      readonly core: PlaceText;
      /** The key of a file: `sample:kernel.btf`. */
      readonly target: string;
    }
  | ({ readonly kind: 'number'; readonly value: bigint } & NumberHelp)
  /** Type a count of the step's file. */
  | { readonly kind: 'count'; readonly of: Counted }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | {
      /** Type C until it compiles to the same as `right`. */
      readonly kind: 'write';
      readonly asks: WriteAsk;
      /** The first text of the editor. */
      readonly start: string;
      /** Empty if there is no hint. */
      readonly hint: readonly RootContent[];
      /** One right text. */
      readonly right: string;
    }
);

/** Characters. Longer texts of learners are not compiled. */
export const MAX_WRITTEN = 20_000;

/** The compared part of the C: all BTF, the layout of a type, or the access string of a path. */
export type WriteAsk =
  | { readonly what: 'btf' }
  /** `root` is a type key: `struct:foo`. */
  | { readonly what: 'layout'; readonly root: string }
  | { readonly what: 'access'; readonly root: string; readonly path: string };

/** Data for judging a typed number. */
export type NumberHelp = {
  /** Unit of the answer; null if the question names no unit or both. */
  readonly unit: 'bit' | 'byte' | null;
  /** Explanation after the right number; may be empty. */
  readonly why: string;
  readonly nearMisses: readonly NearMiss[];
};

/** A likely wrong number and its meaning: the end of "52 is …", or a whole sentence if the lesson is not English. */
export type NearMiss = {
  readonly value: bigint;
  readonly means: string;
  readonly isSentence?: boolean;
};

export type Option = {
  readonly text: string;
  readonly isRight: boolean;
  /** Explanation after the choice. */
  readonly why: string;
};

export type Step = {
  /** The name in addresses: made from the title, unique in the lesson. */
  readonly id: string;
  readonly title: string;
  readonly text: readonly RootContent[];
  /** Address after `#/`, with a file only if it is not the lesson's; null if the view stays. */
  readonly show: string | null;
  readonly callouts: readonly Callout[];
  readonly question: Question | null;
  /** Notes for the presenter. */
  readonly notes: readonly RootContent[] | null;
  /** Line of the heading, from 1. */
  readonly line: number;
};

export type Lesson = {
  readonly title: string;
  /** One sentence for the list of lessons. */
  readonly about: string;
  /** Key of the lesson's file: `sample:NAME`, a SHA-256, `link` for the link's file, `own` for the learner's. */
  readonly object: string;
  /** Position in the list of lessons. */
  readonly number: number | null;
  /** Language of the texts, BCP 47. */
  readonly lang: string;
  readonly steps: readonly Step[];
};

/** A problem for the author to fix. Lines and columns from 1. */
export type LessonProblem = {
  readonly message: string;
  readonly line: number;
  readonly column: number;
};
