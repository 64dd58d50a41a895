/**
 * State that all writers of one C text share. A text that may nest or be long, such as a nested
 * anonymous struct, is a generator on the stack of a `Reading`, which can pause: a few bytes of BTF
 * can ask for gigabytes of C. Other texts are written at once.
 */
import { type ByteText, type Piece, pieceOf } from '#print/byte-text.ts';
import type { VersionOf } from '#print/tool-versions.ts';
import type { Names } from './names.ts';
import type { MemberChoice, Records } from './records.ts';

/** An unfinished text. It yields a passage to write before it continues, or null: a pause. */
export type Passage = Generator<Passage | null, void, void>;

/** Types from the outermost inwards; the first `length` of `ids` count. */
export type TypeChain = { readonly ids: number[]; length: number };

/** Writes a struct, union or enum with its items, at a nesting `level`. */
type Define = (w: Writing, id: number, level: number) => Passage | null;

/** Bytes written, or steps of work, between two pauses. */
export const PAUSE_STEPS = 1 << 16;
/** Deeper levels are not indented further, as in libbpf. */
const MAX_INDENT = 13;

/** Differences in C between versions of bpftool and their libbpf. */
export type Dialect = {
  /** True if types are sorted by default. */
  readonly isSorted: boolean;
  /** True if the text starts with macros for kfuncs and ends with their prototypes. */
  readonly hasKfuncs: boolean;
  /** True if an enum has a mode attribute when its values do not imply its size. */
  readonly hasEnumModes: boolean;
  /** True if a type tag with kind_flag is the attribute itself. */
  readonly hasAttributes: boolean;
};

export const DIALECTS: Readonly<Record<VersionOf<'bpftool'>, Dialect>> = {
  '7.8': { isSorted: true, hasKfuncs: true, hasEnumModes: true, hasAttributes: true },
  '7.1': { isSorted: false, hasKfuncs: false, hasEnumModes: false, hasAttributes: false },
};

export type WritingOptions = {
  /** Version of bpftool. Default: 7.8. */
  readonly dialect?: Dialect;
  /** Text of one level of nesting. Default: a tab. */
  readonly indent?: string;
  /** Name types that C cannot express in a comment. Default: nothing is written for them, as in libbpf. */
  readonly commented?: boolean;
  /** Write enum sizes, packed unions and the file's `__builtin_va_list`; spell invalid names. */
  readonly exact?: boolean;
  /** Items to write. Default: all members of all types. */
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
  /** Chain of the current declarator; the next reuses it. */
  readonly chain: TypeChain = { ids: [], length: 0 };
  /** Prototypes and anonymous composites in progress: one that contains itself is not written again. */
  readonly open = new Set<number>();
  /** Number of types in the chains of the declarators in progress. */
  chainTypes = 0;
  readonly #lineStarts: readonly Piece[];
  #work = 0;
  #nextPause = PAUSE_STEPS;

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

  /** True if enough has been done since the last pause. */
  get isPauseDue(): boolean {
    return this.out.length + this.#work >= this.#nextPause;
  }

  /** Sets the next pause, at the time of the current one. */
  pause(): void {
    this.#nextPause = this.out.length + this.#work + PAUSE_STEPS;
  }
}

/** Limit of nested declarations. bpftool crashes at 30,000 to 80,000, when its stack is full. */
const MAX_LEVELS = 1 << 16;
/** Text in place of a declaration beyond `MAX_LEVELS`. */
export const TOO_DEEP = '/* nested too deeply */';

/** Passages in progress, each requested by the one below it. */
export class Reading {
  readonly #w: Writing;
  readonly #stack: Passage[] = [];

  constructor(w: Writing) {
    this.#w = w;
  }

  start(root: Passage): void {
    this.#stack.push(root);
  }

  /** Reads to the end (true) or to the next pause. */
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
