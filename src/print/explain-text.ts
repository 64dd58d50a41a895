/** Prints explained logs: the fields of `explain --json`, and text. */
import { coreRecord } from '#analysis/core/core-records.ts';
import { unifiedDiff } from '#analysis/load/source-diff.ts';
import { explainLine } from '#analysis/log/explain.ts';
import { lineKind } from '#analysis/log/line-kind.ts';
import { type LineLink, type LogTarget, logLinker } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import type { ChainStep, ExplainedLog } from '#analysis/verifier/explain-log.ts';
import type { LogSummary } from '#analysis/verifier/log-parts.ts';
import { counted } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { nameOf, recordIn } from '#model/type-table.ts';

/** Files that the lines of loaders are linked to. */
export type LinkedFiles = {
  readonly model: ObjectModel | null;
  readonly kernels: readonly LogTarget[];
};

/** Returns the fields of one log. `file` is the path of the text. */
export function explainFields(file: string, log: ExplainedLog, files: LinkedFiles) {
  const { kind, program, verdict, error, blame, chain, type, cause, fix, loader, unknown } = log;
  const link = logLinker(files.model, files.kernels);
  return {
    ...{ file, kind, program, first_line: log.firstLine, last_line: log.lastLine },
    ...{ verdict, error, blame, chain, type, cause, fix, loader, unknown },
    patch: patchOf(log),
    steps: log.steps,
    alike: log.alike,
    suggestion: log.suggestion,
    insns_processed: log.summary?.insns ?? null,
    lines: log.readings.flatMap((line) => {
      const sentence = explainLine(line);
      return sentence === '' ? [] : [lineFields(line, sentence, link(line), files)];
    }),
  };
}

/** Returns the repair as a unified diff; null if it does not follow from what is known. */
export function patchOf({ edit }: Pick<ExplainedLog, 'edit'>): string | null {
  return edit === null ? null : unifiedDiff([edit]);
}

function lineFields(
  line: LogLine,
  sentence: string,
  links: LineLink | null,
  { model, kernels }: LinkedFiles,
) {
  return {
    line: line.lineNumber + 1,
    text: line.text,
    source: line.source,
    event: line.event?.event ?? null,
    sentence,
    program: line.prog,
    relo_index: line.reloIndex,
    record: recordFacts(model, links),
    kernels: (links?.targets ?? []).map(({ target, types }) => ({
      kernel: kernels[target]?.name ?? '',
      types: types.map(({ root, fault }) => typeFacts(kernels[target], root, fault)),
    })),
  };
}

function recordFacts(model: ObjectModel | null, links: LineLink | null) {
  if (model === null || links === null || links.record === null) return null;
  const record = coreRecord(model, coreIndex(links.record));
  const { sectionName, insnOff, kindName, root, accessStr, span } = record;
  return {
    section: sectionName,
    insn_off: insnOff,
    kind: kindName,
    type_id: root,
    access_str: accessStr,
    span,
  };
}

type Found = LineLink['targets'][number]['types'][number];

/** Returns the kernel's type that a log line names, and the member that this type lacks. */
function typeFacts(kernel: LogTarget | undefined, root: Found['root'], fault: Found['fault']) {
  return {
    type_id: root,
    name: kernel === undefined ? '' : nameOf(kernel.types, root),
    record: kernel === undefined ? null : recordIn(kernel.types, root),
    missing: fault && { reason: fault.reason, name: fault.name, near: fault.near },
  };
}

