/**
 * The code of a program as libbpf passes it to the kernel: which instructions libbpf writes, and
 * whether the verifier reaches those that libbpf made invalid. Source: libbpf 1.8, libbpf.c:
 * bpf_object__relocate_data, bpf_object__reloc_code, poison_kfunc_call; relo_core.c:
 * bpf_core_poison_insn.
 */
import { lineAt } from '#analysis/code/source-lines.ts';
import { essentialName } from '#analysis/core/essential-name.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { DependsOn } from '#analysis/kernel/dependency.ts';
import type { AddressTarget, Value, WalkedKfunc } from '#analysis/kernel/flow.ts';
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { otherMachine } from '#analysis/kernel/machine.ts';
import { mapType } from '#analysis/kernel/map-types.ts';
import { type Reach, reachOf } from '#analysis/kernel/reach.ts';
import {
  type CalledKfunc,
  type KernelMap,
  type KernelProgram,
  programRefusals,
  type Refusal,
} from '#analysis/kernel/refusals.ts';
import { functionAt, functionsOf } from '#analysis/objects/functions.ts';
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { addTo, memoized } from '#bytes/cache.ts';
import { decodeInsn, insnOffsets, isCall, isLdImm64, SLOT_SIZE } from '#formats/bpf/insn.ts';
import { CALL_SOURCE, IMM64_SOURCE } from '#formats/bpf/opcodes.ts';
import { BtfKind, Linkage } from '#formats/btf/kinds.ts';
import { NO_EXT } from '#model/ext.ts';
import { typeId, VOID } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import {
  kindOf,
  nameOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import type { CreatedMaps } from './create-maps.ts';
import { type Extern, optionNumber } from './externs.ts';
import { joinedBytes, joinedInsns, joinedRecords } from './joined-code.ts';
import { kfuncDifference } from './kfunc-difference.ts';
import type { LoadObject, LoadProgram } from './open.ts';
import {
  type About,
  errnoNumber,
  type Failure,
  failed,
  RELOC,
  type Reason,
  type SourcePlace,
} from './outcome.ts';
import {
  callbackTags,
  missingInfo,
  type ProgramPart,
  slotPlace,
  subprogramAt,
  textSection,
} from './program-parts.ts';
import { kernelProgramType } from './program-types.ts';
import { sourceOfRecord } from './record-line.ts';
import type { ExternResult, Resolution } from './resolve-externs.ts';

/** An instruction that libbpf writes: its slot, its kind, and the value in it. */
export type SpecialInsn =
  | readonly [number, 'kfunc' | 'btf_id', number]
  | readonly [number, 'kfunc' | 'btf_id', number, string]
  | readonly [number, 'poison', number]
  | readonly [number, 'imm64', string];

/** `BPF_F_RDONLY_PROG`: libbpf freezes such a section, and the verifier reads its numbers. */
const RDONLY_PROG = 0x80n;

/** Nonexistent helpers that libbpf calls on purpose. Source: libbpf_internal.h, relo_core.c. */
const POISON_CORE = 195_896_080;
const POISON_KFUNC = 2_002_000_000;

/** Results of externs and CO-RE records on a kernel, which libbpf writes into the code, and maps. */
export type ForCode = {
  readonly resolution: Resolution;
  readonly allCore: readonly CoreResult[];
  readonly maps: CreatedMaps['maps'];
};

type ProgramCode = {
  readonly special: readonly SpecialInsn[];
  readonly reasons: readonly Reason[];
};

/** Index of the first extern with each name. */
const externNumbers = memoized(
  ({ all }: Resolution) =>
    new Map(all.map(({ extern }, number) => [extern.name, number] as const).toReversed()),
);

/** Value of an option, which the verifier reads from `.kconfig`; null if it is no number. */
const optionOf = memoized(({ extern: { kconfig }, result, value }: ExternResult) => {
  const number = kconfig === null ? null : optionNumber(kconfig, result, value);
  return number === null || kconfig === null ? null : { number, byteSize: kconfig.size };
});

/** CO-RE result for each record, by the row of the record in the file. */
const resultsByRow = memoized(
  (core: readonly CoreResult[]) => new Map(core.map((result) => [result.record.index, result])),
);

/**
 * Returns the instructions that libbpf writes, and the reasons for which the kernel refuses the
 * program, in its order. `attach` is the attach target in the kernel's BTF.
 */
export function codeOf(
  object: LoadObject,
  kernel: LoadKernel,
  prepared: ForCode,
  program: LoadProgram,
  attach: KernelProgram['attach'],
): ProgramCode {
  const { model } = object;
  const joined = joinedBytes(object, program);
  const { bytes } = joined;
  const special: SpecialInsn[] = [];
  const loaded = new Map<number, Value | null>();
  const callees = new Map<number, number>();
  const helpers = new Map<number, number>();
  const kfuncs = new Map<number, CalledKfunc & WalkedKfunc>();
  /** Kfuncs of `kfuncs`, and those that the kernel lacks, as if it had them. */
  const called = new Map<number, WalkedKfunc>();
  const maps = new Map<number, KernelMap>();
  const offsets = new Map<number, number>();
  const traps = new Map<number, Trap>();
  const targets = new Map<number, AddressTarget>();
  const numbers = externNumbers(prepared.resolution);
  for (const { slot, insn, meaning, callee } of joinedInsns(object, program)) {
    if (!isCall(insn) && !isLdImm64(insn)) continue;
    const number = numbers.get(meaning?.symbolText ?? '');
    const extern = prepared.resolution.all[number ?? -1];
    if (number !== undefined && extern?.extern.kconfig === null) {
      const made = externInsn(slot, isCall(insn), number, extern);
      if (made !== null) special.push(made);
      const { name } = extern.extern;
      if (isLdImm64(insn)) {
        loaded.set(slot, extern.result === 'weak_zero' ? 0n : null);
        // An untyped symbol is a number that the verifier knows.
        if (extern.btfId !== null) targets.set(slot, { of: 'symbol' });
      } else if (made?.[1] === 'poison') {
        const difference = kfuncDifference(model.types, extern.extern, kernel);
        const text =
          difference === null
            ? `The kernel has no kfunc ${name}.`
            : `The kernel's ${name} has another prototype. ${difference}`;
        const line = `kfunc '${name}' is referenced but wasn't resolved`;
        traps.set(slot, { step: 'externs', text, line, about: { of: 'extern', name } });
      } else {
        const { btfId, module } = extern;
        const walked = {
          name: essentialName(name),
          isNumber: returnsNumber(model.types, extern.extern),
        };
        called.set(slot, walked);
        if (btfId !== null) kfuncs.set(slot, { ...walked, btfId, module });
      }
      continue;
    }
    if (isLdImm64(insn)) {
      const isPlain = meaning === null && insn.srcReg === 0;
      const option = extern === undefined ? null : optionOf(extern);
      loaded.set(slot, isPlain ? insn.imm64 : option);
      const map = mapOf(object, meaning?.target ?? null);
      const created = map && prepared.maps.get(map);
      if (created !== undefined) maps.set(slot, created);
      if (map !== undefined) {
        const isConstant = (map.flags & RDONLY_PROG) !== 0n;
        if (map.section === '.maps') targets.set(slot, { of: 'map', type: map.type });
        else {
          targets.set(slot, { of: isConstant ? 'constants' : 'values' });
          offsets.set(slot, Number(meaning?.target?.offset ?? 0n));
        }
      }
    }
    if (meaning === null) {
      if (isCall(insn) && insn.srcReg === CALL_SOURCE.helper) helpers.set(slot, insn.imm);
      if (isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoKfuncCall) {
        special.push([slot, 'kfunc', insn.imm]);
      }
      if (isLdImm64(insn) && insn.srcReg === IMM64_SOURCE.btfId) {
        special.push([slot, 'btf_id', insn.imm]);
      }
    }
    if (callee !== null) callees.set(slot, callee);
  }
  const unknown = new Set<number>();
  patchCore(object, kernel, prepared, program, { bytes, special, loaded, traps, unknown });
  special.sort((a, b) => a[0] - b[0]);
  const code: KernelProgram = {
    name: program.name,
    type: kernelProgramType(program.kind),
    kind: program.kind,
    types: model.types,
    attach,
    funcInfoCount: program.load.funcInfoCount,
    helpers,
    kfuncs,
    maps,
    offsets,
    ...joined,
    callee: (slot) => callees.get(slot) ?? null,
    loaded: (slot) => loaded.get(slot) ?? null,
    target: (slot) => targets.get(slot) ?? null,
    unknown,
  };
  const refusals = programRefusals(code, kernel);
  for (const refusal of refusals) {
    const { insn, pass } = refusal;
    // CO-RE and kfuncs come first: libbpf has replaced the instruction.
    if (pass === 'reached' && insn !== null && !traps.has(insn)) traps.set(insn, trapOf(refusal));
  }
  const reached =
    traps.size === 0
      ? new Map<number, Reach>()
      : reachOf({ ...code, kfuncs: called }, [...traps.keys()]);
  const walked = [...traps].sort(([a], [b]) => a - b);
  const met = [
    ...refusals.flatMap((refusal) =>
      refusal.pass === 'always' ? [metTrap(trapOf(refusal), 'certain', refusal.insn)] : [],
    ),
    ...walked.map(([insn, trap]) => metTrap(trap, reached.get(insn) ?? 'perhaps', insn)),
  ].filter((trap) => trap !== null);
  return {
    special,
    reasons: onePerKind(met).map((reason) => ({
      ...reason,
      source: sourceOf(model, program, reason),
    })),
  };
}

/** Returns the source line of a reason: of its record, which the compiler may have moved, or slot. */
function sourceOf(
  model: ObjectModel,
  program: LoadProgram,
  { insn, about }: Reason,
): SourcePlace | null {
  if (insn === null) return null;
  return about?.of === 'record'
    ? sourceOfRecord(model, about.record)
    : sourceAt(model, program, insn);
}

function trapOf({ step, text, line, helper, isSure, dependsOn, kind }: Refusal): Trap {
  const about: Pick<Reason, 'about'> =
    helper === undefined ? {} : { about: { of: 'helper', helper } };
  return { step, text, line, isSure, dependsOn, kind, ...about };
}

/** A reason, and the kind of instruction that it is about. */
type MetTrap = { readonly reason: Reason; readonly kind: string | undefined };

/** Returns the reason for a trap; null if the verifier never reaches it. */
function metTrap(
  { isSure = true, dependsOn: missing = 'running', kind, ...trap }: Trap,
  reach: Reach,
  insn: number | null,
): MetTrap | null {
  if (reach === 'never') return null;
  const place = { insn, source: null };
  if (isSure && reach === 'certain') {
    return { reason: { ...trap, ...place, outcome: 'rejected' }, kind };
  }
  const dependsOn = isSure ? 'branch' : missing;
  return { reason: { ...trap, ...place, outcome: 'may-fail', dependsOn }, kind };
}

/** Merges reasons of a kind and an outcome to the first, which counts the others. */
function onePerKind(met: readonly MetTrap[]): readonly Reason[] {
  const groups = new Map<string, Reason[]>();
  for (const [at, { reason, kind }] of met.entries()) {
    addTo(groups, kind === undefined ? `${at}` : `${reason.outcome} ${kind}`, reason);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    if (others.length === 0) return [first];
    const count = others.length === 1 ? '1 more instruction is' : `${others.length} more are`;
    return [{ ...first, text: `${first.text} ${count} of this kind.` }];
  });
}

