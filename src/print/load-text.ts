/** Writes load verdicts as text, and as fields of a JSON line. */
import { allReasons, type LoadedProgram, type LoadVerdict } from '#analysis/libbpf/load.ts';
import type { ObjectMap } from '#analysis/libbpf/object-maps.ts';
import { metToday, type Reason } from '#analysis/libbpf/outcome.ts';
import type { ExternResult } from '#analysis/libbpf/resolve-externs.ts';
import { type Answer, answerOf, groupAnswers, reasonsOf } from '#analysis/load/equal-answers.ts';
import { allKernels, loadSentence, outcomeWords } from '#analysis/load/load-sentence.ts';
import { ownLine } from '#analysis/load/load-table.ts';
import type { Remedy } from '#analysis/load/remedies.ts';
import { addTo } from '#bytes/cache.ts';
import { coreWarnings } from './core-log.ts';
import { csvLine } from './core-matrix.ts';

export type LoadPair = {
  readonly object: string;
  readonly kernel: string;
  readonly maps: readonly ObjectMap[];
  readonly verdict: LoadVerdict;
};

/** Returns the remedies for a reason why an object does not load. */
export type RemediesOf = (object: string, reason: Reason) => readonly Remedy[];

const NO_REMEDIES: RemediesOf = () => [];
const NO_REMEDIES_OF = () => [];

/** Longest program name in the kernel, in bytes: BPF_OBJ_NAME_LEN without the NUL. */
const MAX_NAME_LENGTH = 15;

/** Returns the fields of a line of JSON as in docs/load-json.md. */
export function loadFields({ object, kernel, maps, verdict }: LoadPair) {
  const { open, prepare, load, stopsAt, externs, programs, outcome, undecided } = verdict;
  const { warnings, core, lastWarnings, infos } = verdict;
  return {
    object,
    kernel,
    outcome,
    open,
    ...(prepare === null ? {} : { prepare }),
    ...(load === null ? {} : { load }),
    stops_at: stopsAt,
    warnings: [...warnings, ...coreWarnings(core), ...lastWarnings],
    infos,
    externs: externs.map(externFields),
    maps_at_open: open === 0 ? maps.map(mapFields) : [],
    prog_load: stopsAt === null || stopsAt === 'load' ? progLoads(programs) : [],
    reasons: verdict.reasons.map(reasonFields),
    programs: programs.map((program) => programFields(verdict, program)),
    undecided: undecided.map(({ what, why }) => ({ what, why })),
    notes: verdict.notes,
  };
}

function externFields({ extern, result, value, btfId, module, error }: ExternResult) {
  const { name, kind, weak, symbol, kconfig } = extern;
  return {
    name,
    kind,
    sym: symbol,
    ...(kconfig === null ? {} : { data_off: kconfig.offset }),
    ...(result === null ? {} : { result }),
    ...(result === 'resolved' ? { module, btf_id: btfId } : {}),
    ...(value === null ? {} : { value }),
    ...(error === null ? {} : { error }),
    weak,
  };
}

function mapFields(map: ObjectMap) {
  const { name, type, keySize, valueSize, maxEntries, flags, keyTypeId, valueTypeId } = map;
  const sizes = [type, keySize, valueSize, Number(maxEntries), Number(flags)];
  return [name, ...sizes, keyTypeId, valueTypeId, Number(map.extra), Number(map.autocreate)];
}

/** Returns the arguments of each BPF_PROG_LOAD, up to the program at which libbpf stops. */
function progLoads(programs: readonly LoadedProgram[]) {
  const loaded = programs.filter(({ autoload }) => autoload);
  const stop = loaded.findIndex(({ failure }) => failure !== null);
  return (stop < 0 ? loaded : loaded.slice(0, stop)).map((program) => ({
    name: program.program.name.slice(0, MAX_NAME_LENGTH),
    attach_btf_id: program.attachBtfId,
    ...(program.attachModule === null ? {} : { attach_module: program.attachModule }),
    special: program.special,
  }));
}

function programFields(verdict: LoadVerdict, judged: LoadedProgram) {
  const { program, autoload, outcome } = judged;
  return {
    name: program.name,
    section: program.section,
    autoload,
    outcome,
    reasons: allReasons(verdict, judged).map(reasonFields),
  };
}

function reasonFields({ outcome, dependsOn, step, text, line, insn, source }: Reason) {
  return {
    outcome,
    depends_on: dependsOn ?? null,
    step,
    text,
    line,
    insn,
    source: source === null ? null : `${source.file}:${source.line}:${source.column}`,
  };
}

