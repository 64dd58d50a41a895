/**
 * What all writers of one C text share, and passages: texts under way.
 *
 * A few bytes of BTF can ask for gigabytes of C (anonymous structs inside each
 * other, holes filled with padding), and for any depth of nesting. So whatever
 * may nest, or be long, is a generator on the stack of a `Reading`, and can be left
 * at any pause. What is neither, as nearly all members are, is written at once.
 */

import { type ByteText, type Piece, pieceOf } from '#print/byte-text.ts';
import type { VersionOf } from '#print/tool-versions.ts';
import type { Names } from './names.ts';
import type { MemberChoice, Records } from './records.ts';

/** A text under way; it yields what has to be written before it goes on, or null: a pause. */
export type Passage = Generator<Passage | null, void, void>;

/** Types from the outermost inwards; the first `length` of `ids` count. */
export type TypeChain = { readonly ids: number[]; length: number };

/** Writes a struct, union or enum with all that it holds, at a nesting `level`. */
type Define = (w: Writing, id: number, level: number) => Passage | null;

/** Bytes written, or steps of work done, from one pause to the next. */
const PAUSE_EVERY = 1 << 16;
/** Deeper levels are not indented further; libbpf does the same. */
const MAX_INDENT = 13;

/** What versions of bpftool, with their libbpf, write differently in C. */
export type Dialect = {
  /** Are types sorted, unless that is turned off? */
  readonly isSorted: boolean;
  /** Are there macros for kfuncs at the head, and prototypes of kfuncs at the end? */
  readonly hasKfuncs: boolean;
  /** Has an enum a mode attribute where its values do not ask for its size? */
  readonly hasEnumModes: boolean;
  /** Is a type tag with kind_flag the attribute itself? */
  readonly hasAttributes: boolean;
};

export const DIALECTS: Readonly<Record<VersionOf<'bpftool'>, Dialect>> = {
  '7.8': { isSorted: true, hasKfuncs: true, hasEnumModes: true, hasAttributes: true },
  '7.1': { isSorted: false, hasKfuncs: false, hasEnumModes: false, hasAttributes: false },
};

export type WritingOptions = {
  /** Whose C it is; that of 7.8, unless given. */
  readonly dialect?: Dialect;
  /** One level of nesting; a tab, unless given. */
  readonly indent?: string;
  /** What C has no word for is named in a comment; else nothing is written for it, as in libbpf. */
  readonly commented?: boolean;
  /**
   * What a layout needs and libbpf leaves out is written too: sizes of all enums, packed
   * unions, and the file's `__builtin_va_list` in place of the compiler's. Names that C
   * cannot spell are spelled anew.
   */
  readonly exact?: boolean;
  /** All members of all types are written, unless given. */
  readonly choice?: MemberChoice | null;
};

export class Writing {
  readonly records: Records;
  readonly out: ByteText;
  readonly names: Names;
  readonly inPlace: Define;
  readonly dialect: Dialect;
  readonly commented: boolean;
  readonly exact: boolean;
  readonly choice: MemberChoice | null;
  /** Of the declarator that is being written; used anew by the next. */
  readonly chain: TypeChain = { ids: [], length: 0 };
  /** Prototypes and anonymous composites that are being written: one that holds itself is not written again. */
  readonly open = new Set<number>();
  /** Types in the chains of the declarators that are being written. */
  held = 0;
  readonly #lineStarts: readonly Piece[];
  #work = 0;
  #nextPause = PAUSE_EVERY;

  constructor(
    records: Records,
    out: ByteText,
    names: Names,
    inPlace: Define,
    options: WritingOptions = {},
  ) {
    this.records = records;
    this.out = out;
    this.names = names;
    this.inPlace = inPlace;
    this.dialect = options.dialect ?? DIALECTS['7.8'];
    this.commented = options.commented ?? false;
    this.exact = options.exact ?? false;
    this.choice = options.choice ?? null;
    const indent = options.indent ?? '\t';
    this.#lineStarts = Array.from({ length: MAX_INDENT + 1 }, (_, i) =>
      pieceOf(`\n${indent.repeat(i)}`),
    );
  }

  /** Begins a line at a nesting `level`. */
  line(level: number): void {
    const start = this.#lineStarts[Math.min(level, MAX_INDENT)];
    if (start !== undefined) this.out.piece(start);
  }

  /** Counts work that writes nothing. */
  worked(steps: number): void {
    this.#work += steps;
  }

  /** Has enough been done since the last pause? */
  get isPauseDue(): boolean {
    return this.out.length + this.#work >= this.#nextPause;
  }

  /** The pause is being made. */
  pause(): void {
    this.#nextPause = this.out.length + this.#work + PAUSE_EVERY;
  }
}

/** Levels of declarations in each other. bpftool crashes at 30,000 to 80,000, when its stack is full. */
const MAX_LEVELS = 1 << 16;
/** What is written in place of a declaration that is further inside. */
export const TOO_DEEP = '/* nested too deeply */';

/** Passages that have been begun, each asked for by the one below it. */
export class Reading {
  readonly #w: Writing;
  readonly #stack: Passage[] = [];

  constructor(w: Writing) {
    this.#w = w;
  }

  start(root: Passage): void {
    this.#stack.push(root);
  }

  /** Reads on to the end (true) or to the next pause. */
  resume(): boolean {
    const stack = this.#stack;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (this.#w.isPauseDue) {
        this.#w.pause();
        return false;
      }
      const { done, value } = top.next();
      if (done === true) stack.pop();
      else if (value !== null && stack.length < MAX_LEVELS) stack.push(value);
      else if (value !== null) this.#w.out.latin1(TOO_DEEP);
    }
    return true;
  }
}