/** Returns the map that an instruction refers to: of a variable in `.maps`, or of a section. */
const ARENA_DATA = '.addr_space.1';
const ARENA = mapType('ARENA');

function mapOf({ model, maps }: LoadObject, target: RelocationTarget | null) {
  if (target === null || target.section === null) return undefined;
  const section = sectionName(model.sections, target.section);
  // Variables of this section are in the arena of the object.
  if (section === ARENA_DATA) return maps.find(({ type }) => type === ARENA);
  return maps.find(
    (map) => map.section === section && (section !== '.maps' || map.name === target.name),
  );
}

/** Returns true if the result of a function is an integer. */
function returnsNumber(t: TypeTable | null, { type }: Extern): boolean {
  const proto = t === null ? VOID : skipModifiers(t, type);
  if (t === null || kindOf(t, proto) !== BtfKind.FUNC_PROTO) return false;
  const result = skipModifiers(t, typeId(sizeOrTypeOf(t, proto)));
  return kindOf(t, result) === BtfKind.INT;
}

function externInsn(
  slot: number,
  isCalled: boolean,
  number: number,
  { extern, result, btfId, module, value }: ExternResult,
): SpecialInsn | null {
  if (result === 'resolved') {
    const word = isCalled ? 'kfunc' : 'btf_id';
    return module === null ? [slot, word, btfId ?? 0] : [slot, word, btfId ?? 0, module];
  }
  if (isCalled) return result === 'weak_zero' ? [slot, 'poison', POISON_KFUNC + number] : null;
  // /proc/kallsyms may hide an address as 0, which does not change the instruction.
  const isAddress = extern.kind === 'ksym' && result === 'set' && value !== null && value !== '0x0';
  return isAddress ? [slot, 'imm64', value] : null;
}

