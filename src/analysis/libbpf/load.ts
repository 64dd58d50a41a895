/**
 * Decides whether an object loads on a kernel: the steps of libbpf before the verifier, and whether
 * the verifier reaches an instruction that libbpf made invalid. Source: libbpf 1.8, libbpf.c:
 * bpf_object__load_progs, bpf_object_load_prog.
 */
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { missingTypes } from '#analysis/kernel/kernel-enums.ts';
import { append } from '#bytes/arrays.ts';
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
  findTarget,
  isStructOps,
  kernelProgramType,
  namesModule,
} from './program-types.ts';
import type { ExternResult, Undecided } from './resolve-externs.ts';
import type { StructOpsSlot } from './struct-ops.ts';

export type LoadedProgram = {
  readonly program: LoadProgram;
  readonly autoload: boolean;
  readonly attachBtfId: number;
  readonly attachModule: string | null;
  readonly special: readonly SpecialInsn[];
  /** Reason why libbpf does not pass the program to the kernel; null if it passes it. */
  readonly failure: Failure | null;
  readonly outcome: Outcome;
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
  /** Reasons that concern the object as a whole. */
  readonly reasons: readonly Reason[];
  readonly undecided: readonly Undecided[];
};

/** Text at the end of a reason if the loaded modules are unknown. */
export const MAY_BE_IN_MODULE = '. A module that is loaded may have it.';

/** Returns the verdict on loading an object on a kernel. */
export function judgeLoad(object: LoadObject, kernel: LoadKernel): LoadVerdict {
  const progress = notStarted(object, kernel);
  const [stop] = stopsOf(progress);
  return stop === undefined ? loadedVerdict(progress) : stoppedVerdict(progress, stop);
}

/** Returns the part of a verdict that is the same with and without a stop. */
function verdictBase({ object, resolution, structOps, core, undecided }: Progress) {
  const warnings = [...object.openWarnings, ...resolution.warnings];
  const { infos } = structOps;
  return { warnings, infos, externs: resolution.externs, core, undecided };
}

function stoppedVerdict(progress: Progress, stop: Stop): LoadVerdict {
  const { call, failure, isCodeKnown, reason } = stop;
  const code = isCodeKnown ? errnoNumber(failure) : null;
  const { outcome } = reason;
  const reasons = [reason];
  return {
    ...verdictBase(progress),
    open: call === 'open' ? code : 0,
    prepare: call === 'prepare' ? code : null,
    load: call === 'load' ? code : null,
    stopsAt: call,
    lastWarnings: [...progress.joinWarnings, ...failure.lines],
    programs: progress.object.programs.map((program) => ({
      program,
      autoload: program.autoload,
      attachBtfId: 0,
      attachModule: null,
      special: [],
      failure: null,
      outcome,
      reasons,
    })),
    outcome,
    reasons,
  };
}

/** Returns the verdict on a prepared object. libbpf stops at the first program it does not load. */
function loadedVerdict(progress: Progress): LoadVerdict {
  const { object, autoload, open, joinWarnings } = progress;
  const isOpen = open.length > 0;
  const programs = object.programs.map((program) => {
    const judged = judgeProgram(progress, program, autoload.get(program) ?? program.autoload);
    return isOpen ? unsureOf(judged, open) : judged;
  });
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
    ...verdictBase(progress),
    open: 0,
    // An undecided extern or map may make prepare fail.
    prepare: isOpen ? null : 0,
    load: isOpen ? null : failure === null ? 0 : errnoNumber(failure),
    stopsAt: isOpen || failure === null ? null : 'load',
    lastWarnings: [...joinWarnings, ...lines],
    programs,
    outcome: worstOf([
      isOpen ? 'may-fail' : 'loads',
      ...programs.filter(({ autoload: isLoaded }) => isLoaded).map(({ outcome }) => outcome),
    ]),
    reasons: [],
  };
}

/** Adds to a program's verdict the reason that prepare may fail before the program is loaded. */
function unsureOf(judged: LoadedProgram, open: readonly Undecided[]): LoadedProgram {
  const text = `The object may fail by ${open.map(({ what }) => what).join(', ')}.`;
  const reason: Reason = { outcome: 'may-fail', step: 'externs', text, insn: null, source: null };
  const outcome = worstOf([judged.outcome, 'may-fail']);
  return { ...judged, outcome, reasons: [...judged.reasons, reason] };
}

function judgeProgram(progress: Progress, program: LoadProgram, autoload: boolean): LoadedProgram {
  const { object, kernel } = progress;
  const { model } = object;
  const slot = progress.structOps.slots.get(program.func);
  const target = isStructOps(program.kind) ? null : findTarget(program, kernel);
  const missing = refusal(program, slot, target);
  const attached = target !== null && 'btfId' in target ? target : null;
  const { special, reasons } = codeOf(object, kernel, progress, program);
  // An unknown module may have the target, unless the section names a module that is known.
  const isOfModule = missing?.errno === 'ESRCH' || (target !== null && namesModule(program));
  const mayBeInModule = isOfModule && kernel.modules === null;
  const all: Reason[] = [];
  if (missing !== null) {
    all.push({
      outcome: mayBeInModule ? 'may-fail' : 'fails',
      step: target === null ? 'type' : 'attach',
      text: `${missing.lines[0]}${mayBeInModule ? MAY_BE_IN_MODULE : ''}`,
      insn: null,
      source: sourceAt(model, program, 0),
      ...(target === null ? {} : { about: { of: 'target', program: program.name } }),
    });
  }
  for (const lacking of missingTypes(kernel, object.maps, kernelProgramType(program.kind))) {
    all.push({ outcome: 'rejected', ...lacking, insn: null, source: null });
  }
  append(all, reasons);
  return {
    program,
    autoload,
    attachBtfId: slot?.btfId ?? attached?.btfId ?? 0,
    attachModule: slot?.module ?? attached?.module ?? null,
    special,
    failure: missing,
    outcome: worstOf(all.map(({ outcome }) => outcome)),
    reasons: all,
  };
}

/** Returns why libbpf does not load the program, or null. Source: bpf_object_load_prog. */
function refusal(
  { name, section, kind }: LoadProgram,
  slot: StructOpsSlot | undefined,
  target: AttachTarget | Failure | null,
): Failure | null {
  const say = (line: string) => failed('EINVAL', `prog '${name}': ${line}`);
  if (kind === '') return say(`missing BPF prog type, check ELF section name '${section}'`);
  if (isStructOps(kind) && slot === undefined) {
    return say(`SEC("struct_ops") program isn't referenced anywhere, did you forget to use it?`);
  }
  return target !== null && 'errno' in target ? target : null;
}
