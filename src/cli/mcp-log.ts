/** The answer of the tool `explain_log`: less than 1 kB, for an assistant that pays by length. */
import * as z from 'zod';
import { stepText } from '#print/explain-text.ts';

const PLACE = z.object({ file: z.string().nullable(), line: z.number().nullable() }).nullable();
const LINE = z.object({
  line: z.number(),
  sentence: z.string(),
  record: z.unknown(),
  kernels: z.array(
    z.object({
      kernel: z.string(),
      types: z.array(
        z.object({
          name: z.string(),
          missing: z.object({ name: z.string().nullable(), near: z.array(z.string()) }).nullable(),
        }),
      ),
    }),
  ),
});
/** A row of `explain --json`. */
const LOG = z.object({
  kind: z.string(),
  verdict: z.string(),
  program: z.string().nullable(),
  first_line: z.number(),
  error: z
    .object({ line: z.string(), n: z.number(), insn: z.number().nullable(), source: PLACE })
    .nullable(),
  type: z.unknown(),
  cause: z.string(),
  fix: z.string(),
  steps: z.array(
    z.object({
      insn: z.number(),
      text: z.string().nullable(),
      source: z
        .object({ file: z.string().nullable(), line: z.number().nullable(), text: z.string() })
        .nullable(),
    }),
  ),
  alike: z.number(),
  suggestion: z.string().nullable(),
  lines: z.array(LINE),
});
type Log = z.infer<typeof LOG>;

/** Limit of the answer's JSON, in bytes: names of files and hashes come beside it. */
const MAX_ANSWER = 760;
const encoder = new TextEncoder();
/** Limits of a text that are tried, from the longest. */
const TEXTS = [400, 240, 160, 100, 60];
/** Steps of a chain and lines of a loader in an answer. */
const STEPS = [6, 4, 3, 2, 2];

/** Returns the answer for the output of `explain --json`: that of the first log of a failure. */
export function logAnswer(printed: unknown): unknown {
  const logs = z.array(LOG).parse(Array.isArray(printed) ? printed : [printed]);
  const failed = logs.filter(({ error, verdict }) => error !== null || verdict === 'rejected');
  const [log = logs[0]] = failed;
  if (log === undefined) return { logs: 0 };
  const others = failed.slice(1).map(({ first_line }) => first_line);
  const more = logs.length === 1 ? {} : { logs: logs.length, failed: failed.length };
  let answer: unknown = null;
  for (const [i, most] of TEXTS.entries()) {
    const steps = STEPS[i] ?? 0;
    answer = {
      ...shortAnswer(log, most, steps),
      ...more,
      ...(others.length > 0 && { others_at_lines: others.slice(0, steps) }),
    };
    if (encoder.encode(JSON.stringify(answer)).length <= MAX_ANSWER) break;
  }
  return answer;
}

function shortAnswer(log: Log, most: number, steps: number) {
  const { kind, verdict, program, error, cause, fix, suggestion } = log;
  const cut = (text: string, length = most) =>
    text.length > length ? `${text.slice(0, length)}…` : text;
  const { source } = error ?? { source: null };
  const at =
    error === null ? null : source === null ? `line ${error.n}` : `${source.file}:${source.line}`;
  const chain = [...log.steps.slice(0, 1), ...log.steps.slice(1).slice(1 - steps)];
  const told = kind === 'verifier' ? [] : log.lines.filter(isTelling);
  return {
    verdict,
    ...(program !== null && { program: cut(program, 64) }),
    ...(log.alike > 0 && { programs_alike: log.alike }),
    ...(cause !== '' && { cause: cut(cause) }),
    ...(at !== null && { at: cut(at, 100) }),
    ...(error !== null && { message: cut(error.line.trim(), most / 2) }),
    ...(chain.length > 0 && { chain: chain.map((step) => cut(stepText(step), most / 4)) }),
    ...(fix !== '' && { write: cut(fix) }),
    ...(suggestion !== null && { kernel_suggests: cut(suggestion, most / 2) }),
    ...(told.length > 0 && {
      relocations: told.slice(0, steps - 1).map((line) => lineAnswer(line, cut)),
    }),
  };
}

/** Returns true for a line with a record, or with a type that a kernel has otherwise. */
function isTelling({ record, kernels }: Log['lines'][number]): boolean {
  return (
    record !== null || kernels.some(({ types }) => types.some(({ missing }) => missing !== null))
  );
}

const RECORD = z
  .object({ kind: z.string(), type_id: z.number(), access_str: z.string() })
  .nullable();

function lineAnswer(
  { line, record, kernels }: Log['lines'][number],
  cut: (text: string, most?: number) => string,
) {
  const lacking = kernels.flatMap(({ kernel, types }) =>
    types.flatMap(({ name, missing }) => {
      if (missing === null) return [];
      const near = missing.near.length === 0 ? '' : `, near: ${missing.near.join(', ')}`;
      return [cut(`${kernel}: ${name} lacks ${missing.name ?? 'it'}${near}`, 120)];
    }),
  );
  const found = RECORD.safeParse(record).data ?? null;
  return {
    line,
    ...(found !== null && {
      record: cut(`${found.kind} of [${found.type_id}], ${found.access_str}`, 80),
    }),
    ...(lacking.length > 0 && { lacking: lacking.slice(0, 2) }),
  };
}
