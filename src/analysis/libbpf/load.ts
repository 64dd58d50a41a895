/**
 * Decides whether an object loads on a kernel: the steps of libbpf before the verifier, and whether
 * the verifier reaches an instruction that libbpf made invalid. Source: libbpf 1.8, libbpf.c:
 * bpf_object__load_progs, bpf_object_load_prog.
 */
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { nameOfOtherMachine } from '#analysis/kernel/machine.ts';
import { append } from '#bytes/arrays.ts';
import { addTo } from '#bytes/cache.ts';
import { type CreatedMaps, createMaps } from './create-maps.ts';
import { slotReasons } from './initial-slots.ts';
import { notStarted, type Progress, type Stop, stopsOf } from './load-steps.ts';
import type { LoadObject, LoadProgram } from './open.ts';
import {
  errnoNumber,
  type Failure,
  failed,
  type Outcome,
  type Reason,
  worstOf,
} from './outcome.ts';
import { codeOf, type SpecialInsn, sourceAt } from './program-code.ts';
import {
  type AttachTarget,
  attachName,
  findTarget,
  isKprobe,
  isStructOps,
  namesModule,
} from './program-types.ts';
import type { ExternResult, Undecided } from './resolve-externs.ts';
import { optionalMapText } from './struct-ops.ts';

export type LoadedProgram = {
  readonly program: LoadProgram;
  readonly autoload: boolean;
  readonly attachBtfId: number;
  readonly attachModule: string | null;
  readonly special: readonly SpecialInsn[];
  /** Reason why libbpf does not pass the program to the kernel; null if it passes it. */
  readonly failure: Failure | null;
  /** The worst outcome of the object's reasons and the program's own. */
  readonly outcome: Outcome;
  /** Reasons of the program alone, each as if those before it were repaired; see `allReasons`. */
  readonly reasons: readonly Reason[];
};

export type LoadVerdict = {
  /** Result of each call: 0 or a negative error number. Null if not called or not known. */
  readonly open: number | null;
  readonly prepare: number | null;
  readonly load: number | null;
  readonly stopsAt: 'open' | 'prepare' | 'load' | null;
  /** Warnings that libbpf logs before the lines of `core`; names are raw text. */
  readonly warnings: readonly string[];
  /** Warnings that libbpf logs after the lines of `core`; names are raw text. */
  readonly lastWarnings: readonly string[];
  /** Log lines of level "info"; names are raw text. */
  readonly infos: readonly string[];
  readonly externs: readonly ExternResult[];
  readonly programs: readonly LoadedProgram[];
  /** Results of CO-RE records, up to the first record that fails. */
  readonly core: readonly CoreResult[];
  readonly outcome: Outcome;
  /** Reasons that concern the object as a whole, each as if those before it were repaired. */
  readonly reasons: readonly Reason[];
  readonly undecided: readonly Undecided[];
  /** Notes on the object, the same on all kernels; names are raw text. */
  readonly notes: readonly string[];
};

/** Text at the end of a reason if the loaded modules are unknown. */
export const MAY_BE_IN_MODULE = '. A module that is loaded may have it.';

/** Returns the verdict on loading an object on a kernel. */
export function judgeLoad(object: LoadObject, kernel: LoadKernel): LoadVerdict {
  const progress = notStarted(object, kernel);
  const stops: Stop[] = [];
  /** What libbpf has found when it stops; null if it does not stop. */
  let stopped: Progress | null = null;
  for (const stop of stopsOf(progress)) {
    stopped ??= { ...progress };
    stops.push(stop);
  }
  const canJudge = stops.at(-1)?.isLast !== true;
  const maps = canJudge ? createMaps(object, kernel) : null;
  const reasons = [
    ...stops.map(({ reason }) => reason),
    ...(maps === null
      ? []
      : [
          ...undecidedReasons(progress),
          ...maps.reasons,
          ...slotReasons(object, progress.autoload),
        ]),
  ];
  const programs = object.programs.map((program) =>
    maps === null ? notJudged(program, reasons) : judgeProgram(progress, maps, program, reasons),
  );
  const [stop] = stops;
  const base = { ...verdictBase(stopped ?? progress), programs, reasons };
  const outcome = worstOf([
    ...reasons.map((reason) => reason.outcome),
    ...programs.flatMap((program) => (program.autoload ? [program.outcome] : [])),
  ]);
  return stop === undefined
    ? { ...base, outcome, ...loadResult(progress, programs) }
    : { ...base, outcome, ...stopResult(stopped ?? progress, stop) };
}

/** Returns the part of a verdict that is the same with and without a stop. */
function verdictBase({ object, resolution, structOps, core, undecided }: Progress) {
  const warnings = [...object.openWarnings, ...resolution.warnings];
  const infos = [...object.openInfos, ...structOps.infos];
  const { notes } = object;
  return { warnings, infos, externs: resolution.externs, core, undecided, notes };
}

/** What each call returns, and where libbpf stops. */
type CallResults = Pick<LoadVerdict, 'open' | 'prepare' | 'load' | 'stopsAt' | 'lastWarnings'>;

function stopResult({ joinWarnings }: Progress, stop: Stop): CallResults {
  const { call, failure, isCodeKnown } = stop;
  const code = isCodeKnown ? errnoNumber(failure) : null;
  return {
    open: call === 'open' ? code : 0,
    prepare: call === 'prepare' ? code : call === 'load' ? 0 : null,
    load: call === 'load' ? code : null,
    stopsAt: call,
    lastWarnings: [...joinWarnings, ...failure.lines],
  };
}

