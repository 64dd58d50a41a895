/**
 * Will an object load on a kernel, as far as files tell: what libbpf does with it before the
 * verifier, step by step, and whether the verifier comes to an instruction that libbpf made invalid.
 *
 * Source: libbpf 1.8, libbpf.c: bpf_object_prepare, bpf_object__resolve_externs,
 * bpf_object__relocate, bpf_object__load_progs.
 */
import { type CoreObject, recordsOf } from '#analysis/core/core-records.ts';
import { type CoreResult, gaveUp, resolveObject } from '#analysis/core/resolve.ts';
import type { CoreTarget } from '#analysis/core/target.ts';
import { subprogramAt, textSection } from '#analysis/load-calls/load-calls.ts';
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { decodeInsn, insnOffsets, isCall } from '#formats/bpf/insn.ts';
import { CALL_SOURCE } from '#formats/bpf/opcodes.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type AttachTarget, findTarget, isStructOps, needsKernelBtf } from './attach.ts';
import type { Extern } from './externs.ts';
import { errnoNumber, errnoOf, type Failure, failed, RELOC } from './failure.ts';
import type { LoadKernel } from './kernel.ts';
import type { LoadObject, LoadProgram } from './load-object.ts';
import {
  codeOf,
  type ForCode,
  type Outcome,
  type Reason,
  type SpecialInsn,
  sourceAt,
  worstOf,
} from './program-code.ts';
import {
  type ExternResult,
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
  if (object.failure !== null)
    return stopped(object, 'open', object.failure, untouched(object.externs), []);
  const { model, externs } = object;
  if (kernel.vmlinux !== null && kernel.vmlinux.endian !== model.endian) {
    const name = model.name.replace(/\..*$/, '').slice(0, 15);
    const line = `object '${name}': load is not supported in non-native endianness`;
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
    return stopped(object, 'prepare', resolution.failure, resolution, undecided, isSure);
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
  if (structOps.failure !== null) {
    const isSure = structOps.unknown.length === 0;
    return stopped(object, 'prepare', structOps.failure, resolution, unsure, isSure);
  }
  const autoload = new Map(
    object.programs.map((program) => [
      program,
      structOps.autoload.get(program.func) ?? program.autoload,
    ]),
  );
  const core = coreResults(object, kernel, autoload);
  const failing = core.find(({ status }) => status === 'failed' || status === 'ambiguous');
  if (failing !== undefined) {
    const number = failing.resolveErr || failing.patchErr;
    const failure = failed(errnoOf(number));
    const isSure = !gaveUp(failing);
    const verdict = stopped(object, 'prepare', failure, resolution, unsure, isSure);
    const reason: Reason = {
      outcome: isSure ? 'fails' : 'may-fail',
      step: 'core',
      text: failing.reason,
      insn: null,
      source: null,
    };
    return { ...verdict, prepare: number, core, reasons: [reason] };
  }
  const lost = lostCall(object, autoload);
  if (lost !== null) return { ...stopped(object, 'prepare', lost, resolution, unsure), core };
  return loaded(object, kernel, { resolution, structOps, core, autoload, undecided: unsure });
}

/** A call of a subprogram that is not in `.text`. Source: bpf_object__reloc_code. */
function lostCall(
  { model, programs, sectionBytes }: LoadObject,
  autoload: ReadonlyMap<LoadProgram, boolean>,
): Failure | null {
  const text = textSection(model);
  for (const program of programs) {
    if (autoload.get(program) === false || program.func.section === text) continue;
    for (const part of program.load.parts) {
      const code = sectionBytes(part.section)?.subarray(part.start, part.end) ?? new Uint8Array(0);
      for (const offset of insnOffsets(code, model.endian)) {
        const insn = decodeInsn(code, offset, model.endian);
        const isSubprogramCall =
          insn !== null && isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall;
        const place = isSubprogramCall ? subprogramAt(model, part, insn) : null;
        if (place === null) continue;
        // libbpf looks in `.text`, whichever section the place is in.
        const found = text !== undefined && functionAt(model, text, place.offset);
        if (!found) {
          return failed(
            RELOC,
            `prog '${program.name}': no .text section found yet sub-program call exists`,
            `prog '${program.name}': failed to relocate calls: ${errnoNumber({ errno: RELOC })}`,
          );
        }
      }
    }
  }
  return null;
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

/** BPF_MAP_TYPE_STRUCT_OPS. */
const STRUCT_OPS_MAP = 26;

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
  { name, vmlinux, modules }: LoadKernel,
  autoload: ReadonlyMap<LoadProgram, boolean>,
): readonly CoreResult[] {
  if (core === null || vmlinux === null) return [];
  const off = new Set(
    [...autoload].filter(([, isLoaded]) => !isLoaded).map(([{ func }]) => placeOf(func)),
  );
  const target: CoreTarget = {
    name,
    tables: [{ name: 'vmlinux', types: vmlinux }, ...(modules ?? [])],
  };
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
};

function loaded(object: LoadObject, kernel: LoadKernel, prepared: Prepared): LoadVerdict {
  const { resolution, core, autoload, undecided } = prepared;
  const open = undecided.filter(({ what }) => isStrong(resolution, what));
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
    stopsAt: loadFailure === null ? null : 'load',
    warnings: resolution.warnings,
    lastWarnings: lines,
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

/** A program of an object whose externs are not all decided. */
function unsureOf(judged: LoadedProgram, open: readonly Undecided[]): LoadedProgram {
  const text = `The object may fail by ${open.map(({ what }) => what).join(', ')}.`;
  const reason: Reason = { outcome: 'may-fail', step: 'externs', text, insn: null, source: null };
  const outcome = worstOf([judged.outcome, 'may-fail']);
  return { ...judged, outcome, reasons: [...judged.reasons, reason] };
}

/** Is it an extern that must be there, or an option, whose value may be one that does not fit? */
function isStrong({ externs }: Resolution, what: string): boolean {
  const found = externs.find(({ extern }) => extern.name === what);
  return (
    found !== undefined &&
    found.result === null &&
    (found.extern.kind === 'kcfg' || !found.extern.weak)
  );
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
  const { special, reasons } = codeOf(object, prepared, program);
  // The target may be in a module, unless one is named that is here.
  const mayBeInModule = missing?.errno === 'ESRCH' && kernel.modules === null;
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
          },
        ];
  const all = [...own, ...reasons];
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
