/**
 * The steps of libbpf from opening an object to loading its first program, in order. Source: libbpf
 * 1.8, libbpf.c: bpf_object_prepare, bpf_object__resolve_externs, bpf_object__relocate.
 */
import { type CoreObject, recordsOf } from '#analysis/core/core-records.ts';
import { type CoreResult, gaveUp, resolveObject } from '#analysis/core/resolve.ts';
import { type LoadKernel, targetOfKernel } from '#analysis/kernel/kernel.ts';
import { otherMachine } from '#analysis/kernel/machine.ts';
import { mapType } from '#analysis/kernel/map-types.ts';
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { unreadPart } from './elf-rules.ts';
import { kfuncDifference } from './kfunc-difference.ts';
import { kernelName } from './object-maps.ts';
import type { LoadObject, LoadProgram } from './open.ts';
import { errnoOf, type Failure, failed, type Reason } from './outcome.ts';
import { joinCalls } from './program-code.ts';
import { needsKernelBtf } from './program-types.ts';
import { sourceOfRecord } from './record-line.ts';
import {
  openExterns,
  type Resolution,
  resolveExterns,
  type Undecided,
  unresolvedExtern,
} from './resolve-externs.ts';
import {
  matchStructOps,
  NO_STRUCT_OPS,
  type StructOpsResult,
  structOpsText,
} from './struct-ops.ts';

const NO_BTF = failed(
  'ESRCH',
  "kernel BTF is missing at '/sys/kernel/btf/vmlinux', was CONFIG_DEBUG_INFO_BTF enabled?",
  'failed to find valid kernel BTF',
  'Error loading vmlinux BTF: -ESRCH',
);

/** What the steps have found out so far. */
export type Progress = {
  readonly object: LoadObject;
  readonly kernel: LoadKernel;
  resolution: Resolution;
  structOps: StructOpsResult;
  /** True for each program that libbpf loads; the step struct_ops may change it. */
  autoload: ReadonlyMap<LoadProgram, boolean>;
  /** Results of CO-RE records, up to the first record that fails. */
  core: readonly CoreResult[];
  /** Results of all CO-RE records. */
  allCore: readonly CoreResult[];
  /** Log lines about programs and subprograms; names are raw text. */
  joinWarnings: readonly string[];
  undecided: readonly Undecided[];
  /** Items of `undecided` because of which prepare may fail. */
  open: readonly Undecided[];
};

/** The failure of a step, at which libbpf stops. */
export type Stop = {
  readonly step: string;
  readonly call: 'open' | 'prepare' | 'load';
  readonly failure: Failure;
  /** False if an undecided item may make prepare fail earlier, with another error code. */
  readonly isCodeKnown: boolean;
  readonly reason: Reason;
  /** True if later steps cannot be judged, even if this one were repaired. */
  readonly isLast: boolean;
};

type StepStop = Omit<Stop, 'step'>;

/** A step of loading. `run` returns the stops; none if libbpf continues. */
type Step = { readonly name: string; readonly run: (progress: Progress) => readonly StepStop[] };

const STEPS: readonly Step[] = [
  { name: 'file', run: unread },
  { name: 'open', run: opened },
  { name: 'byte order', run: byteOrder },
  { name: 'kernel BTF', run: kernelBtf },
  { name: 'externs', run: externs },
  { name: 'struct_ops', run: structOps },
  { name: 'core', run: core },
  { name: 'subprograms', run: subprograms },
];

const some = (stop: StepStop | null): readonly StepStop[] => (stop === null ? [] : [stop]);

/** Yields the stops in order. libbpf stops at the first; if that is fixed, at the next one. */
export function* stopsOf(progress: Progress): Generator<Stop> {
  for (const { name, run } of STEPS) {
    for (const stop of run(progress)) {
      yield { ...stop, step: name };
      if (stop.isLast) return;
    }
  }
}

function opened({ object: { failures, isBroken } }: Progress): readonly StepStop[] {
  return failures.map((failure, i) =>
    stopAt('open', failure, { isLast: isBroken && i === failures.length - 1 }),
  );
}

