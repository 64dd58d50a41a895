/** Table of programs and kernels: outcomes, reasons without repetition, and externs. */
import type { Extern } from '#analysis/libbpf/externs.ts';
import { allReasons, type LoadVerdict, MAY_BE_IN_MODULE } from '#analysis/libbpf/load.ts';
import type { LoadData, LoadProgram } from '#analysis/libbpf/open.ts';
import { type Outcome, type Reason, worstOf } from '#analysis/libbpf/outcome.ts';
import { slotPlace } from '#analysis/libbpf/program-parts.ts';
import type { ExternResult, KernelNeed, Undecided } from '#analysis/libbpf/resolve-externs.ts';
import type { InsnPlace } from '#analysis/selection/selection.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';

/** A reason and its outcome on each kernel. An outcome is null if the verdict lacks the reason. */
export type ReasonRow = {
  readonly reason: Reason;
  readonly outcomes: readonly (Outcome | null)[];
};

export type LoadRow = {
  /** Outcome on each kernel; null while there is no verdict. */
  readonly outcomes: readonly (Outcome | null)[];
  readonly reasons: readonly ReasonRow[];
};

export type ProgramRow = LoadRow & {
  readonly program: LoadProgram;
  /** True on each kernel on which libbpf loads the program by default. */
  readonly autoload: readonly boolean[];
};

/** An extern with its result on each kernel; null while there is no verdict. */
export type ExternRow = {
  readonly extern: Extern;
  readonly results: readonly (ExternResult | null)[];
  /** True on each kernel on which the extern is undecided. */
  readonly open: readonly boolean[];
};

/** An undecided item other than an extern; `on` is true for each kernel that has it. */
export type OpenRow = { readonly undecided: Undecided; readonly on: readonly boolean[] };

export type LoadTable = {
  readonly object: LoadRow;
  readonly externs: readonly ExternRow[];
  readonly open: readonly OpenRow[];
  readonly programs: readonly ProgramRow[];
};

type Verdicts = readonly (LoadVerdict | null)[];

/** Returns the table of an object; `verdicts` has one element for each kernel. */
export function loadTable(
  { programs, externs }: Pick<LoadData, 'programs' | 'externs'>,
  verdicts: Verdicts,
): LoadTable {
  return {
    object: {
      outcomes: verdicts.map((verdict) => verdict?.outcome ?? null),
      reasons: reasonRows(verdicts.map((verdict) => verdict?.reasons ?? [])),
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
        autoload: judged.map((loaded) => loaded?.autoload ?? program.autoload),
        outcomes: judged.map((loaded) => loaded?.outcome ?? null),
        reasons: reasonRows(judged.map((loaded) => loaded?.reasons ?? [])),
      };
    }),
  };
}

/** Returns all reasons of a program on a kernel, in the order in which they would be met. */
export function reasonsOn(verdict: LoadVerdict, at: number): readonly Reason[] {
  const program = verdict.programs[at];
  return program === undefined ? verdict.reasons : allReasons(verdict, program);
}

/** Steps whose lines libbpf logs, also where it writes them into the log of the verifier. */
const LIBBPF_STEPS = ['open', 'prepare', 'externs', 'struct_ops', 'core'];

export type Refuser = 'libbpf' | 'kernel';

/** Returns who refuses for a reason, or would refuse: libbpf or the kernel. */
export function refuser({ outcome, step, insn, about }: Reason): Refuser {
  if (outcome !== 'may-fail') return outcome === 'rejected' ? 'kernel' : 'libbpf';
  const isLibbpf = LIBBPF_STEPS.includes(step) || about?.of === 'target';
  return isLibbpf && insn === null ? 'libbpf' : 'kernel';
}

/** A log line and who logs it; the line is raw text. */
export type LogLine = { readonly by: Refuser; readonly line: string };

/** Returns the line that is logged for a reason; null if it is the reason's text, or unknown. */
export function ownLine(reason: Reason): LogLine | null {
  const { line, step } = reason;
  if (line === null || line === reasonLine(reason)) return null;
  return { by: LIBBPF_STEPS.includes(step) ? 'libbpf' : refuser(reason), line };
}

/** Returns the text of a reason without the remark that a loaded module may have the target. */
export function reasonLine({ text }: Reason): string {
  return text.endsWith(MAY_BE_IN_MODULE) ? text.slice(0, -MAY_BE_IN_MODULE.length) : text;
}

/** Merges reasons that have the same step, instruction and text. */
function reasonRows(columns: readonly (readonly Reason[])[]): ReasonRow[] {
  const rows = new Map<string, { reason: Reason; outcomes: Outcome[][] }>();
  for (const [kernel, reasons] of columns.entries()) {
    for (const reason of reasons) {
      const key = `${reason.step} ${reason.insn} ${reasonLine(reason)}`;
      const row = getOrCreate(rows, key, () => ({ reason, outcomes: columns.map(() => []) }));
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
      getOrCreate(rows, undecided.what, () => ({ undecided, kernels: [] })).kernels.push(kernel);
    }
  }
  return Array.from(rows.values(), ({ undecided, kernels }) => ({
    undecided,
    on: verdicts.map((_, kernel) => kernels.includes(kernel)),
  }));
}

/** Returns the missing files in the order of `NEEDS`, each with the names that it would decide. */
export function needsOf(verdict: LoadVerdict): ReadonlyMap<KernelNeed, readonly string[]> {
  const needs = new Map<KernelNeed, string[]>(NEEDS.map((need) => [need, []]));
  for (const { what, needs: need } of verdict.undecided) {
    if (need !== null) addTo(needs, need, what);
  }
  for (const { program, reasons } of verdict.programs) {
    for (const need of NEEDS) {
      if (reasons.some(({ dependsOn }) => dependsOn === need)) addTo(needs, need, program.name);
    }
  }
  return new Map([...needs].filter(([, names]) => names.length > 0));
}

const NEEDS: readonly KernelNeed[] = ['modules', 'config', 'kallsyms', 'release'];

/** Returns the place of a reason's instruction, else of the reason's program, else null. */
export function reasonPlace(
  { func, load: { parts } }: Pick<LoadProgram, 'func' | 'load'>,
  reason: Reason,
): InsnPlace | null {
  const { insn } = reason;
  if (insn === null) {
    const isOfProgram = reason.step === 'attach' || reason.step === 'type';
    return isOfProgram ? { section: func.section, insnOff: func.start } : null;
  }
  return slotPlace(parts, insn);
}

/** Returns the place of the first instruction that refers to an extern; null if there is none. */
export function externPlace(model: ObjectModel, name: string): InsnPlace | null {
  const { relocations, sections, symbols } = model;
  for (let row = 0; row < relocations.count; row++) {
    const section = sectionIndex(relocations.targetSection[row] ?? 0);
    if (!isCode(sections, section)) continue;
    if (symbolName(symbols, symbolIndex(relocations.symbol[row] ?? 0)) !== name) continue;
    return { section, insnOff: Number(relocations.offset[row] ?? 0n) };
  }
  return null;
}

/** Returns the warnings that libbpf should log on a kernel, without `libbpf: `, with raw names. */
export function predictedLines({
  warnings,
  lastWarnings,
  programs,
}: LoadVerdict): ReadonlySet<string> {
  const ofPrograms = programs.flatMap(({ failure }) => failure?.lines ?? []);
  return new Set([...warnings, ...lastWarnings, ...ofPrograms]);
}
