/** What a command of `btfscope` is, and the io it sees. */
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
