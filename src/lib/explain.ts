/** Tells why logs of the verifier or of a loader are of a failure. */
import type { LogObject } from '#analysis/verifier/program-codes.ts';
import { finish } from '#bytes/long-work.ts';
import { ObjectFile } from './open.ts';

export type ExplainOptions = {
  /** The object that was loaded: its types and source lines. */
  readonly object?: ObjectFile;
  /** The kernel that wrote the log. */
  readonly kernel?: ObjectFile;
};

/** What is known of one log of a text. Names and lines are not escaped. */
export type ExplainedLog = {
  /** `btf` is the kernel's check of BTF. */
  readonly kind: 'verifier' | 'btf' | 'loader';
  readonly program: string | null;
  /** Number of other programs of the object that agree with the log as well. */
  readonly alike: number;
  /** Numbers of the first and last line in the text, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** `cut`: the end is missing. */
  readonly verdict: 'accepted' | 'rejected' | 'cut' | 'unknown';
  readonly error: LogError | null;
  /** Instruction that made the value what it is; null if none did. */
  readonly blame: { readonly insn: number; readonly source: LogPlace | null } | null;
  /** Instructions from the birth of the value to the failure, in the order of the path. */
  readonly chain: readonly LogStep[];
  /** What the register points at. */
  readonly type: { readonly name: string; readonly member: string | null } | null;
  /** Why, in sentences; empty if it is not known. */
  readonly cause: string;
  /** What to write instead; empty if it is not known. */
  readonly fix: string;
  /** The repair as a unified diff of the source, where it follows from what is known. */
  readonly patch: string | null;
  /** What the kernel itself suggests, from Linux 7.3 on. */
  readonly suggestion: string | null;
  /** Lines of the loader around the log. */
  readonly loader: readonly string[];
  /** Number of lines that are not known. */
  readonly unknown: number;
  /** Lines of loaders and of the check of BTF, each with what it means. */
  readonly lines: readonly LogSentence[];
};

export type LogError = {
  /** The message that names the failure. */
  readonly line: string;
  /** Number of the line in the text, from 1. */
  readonly n: number;
  /** Rule of the verifier; of a loader the kind of line. */
  readonly class: string;
  readonly insn: number | null;
  readonly function: string | null;
  readonly source: LogPlace | null;
  /** `R0` to `R10`, `fp-N`, or `ref` for a reference. */
  readonly register: string | null;
};

export type LogPlace = { readonly file: string | null; readonly line: number | null };

/** An instruction, as far as the log has it. */
export type LogStep = {
  readonly insn: number;
  readonly text: string | null;
  readonly source: (LogPlace & { readonly text: string }) | null;
};

export type LogSentence = {
  readonly line: number;
  readonly text: string;
  readonly sentence: string;
};

const encoder = new TextEncoder();

/** Explains each log of a text: of the verifier, of the check of BTF, of a loader. */
export async function explain(
  log: string | Uint8Array,
  { object, kernel }: ExplainOptions = {},
): Promise<readonly ExplainedLog[]> {
  // A program that reads no log need not load the tables of loaders' and the verifier's lines.
  const [{ explainLine }, { explainLog }, { logTableSteps }, { patchOf }] = await Promise.all([
    import('#analysis/log/explain.ts'),
    import('#analysis/verifier/explain-log.ts'),
    import('#analysis/verifier/log-table.ts'),
    import('#print/explain-text.ts'),
  ]);
  const table = finish(logTableSteps(typeof log === 'string' ? encoder.encode(log) : log));
  const opened: LogObject | null = object === undefined ? null : ObjectFile.openedOf(object);
  const { name = '', types = null } = kernel === undefined ? {} : ObjectFile.openedOf(kernel).model;
  const logs = await explainLog(table, opened, types === null ? [] : [{ name, types }]);
  return logs.map(({ steps, readings, summary: _, level: __, edit, ...found }) => ({
    ...found,
    chain: steps,
    patch: patchOf({ edit }),
    lines: readings.flatMap((line) => {
      const sentence = explainLine(line);
      return sentence === '' ? [] : [{ line: line.lineNumber + 1, text: line.text, sentence }];
    }),
  }));
}