/** `dependsOn` is set if the stop is not sure. */
type StopOptions = Partial<Omit<Reason, 'outcome' | 'line'>> & {
  readonly isCodeKnown?: boolean;
  readonly isLast?: boolean;
};

function stopAt(
  call: Stop['call'],
  failure: Failure,
  { isCodeKnown = true, isLast = false, ...reason }: StopOptions = {},
): StepStop {
  const step = call === 'open' ? 'open' : 'prepare';
  const line = failure.lines.at(0) ?? null;
  const text = line ?? failure.cause ?? `${step} fails with -${failure.errno}.`;
  const outcome = reason.dependsOn === undefined ? 'fails' : 'may-fail';
  const fullReason = { outcome, step, text, line, insn: null, source: null, ...reason } as const;
  return { call, failure, isCodeKnown, isLast, reason: fullReason };
}

/** Stops at a file that libbpf may read in another way than this reader. */
function unread({ object: { model } }: Progress): readonly StepStop[] {
  const text = unreadPart(model);
  if (text === null) return [];
  const options = { text, dependsOn: 'file', isCodeKnown: false, isLast: true } as const;
  return [stopAt('open', failed('EINVAL'), options)];
}

/** Stops at a foreign byte order, with which only opening works. Source: bpf_object_load. */
function byteOrder({ object: { model }, kernel: { vmlinux } }: Progress): readonly StepStop[] {
  if (vmlinux === null || vmlinux.endian === model.endian) return [];
  const name = kernelName(model.name.replace(/\..*$/, ''));
  const line = `object '${name}': loading non-native endianness is unsupported`;
  return [stopAt('load', failed('LIBBPF_ERRNO__ENDIAN', line), { isLast: true })];
}

/** Stops if the kernel's BTF is needed and missing. Source: bpf_object__load_vmlinux_btf. */
function kernelBtf({ object, kernel }: Progress): readonly StepStop[] {
  const isMissing = kernel.vmlinux === null && needsBtf(object);
  return isMissing ? [stopAt('prepare', NO_BTF, { isLast: true })] : [];
}

function externs(progress: Progress): readonly StepStop[] {
  const { object, kernel } = progress;
  const resolution = resolveExterns(object.model.types, object.externs, kernel);
  progress.resolution = resolution;
  progress.undecided = resolution.undecided;
  progress.open = openExterns(resolution);
  return resolution.failures.map(({ failure, name }) => {
    const isOfModule = resolution.all.some(
      ({ extern, error }) => extern.name === name && error?.startsWith('not found in'),
    );
    const extern = object.externs.find((one) => one.name === name && one.kind === 'func ksym');
    const line = failure.lines.at(0) ?? null;
    const difference =
      extern === undefined ? null : kfuncDifference(object.model.types, extern, kernel);
    return stopAt('prepare', failure, {
      step: 'externs',
      ...(difference === null || line === null ? {} : { text: `${line}. ${difference}` }),
      ...(kernel.modules === null && isOfModule ? { dependsOn: 'modules' } : {}),
      // If an undecided extern fails before, the error code is EINVAL.
      isCodeKnown: progress.open.length === 0 || failure.errno === 'EINVAL',
      ...(name === null ? {} : { about: { of: 'extern', name } }),
    });
  });
}

/** Returns a stop in prepare after the step for externs. An undecided extern may fail before it. */
function stopAfterExterns(
  { resolution }: Progress,
  failure: Failure,
  options: StopOptions = {},
): StepStop {
  const isCodeKnown = openExterns(resolution).length === 0;
  return stopAt('prepare', failure, { isCodeKnown, ...options });
}

const STRUCT_OPS_MAP = mapType('STRUCT_OPS');

