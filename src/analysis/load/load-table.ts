/**
 * The programs of an object × the kernels that it was judged on: what each comes to, each reason
 * once, and each extern. Reasons that concern the whole object are not repeated for its programs.
 */

import { coreRecordsBetween } from '#analysis/core/core-records.ts';
import type { Extern } from '#analysis/libbpf/externs.ts';
import { type LoadedProgram, type LoadVerdict, MAY_BE_IN_MODULE } from '#analysis/libbpf/load.ts';
import type { LoadData, LoadProgram } from '#analysis/libbpf/open.ts';
import { type Outcome, type Reason, worstOf } from '#analysis/libbpf/outcome.ts';
import type { ExternResult, KernelNeed, Undecided } from '#analysis/libbpf/resolve-externs.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import { addTo, keptIn } from '#bytes/keep.ts';
import { type CoreIndex, coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** A reason on the kernels; null where it is none there, or there is no verdict. */
export type ReasonRow = {
  readonly reason: Reason;
  readonly outcomes: readonly (Outcome | null)[];
};

export type LoadRow = {
  /** null while there is no verdict on a kernel. */
  readonly outcomes: readonly (Outcome | null)[];
  readonly reasons: readonly ReasonRow[];
};

export type ProgramRow = LoadRow & {
  readonly program: LoadProgram;
  /** On which kernels it is loaded without being asked for. */
  readonly autoload: readonly boolean[];
};

/** An extern on the kernels; null while there is no verdict. */
export type ExternRow = {
  readonly extern: Extern;
  readonly results: readonly (ExternResult | null)[];
  /** On which kernels it is not decided. */
  readonly open: readonly boolean[];
};

/** What is not decided, and is no extern: on which kernels. */
export type OpenRow = { readonly undecided: Undecided; readonly on: readonly boolean[] };

export type LoadTable = {
  readonly object: LoadRow;
  readonly externs: readonly ExternRow[];
  readonly open: readonly OpenRow[];
  readonly programs: readonly ProgramRow[];
};

type Verdicts = readonly (LoadVerdict | null)[];

/** The table of an object; `verdicts` has one for each kernel, null where there is none yet. */
export function loadTable(
  { programs, externs }: Pick<LoadData, 'programs' | 'externs'>,
  verdicts: Verdicts,
): LoadTable {
  return {
    object: {
      outcomes: verdicts.map((verdict) => verdict?.outcome ?? null),
      reasons: reasonRows(verdicts.map((verdict) => (verdict === null ? [] : ofObject(verdict)))),
    },
    externs: externs.map((extern, at) => ({
      extern,
      results: verdicts.map((verdict) => verdict?.externs[at] ?? null),
      open: verdicts.map(
        (verdict) => verdict?.undecided.some(({ what }) => what === extern.name) ?? false,
      ),
    })),
    open: openRows(verdicts, new Set(externs.map(({ name }) => name))),
    programs: programs.map((program, at) => {
      const judged = verdicts.map((verdict) => verdict?.programs[at] ?? null);
      return {
        program,
        autoload: judged.map((one) => one?.autoload ?? program.autoload),
        outcomes: judged.map((one) => one?.outcome ?? null),
        reasons: reasonRows(judged.map((one, kernel) => ofProgram(verdicts[kernel] ?? null, one))),
      };
    }),
  };
}

/** Does a reason of a program concern the object as a whole? */
function isOfObject({ insn, step }: Reason): boolean {
  return insn === null && step !== 'attach' && step !== 'type';
}

/** Each once, however many programs it is told of. */
function ofObject({ reasons, programs }: LoadVerdict): readonly Reason[] {
  if (reasons.length > 0) return reasons;
  const all = programs.flatMap((one) => one.reasons.filter(isOfObject));
  return [...new Map(all.map((reason) => [reason.text, reason])).values()];
}

/** The reasons of a program alone: none where the whole object stops. */
function ofProgram(verdict: LoadVerdict | null, program: LoadedProgram | null): readonly Reason[] {
  if (verdict === null || program === null || verdict.reasons.length > 0) return [];
  return program.reasons.filter((reason) => !isOfObject(reason));
}

/** All that a program comes to on a kernel by: its own reasons, then those of the object. */
export function reasonsOn(verdict: LoadVerdict, at: number): readonly Reason[] {
  return [...ofProgram(verdict, verdict.programs[at] ?? null), ...ofObject(verdict)];
}

/** The text of a reason, which is the same whether or not modules are known. */
export function reasonLine({ text }: Reason): string {
  return text.endsWith(MAY_BE_IN_MODULE) ? text.slice(0, -MAY_BE_IN_MODULE.length) : text;
}

/** Reasons of one step, instruction and line are one. */
function reasonRows(columns: readonly (readonly Reason[])[]): ReasonRow[] {
  const rows = new Map<string, { reason: Reason; outcomes: Outcome[][] }>();
  for (const [kernel, reasons] of columns.entries()) {
    for (const reason of reasons) {
      const key = `${reason.step} ${reason.insn} ${reasonLine(reason)}`;
      const row = keptIn(rows, key, () => ({ reason, outcomes: columns.map(() => []) }));
      row.outcomes[kernel]?.push(reason.outcome);
    }
  }
  return Array.from(rows.values(), ({ reason, outcomes }) => ({
    reason,
    outcomes: outcomes.map((all) => (all.length === 0 ? null : worstOf(all))),
  }));
}

function openRows(verdicts: Verdicts, externs: ReadonlySet<string>): OpenRow[] {
  const rows = new Map<string, { undecided: Undecided; kernels: number[] }>();
  for (const [kernel, verdict] of verdicts.entries()) {
    for (const undecided of verdict?.undecided ?? []) {
      if (externs.has(undecided.what)) continue;
      keptIn(rows, undecided.what, () => ({ undecided, kernels: [] })).kernels.push(kernel);
    }
  }
  return Array.from(rows.values(), ({ undecided, kernels }) => ({
    undecided,
    on: verdicts.map((_, kernel) => kernels.includes(kernel)),
  }));
}

/** What would decide more of a verdict, and the names that it would decide; in this order. */
export function needsOf(verdict: LoadVerdict): ReadonlyMap<KernelNeed, readonly string[]> {
  const needs = new Map<KernelNeed, string[]>(NEEDS.map((need) => [need, []]));
  for (const { what, needs: need } of verdict.undecided) {
    if (need !== null) addTo(needs, need, what);
  }
  for (const { program, reasons } of verdict.programs) {
    const mayBeInModule = reasons.some(
      ({ step, outcome }) => step === 'attach' && outcome === 'may-fail',
    );
    if (mayBeInModule) addTo(needs, 'modules', program.name);
  }
  return new Map([...needs].filter(([, names]) => names.length > 0));
}

const NEEDS: readonly KernelNeed[] = ['modules', 'config', 'kallsyms', 'release'];

/** Where the instruction of a reason is in the file; of a program as a whole its first. null: of none. */
export function reasonPlace(
  { func, load: { parts } }: Pick<LoadProgram, 'func' | 'load'>,
  { insn, step }: Reason,
): InsnPlace | null {
  if (insn === null) {
    const isOfProgram = step === 'attach' || step === 'type';
    return isOfProgram ? { section: func.section, insnOff: func.start } : null;
  }
  const part = parts.findLast(({ insnOff }) => insnOff <= insn);
  if (part === undefined) return null;
  return { section: part.section, insnOff: part.start + (insn - part.insnOff) * 8 };
}

/** The CO-RE record that a reason is about; null where it is about none. */
export function reasonRecord(
  model: ObjectModel,
  verdict: LoadVerdict | null,
  program: LoadProgram | null,
  reason: Reason,
): CoreIndex | null {
  if (reason.step !== 'core') return null;
  const place = program === null ? null : reasonPlace(program, reason);
  if (place !== null) {
    const { section, insnOff } = place;
    return coreRecordsBetween(model, section, insnOff, insnOff + 8)[0] ?? null;
  }
  // libbpf stops at the record that fails.
  const last = verdict?.core.at(-1);
  return last === undefined ? null : coreIndex(last.record.index);
}

/** The lines that libbpf is said to log as warnings on a kernel, without `libbpf: `. Raw names. */
export function predictedLines({
  warnings,
  lastWarnings,
  programs,
}: LoadVerdict): ReadonlySet<string> {
  const ofPrograms = programs.flatMap(({ failure }) => failure?.lines ?? []);
  return new Set([...warnings, ...lastWarnings, ...ofPrograms]);
}