/** Yields the text of one log. Names are not escaped. */
export function* explainLines(log: ExplainedLog, files: LinkedFiles): Generator<string> {
  const { kind, program, firstLine, lastLine, verdict, cause, fix, error, summary } = log;
  const of = program === null ? '' : ` of ${program}`;
  yield `Lines ${firstLine} to ${lastLine}, ${KINDS[kind]}${of}: ${VERDICTS[verdict]}${
    summary === null
      ? ''
      : `, ${counted(summary.insns, 'instruction')} processed${costText(summary)}`
  }`;
  if (log.alike > 0) {
    yield `  The log names no program: ${counted(log.alike, 'other program')} of the object would give the same lines.`;
  }
  if (cause !== '') yield* indented(cause);
  if (error !== null) yield `  Line ${error.n}: ${error.line.trim()}`;
  if (kind === 'verifier' && error !== null && log.level === STATISTICS) {
    yield '  The log has statistics only (level 4), no instruction: load the program with log level 1.';
  }
  if (log.steps.length > 0) {
    yield '  Where the value comes from:';
    for (const step of log.steps) yield `    ${stepText(step)}`;
  }
  if (fix !== '') {
    yield '  What to write:';
    yield* indented(fix, '    ');
  }
  const patch = patchOf(log);
  if (patch !== null) yield* indented(patch.trimEnd(), '    ');
  if (log.suggestion !== null) {
    yield '  The kernel suggests:';
    yield* indented(log.suggestion, '    ');
  }
  if (log.unknown > 0) yield `  ${counted(log.unknown, 'line')} of unknown form`;
  const link = logLinker(files.model, files.kernels);
  for (const line of log.readings) {
    const sentence = explainLine(line);
    const links = link(line);
    if (sentence === '' || (links === null && isTold(line, sentence, log))) continue;
    yield `  ${line.lineNumber + 1}: ${line.text.trim()}`;
    yield `    ${sentence}`;
    yield* linkLines(lineFields(line, sentence, links, files));
  }
}

/** Level of a log without walked instructions. Source: BPF_LOG_STATS. */
const STATISTICS = 4;

/** Returns the time and the stack depth, which a log of level 4 has. */
function costText({ timeUsec, stackDepths }: LogSummary): string {
  const time = timeUsec === null ? '' : ` in ${timeUsec} µs`;
  return stackDepths.length === 0 ? time : `${time}, stack of ${stackDepths.join('+')} bytes`;
}

/** Returns true for a line that adds nothing to the answer. */
function isTold(line: LogLine, sentence: string, { kind, cause, error }: ExplainedLog): boolean {
  switch (kind) {
    case 'verifier':
      return (
        lineKind(line) === 'verdict' ||
        line.event?.event === 'load-failed' ||
        line.event?.event === 'log-mark'
      );
    case 'btf':
      return lineKind(line) === 'information' || sentence === cause;
    case 'loader':
      return line.lineNumber + 1 === error?.n && sentence === cause;
  }
}

const KINDS = {
  verifier: 'log of the verifier',
  btf: 'log of the check of BTF',
  loader: 'lines of a loader',
};
const VERDICTS = {
  accepted: 'accepted',
  rejected: 'refused',
  cut: 'cut before its end',
  unknown: 'no verdict',
};

function* indented(text: string, by = '  '): Generator<string> {
  for (const line of text.split('\n')) yield `${by}${line}`;
}

/** Returns a step of a chain as one line: `6 (null.bpf.c:12) e = …;`. */
export function stepText({ insn, source, text }: ChainStep): string {
  const place =
    source?.file == null ? '' : ` (${source.file}${source.line === null ? '' : `:${source.line}`})`;
  const words = source?.text.trim() || text || '';
  return `${insn}${place}${words === '' ? '' : ` ${words}`}`;
}

function* linkLines({ record, kernels }: ReturnType<typeof lineFields>): Generator<string> {
  if (record !== null) {
    const { kind, type_id, access_str, section, insn_off } = record;
    yield `    record: ${kind} of [${type_id}], ${access_str}, at ${section}+${insn_off}`;
  }
  for (const { kernel, types } of kernels) {
    for (const { type_id, name, missing } of types) {
      const near =
        missing === null || missing.near.length === 0
          ? ''
          : `; did you mean: ${missing.near.join(', ')}`;
      const has =
        missing === null ? 'has it' : `does not have "${missing.name ?? 'the element'}"${near}`;
      yield `    ${kernel}: [${type_id}] ${name} ${has}`;
    }
  }
}
