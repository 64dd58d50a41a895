/**
 * Will an object load on a kernel, as far as files tell: what libbpf does with it before the
 * verifier, step by step, and whether the verifier comes to an instruction that libbpf made invalid.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object_prepare, bpf_object__resolve_externs,
 * bpf_object__relocate, bpf_object__load_progs.
 */
import { type CoreObject, recordsOf } from '#analysis/core/core-records.ts';
import { type CoreResult, gaveUp, resolveObject } from '#analysis/core/resolve.ts';
import { type LoadKernel, targetOfKernel } from '#analysis/kernel/kernel.ts';
import { mapType } from '#analysis/kernel/map-types.ts';
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import {
  type AttachTarget,
  findTarget,
  isStructOps,
  namesModule,
  needsKernelBtf,
} from './attach.ts';
import type { Extern } from './externs.ts';
import { errnoNumber, errnoOf, type Failure, failed } from './failure.ts';
import { refusedByKernel } from './kernel-enums.ts';
import type { LoadObject, LoadProgram } from './open.ts';
import {
  codeOf,
  type ForCode,
  type Joined,
  joinCalls,
  type Outcome,
  type Reason,
  type SpecialInsn,
  sourceAt,
  worstOf,
} from './program-code.ts';
import {
  type ExternResult,
  openExterns,
  type Resolution,
  resolveExterns,
  type Undecided,
} from './resolve-externs.ts';
import { matchStructOps, type StructOpsResult, type StructOpsSlot } from './struct-ops.ts';

export type LoadedProgram = {
  readonly program: LoadProgram;
  readonly autoload: boolean;
  readonly attachBtfId: number;
  readonly attachModule: string | null;
  readonly special: readonly SpecialInsn[];
  /** Would libbpf hand it to the kernel, if it came to it? */
  readonly failure: Failure | null;
  readonly outcome: Outcome;
  readonly reasons: readonly Reason[];
};

export type LoadVerdict = {
  /** 0, or the negative error number; null: libbpf does not come to it, or it is not known. */
  readonly open: number | null;
  readonly prepare: number | null;
  readonly load: number | null;
  readonly stopsAt: 'open' | 'prepare' | 'load' | null;
  /** What libbpf logs as warnings before it comes to `core`. Raw names. */
  readonly warnings: readonly string[];
  /** What it logs last, behind the lines of `core`. Raw names. */
  readonly lastWarnings: readonly string[];
  /** What libbpf logs as information. Raw names. */
  readonly infos: readonly string[];
  readonly externs: readonly ExternResult[];
  readonly programs: readonly LoadedProgram[];
  /** The records that libbpf comes to, up to the first that fails. */
  readonly core: readonly CoreResult[];
  readonly outcome: Outcome;
  /** What the whole object fails by. */
  readonly reasons: readonly Reason[];
  readonly undecided: readonly Undecided[];
};

/** What follows libbpf's line where the modules that are loaded are not known. */
export const MAY_BE_IN_MODULE = '. A module that is loaded may have it.';

const NO_BTF = failed(
  'ESRCH',
  "kernel BTF is missing at '/sys/kernel/btf/vmlinux', was CONFIG_DEBUG_INFO_BTF enabled?",
  'failed to find valid kernel BTF',
  'Error loading vmlinux BTF: -ESRCH',
);

/** What libbpf makes of an object on a kernel. */
export function judgeLoad(object: LoadObject, kernel: LoadKernel): LoadVerdict {
  const verdict = judged(object, kernel);
  return { ...verdict, warnings: [...object.openWarnings, ...verdict.warnings] };
}

