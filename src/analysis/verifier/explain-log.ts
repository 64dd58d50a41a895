/**
 * Explains each log of a text: why the verifier, the kernel's check of BTF or the loader refused.
 * All texts are raw text of the log: escape them when drawn.
 */
import { specOf } from '#analysis/log/ask-target.ts';
import { isFailure } from '#analysis/log/failures.ts';
import type { LogTarget } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { finish } from '#bytes/long-work.ts';
import { namedIn } from './agreement.ts';
import { type Answer, answerFor } from './answer.ts';
import { cardOf } from './cards.ts';
import { matchPrograms } from './log-evidence.ts';
import { overviewOf, type PartOverview } from './log-overview.ts';
import type { LogPart, LogSummary } from './log-parts.ts';
import type { LogTable } from './log-table.ts';
import { matchMessage } from './message.ts';
import { codeOf, type LoadedCode, type LogObject, programCodes } from './program-codes.ts';
import { walkOf } from './walk.ts';

/** An instruction on the way of a value, as far as the log has it. */
export type ChainStep = {
  readonly insn: number;
  /** The instruction as printed; null if the log does not have it. */
  readonly text: string | null;
  readonly source: {
    readonly file: string | null;
    readonly line: number | null;
    readonly text: string;
  } | null;
};

/** What is known of one log of a text. */
export type ExplainedLog = Answer & {
  readonly kind: LogPart['kind'];
  readonly program: string | null;
  /** Numbers of the first and last line, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Number of other programs of the object that agree with the log as well as `program`. */
  readonly alike: number;
  readonly summary: LogSummary | null;
  /** Bits of the log level that its lines show; see `LogPart`. */
  readonly level: number | null;
  /** The instructions of `chain`. */
  readonly steps: readonly ChainStep[];
  /** What the kernel itself suggests; null before Linux 7.3. */
  readonly suggestion: string | null;
  /** Lines of loaders and of the check of BTF whose form is known. */
  readonly readings: readonly LogLine[];
};

/**
 * Explains the logs of a text, in order. The logs are bound to `object` by the names of programs,
 * instructions and source lines, and to that of `kernels` whose ids fit best.
 */
export async function explainLog(
  table: LogTable,
  object: LogObject | null,
  kernels: readonly LogTarget[],
): Promise<readonly ExplainedLog[]> {
  const { overview, ofParts } = finish(overviewOf(table));
  const named = overview.kernelTypes;
  const equalIn = ({ types }: LogTarget) => namedIn(types, named)[0];
  const [kernel] = kernels.toSorted((a, b) => equalIn(b) - equalIn(a));
  const evidences = overview.parts.map(({ evidence }) => evidence);
  const matches =
    object === null ? [] : await matchPrograms(object.model, object.source, evidences);
  const codes = object === null ? new Map<string, LoadedCode>() : await programCodes(object);
  return overview.parts.map((part, i) => {
    const own = ofParts[i] ?? [];
    const program = matches[i]?.program ?? null;
    const isOther = matches[i] == null && part.evidence.insns.length >= COMPARED;
    const answer = answerFor(table, part, {
      object: isOther ? null : (object?.model ?? null),
      program,
      kernel: kernel?.types ?? null,
      code: isOther ? null : codeOf(codes, program ?? part.program),
    });
    return {
      ...(part.kind === 'verifier' && answer.cause !== ''
        ? answer
        : loaderAnswer(answer, part, own)),
      kind: part.kind,
      program: part.program ?? program ?? own.find(({ prog }) => prog !== null)?.prog ?? null,
      alike: matches[i]?.alike ?? 0,
      firstLine: part.firstLine + 1,
      lastLine: part.lastLine + 1,
      summary: part.summary,
      level: part.level,
      steps: chainSteps(table, part, answer),
      suggestion: part.block?.suggestion || null,
      readings: own.filter((line) => isBeside(line, part)),
    };
  });
}

/** Returns true if the log is of a failure. */
export function isFailed({ verdict, error }: Pick<Answer, 'verdict' | 'error'>): boolean {
  return verdict === 'rejected' || error !== null;
}

/** Instructions with which a log that no program of the object fits is of another object. */
const COMPARED = 4;

/** True unless the line is one of the verifier's own, of which the answer is. */
function isBeside(line: LogLine, { kind, firstLine, lastLine }: LogPart): boolean {
  const { lineNumber } = line;
  // libbpf writes the spec of a record over lines of the verifier.
  return (
    kind !== 'verifier' || lineNumber < firstLine || lineNumber > lastLine || specOf(line) !== null
  );
}

/** Lines of libbpf after which a program still loads, if a guard keeps it from the instruction. */
const MAY_LOAD: ReadonlySet<string> = new Set(['no-match', 'poisoned']);

/** Returns the answer for a log without a message of the verifier, by the words of the loader. */
function loaderAnswer(
  answer: Answer,
  { kind, cause }: PartOverview,
  own: readonly LogLine[],
): Answer {
  const isBad = own.some((line) => isFailure(line) && !MAY_LOAD.has(line.event?.event ?? ''));
  if (!isBad || (cause === null && kind === 'verifier')) return answer;
  const line = own.find(({ lineNumber }) => lineNumber === cause?.lineNumber);
  return {
    ...answer,
    verdict: 'rejected',
    cause: cause?.sentence ?? '',
    fix: kind === 'btf' && line !== undefined ? repairOfLine(line.text) : answer.fix,
    error:
      line === undefined
        ? answer.error
        : {
            line: line.text,
            n: line.lineNumber + 1,
            class: line.event?.event ?? 'unknown',
            insn: null,
            function: line.prog,
            source: null,
            register: null,
          },
  };
}

/** Returns the repair on the card of a message; empty if it has none. */
function repairOfLine(text: string): string {
  const rule = matchMessage(text)?.rule ?? BTF_TYPE;
  return cardOf(rule)?.repair.find(({ language }) => language === null)?.text ?? '';
}

/** Rule of lines about one type, which begin with its declaration. */
const BTF_TYPE = 'btf-type';

/** Returns the instructions of a chain, each where the path to the fault has it last. */
function chainSteps(table: LogTable, part: LogPart, { chain, error, blame }: Answer): ChainStep[] {
  if (chain.length === 0) return [];
  const walk = walkOf(table, part);
  const fault = walk.lastStepOf(error?.insn ?? -1) ?? walk.stepCount - 1;
  const steps = new Map<number, number>();
  let left = chain.length - 1;
  for (let step: number | null = fault; step !== null && left >= 0; step = walk.parentOf(step)) {
    if (walk.insnOf(step) === chain[left]) steps.set(left--, step);
  }
  return chain.map((insn, i) => {
    const step = steps.get(i) ?? walk.lastStepOf(insn);
    if (step === null) return { insn, text: null, source: null };
    const own = insn === error?.insn ? error.source : insn === blame?.insn ? blame.source : null;
    const printed = walk.sourceOf(step);
    const isSure = printed !== null && !printed.isUncertain;
    const place = own ?? (isSure ? printed : null);
    return {
      insn,
      text: walk.printedOf(step) || null,
      source: place && { file: place.file, line: place.line, text: isSure ? printed.text : '' },
    };
  });
}
