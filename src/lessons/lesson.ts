/**
 * A lesson as data: steps, each with a text, a place of the tool that it shows,
 * words pinned to places, and at most one question. It is written as one Markdown
 * file; `read-lesson.ts` reads it, docs/lessons.md describes it.
 */
import type { RootContent } from 'mdast';
import type { Counted } from './own-counts.ts';

/** A place in the words of an address: `type=struct:foo&member=b`, `bytes=.BTF@0x0-0x4`. */
export type PlaceText = string;

export type Callout = { readonly at: PlaceText; readonly text: string };

/** What is asked for; the answer is worked out from the open file where it can be. */
export type Question = { readonly prompt: readonly RootContent[] } & (
  | {
      /** Click something whose bytes lie in the place. */
      readonly kind: 'click';
      readonly at: PlaceText;
    }
  /** Type the access string of `path` (as in C, behind the variable) from the type `root`. */
  | {
      readonly kind: 'access';
      /** A type key: `struct:foo`. */
      readonly root: string;
      readonly path: string;
    }
  /** Say what the CO-RE record at the place becomes on the target. */
  | {
      readonly kind: 'value';
      readonly core: PlaceText;
      /** A file: `sample:kernel.btf`. */
      readonly target: string;
    }
  | ({ readonly kind: 'number'; readonly value: bigint } & NumberHelp)
  /** Count something in the file of the step. */
  | { readonly kind: 'count'; readonly of: Counted }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | {
      /** Type C until what it compiles to is what `right` compiles to. */
      readonly kind: 'write';
      readonly asks: WriteAsk;
      /** The C that the editor begins with. */
      readonly start: string;
      /** Empty: none. */
      readonly hint: readonly RootContent[];
      /** C that is right; others may be too. */
      readonly right: string;
    }
);

/** Characters that a learner may type; a longer text is not compiled. */
export const MAX_WRITTEN = 20_000;

/** What of the C is compared: all of its BTF, the layout of a type, or the access string of a path. */
export type WriteAsk =
  | { readonly what: 'btf' }
  /** `root` is a type key: `struct:foo`. */
  | { readonly what: 'layout'; readonly root: string }
  | { readonly what: 'access'; readonly root: string; readonly path: string };

/** What helps to judge a typed number. */
export type NumberHelp = {
  /** What the question counts; null where it names no unit, or both. */
  readonly unit: 'bit' | 'byte' | null;
  /** Said behind the right number; may be empty. */
  readonly why: string;
  readonly others: readonly NearMiss[];
};

/** A number that is not the answer, and what it is: "52 is …"; in other languages than English a whole sentence. */
export type NearMiss = {
  readonly value: bigint;
  readonly means: string;
  readonly isSentence?: boolean;
};

export type Option = {
  readonly text: string;
  readonly isRight: boolean;
  /** Said when it is chosen: why it is right, or why not. */
  readonly why: string;
};

export type Step = {
  /** For its address: from the title, unique in the lesson. */
  readonly id: string;
  readonly title: string;
  readonly text: readonly RootContent[];
  /** Behind `#/`, without a file unless it is another than the lesson's; null: what is shown stays. */
  readonly show: string | null;
  readonly callouts: readonly Callout[];
  readonly question: Question | null;
  /** For the presenter; null if there are none. */
  readonly notes: readonly RootContent[] | null;
  /** Line of its heading, from 1. */
  readonly line: number;
};

export type Lesson = {
  readonly title: string;
  /** One sentence for the list of lessons. */
  readonly about: string;
  /**
   * The key of the file that it is about, as behind `file=`: `sample:NAME`; `link` for the file of
   * the link, `own` for one that the learner opens.
   */
  readonly object: string;
  /** What its author calls it; decides the order of the list. */
  readonly number: number | null;
  /** The language of its texts (BCP 47). */
  readonly lang: string;
  readonly steps: readonly Step[];
};

/** A problem for the author to fix. Lines and columns from 1. */
export type LessonProblem = {
  readonly message: string;
  readonly line: number;
  readonly column: number;
};