function judged(object: LoadObject, kernel: LoadKernel): LoadVerdict {
  if (object.failure !== null)
    return stopped(object, 'open', object.failure, untouched(object.externs), []);
  const { model, externs } = object;
  if (kernel.vmlinux !== null && kernel.vmlinux.endian !== model.endian) {
    const name = model.name.replace(/\..*$/, '').slice(0, 15);
    const line = `object '${name}': loading non-native endianness is unsupported`;
    const failure = failed('LIBBPF_ERRNO__ENDIAN', line);
    const verdict = stopped(object, 'prepare', failure, untouched(externs), []);
    return { ...verdict, prepare: null, load: errnoNumber(failure), stopsAt: 'load' };
  }
  if (kernel.vmlinux === null && needsBtf(object)) {
    return stopped(object, 'prepare', NO_BTF, untouched(externs), []);
  }
  const resolution = resolveExterns(model.types, externs, kernel);
  const { undecided } = resolution;
  if (resolution.failure !== null) {
    const isOfModule = resolution.externs.some(({ error }) => error?.startsWith('not found in'));
    const isSure = kernel.modules !== null || !isOfModule;
    const verdict = stopped(object, 'prepare', resolution.failure, resolution, undecided, isSure);
    // What is not known fails with EINVAL, if it fails before this.
    const isOpen = openExterns(resolution).length > 0 && resolution.failure.errno !== 'EINVAL';
    const named = resolution.externs.find(({ result }) => result === 'error')?.extern.name;
    const [reason] = verdict.reasons;
    const reasons =
      reason === undefined || named === undefined
        ? {}
        : failing(verdict, { ...reason, step: 'externs', about: { of: 'extern', name: named } });
    return { ...verdict, ...reasons, ...(isOpen ? { prepare: null } : {}) };
  }
  const crash = object.maps.find(
    ({ section, type }) => section === '.maps' && type === STRUCT_OPS_MAP,
  );
  if (crash !== undefined) {
    const verdict = stopped(object, 'prepare', failed('EINVAL'), resolution, undecided);
    return { ...verdict, ...failing(verdict, crashReason(crash.name)), prepare: null };
  }
  const structOps = matchStructOps(model, object.structOps, kernel, object.sectionBytes);
  const pinned = object.maps
    .filter(({ isPinned }) => isPinned)
    .map(({ name }) => ({
      what: name,
      why: 'It is pinned by its name: a map of that name must fit, in a BPF file system that is mounted.',
      needs: null,
    }));
  const unsure = [
    ...undecided,
    ...pinned,
    ...structOps.unknown.map((what) => ({
      what,
      why: 'A module that is loaded may have the struct: give --module.',
      needs: 'modules' as const,
    })),
  ];
  const after = (failure: Failure, isSure = true): LoadVerdict => {
    const verdict = stopped(object, 'prepare', failure, resolution, unsure, isSure);
    const isOpen = openExterns(resolution).length > 0;
    return { ...verdict, prepare: isOpen ? null : verdict.prepare, infos: structOps.infos };
  };
  if (structOps.failure !== null) {
    return after(structOps.failure, structOps.unknown.length === 0);
  }
  const autoload = new Map(
    object.programs.map((program) => [
      program,
      structOps.autoload.get(program.func) ?? program.autoload,
    ]),
  );
  const core = coreResults(object, kernel, autoload);
  const failingRecord = core.find(({ status }) => status === 'failed' || status === 'ambiguous');
  if (failingRecord !== undefined) {
    const failure = failed(errnoOf(failingRecord.resolveErr || failingRecord.patchErr));
    const isSure = !gaveUp(failingRecord);
    const verdict = after(failure, isSure);
    const reason: Reason = {
      outcome: isSure ? 'fails' : 'may-fail',
      step: 'core',
      text: failingRecord.reason,
      insn: null,
      source: null,
    };
    return { ...verdict, ...failing(verdict, reason), core };
  }
  const joined = joinCalls(object, autoload);
  if (joined.failure !== null) {
    const verdict = after(joined.failure);
    return { ...verdict, lastWarnings: [...joined.warnings, ...verdict.lastWarnings], core };
  }
  const open = [...openExterns(resolution), ...pinned];
  return loaded(object, kernel, {
    resolution,
    structOps,
    core,
    autoload,
    joined,
    undecided: unsure,
    open,
  });
}

