/** The declaration of a `btfscope` command, and one call of a command with its arguments. */
import { parseArgs } from 'node:util';
import { addTo } from '#bytes/cache.ts';
import { type Issue, Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';

/** Version of btfscope, which the build defines. */
declare const BTFSCOPE_VERSION: string;
export const VERSION = BTFSCOPE_VERSION;

/** Files and terminal of the process; tests use another implementation. */
export type NodeIo = {
  /** Writes `chunk` to standard output. The caller may overwrite `chunk` after the call. */
  out(chunk: Uint8Array): void;
  /** Writes a line to standard error, with a newline. */
  warn(line: string): void;
  /** Shows the current work on the user's terminal; `null` removes the text. */
  progress(text: string | null): void;
  /** Returns true if a file or a directory is at `path`. */
  exists(path: string): boolean;
  /**
   * Opens the file at `path`. Rejects with a `CommandFailure` if it cannot be opened. With `check`,
   * `path` is no link; `check` takes the number of the open file, and may throw.
   */
  open(path: string, check?: (fd: number) => void): Promise<ByteSource>;
  /**
   * Returns the path of the file `name` below the folder of `path`, with links followed; null if it
   * is missing, no regular file, or outside of the folder.
   */
  beside(path: string, name: string): string | null;
  /** Returns the files below a directory, sorted by name; null if `path` is not a directory. */
  list(path: string): readonly string[] | null;
  /** Writes a whole file. Throws a `CommandFailure` that states why the file cannot be written. */
  save(path: string, bytes: Uint8Array): void;
  /** Creates a file that appears at `path` once it is finished. May throw a `CommandFailure`. */
  create(path: string): NewFile;
};

/** A file that has a temporary name until all its pieces are written. */
export type NewFile = {
  /** Adds bytes at the end of the file. */
  write(bytes: Uint8Array): void;
  /** Overwrites the first bytes with `head`, and renames the file to its final name. */
  finish(head: Uint8Array): void;
  /** Removes the unfinished file. */
  discard(): void;
};

/** Returns the error for a text above the limit: long names and many types can make it huge. */
export function cutText(bytes: number): CommandFailure {
  return new CommandFailure(
    `the text is cut after ${bytes.toLocaleString('en-US')} bytes: names and types that are written again and again would make it far longer than the file`,
  );
}

export type OptionSpec = {
  readonly name: string;
  /** Name of the option's value in the usage; null for an option without a value. */
  readonly value: string | null;
  /** True if the option can be repeated. */
  readonly many?: boolean;
  /** The letter of the short form `-x`; absent if the option has no short form. */
  readonly letter?: string;
  readonly about: string;
};

/** Declares an option. `value` is what the usage shows for its value: `FILE`, or choices, `a|b`. */
export function valued(name: string, value: string, about: string): OptionSpec {
  return { name, value, about };
}

/** Declares an option that has a value and can be repeated. */
export function repeated(name: string, value: string, about: string): OptionSpec {
  return { name, value, about, many: true };
}

/** Declares an option that has no value. `letter` is its short form, if it has one. */
export function flag(name: string, about: string, letter?: string): OptionSpec {
  return { name, value: null, about, ...(letter !== undefined && { letter }) };
}

/** The `--base` option of all commands that read split BTF. */
export const BASE = repeated(
  'base',
  'BASE',
  'the base BTF, if FILE is split BTF; given again, each is split on those before',
);

export type Command = {
  readonly name: string;
  /** Names of the positional arguments in the usage: `FILE`, or `FILE…` for one or more files. */
  readonly positionals: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly more?: readonly string[];
  run(call: Call): Promise<void>;
};

/** A command and its one-line description in the help. */
export type Listed = {
  readonly about: string;
  readonly load: () => Promise<Command>;
};

const encoder = new TextEncoder();
/** Marks a bigint in a JSON text. Names in a file contain no NUL, so no name contains the mark. */
const MARK = '\u0000bigint:';
const MARKED = /"\\u0000bigint:(-?\d+)"/g;
/** Characters that JSON allows in strings, but that a terminal interprets. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu;
const escaped = (character: string) =>
  Array.from({ length: character.length }, (_, i) => {
    const unit = character.charCodeAt(i).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
const CHUNK = 1 << 16;

/** One call of a command: its arguments and its output. */
export class Call {
  readonly io: NodeIo;
  readonly positionals: readonly string[];
  /** Values of each option, in the order of the call; `['']` for an option without a value. */
  readonly #options: ReadonlyMap<string, readonly string[]>;

  constructor(
    io: NodeIo,
    positionals: readonly string[],
    options: ReadonlyMap<string, readonly string[]>,
  ) {
    this.io = io;
    this.positionals = positionals;
    this.#options = options;
  }

  /** Returns the positional argument at `index`. `callOf` has checked the number of arguments. */
  positional(index: number): string {
    const value = this.positionals[index];
    if (value === undefined) throw new UsageError('an argument is missing');
    return value;
  }

  /** Returns the value of an option; null if the call does not have the option. */
  option(name: string): string | null {
    return this.all(name).at(-1) ?? null;
  }

  has(name: string): boolean {
    return this.#options.has(name);
  }

  /** Returns all values of a repeatable option. */
  all(name: string): readonly string[] {
    return this.#options.get(name) ?? [];
  }

  /** Writes text to standard output. */
  write(text: string): void {
    this.io.out(encoder.encode(text));
  }

  /** Runs `work`, whose small pieces of text are collected and written in chunks. */
  writePieces(work: (write: (text: string) => void) => void): void {
    let pieces: string[] = [];
    let length = 0;
    const flush = () => {
      if (length > 0) this.write(pieces.join(''));
      pieces = [];
      length = 0;
    };
    work((text) => {
      pieces.push(text);
      length += text.length;
      if (length >= CHUNK) flush();
    });
    flush();
  }

  /** Writes lines of text to standard output, some thousand at a time. */
  async writeLines(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
    let batch: string[] = [];
    let length = 0;
    const flush = () => {
      if (batch.length > 0) this.write(`${batch.join('\n')}\n`);
      batch = [];
      length = 0;
    };
    for await (const line of lines) {
      batch.push(line);
      length += line.length;
      if (batch.length === 2048 || length > 1 << 18) flush();
    }
    flush();
  }

  /**
   * Writes `value` as indented JSON if the call has `--json`, otherwise `lines`. The items of a
   * list or generator are written one by one: together they may exceed the longest possible string.
   */
  async print(
    value: () => unknown,
    lines: () => Iterable<string> | AsyncIterable<string>,
  ): Promise<void> {
    if (!this.has('json')) return await this.writeLines(lines());
    const made = value();
    if (isAsyncIterable(made)) return await this.writeLines(listLines(made));
    if (!isIterable(made)) return this.write(`${jsonText(made, 2)}\n`);
    this.writePieces((write) => {
      let before = '[\n';
      for (const item of made) {
        write(before + jsonText(item, 2).replace(/^/gm, '  '));
        before = ',\n';
      }
      write(before === ',\n' ? '\n]\n' : '[]\n');
    });
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Yields the lines of a list in indented JSON, an item at a time. */
async function* listLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '';
  for await (const item of items) {
    yield before === '' ? '[' : `${before},`;
    before = jsonText(item, 2).replace(/^/gm, '  ');
  }
  yield before === '' ? '[]' : `${before}\n]`;
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Returns `value` as JSON. Bigints become numbers; invisible characters are escaped. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(
    value,
    (_, item: unknown) => (typeof item === 'bigint' ? `${MARK}${item}` : item),
    indent,
  );
  return text.replace(MARKED, '$1').replace(UNSEEN, escaped);
}

/** An error that ends the command with one line on standard error and exit status 1. */
export class CommandFailure extends Error {}

/** A bad verdict on a file that was read: the output is whole, the exit status is 1. */
export class BadVerdict extends CommandFailure {}

/** Returns the message of a `Malformed` or a `CommandFailure`. Throws any other error. */
export function failureLine(error: unknown): string {
  if (error instanceof Malformed) return issueLine(error.issue);
  if (error instanceof CommandFailure) return error.message;
  throw error;
}

/** Maximum characters of a line on standard error, and of a failure in an answer of MCP. */
const MAX_LINE = 2000;

/** Returns the start of a text, with control characters escaped and `…` in the place of the rest. */
export function shortLine(text: string, most = MAX_LINE): string {
  const line = visible(text.slice(0, most));
  return text.length > most || line.length > most ? `${line.slice(0, most)}…` : line;
}

/** Failures of single files. The command reports them after its answers for the other files. */
export class Failures {
  readonly #lines: string[] = [];

  get count(): number {
    return this.#lines.length;
  }

  /** Adds a `Malformed` or a `CommandFailure` to the failures. Throws any other error. */
  readonly add = (error: unknown): undefined => {
    this.#lines.push(failureLine(error));
  };

  /** Warns about each failure except for the final one, which is thrown as a `CommandFailure`. */
  throwIfAny(io: NodeIo): void {
    const last = this.#lines.pop();
    for (const line of this.#lines) io.warn(`btfscope: ${line}`);
    if (last !== undefined) throw new CommandFailure(last);
  }
}

/** Returns an issue in one line, with its place and the expected and found values. */
function issueLine(issue: Issue): string {
  const { message, span, expected, found } = issue;
  const place = span === null ? '' : ` (at offset 0x${span.start.toString(16)})`;
  const wanted = expected === undefined ? '' : `; expected ${expected}`;
  const seen = found === undefined ? '' : `${wanted === '' ? ';' : ','} found ${found}`;
  return `${message}${place}${wanted}${seen}`;
}

/** An error that ends the command with the usage and exit status 2. */
export class UsageError extends Error {}

/** Parses the arguments after the command's name. Throws `UsageError` for invalid arguments. */
export function callOf(command: Command, words: readonly string[], io: NodeIo): Call {
  const { positionals, options } = parse(command, words);
  const { length } = positionals;
  const wanted = command.positionals.length;
  if (length < wanted) throw new UsageError(`${command.positionals[length]} is missing`);
  if (length > wanted && !command.positionals.some((name) => name.endsWith('…'))) {
    throw new UsageError(`"${positionals[wanted]}" is an extra argument`);
  }
  return new Call(io, positionals, options);
}

function parse(command: Command, words: readonly string[]) {
  try {
    const { positionals, tokens } = parseArgs({
      args: [...words],
      allowPositionals: true,
      tokens: true,
      options: Object.fromEntries(
        command.options.map(({ name, value, letter = SHORT.has(name) ? name : null }) => [
          name,
          {
            type: value === null ? 'boolean' : 'string',
            ...(letter !== null && { short: letter }),
          },
        ]),
      ),
    });
    const options = new Map<string, string[]>();
    for (const token of tokens) {
      if (token.kind !== 'option') continue;
      addTo(options, token.name, token.value ?? '');
    }
    for (const { name, many } of command.options) {
      if (many !== true && (options.get(name)?.length ?? 0) > 1) {
        throw new UsageError(`${dashed(name)} is given more than once`);
      }
    }
    return { positionals, options };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UsageError) throw error;
    throw new UsageError(error.message.split('. ')[0] ?? error.message);
  }
}

/** Options whose full name is one letter, written with one dash. */
const SHORT: ReadonlySet<string> = new Set(['o']);

/** Returns the option as a user types it: `--base`, `-o`. */
function dashed(name: string): string {
  return SHORT.has(name) ? `-${name}` : `--${name}`;
}

/** Returns the option and its value as a user types both: `--base BASE`. */
export function written({ name, value, letter }: OptionSpec): string {
  const option = letter === undefined ? dashed(name) : `-${letter}, ${dashed(name)}`;
  return value === null ? option : `${option} ${value}`;
}

/** Returns the letter and the long name of an option; null instead of a missing name. */
export function spelled({ name, letter }: OptionSpec) {
  return SHORT.has(name) ? { short: name, long: null } : { short: letter ?? null, long: name };
}

/** Returns the valid values of an argument; null if the usage does not list the values. */
export function choicesOf(value: string): readonly string[] | null {
  return value.includes('|') ? value.split('|') : null;
}

const PATHS: ReadonlySet<string> = new Set('A ATLAS B BASE BTF DIR FILE LOG OUT PATH'.split(' '));

/** Returns true if the argument with this name in the usage is a path. */
export function isPath(value: string): boolean {
  return PATHS.has(value.replace('…', ''));
}

/** Returns the usage of a command as one line. */
export function usageLine({ name, positionals, options }: Command): string {
  const optional = options.map(
    ({ letter, many, ...option }) =>
      `[${letter === undefined ? written(option) : `-${letter}`}]${many === true ? '…' : ''}`,
  );
  return ['btfscope', name, ...positionals, ...optional].join(' ');
}

/** Returns the help of one command. */
export function commandHelp(command: Command, about: string): string {
  const rows = command.options.map((option) => [written(option), option.about] as const);
  const options = rows.length === 0 ? [] : ['', ...columns(rows)];
  return [`usage: ${usageLine(command)}`, '', about, ...(command.more ?? []), ...options, ''].join(
    '\n',
  );
}

/** Returns the help of all commands, one line each. */
export function generalHelp(commands: readonly (readonly [name: string, about: string])[]): string {
  return [
    ...USAGES.map((usage, i) => `${i === 0 ? 'usage: ' : '       '}${usage}`),
    '',
    ...DESCRIPTION,
    '',
    ...columns(commands),
    '',
    'btfscope COMMAND --help lists the options of a command.',
    `Exit status: ${STATUSES.map(([status, about]) => `${status} ${about}`).join('; ')}.`,
    '',
  ].join('\n');
}

export const USAGES = ['btfscope FILE', 'btfscope COMMAND FILE …'];

export const DESCRIPTION = [
  'Inspect a BPF object file: FILE alone opens it in the browser; a COMMAND prints text.',
  'FILE is a BPF object, a raw BTF blob, a kernel or a module, plain or compressed; - is standard input;',
  'FILE(MEMBER) is a member of an archive (ar, tar, zip, cpio, deb, rpm) or skeleton, or a',
  'BPF object inside a program; FILE(MEMBER)(INNER) is a member of that. "members" lists them.',
];

export const STATUSES: readonly (readonly [status: number, about: string])[] = [
  [0, 'success'],
  [1, 'a file cannot be read or written, or the verdict is bad'],
  [2, 'wrong command line'],
  [130, 'interrupted'],
  [141, 'the reader of the output ended'],
];

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = rows.reduce((most, [left]) => Math.max(most, left.length), 0);
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
