/** Writes load verdicts as text, and as fields of a JSON line. */
import { allReasons, type LoadedProgram, type LoadVerdict } from '#analysis/libbpf/load.ts';
import type { ObjectMap } from '#analysis/libbpf/object-maps.ts';
import { OUTCOME_WORDS, type Outcome, type Reason } from '#analysis/libbpf/outcome.ts';
import type { ExternResult } from '#analysis/libbpf/resolve-externs.ts';
import type { Remedy } from '#analysis/load/remedies.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
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

function reasonFields({ outcome, step, text, line, insn, source }: Reason) {
  return {
    outcome,
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

/** Yields a paragraph per object: programs, outcomes by kernel, reasons with a remedy. */
export function* loadText(
  pairs: readonly LoadPair[],
  remediesOf: RemediesOf = NO_REMEDIES,
): Generator<string> {
  for (const [object, objectPairs] of byObject(pairs)) {
    yield `${object}:`;
    const fixesOf = (reason: Reason) => remediesOf(object, reason);
    const programs = objectPairs[0]?.verdict.programs ?? [];
    for (const [at, { program, autoload }] of programs.entries()) {
      const off = autoload ? '' : ' (not loaded by default)';
      yield `  ${program.section} ${program.name}${off}`;
      const rows = objectPairs.map(({ kernel, verdict }) => ({ kernel, of: judged(verdict, at) }));
      yield* byOutcome(rows, fixesOf);
    }
    if (programs.length === 0) {
      const rows = objectPairs.map(({ kernel, verdict }) => ({ kernel, of: verdict }));
      yield* byOutcome(rows, fixesOf);
    }
    const undecided = new Map(
      objectPairs.flatMap(({ verdict }) => verdict.undecided.map(({ what, why }) => [what, why])),
    );
    for (const [what, why] of undecided) yield `  not decided: ${what}. ${why}`;
  }
}

type Judged = { readonly outcome: Outcome; readonly reasons: readonly Reason[] };

/** Returns a program's outcome with all reasons, those of the object first. */
function judged(verdict: LoadVerdict, at: number): Judged | undefined {
  const program = verdict.programs[at];
  return program && { outcome: program.outcome, reasons: allReasons(verdict, program) };
}

/** Yields one line per outcome with equal reasons, for all kernels that have it. */
function* byOutcome(
  rows: readonly { readonly kernel: string; readonly of: Judged | undefined }[],
  fixesOf: (reason: Reason) => readonly Remedy[],
): Generator<string> {
  const groups = new Map<string, { kernels: string[]; of: Judged }>();
  for (const { kernel, of } of rows) {
    if (of === undefined) continue;
    const key = [of.outcome, ...of.reasons.map(reasonLine)].join('\n');
    getOrCreate(groups, key, () => ({ kernels: [], of })).kernels.push(kernel);
  }
  for (const { kernels, of } of groups.values()) {
    const where =
      groups.size === 1 && kernels.length > 1
        ? `all ${kernels.length} kernels`
        : kernels.join(', ');
    yield `    ${OUTCOME_WORDS[of.outcome]} on ${where}`;
    for (const reason of of.reasons) {
      yield `      ${reasonLine(reason)}`;
      const [fix] = fixesOf(reason);
      if (fix !== undefined) yield `        ${fixLine(fix)}`;
    }
  }
}

/** Returns a fix with the number of kernels that it helps; or a near name with its prototype. */
function fixLine({ kind, title, code, works, kernels }: Remedy): string {
  const where = `(on ${works} of ${kernels} ${kernels === 1 ? 'kernel' : 'kernels'})`;
  if (kind === 'fix') return `fix: ${title} ${where}`;
  const prototypes = code.replaceAll('\n', ' ');
  return `near name, not checked to be the same: ${title} ${where}: ${prototypes}`;
}

function reasonLine({ text, insn, source }: Reason): string {
  const place = insn === null ? '' : `insn #${insn}: `;
  const line = source === null ? '' : ` (${source.file}:${source.line})`;
  return `${place}${text}${line}`;
}

/** Yields per object a table in Markdown (rows: programs, columns: kernels), reasons, remedies. */
export function* loadMarkdown(
  pairs: readonly LoadPair[],
  remediesOf: RemediesOf = NO_REMEDIES,
): Generator<string> {
  for (const [object, objectPairs] of byObject(pairs)) {
    yield `### ${escaped(object)}`;
    yield '';
    yield tableRow(['program', ...objectPairs.map(({ kernel }) => kernel)]);
    yield `|${' --- |'.repeat(objectPairs.length + 1)}`;
    const reasons = new Map<string, Reason>();
    for (const [at, { program }] of (objectPairs[0]?.verdict.programs ?? []).entries()) {
      const cells = objectPairs.map(({ verdict }) => judged(verdict, at));
      yield tableRow([
        `${program.section} ${program.name}`,
        ...cells.map((cell) => (cell === undefined ? '' : OUTCOME_WORDS[cell.outcome])),
      ]);
      for (const reason of cells.flatMap((cell) => cell?.reasons ?? [])) {
        reasons.set(`${program.name}: ${reasonLine(reason)}`, reason);
      }
    }
    yield '';
    for (const [line, reason] of reasons) {
      yield `- ${escaped(line)}`;
      const [fix] = remediesOf(object, reason);
      if (fix !== undefined) yield* codeBlock(fix);
    }
    if (reasons.size > 0) yield '';
  }
}

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
function* codeBlock(fix: Remedy): Generator<string> {
  const fence = '`'.repeat(
    Math.max(3, ...[...fix.code.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  yield '';
  yield `  ${escaped(fixLine(fix))}`;
  yield '';
  yield `  ${fence}c`;
  for (const line of fix.code.split(/[\r\n]+/)) yield `  ${line}`;
  yield `  ${fence}`;
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |`;
}

/** Escapes a name so that nothing in it is Markdown. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>()#+!|&~-]/g, (character) => `\\${character}`)
    .replace(/[\r\n]+/g, ' ');
}
