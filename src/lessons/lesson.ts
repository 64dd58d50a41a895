/** Types of a lesson. `read-lesson.ts` reads lessons in the format of docs/lessons.md. */
import type { RootContent } from 'mdast';
import type { Counted } from './check-value.ts';

/** Maximum number of steps in a lesson. */
export const MAX_STEPS = 200;

/** A selection as in the page's address: `type=struct:foo&member=b`, `bytes=.BTF@0x0-0x4`. */
export type PlaceText = string;

export type Callout = { readonly at: PlaceText; readonly text: string };

/** A question of a step. Most kinds compute the right answer from the open file. */
export type Question = { readonly prompt: readonly RootContent[] } & (
  | {
      /** The learner selects bytes inside the place `at`. */
      readonly kind: 'click';
      readonly at: PlaceText;
    }
  /** The learner types the access string of the C path `path`, which begins in the type `root`. */
  | {
      readonly kind: 'access';
      /** Key of the type in which the path begins: `struct:foo`. */
      readonly root: string;
      readonly path: string;
    }
  /** The learner types the value that libbpf computes for a CO-RE record on the target. */
  | {
      readonly kind: 'value';
      readonly core: PlaceText;
      /** Key of the target's file: `sample:kernel.btf`. */
      readonly target: string;
    }
  | ({ readonly kind: 'number'; readonly value: bigint } & NumberHelp)
  /** The learner types how many items of a kind the step's file has. */
  | { readonly kind: 'count'; readonly of: Counted }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | {
      /** The learner types C. The part that `asks` names must compile to the same as in `right`. */
      readonly kind: 'write';
      readonly asks: WriteAsk;
      /** Text of the editor before the learner types. */
      readonly start: string;
      /** Hint for the learner; empty if there is none. */
      readonly hint: readonly RootContent[];
      /** An example of a right text. */
      readonly right: string;
    }
);

/** Maximum length of typed C in characters. Longer texts are not compiled. */
export const MAX_WRITTEN = 20_000;

/** The compared part of the compiled C: all BTF, a type's layout, or a path's access string. */
export type WriteAsk =
  | { readonly what: 'btf' }
  /** Compares the layout of the type with the key `root`: `struct:foo`. */
  | { readonly what: 'layout'; readonly root: string }
  | { readonly what: 'access'; readonly root: string; readonly path: string };

/** Facts that help to judge a typed number. */
export type NumberHelp = {
  /** Unit that the question names; null if it names no unit or both bits and bytes. */
  readonly unit: 'bit' | 'byte' | null;
  /** Explanation shown after the right number; may be empty. */
  readonly why: string;
  readonly nearMisses: readonly NearMiss[];
};

/** A likely wrong number and its meaning: the end of a sentence "52 is …" or a whole one. */
export type NearMiss = {
  readonly value: bigint;
  readonly means: string;
  readonly isSentence?: boolean;
};

export type Option = {
  readonly text: string;
  readonly isRight: boolean;
  /** Explanation shown when the learner chooses this option. */
  readonly why: string;
};

export type Step = {
  /** Id of the step in an address. It is made from the title and is unique in the lesson. */
  readonly id: string;
  readonly title: string;
  readonly text: readonly RootContent[];
  /** Part of the address after `#/` that opens the step's view; null keeps the current view. */
  readonly show: string | null;
  readonly callouts: readonly Callout[];
  readonly question: Question | null;
  /** Notes that only the presenter sees; null if the step has none. */
  readonly notes: readonly RootContent[] | null;
  /** Line number of the step's heading, from 1. */
  readonly line: number;
};

export type Lesson = {
  readonly title: string;
  /** Subject of the lesson in one sentence, for the list of lessons. */
  readonly about: string;
  /** Key of the lesson's file: `sample:NAME`, SHA-256, `link` (a link's file), `own` (any file). */
  readonly object: string;
  /** Position in the list of lessons; null for a lesson that is not in the list. */
  readonly number: number | null;
  /** Language code of the lesson (BCP 47): `de`. */
  readonly lang: string;
  readonly steps: readonly Step[];
};

/** A mistake for the author to fix. Lines and columns count from 1. */
export type LessonProblem = {
  readonly message: string;
  readonly line: number;
  readonly column: number;
};