/** The object and each of its programs fail by one reason. */
function failing(
  { programs }: LoadVerdict,
  reason: Reason,
): Pick<LoadVerdict, 'programs' | 'reasons'> {
  return { programs: programs.map((one) => ({ ...one, reasons: [reason] })), reasons: [reason] };
}

function crashReason(map: string): Reason {
  const text = `map '${map}': libbpf 1.8 crashes on a map of type struct_ops in .maps: a null pointer in bpf_map__init_kern_struct_ops. Other versions may not.`;
  return { outcome: 'fails', step: 'struct_ops', text, insn: null, source: null };
}

/** Externs that libbpf has not come to. */
function untouched(externs: readonly Extern[]): Pick<Resolution, 'externs' | 'warnings'> {
  const none = { result: null, value: null, btfId: null, module: null, error: null };
  return { externs: externs.map((extern) => ({ extern, ...none })), warnings: [] };
}

function stopped(
  { programs }: LoadObject,
  step: 'open' | 'prepare',
  failure: Failure,
  { externs, warnings }: Pick<Resolution, 'externs' | 'warnings'>,
  undecided: readonly Undecided[],
  isSure = true,
): LoadVerdict {
  const number = errnoNumber(failure);
  // A module that nobody gave may have what is missing.
  const outcome = isSure ? 'fails' : 'may-fail';
  const text = failure.lines.at(0) ?? `${step} fails with -${failure.errno}.`;
  const reason: Reason = { outcome, step, text, insn: null, source: null };
  return {
    open: step === 'open' ? number : 0,
    prepare: step === 'prepare' ? number : null,
    load: null,
    stopsAt: step,
    warnings,
    lastWarnings: failure.lines,
    infos: [],
    externs,
    programs: programs.map((program) => ({
      program,
      autoload: program.autoload,
      attachBtfId: 0,
      attachModule: null,
      special: [],
      failure: null,
      outcome,
      reasons: [reason],
    })),
    core: [],
    outcome,
    reasons: [reason],
    undecided,
  };
}

const STRUCT_OPS_MAP = mapType('STRUCT_OPS');

/** Source: obj_needs_vmlinux_btf. */
function needsBtf({ core, externs, programs, structOps, maps }: LoadObject): boolean {
  return (
    core !== null ||
    structOps.length > 0 ||
    maps.some(({ type }) => type === STRUCT_OPS_MAP) ||
    externs.some(({ kind }) => kind === 'var ksym' || kind === 'func ksym') ||
    programs.some(({ kind, autoload }) => autoload && needsKernelBtf(kind))
  );
}

/** The records of programs that are loaded, and of all subprograms. Source: bpf_object__relocate_core. */
function coreResults(
  { core, model }: LoadObject,
  kernel: LoadKernel,
  autoload: ReadonlyMap<LoadProgram, boolean>,
): readonly CoreResult[] {
  const target = targetOfKernel(kernel);
  if (core === null || target === null) return [];
  const off = new Set(
    [...autoload].filter(([, isLoaded]) => !isLoaded).map(([{ func }]) => placeOf(func)),
  );
  const results = resolveObject(
    chosenRecords(core, model, (func) => !off.has(placeOf(func))),
    target,
  );
  const failing = results.findIndex(({ status }) => status === 'failed' || status === 'ambiguous');
  return failing < 0 ? results : results.slice(0, failing + 1);
}

/** The same for copies of a range: an object that was sent has its own. */
function placeOf({ section, start }: FunctionRange): string {
  return `${section} ${start}`;
}

/** Those whose instruction is in a function that is wanted, or in none. */
function chosenRecords(
  core: CoreObject,
  model: ObjectModel,
  isWanted: (func: FunctionRange) => boolean,
): CoreObject {
  return recordsOf(core, ({ index, insnOff }) => {
    const section = model.ext.core.section[index] ?? -1;
    const func = section < 0 ? null : functionAt(model, sectionIndex(section), insnOff);
    return func === null || isWanted(func);
  });
}

