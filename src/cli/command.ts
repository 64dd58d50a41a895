/** What a command of `btfscope` is, and the io it sees. */

import { parseArgs } from 'node:util';
import type { ByteSource } from '#bytes/source.ts';

/** The outer io, so that tests can run a command without a process. */
export type NodeIo = {
  /** Writes to standard output. */
  out(chunk: Uint8Array): void;
  /** Writes a line to standard error; the newline is added. */
  warn(line: string): void;
  /** The file at `path`. Rejects with a `CommandFailure` that says why it cannot be read. */
  open(path: string): Promise<ByteSource>;
  /** Writes a whole file. Throws a `CommandFailure` that says why it cannot be written. */
  save(path: string, bytes: Uint8Array): void;
};

export type OptionSpec = {
  readonly name: string;
  /** How the value is called in the usage; null for a switch. */
  readonly value: string | null;
  /** May it be given more than once? */
  readonly many?: boolean;
  readonly about: string;
};

/** The option of all commands that read split BTF. */
export const BASE: OptionSpec = {
  name: 'base',
  value: 'BASE',
  about: 'the base BTF, if FILE is split BTF',
};

export type Parsed = {
  readonly positionals: readonly string[];
  /** Values of each option that was given, in order; a switch has one empty value. */
  readonly options: ReadonlyMap<string, readonly string[]>;
};

export type Command = {
  readonly name: string;
  /** How the positional arguments are called, in order: `FILE`; the last may be `FILE…`, one or more. */
  readonly positionals: readonly string[];
  readonly options: readonly OptionSpec[];
  readonly about: string;
  run(parsed: Parsed, io: NodeIo): Promise<void>;
};

/** Ends the command with one line on standard error and exit status 1. */
export class CommandFailure extends Error {}

/** Ends the command with the usage and exit status 2. */
export class UsageError extends Error {}

/** The positional argument at `index`. There is one: `run.ts` counted them. */
export function positional(parsed: Parsed, index: number): string {
  const value = parsed.positionals[index];
  if (value === undefined) throw new UsageError('an argument is missing');
  return value;
}

/** The value of an option; null where it was not given. */
export function option(parsed: Parsed, name: string): string | null {
  return parsed.options.get(name)?.at(-1) ?? null;
}

/** Was the switch given? */
export function switched(parsed: Parsed, name: string): boolean {
  return parsed.options.has(name);
}

/** All values of an option that may be repeated. */
export function allOf(parsed: Parsed, name: string): readonly string[] {
  return parsed.options.get(name) ?? [];
}

/** Reads the words after the command's name. Throws `UsageError` that says which word is wrong. */
export function parseWords(command: Command, words: readonly string[]): Parsed {
  const parsed = parse(command, words);
  const { length } = parsed.positionals;
  const wanted = command.positionals.length;
  if (length < wanted) throw new UsageError(`${command.positionals[length]} is missing`);
  if (length > wanted && command.positionals.at(-1)?.endsWith('…') !== true) {
    throw new UsageError(`"${parsed.positionals[wanted]}" is an extra argument`);
  }
  return parsed;
}

function parse(command: Command, words: readonly string[]): Parsed {
  try {
    const { positionals, tokens } = parseArgs({
      args: [...words],
      allowPositionals: true,
      tokens: true,
      options: Object.fromEntries(
        command.options.map(({ name, value }) => [
          name,
          { type: value === null ? 'boolean' : 'string', ...(SHORT.has(name) && { short: name }) },
        ]),
      ),
    });
    const options = new Map<string, string[]>();
    for (const token of tokens) {
      if (token.kind !== 'option') continue;
      options.set(token.name, [...(options.get(token.name) ?? []), token.value ?? '']);
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

/** Options of one letter, which are written with one dash. */
const SHORT: ReadonlySet<string> = new Set(['o']);

/** The option as it is typed: `--base`, `-o`. */
function dashed(name: string): string {
  return SHORT.has(name) ? `-${name}` : `--${name}`;
}

/** One line: how the command is called. */
export function usageLine(command: Command): string {
  const options = command.options.map(({ name, value, many }) => {
    const written = value === null ? dashed(name) : `${dashed(name)} ${value}`;
    return many === true ? `[${written}]…` : `[${written}]`;
  });
  return ['btfscope', command.name, ...command.positionals, ...options].join(' ');
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const rows = command.options.map(({ name, value, about }): readonly [string, string] => [
    value === null ? dashed(name) : `${dashed(name)} ${value}`,
    about,
  ]);
  return [
    `usage: ${usageLine(command)}`,
    '',
    command.about,
    ...(rows.length === 0 ? [] : ['', ...columns(rows)]),
    '',
  ].join('\n');
}

/** The help of all commands. */
export function generalHelp(commands: readonly Command[]): string {
  return [
    'usage: btfscope COMMAND FILE …',
    '',
    'Inspect a BPF object file: the analysis of the web app, as text.',
    'FILE is a BPF object, a raw BTF blob, a kernel or a module, plain or compressed;',
    'FILE(MEMBER) is a member of an archive.',
    '',
    ...columns(commands.map(({ name, about }) => [name, about.split('\n')[0] ?? ''])),
    '',
    'btfscope COMMAND --help lists the options of a command.',
    'Exit status: 0 success; 1 a file cannot be read; 2 wrong command line.',
    '',
  ].join('\n');
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