/** Returns the results for a prepared object. libbpf stops at the first program it does not load. */
function loadResult(progress: Progress, programs: readonly LoadedProgram[]): CallResults {
  const { object, open, joinWarnings } = progress;
  const isOpen = open.length > 0;
  const stop = programs.find((program) => program.autoload && program.failure !== null);
  const failure = stop?.failure ?? null;
  const lines =
    stop === undefined || failure === null
      ? []
      : [
          ...failure.lines,
          `prog '${stop.program.name}': failed to load: -${failure.errno}`,
          `failed to load object '${object.model.name}'`,
        ];
  return {
    open: 0,
    // An undecided extern or map may make prepare fail.
    prepare: isOpen ? null : 0,
    load: isOpen ? null : failure === null ? 0 : errnoNumber(failure),
    stopsAt: isOpen || failure === null ? null : 'load',
    lastWarnings: [...joinWarnings, ...lines],
  };
}

/** Returns a reason for the whole object for each fact that is not known. */
function undecidedReasons({ open }: Progress): Reason[] {
  const place = { line: null, insn: null, source: null };
  const byWhy = new Map<string, Undecided[]>();
  for (const item of open) addTo(byWhy, item.why, item);
  return Array.from(byWhy, ([why, items]): Reason => {
    const text = `It depends on ${items.map(({ what }) => what).join(', ')}. ${why}`;
    const dependsOn = items[0]?.needs ?? 'running';
    return { ...place, outcome: 'may-fail', dependsOn, step: 'externs', text };
  });
}

/** Returns a program about which nothing can be said after a stop of the whole object. */
function notJudged(program: LoadProgram, reasons: readonly Reason[]): LoadedProgram {
  return {
    program,
    autoload: program.autoload,
    attachBtfId: 0,
    attachModule: null,
    special: [],
    failure: null,
    outcome: worstOf(reasons.map(({ outcome }) => outcome)),
    reasons: [],
  };
}

function judgeProgram(
  progress: Progress,
  maps: CreatedMaps,
  program: LoadProgram,
  ofAll: readonly Reason[],
): LoadedProgram {
  const { object, kernel } = progress;
  const { model } = object;
  const slot = progress.structOps.slots.get(program.func);
  const target = isStructOps(program.kind) ? null : findTarget(program, kernel);
  const { optional } = progress.structOps;
  const isNamed = progress.structOps.autoload.has(program.func);
  const missing = isNamed ? null : refusal(program, target);
  const attached = target !== null && 'btfId' in target ? target : null;
  const { special, reasons: ofCode } = codeOf(
    object,
    kernel,
    { ...progress, maps: maps.maps },
    program,
    attached,
  );
  // An unknown module may have the target, unless the section names a module that is known.
  const isOfModule = missing?.errno === 'ESRCH' || (target !== null && namesModule(program));
  const mayBeInModule = isOfModule && kernel.modules === null;
  const otherName = nameOfOtherMachine(attachName(program), kernel);
  const reasons: Reason[] = [];
  if (missing !== null) {
    const line = missing.lines[0] ?? '';
    const mayBeThere = mayBeInModule && otherName === null;
    const more = mayBeThere ? MAY_BE_IN_MODULE : otherName === null ? '' : `. ${otherName}`;
    reasons.push({
      outcome: mayBeThere ? 'may-fail' : 'fails',
      ...(mayBeThere ? { dependsOn: 'modules' } : {}),
      step: target === null ? 'type' : 'attach',
      text: `${line}${more}`,
      line,
      insn: null,
      source: sourceAt(model, program, 0),
      ...(target === null ? {} : { about: { of: 'target', program: program.name } }),
    });
  }
  for (const found of optional.get(program.func) ?? []) {
    const line = found.failure.lines[0] ?? null;
    const text = optionalMapText(found);
    reasons.push({
      outcome: found.isSure ? 'fails' : 'may-fail',
      ...(found.isSure ? {} : { dependsOn: 'modules' }),
      step: 'struct_ops',
      text,
      line,
      insn: null,
      source: null,
    });
  }
  append(reasons, ofCode);
  if (otherName !== null && isKprobe(program.kind)) {
    const text = `Loads, but cannot be attached: ${otherName}`;
    const place = { line: null, insn: null, source: null };
    reasons.push({ ...place, outcome: 'may-fail', step: 'attach', text });
  }
  return {
    program,
    autoload: progress.autoload.get(program) ?? program.autoload,
    attachBtfId: slot?.btfId ?? attached?.btfId ?? 0,
    attachModule: slot?.module ?? attached?.module ?? null,
    special,
    failure: missing,
    outcome: worstOf([...ofAll, ...reasons].map(({ outcome }) => outcome)),
    reasons,
  };
}

/** Returns all reasons of a program, in the order in which libbpf and the kernel meet them. */
export function allReasons(
  { reasons }: Pick<LoadVerdict, 'reasons'>,
  program: Pick<LoadedProgram, 'reasons'>,
): readonly Reason[] {
  return [...reasons, ...program.reasons];
}

/** Returns why libbpf does not load the program, or null. Source: bpf_object_load_prog. */
function refusal(
  { name, section, kind }: LoadProgram,
  target: AttachTarget | Failure | null,
): Failure | null {
  const say = (line: string) => failed('EINVAL', `prog '${name}': ${line}`);
  if (kind === '') return say(`missing BPF prog type, check ELF section name '${section}'`);
  if (isStructOps(kind)) {
    return say(`SEC("struct_ops") program isn't referenced anywhere, did you forget to use it?`);
  }
  return target !== null && 'errno' in target ? target : null;
}