type Prepared = ForCode & {
  readonly structOps: StructOpsResult;
  readonly autoload: ReadonlyMap<LoadProgram, boolean>;
  readonly undecided: readonly Undecided[];
  readonly joined: Joined;
  /** What of it may be what prepare fails by. */
  readonly open: readonly Undecided[];
};

function loaded(object: LoadObject, kernel: LoadKernel, prepared: Prepared): LoadVerdict {
  const { resolution, structOps, core, autoload, joined, undecided, open } = prepared;
  const isOpen = open.length > 0;
  const programs = object.programs.map((program) => {
    const on = autoload.get(program) ?? program.autoload;
    const judged = judgeProgram(object, kernel, prepared, program, on);
    return isOpen ? unsureOf(judged, open) : judged;
  });
  const first = programs.find((one) => one.autoload && one.failure !== null);
  const loadFailure = first?.failure ?? null;
  const lines =
    first === undefined || loadFailure === null
      ? []
      : [
          ...loadFailure.lines,
          `prog '${first.program.name}': failed to load: -${loadFailure.errno}`,
          `failed to load object '${object.model.name}'`,
        ];
  return {
    open: 0,
    // What is not known may be what prepare fails by.
    prepare: isOpen ? null : 0,
    load: isOpen ? null : loadFailure === null ? 0 : errnoNumber(loadFailure),
    stopsAt: isOpen || loadFailure === null ? null : 'load',
    warnings: resolution.warnings,
    lastWarnings: [...joined.warnings, ...lines],
    infos: structOps.infos,
    externs: resolution.externs,
    programs,
    core,
    outcome: worstOf([
      isOpen ? 'may-fail' : 'loads',
      ...programs.filter(({ autoload: on }) => on).map(({ outcome }) => outcome),
    ]),
    reasons: [],
    undecided,
  };
}

/** A program of an object of which not all is decided that prepare needs. */
function unsureOf(judged: LoadedProgram, open: readonly Undecided[]): LoadedProgram {
  const text = `The object may fail by ${open.map(({ what }) => what).join(', ')}.`;
  const reason: Reason = { outcome: 'may-fail', step: 'externs', text, insn: null, source: null };
  const outcome = worstOf([judged.outcome, 'may-fail']);
  return { ...judged, outcome, reasons: [...judged.reasons, reason] };
}

function judgeProgram(
  object: LoadObject,
  kernel: LoadKernel,
  prepared: Prepared,
  program: LoadProgram,
  autoload: boolean,
): LoadedProgram {
  const { model } = object;
  const slot = prepared.structOps.slots.get(program.func);
  const target = isStructOps(program.kind) ? null : findTarget(program, kernel);
  const missing = refusal(program, slot, target);
  const attached = target !== null && 'btfId' in target ? target : null;
  const { special, reasons } = codeOf(object, kernel, prepared, program);
  // The target may be in a module, unless one is named that is here.
  const isOfModule = missing?.errno === 'ESRCH' || (target !== null && namesModule(program));
  const mayBeInModule = missing !== null && isOfModule && kernel.modules === null;
  const own: Reason[] =
    missing === null
      ? []
      : [
          {
            outcome: mayBeInModule ? 'may-fail' : 'fails',
            step: target === null ? 'type' : 'attach',
            text: `${missing.lines[0]}${mayBeInModule ? MAY_BE_IN_MODULE : ''}`,
            insn: null,
            source: sourceAt(model, program, 0),
            ...(target === null ? {} : { about: { of: 'target', program: program.name } }),
          },
        ];
  const all = [...own, ...refusedByKernel(kernel, object.maps, program.kind), ...reasons];
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

/** Why libbpf hands a program to no kernel; null where it does. Source: bpf_object_load_prog. */
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