/** Groups pairs by object, in the order of each object's first pair. */
export function byObject(pairs: readonly LoadPair[]): ReadonlyMap<string, readonly LoadPair[]> {
  const groups = new Map<string, LoadPair[]>();
  for (const pair of pairs) addTo(groups, pair.object, pair);
  return groups;
}

/**
 * Yields per object the sentence on which kernels it loads, then its programs with their outcomes,
 * and all reasons in order, each with a remedy.
 */
export function* loadText(
  pairs: readonly LoadPair[],
  remediesOf: RemediesOf = NO_REMEDIES,
): Generator<string> {
  for (const [object, objectPairs] of byObject(pairs)) {
    const sentence = loadSentence(
      objectPairs.map(({ kernel: name, verdict }) => ({ name, verdict })),
    );
    yield `${object}: ${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;
    const fixesOf = (reason: Reason) => remediesOf(object, reason);
    const programs = objectPairs[0]?.verdict.programs ?? [];
    if (programs.length === 0 || objectPairs.some(({ verdict }) => verdict.reasons.length > 0)) {
      yield '  whole object';
      yield* answerLines(objectPairs, null, fixesOf);
    }
    for (const [at, { program, autoload }] of programs.entries()) {
      const off = autoload ? '' : ' (not loaded by default)';
      yield `  ${program.section} ${program.name}${off}`;
      yield* answerLines(objectPairs, at, fixesOf);
    }
    const undecided = new Map(
      objectPairs.flatMap(({ verdict }) => verdict.undecided.map(({ what, why }) => [what, why])),
    );
    for (const [what, why] of undecided) yield `  not decided: ${what}. ${why}`;
    for (const note of objectPairs[0]?.verdict.notes ?? []) yield `  note: ${note}`;
  }
}

/** Yields a line per outcome with equal reasons, for all kernels that have it, and the reasons. */
function* answerLines(
  pairs: readonly LoadPair[],
  at: number | null,
  fixesOf: (reason: Reason) => readonly Remedy[],
): Generator<string> {
  const groups = groupAnswers(
    pairs.map(({ kernel, verdict }) => [kernel, answerOf(verdict, at)] as const),
  );
  for (const { kernels, answer } of groups) {
    const { outcome, ofObject } = answer;
    const isAll = groups.length === 1 && kernels.length > 1;
    const where = isAll ? allKernels(kernels.length) : kernels.join(', ');
    const reasons = reasonsOf(answer);
    yield `    ${outcomeWords(outcome, reasons)} on ${where}`;
    // The reasons of the whole object have their own paragraph.
    yield* answerText(answer, at === null ? 0 : ofObject.length, fixesOf, pairs.length);
  }
}

/**
 * Yields the numbered reasons of an answer from index `first`, each with its log line and a fix, of
 * which some of `total` kernels were tried.
 */
export function* answerText(
  answer: Answer,
  first: number,
  fixesOf: (reason: Reason) => readonly Remedy[] = NO_REMEDIES_OF,
  total = 0,
): Generator<string> {
  const reasons = reasonsOf(answer);
  const met = metToday(reasons);
  for (const [i, reason] of reasons.entries()) {
    if (i < first) continue;
    if (i >= met && i === Math.max(met, first)) yield '      not reached today:';
    yield `      ${i + 1}. ${placedLine(reason)}`;
    const log = ownLine(reason);
    if (log !== null) yield `         ${log.by}: ${log.line}`;
    const [fix] = fixesOf(reason);
    if (fix !== undefined) yield `         ${fixLine(fix, total)}`;
  }
}

/** Returns a fix with the number of kernels that it helps; or a near name with its prototype. */
function fixLine(remedy: Remedy, total: number): string {
  const { kind, title, code, works, kernels, inModules = 0 } = remedy;
  const tried = kernels < total ? ' tried' : '';
  const open = inModules === 0 ? '' : `; on ${inModules} a module may have the target`;
  const where = `(on ${works} of ${kernels} ${kernels === 1 ? 'kernel' : 'kernels'}${tried}${open})`;
  if (kind === 'fix') return `fix: ${title} ${where}`;
  const prototypes = code.replaceAll('\n', ' ');
  return `near name, not checked to be the same: ${title} ${where}: ${prototypes}`;
}

function placedLine(reason: Reason): string {
  const { text, insn, source, dependsOn } = reason;
  const place = insn === null ? '' : `insn #${insn}: `;
  const line = source === null ? '' : ` (${source.file}:${source.line})`;
  // Other texts name the missing file themselves.
  const isUnsaid = dependsOn === 'branch' || dependsOn === 'running' || dependsOn === 'search';
  return `${place}${text}${line}${isUnsaid ? ` [${outcomeWords('may-fail', [reason])}]` : ''}`;
}

/**
 * Yields per object the sentence on which kernels it loads, a table in Markdown (rows: programs,
 * columns: kernels), reasons, remedies.
 */
export function* loadMarkdown(
  pairs: readonly LoadPair[],
  remediesOf: RemediesOf = NO_REMEDIES,
): Generator<string> {
  for (const [object, objectPairs] of byObject(pairs)) {
    yield `### ${markdownText(object)}`;
    yield '';
    yield markdownText(
      loadSentence(objectPairs.map(({ kernel: name, verdict }) => ({ name, verdict }))),
    );
    yield '';
    yield tableRow(['program', ...objectPairs.map(({ kernel }) => kernel)]);
    yield `|${' --- |'.repeat(objectPairs.length + 1)}`;
    const reasons = new Map<string, MarkdownReason>();
    const collect = (about: string, answers: readonly (Answer | null)[]) => {
      for (const answer of answers) {
        if (answer === null) continue;
        const all = about === '' ? answer.ofObject : answer.own;
        const met = metToday(reasonsOf(answer)) - (about === '' ? 0 : answer.ofObject.length);
        for (const [i, reason] of all.entries()) {
          const key = `${about}${placedLine(reason)}`;
          const isMet = i < met || reasons.get(key)?.isMet === true;
          reasons.set(key, { reason, isMet });
        }
      }
    };
    collect(
      '',
      objectPairs.map(({ verdict }) => answerOf(verdict, null)),
    );
    for (const [at, { program }] of (objectPairs[0]?.verdict.programs ?? []).entries()) {
      const answers = objectPairs.map(({ verdict }) => answerOf(verdict, at));
      yield tableRow([
        `${program.section} ${program.name}`,
        ...answers.map((cell) =>
          cell === null ? '' : outcomeWords(cell.outcome, reasonsOf(cell)),
        ),
      ]);
      collect(`${program.name}: `, answers);
    }
    yield '';
    for (const [line, { reason, isMet }] of reasons) {
      yield `- ${markdownText(`${line}${isMet ? '' : ' (not reached today)'}`)}`;
      const own = ownLine(reason);
      if (own !== null) {
        yield '';
        yield `  ${own.by}: ${markdownText(own.line)}`;
      }
      const [fix] = remediesOf(object, reason);
      if (fix !== undefined) yield* codeBlock(fix, objectPairs.length);
    }
    if (reasons.size > 0) yield '';
  }
}

/** A reason, and whether a program meets it on a kernel today. */
type MarkdownReason = { readonly reason: Reason; readonly isMet: boolean };

/** Yields CSV (RFC 4180): a line per program, kernel and reason, at least one per program. */
export function* loadCsv(pairs: readonly LoadPair[]): Generator<string> {
  yield csvLine(['object', 'kernel', 'program', 'section', 'outcome', ...REASON_COLUMNS]);
  for (const { object, kernel, verdict } of pairs) {
    for (const loaded of verdict.programs) {
      const { program, outcome } = loaded;
      const all = allReasons(verdict, loaded);
      const about = [object, kernel, program.name, program.section, outcome];
      const rows = all.length === 0 ? [[]] : all.map(reasonCells);
      for (const cells of rows)
        yield csvLine([...about, ...REASON_COLUMNS.map((_, i) => cells[i] ?? '')]);
    }
  }
}

const REASON_COLUMNS = ['reason_outcome', 'step', 'reason', 'insn', 'source'];

function reasonCells({ outcome, step, text, insn, source }: Reason): string[] {
  const place = source === null ? '' : `${source.file}:${source.line}:${source.column}`;
  return [outcome, step, text, `${insn ?? ''}`, place];
}

/** Yields a code block in a list item. Its fence is so long that no name can end the block. */
function* codeBlock(fix: Remedy, total: number): Generator<string> {
  const fence = '`'.repeat(
    Math.max(3, ...[...fix.code.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  yield '';
  yield `  ${markdownText(fixLine(fix, total))}`;
  yield '';
  yield `  ${fence}c`;
  for (const line of fix.code.split(/[\r\n]+/)) yield `  ${line}`;
  yield `  ${fence}`;
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(markdownText).join(' | ')} |`;
}

/** Escapes a name so that nothing in it is Markdown. */
export function markdownText(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>()#+!|&~-]/g, (character) => `\\${character}`)
    .replace(/[\r\n]+/g, ' ');
}