/** Reason for an instruction that the verifier refuses if it reaches the instruction. */
type Trap = Pick<Reason, 'step' | 'text' | 'line' | 'about'> &
  DependsOn & {
    readonly isSure?: boolean | undefined;
    readonly kind?: string | undefined;
  };

type Patched = {
  readonly bytes: Uint8Array;
  readonly special: SpecialInsn[];
  readonly loaded: Map<number, Value | null>;
  readonly traps: Map<number, Trap>;
  readonly unknown: Set<number>;
};

/** Writes the instructions as CO-RE patches them, except those for which it finds no target. */
function patchCore(
  { model, core }: LoadObject,
  kernel: LoadKernel,
  { allCore }: ForCode,
  program: LoadProgram,
  { bytes, special, loaded, traps, unknown }: Patched,
): void {
  const results = resultsByRow(allCore);
  for (const { slot, row } of joinedRecords({ model }, program)) {
    const result = results.get(row);
    if (result === undefined || result.insnAfter === '') continue;
    const { record, status, insnAfter, reason, localSpec } = result;
    if (status === 'poisoned') {
      unknown.add(slot);
      loaded.delete(slot);
      const about: About = { of: 'record', record: record.index };
      const line = localSpec === null ? null : `failed to resolve CO-RE relocation ${localSpec}`;
      const text = (core && otherMachine(core.types, record, kernel)) ?? reason;
      traps.set(slot, { step: 'core', text, line, about });
      for (let i = 0; i * 16 < insnAfter.length; i++)
        special.push([slot + i, 'poison', POISON_CORE]);
      continue;
    }
    for (let i = 0; i * 2 < insnAfter.length && slot * SLOT_SIZE + i < bytes.length; i++) {
      bytes[slot * SLOT_SIZE + i] = Number.parseInt(insnAfter.slice(2 * i, 2 * i + 2), 16);
    }
    if (loaded.has(slot)) {
      loaded.set(slot, decodeInsn(bytes, slot * SLOT_SIZE, model.endian)?.imm64 ?? null);
    }
  }
}

