/**
 * Matches struct_ops maps with structs of the kernel. Source: libbpf 1.8, libbpf.c:
 * bpf_object__init_kern_struct_ops_maps, bpf_map__init_kern_struct_ops, find_struct_ops_kern_types,
 * bpf_object_adjust_struct_ops_autoload.
 */
import { essentialName } from '#analysis/core/essential-name.ts';
import { findByNameKind, findInKernel, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { relocationOffset, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { type Variable, variableBytes } from '#analysis/values/variables.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Member, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { ObjectMap, StructOps } from './object-maps.ts';
import { type Failure, failed } from './outcome.ts';

/** The map of a struct_ops variable, and the program of each member by the member's index. */
export type StructOpsMap = {
  readonly map: ObjectMap;
  readonly structOps: StructOps;
  readonly programs: ReadonlyMap<number, FunctionRange>;
};

/** Returns the struct_ops maps of an object. */
export function structOpsMaps(model: ObjectModel, maps: readonly ObjectMap[]): StructOpsMap[] {
  const t = model.types;
  return maps.flatMap((map) => {
    const { structOps } = map;
    if (t === null || structOps === null) return [];
    const members = membersOf(t, structOps.struct);
    return [{ map, structOps, programs: programsIn(model, structOps.variable, members) }];
  });
}

function programsIn(
  model: ObjectModel,
  { sectionIndex, byteOffset, byteSize }: Variable,
  members: readonly Member[],
): Map<number, FunctionRange> {
  const programs = new Map<number, FunctionRange>();
  if (sectionIndex === null || byteOffset === null) return programs;
  const indices = new Map(members.map(({ bitOffset, index }) => [bitOffset, index]));
  for (const reloc of relocationsInRange(model, sectionIndex, byteOffset, byteOffset + byteSize)) {
    const { target } = relocationMeaning(model, reloc);
    if (target === null || target.section === null) continue;
    const index = indices.get((relocationOffset(model, reloc) - byteOffset) * 8);
    const program = functionAt(model, target.section, Number(target.offset));
    if (index !== undefined && program !== null) programs.set(index, program);
  }
  return programs;
}

/** The member that a program implements, in a struct of the kernel. */
export type StructOpsSlot = {
  /** Id of the struct in the BTF of the kernel or module. */
  readonly btfId: TypeId;
  readonly module: string | null;
  /** Index of the member in the kernel's struct. */
  readonly member: number;
};

export type StructOpsResult = {
  readonly failure: Failure | null;
  readonly slots: ReadonlyMap<FunctionRange, StructOpsSlot>;
  /** For each program of a struct_ops map, true if libbpf loads the program. */
  readonly autoload: ReadonlyMap<FunctionRange, boolean>;
  /** Names of maps whose struct may be in a module that is not known. */
  readonly unknown: readonly string[];
  /** Log lines of level "info", without `libbpf: `; names are raw text. */
  readonly infos: readonly string[];
};

/** Matches the maps that libbpf creates, up to the first that does not match. */
export function matchStructOps(
  model: ObjectModel,
  maps: readonly StructOpsMap[],
  kernel: LoadKernel,
  sectionBytes: SectionBytes,
): StructOpsResult {
  const slots = new Map<FunctionRange, StructOpsSlot>();
  const left = new Map<StructOpsMap, Map<number, FunctionRange>>();
  const autoload = new Map<FunctionRange, boolean>();
  const unknown: string[] = [];
  const infos: string[] = [];
  const stop = (failure: Failure) => ({ failure, slots, autoload, unknown, infos });
  for (const map of maps) {
    const programs = new Map(map.programs);
    left.set(map, programs);
    if (!map.map.autocreate || model.types === null) continue;
    const kernelType = kernelStruct(model.types, map, kernel);
    if ('errno' in kernelType) {
      if (kernel.modules === null && kernelType.errno === 'ESRCH') unknown.push(map.map.name);
      return stop(kernelType);
    }
    const match = { kernelType, programs, slots, autoload, infos, sectionBytes };
    const failure = matchOne(model, model.types, map, match);
    if (failure !== null) return stop(failure);
  }
  // A program in a created map is loaded, even if it is also in a map that is not created.
  for (const isCreated of [false, true]) {
    for (const [{ map }, programs] of left) {
      if (map.autocreate !== isCreated) continue;
      for (const program of programs.values()) autoload.set(program, isCreated);
    }
  }
  return { failure: null, slots, autoload, unknown, infos };
}

type KernelStruct = {
  readonly types: TypeTable;
  readonly module: string | null;
  readonly id: TypeId;
  readonly members: ReadonlyMap<string, Member>;
};

function kernelStruct(
  t: TypeTable,
  { structOps: { struct } }: StructOpsMap,
  kernel: LoadKernel,
): KernelStruct | Failure {
  const name = essentialName(nameOf(t, struct));
  const value = `bpf_struct_ops_${name}`;
  const missing = (which: string) =>
    failed('ESRCH', `struct_ops init_kern: struct ${which} is not found in kernel BTF`);
  const valueType = findInKernel(kernel, BtfKind.STRUCT, value);
  if (valueType === null) return missing(value);
  const { types, module } = valueType;
  const id = findByNameKind(types, BtfKind.STRUCT, name);
  if (id === null) return missing(name);
  if (!membersOf(types, valueType.id).some(({ type }) => type === id)) {
    const line = `struct_ops init_kern: struct ${name} data is not found in struct ${value}`;
    return failed('EINVAL', line);
  }
  const members = new Map<string, Member>();
  for (const member of membersOf(types, id)) {
    if (!members.has(member.name)) members.set(member.name, member);
  }
  return { types, module, id, members };
}

type Match = {
  readonly kernelType: KernelStruct;
  readonly programs: Map<number, FunctionRange>;
  readonly slots: Map<FunctionRange, StructOpsSlot>;
  readonly autoload: Map<FunctionRange, boolean>;
  readonly infos: string[];
  readonly sectionBytes: SectionBytes;
};

function matchOne(
  model: ObjectModel,
  t: TypeTable,
  { map, structOps }: StructOpsMap,
  { kernelType, programs, slots, autoload, infos, sectionBytes }: Match,
): Failure | null {
  const bytes = variableBytes(model, sectionBytes, structOps.variable)?.bytes ?? new Uint8Array(0);
  const say = (text: string, errno = 'ENOTSUP') =>
    failed(errno, `struct_ops init_kern ${map.name}${text}`);
  for (const member of membersOf(t, structOps.struct)) {
    const { name, index } = member;
    const size = Number(sizeOf(t, member.type) ?? -1n);
    if (size < 0) return say(`: failed to resolve the size of member ${name}`, 'EINVAL');
    const kernelMember = kernelType.members.get(name);
    if (kernelMember === undefined) {
      const start = member.bitOffset / 8;
      if (bytes.subarray(start, start + size).some((byte) => byte !== 0)) {
        return say(`: Cannot find member ${name} in kernel BTF`);
      }
      infos.push(
        `struct_ops ${map.name}: member ${name} not found in kernel, skipping it as it's set to zero`,
      );
      const dropped = programs.get(index);
      if (dropped !== undefined) autoload.set(dropped, false);
      programs.delete(index);
      continue;
    }
    if (member.bitfieldSize !== 0 || kernelMember.bitfieldSize !== 0) {
      return say(`: bitfield ${name} is not supported`);
    }
    const { types } = kernelType;
    const type = skipModifiers(types, kernelMember.type);
    const [kind, kernelKind] = [kindOf(t, skipModifiers(t, member.type)), kindOf(types, type)];
    if (kind !== kernelKind) {
      return say(`: Unmatched member type ${name} ${kind} != ${kernelKind}(kernel)`);
    }
    if (kind === BtfKind.PTR) {
      const program = programs.get(index);
      if (program === undefined) continue;
      const pointee = refOf(types, type);
      const isFunc =
        pointee !== null && kindOf(types, skipModifiers(types, pointee)) === BtfKind.FUNC_PROTO;
      if (!isFunc) return say(`: kernel member ${name} is not a func ptr`);
      const known = slots.get(program);
      const slot = { btfId: kernelType.id, module: kernelType.module, member: kernelMember.index };
      if (known === undefined) slots.set(program, slot);
      else if (known.btfId !== slot.btfId || known.member !== slot.member) {
        const section = sectionName(model.sections, program.section);
        const which =
          known.btfId === slot.btfId
            ? `expected_attach_type ${known.member} != kern_member_idx ${slot.member}`
            : `attach_btf_id ${known.btfId} != kern_type_id ${slot.btfId}`;
        return say(
          ` func ptr ${name}: invalid reuse of prog ${program.name} in sec ${section} with type ${STRUCT_OPS_PROGRAM}: ${which}`,
          'EINVAL',
        );
      }
      continue;
    }
    const kernelSize = Number(sizeOf(types, type) ?? -1n);
    if (size !== kernelSize) {
      return say(`: Error in size of member ${name}: ${size} != ${kernelSize}(kernel)`);
    }
  }
  return null;
}

/** Value of BPF_PROG_TYPE_STRUCT_OPS. */
const STRUCT_OPS_PROGRAM = 27;