function structOps(progress: Progress): readonly StepStop[] {
  const { object, kernel, undecided, open } = progress;
  const { model, maps, programs } = object;
  const crash = maps.find(({ section, type }) => section === '.maps' && type === STRUCT_OPS_MAP);
  if (crash !== undefined) {
    const text = `map '${crash.name}': libbpf 1.8 crashes on a map of type struct_ops in .maps: a null pointer in bpf_map__init_kern_struct_ops. Other versions may not.`;
    return [stopAt('prepare', failed('EINVAL'), { step: 'struct_ops', text, isCodeKnown: false })];
  }
  const matched = matchStructOps(model, object.structOps, kernel, object.sectionBytes);
  const pinned = maps.filter(({ isPinned }) => isPinned).map(({ name }) => pinnedMap(name));
  progress.structOps = matched;
  const unknown = matched.failures.filter(({ isSure }) => !isSure);
  progress.undecided = [...undecided, ...pinned, ...unknown.map(({ map }) => unknownStruct(map))];
  progress.open = [...open, ...pinned];
  progress.autoload = new Map(
    programs.map((program) => [program, matched.autoload.get(program.func) ?? program.autoload]),
  );
  return matched.failures.map((found) => {
    const { failure, isSure, map, callback } = found;
    return stopAfterExterns(progress, failure, {
      ...(isSure ? {} : { dependsOn: 'modules' }),
      step: 'struct_ops',
      text: structOpsText(found),
      ...(callback === null ? {} : { about: { of: 'callback', map, member: callback } }),
    });
  });
}

const pinnedMap = (name: string): Undecided => ({
  what: name,
  why: 'It is pinned by its name: a map of that name must fit, in a BPF file system that is mounted.',
  needs: null,
});

const unknownStruct = (map: string): Undecided => ({
  what: map,
  why: 'A module that is loaded may have the struct: give --module.',
  needs: 'modules',
});

function core(progress: Progress): readonly StepStop[] {
  const { object, kernel, autoload } = progress;
  const results = coreResults(object, kernel, autoload);
  const failing = results.filter(({ status }) => status === 'failed' || status === 'ambiguous');
  const [first] = failing;
  progress.allCore = results;
  progress.core = first === undefined ? results : results.slice(0, results.indexOf(first) + 1);
  return failing.map((result) =>
    stopAfterExterns(progress, failed(errnoOf(result.resolveErr || result.patchErr)), {
      ...(gaveUp(result) ? { dependsOn: 'search' } : {}),
      step: 'core',
      text:
        (object.core && otherMachine(object.core.types, result.record, kernel)) ?? result.reason,
      source: sourceOfRecord(object.model, result.record.index),
      about: { of: 'record', record: result.record.index },
    }),
  );
}

function subprograms(progress: Progress): readonly StepStop[] {
  const { warnings, failure } = joinCalls(progress.object, progress.autoload);
  progress.joinWarnings = warnings;
  return some(failure && stopAfterExterns(progress, failure));
}

/** Returns the progress before the first step. */
export function notStarted(object: LoadObject, kernel: LoadKernel): Progress {
  return {
    object,
    kernel,
    resolution: {
      externs: object.externs.map(unresolvedExtern),
      warnings: [],
      failures: [],
      undecided: [],
      all: [],
    },
    structOps: NO_STRUCT_OPS,
    autoload: new Map(object.programs.map((program) => [program, program.autoload])),
    core: [],
    allCore: [],
    joinWarnings: [],
    undecided: [],
    open: [],
  };
}

/** Returns true if libbpf needs the kernel's BTF. Source: obj_needs_vmlinux_btf. */
export function needsBtf({ core, externs, programs, structOps, maps }: LoadObject): boolean {
  return (
    core !== null ||
    structOps.length > 0 ||
    maps.some(({ type }) => type === STRUCT_OPS_MAP) ||
    externs.some(({ kind }) => kind === 'var ksym' || kind === 'func ksym') ||
    programs.some(({ kind, autoload }) => autoload && needsKernelBtf(kind))
  );
}

/** Resolves the records of all loaded code. Source: bpf_object__relocate_core. */
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
  return resolveObject(
    chosenRecords(core, model, (func) => !off.has(placeOf(func))),
    target,
  );
}

/** Returns a map key for a function. Copies, made by messages to a worker, have the same key. */
function placeOf({ section, start }: FunctionRange): string {
  return `${section} ${start}`;
}

/** Returns the records in wanted functions, and the records outside of functions. */
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