/** Returns the source line for a slot of a program with its subprograms. */
export function sourceAt(
  model: ObjectModel,
  { load: { parts } }: LoadProgram,
  slot: number,
): SourcePlace | null {
  const place = slotPlace(parts, slot);
  return place && lineAt(model, place.section, place.insnOff);
}

/** Result of joining programs with their subprograms: warnings, and the failure or null. */
type Joined = { readonly warnings: readonly string[]; readonly failure: Failure | null };

/** Joins programs with their subprograms. Source: bpf_object__relocate_calls. */
export function joinCalls(object: LoadObject, autoload: ReadonlyMap<LoadProgram, boolean>): Joined {
  const text = textSection(object.model);
  const warnings: string[] = [];
  for (const program of object.programs) {
    if (autoload.get(program) === false || program.func.section === text) continue;
    const { parts, name } = program.load;
    for (const part of parts) {
      const isMain = part === parts[0];
      // Without .BTF.ext, libbpf does not look for records.
      const missing = object.model.ext === NO_EXT ? [] : missingInfo(part, parts[0] ?? part);
      const lineOf = (kind: keyof typeof INFO_WORDS) =>
        `prog '${part.name}': missing .BTF.ext ${INFO_WORDS[kind]} info`;
      for (const kind of isMain ? missing : []) {
        const skipped = `skipping all of .BTF.ext ${kind.replace('_', ' ')}.`;
        warnings.push(`${lineOf(kind)} for the main program, ${skipped}`);
      }
      const [lost] = isMain ? [] : missing;
      const failure =
        lost === undefined ? lostCall(object, part) : failed('ENOENT', `${lineOf(lost)}.`);
      if (failure === null) continue;
      const last = `prog '${name}': failed to relocate calls: ${errnoNumber(failure)}`;
      return { warnings, failure: failed(failure.errno, ...failure.lines, last) };
    }
    const failure = lostCallback(object, program);
    if (failure !== null) return { warnings, failure };
  }
  return { warnings, failure: null };
}

