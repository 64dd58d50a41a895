/**
 * State that all writers of one C text share. Texts that may be long or nested, such as structs,
 * are generators on the stack of a `Reading`: they can pause, since a few bytes of BTF can give
 * gigabytes of C. Short texts are written at once.
 */
import { type ByteText, type Piece, pieceOf } from '#print/byte-text.ts';
import type { VersionOf } from '#print/tool-versions.ts';
import type { Names } from './names.ts';
import type { MemberChoice, Records } from './records.ts';

/** A text in progress. Yields a passage that must be written first, or null for a pause. */
export type Passage = Generator<Passage | null, void, void>;

/** Types from the outermost inwards. Only the first `length` elements of `ids` are valid. */
export type TypeChain = { readonly ids: number[]; length: number };

/** Writes a struct, union or enum with its members or enumerators, indented by `level`. */
type Define = (w: Writing, id: number, level: number) => Passage | null;

/** Number of bytes written, or of other steps of work, between two pauses. */
export const PAUSE_STEPS = 1 << 16;
/** Limit of the indentation in levels, as in libbpf. */
const MAX_INDENT = 13;

/** Differences between the C of several versions of bpftool and libbpf. */
export type Dialect = {
  /** True if the types are sorted unless options say otherwise. */
  readonly isSorted: boolean;
  /** True if the text begins with macros for kfuncs and ends with the prototypes of kfuncs. */
  readonly hasKfuncs: boolean;
  /** True if an enum gets a mode attribute when its values do not determine its size. */
  readonly hasEnumModes: boolean;
  /** True if the name of a type tag with kind_flag is written as an attribute. */
  readonly hasAttributes: boolean;
};

export const DIALECTS: Readonly<Record<VersionOf<'bpftool'>, Dialect>> = {
  '7.8': { isSorted: true, hasKfuncs: true, hasEnumModes: true, hasAttributes: true },
  '7.1': { isSorted: false, hasKfuncs: false, hasEnumModes: false, hasAttributes: false },
};

export type WritingOptions = {
  /** Differences of a bpftool version. Default: those of 7.8. */
  readonly dialect?: Dialect;
  /** Text for one level of indentation. Default: a tab. */
  readonly indent?: string;
  /** True: types that C cannot express become comments. Default: omitted, as in libbpf. */
  readonly commented?: boolean;
  /** True: the C must compile. Writes sizes of enums, packed unions, and valid names. */
  readonly exact?: boolean;
  /** The members and enumerators to write. Default: all. */
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
  /** Chain of the current declarator; each declarator reuses this array. */
  readonly chain: TypeChain = { ids: [], length: 0 };
  /** Prototypes and anonymous types in progress; none is written inside itself. */
  readonly open = new Set<number>();
  /** Number of types in the chains of the declarators that are being written. */
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

  /** Starts a new line, indented by `level`. */
  line(level: number): void {
    const start = this.#lineStarts[Math.min(level, MAX_INDENT)];
    if (start !== undefined) this.out.piece(start);
  }

  /** Counts steps of work that write no text. */
  worked(steps: number): void {
    this.#work += steps;
  }

  /** True if a pause is due after the work since the previous pause. */
  get isPauseDue(): boolean {
    return this.out.length + this.#work >= this.#nextPause;
  }

  /** Notes a pause: the next pause is due after `PAUSE_STEPS` more steps. */
  pause(): void {
    this.#nextPause = this.out.length + this.#work + PAUSE_STEPS;
  }
}

/** Limit of nested declarations. bpftool overflows its stack at 30,000 to 80,000. */
const MAX_LEVELS = 1 << 16;
/** Text that replaces a declaration nested deeper than `MAX_LEVELS`. */
export const TOO_DEEP = '/* nested too deeply */';

/** Stack of passages: each one waits for the passage above it. */
export class Reading {
  readonly #w: Writing;
  readonly #stack: Passage[] = [];

  constructor(w: Writing) {
    this.#w = w;
  }

  start(root: Passage): void {
    this.#stack.push(root);
  }

  /** Runs the passages until the next pause. Returns true at the end. */
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