const INFO_WORDS = { func_info: 'function', line_info: 'line' } as const;

/** Returns the failure of exception callback tags, or null. Source: bpf_prog_assign_exc_cb. */
function lostCallback({ model }: LoadObject, { name }: LoadProgram): Failure | null {
  const { types: t } = model;
  if (t === null) return null;
  let hasCallback = false;
  for (const { program, callback } of callbackTags(model)) {
    const line = `prog '${name}': `;
    if (kindOf(t, program) !== BtfKind.FUNC || vlenOf(t, program) !== Linkage.global) {
      const text = 'exception_callback:<value> decl tag not applied to the main program';
      return failed('EINVAL', `${line}${text}`);
    }
    if (nameOf(t, program) !== name) continue;
    // The verifier refuses a second callback.
    if (hasCallback) return null;
    if (callback === '') {
      return failed('EINVAL', `${line}exception_callback:<value> decl tag contains empty value`);
    }
    const text = textSection(model);
    const func = functionsOf(model).find((f) => f.name === callback && f.section === text);
    if (func === undefined) {
      return failed('ENOENT', `${line}cannot find exception callback '${callback}'`);
    }
    if (!func.global) {
      const what = `exception callback ${callback} must be a global non-hidden function`;
      return failed('EINVAL', `${line}${what}`);
    }
    hasCallback = true;
  }
  return null;
}

/** Returns the failure of a call of a subprogram, or of the address of one, or null. */
function lostCall({ model, sectionBytes }: LoadObject, part: ProgramPart): Failure | null {
  const text = textSection(model);
  const code = sectionBytes(part.section)?.subarray(part.start, part.end) ?? new Uint8Array(0);
  for (const offset of insnOffsets(code, model.endian)) {
    const insn = decodeInsn(code, offset, model.endian);
    if (insn === null) continue;
    const at = part.start + offset;
    const isAddress = isLdImm64(insn) && insn.srcReg === IMM64_SOURCE.func;
    if (isAddress && relocationsInRange(model, part.section, at, at + SLOT_SIZE).length === 0) {
      const line = `prog '${part.name}': missing subprog addr relo for insn #${offset / SLOT_SIZE}`;
      return failed(RELOC, line);
    }
    const isSubprogramCall = isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall;
    const place = isSubprogramCall ? subprogramAt(model, part, insn) : null;
    if (place === null) continue;
    // libbpf searches in `.text`, even if the callee is in another section.
    if (text === undefined || functionAt(model, text, place.offset) === null) {
      const line = `prog '${part.name}': no .text section found yet sub-program call exists`;
      return failed(RELOC, line);
    }
  }
  return null;
}
