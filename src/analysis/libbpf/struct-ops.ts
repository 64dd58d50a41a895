/**
 * Matches struct_ops maps with structs of the kernel. Source: libbpf 1.8, libbpf.c:
 * bpf_object__init_kern_struct_ops_maps, bpf_map__init_kern_struct_ops, find_struct_ops_kern_types,
 * bpf_object_adjust_struct_ops_autoload.
 */
import { essentialName } from '#analysis/core/essential-name.ts';
import { findByNameKind, findInKernel, type LoadKernel } from '#analysis/kernel/kernel.ts';
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { variableBytes } from '#analysis/values/variables.ts';
import { addTo } from '#bytes/cache.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Member, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { errnoNumber, type Failure, failed } from './outcome.ts';
import { isFuncPointer, type StructOpsMap } from './struct-ops-open.ts';

/** The member that a program implements, in a struct of the kernel. */
export type StructOpsSlot = {
  /** Id of the struct in the BTF of the kernel or module. */
  readonly btfId: TypeId;
  readonly module: string | null;
  /** Index of the member in the kernel's struct. */
  readonly member: number;
};

export type StructOpsFailure = {
  readonly failure: Failure;
  /** The reason as a clause, which ends a sentence; names are raw text. */
  readonly clause: string;
  /** Name of the map as raw text. */
  readonly map: string;
  /** Name of a callback that the kernel lacks, as raw text; null for other failures. */
  readonly callback: string | null;
  /** False if a module that is not known may have the struct. */
  readonly isSure: boolean;
};

export type StructOpsResult = {
  /** The failure at which libbpf stops, then each that it meets if those before are repaired. */
  readonly failures: readonly StructOpsFailure[];
  /** Failures of maps that libbpf does not create by default, by the programs that they add. */
  readonly optional: ReadonlyMap<FunctionRange, readonly StructOpsFailure[]>;
  readonly slots: ReadonlyMap<FunctionRange, StructOpsSlot>;
  /** For each program of a struct_ops map, true if libbpf loads the program. */
  readonly autoload: ReadonlyMap<FunctionRange, boolean>;
  /** Log lines of level "info" before the first failure, without `libbpf: `; names are raw text. */
  readonly infos: readonly string[];
};

/** The result without struct_ops maps. */
export const NO_STRUCT_OPS: StructOpsResult = {
  failures: [],
  optional: new Map(),
  slots: new Map(),
  autoload: new Map(),
  infos: [],
};

/** Returns the reason of a failure as a sentence; names are raw text. */
export function structOpsText({ clause }: StructOpsFailure): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

/** Returns the reason of a failure that a loader meets by creating the map; names are raw text. */
export function optionalMapText({ map, failure, clause }: StructOpsFailure): string {
  return `Map ${map} is not created by default; if the loader switches it on, prepare fails with ${errnoNumber(failure)}: ${clause}.`;
}

/** Maximum number of failures, and of maps that libbpf does not create by default. */
const MAX_FAILURES = 16;

/** Matches the maps of an object with the structs of a kernel. */
export function matchStructOps(
  model: ObjectModel,
  maps: readonly StructOpsMap[],
  kernel: LoadKernel,
  sectionBytes: SectionBytes,
): StructOpsResult {
  const t = model.types;
  if (t === null || maps.length === 0) return NO_STRUCT_OPS;
  const context = { model, t, kernel, sectionBytes };
  const created = new Match(context);
  created.addAll(maps.filter(({ map }) => map.autocreate));
  const { failures, slots, infos } = created;
  const autoload = new Map<FunctionRange, boolean>();
  // A program in a created map is loaded, even if it is also in a map that is not created.
  for (const isCreated of [false, true]) {
    for (const { map, programs } of maps) {
      if (map.autocreate !== isCreated) continue;
      for (const program of programs.values()) autoload.set(program, isCreated);
    }
  }
  const optional = new Map<FunctionRange, StructOpsFailure[]>();
  for (const wanted of maps.filter(({ map }) => !map.autocreate).slice(0, MAX_FAILURES)) {
    const match = new Match(context);
    match.addAll(maps.filter((map) => map.map.autocreate || map === wanted));
    const lines = new Set(failures.map(({ failure }) => failure.lines[0]));
    const added = match.failures.filter(({ failure }) => !lines.has(failure.lines[0]));
    for (const program of new Set(wanted.programs.values())) {
      if (autoload.get(program) !== false) continue;
      for (const failure of added) addTo(optional, program, failure);
    }
  }
  return { failures, optional, slots, autoload, infos };
}

type KernelStruct = {
  readonly types: TypeTable;
  readonly module: string | null;
  readonly id: TypeId;
  readonly members: ReadonlyMap<string, Member>;
};

type Context = {
  readonly model: ObjectModel;
  readonly t: TypeTable;
  readonly kernel: LoadKernel;
  readonly sectionBytes: SectionBytes;
};

/** A member of a struct_ops variable. */
type SetMember = {
  readonly map: StructOpsMap;
  readonly member: Member;
  /** The program that the member is set to; null for none. */
  readonly program: FunctionRange | null;
  /** Size in bytes; -1 for a type without a size. */
  readonly size: number;
  /** True if the file has a value other than 0. */
  readonly isSet: boolean;
  readonly kernelType: KernelStruct;
};

/** What is wrong with a member. */
type Fault = Pick<StructOpsFailure, 'clause'> & {
  /** End of libbpf's log line, after the name of the map. */
  readonly text: string;
  /** Name of the error; ENOTSUP by default. */
  readonly errno?: string;
  readonly callback?: string;
};

/** Matches maps one after the other, and goes on after a failure. */
class Match {
  readonly failures: StructOpsFailure[] = [];
  readonly slots = new Map<FunctionRange, StructOpsSlot>();
  readonly infos: string[] = [];
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  addAll(maps: readonly StructOpsMap[]): void {
    const { model, t, sectionBytes } = this.#context;
    for (const map of maps) {
      const kernelType = this.#isFull() ? null : this.#kernelStruct(map);
      if (kernelType === null) continue;
      const bytes = variableBytes(model, sectionBytes, map.structOps.variable)?.bytes;
      for (const member of membersOf(t, map.structOps.struct)) {
        if (this.#isFull()) return;
        const program = map.programs.get(member.index) ?? null;
        const start = member.bitOffset / 8;
        const size = Number(sizeOf(t, member.type) ?? -1n);
        const isSet = bytes?.subarray(start, start + size).some((byte) => byte !== 0) ?? false;
        this.#addMember({ map, member, program, size, isSet, kernelType });
      }
    }
  }

  #isFull(): boolean {
    return this.failures.length >= MAX_FAILURES;
  }

  #fail(
    map: StructOpsMap,
    errno: string,
    line: string,
    clause: string,
    more: Partial<StructOpsFailure> = {},
  ): void {
    const failure = failed(errno, line);
    const about = { map: map.map.name, callback: null, isSure: true, ...more };
    this.failures.push({ failure, clause, ...about });
  }

  #kernelStruct(map: StructOpsMap): KernelStruct | null {
    const { t, kernel } = this.#context;
    const name = essentialName(nameOf(t, map.structOps.struct));
    const value = `bpf_struct_ops_${name}`;
    const missing = (which: string) => {
      const line = `struct_ops init_kern: struct ${which} is not found in kernel BTF`;
      const clause = `the kernel has no struct_ops type ${name}: its BTF has no struct ${which}`;
      this.#fail(map, 'ESRCH', line, clause, { isSure: kernel.modules !== null });
      return null;
    };
    const valueType = findInKernel(kernel, BtfKind.STRUCT, value);
    if (valueType === null) return missing(value);
    const { types, module } = valueType;
    const id = findByNameKind(types, BtfKind.STRUCT, name);
    if (id === null) return missing(name);
    if (!membersOf(types, valueType.id).some(({ type }) => type === id)) {
      const line = `struct_ops init_kern: struct ${name} data is not found in struct ${value}`;
      const clause = `the kernel's struct ${value} has no member of type struct ${name}`;
      this.#fail(map, 'EINVAL', line, clause);
      return null;
    }
    const members = new Map<string, Member>();
    for (const member of membersOf(types, id)) {
      if (!members.has(member.name)) members.set(member.name, member);
    }
    return { types, module, id, members };
  }

  #addMember(set: SetMember): void {
    const { map, member, kernelType } = set;
    const fault = this.#fault(set, kernelType.members.get(member.name));
    if (fault === null) return;
    const { text, clause, errno = 'ENOTSUP', callback = null } = fault;
    const line = `struct_ops init_kern ${map.map.name}${text}`;
    this.#fail(map, errno, line, clause, { callback });
  }

  #fault(set: SetMember, kernelMember: Member | undefined): Fault | null {
    const { t } = this.#context;
    const { map, member, program, size, isSet, kernelType } = set;
    const { name } = member;
    const { types } = kernelType;
    const what = `member ${name} of map ${map.map.name}`;
    if (size < 0) {
      const text = `: failed to resolve the size of member ${name}`;
      return { text, clause: `${what} has a type without a size`, errno: 'EINVAL' };
    }
    if (kernelMember === undefined) return this.#missing(set);
    if (member.bitfieldSize !== 0 || kernelMember.bitfieldSize !== 0) {
      return { text: `: bitfield ${name} is not supported`, clause: `${what} is a bit-field` };
    }
    const type = skipModifiers(types, kernelMember.type);
    const [kind, kernelKind] = [kindOf(t, skipModifiers(t, member.type)), kindOf(types, type)];
    if (kind !== kernelKind) {
      return {
        text: `: Unmatched member type ${name} ${kind} != ${kernelKind}(kernel)`,
        clause: `${what} is of kind ${kindName(kind)}, in the kernel of kind ${kindName(kernelKind)}`,
      };
    }
    if (kind === BtfKind.PTR) {
      if (program !== null) return this.#programFault(set, program, kernelMember);
      const clause = `${what} is a pointer that is set, but not to a program`;
      return isSet ? { text: `: member ${name} is not a struct_ops program`, clause } : null;
    }
    const kernelSize = Number(sizeOf(types, type) ?? -1n);
    if (size === kernelSize) return null;
    return {
      text: `: Error in size of member ${name}: ${size} != ${kernelSize}(kernel)`,
      clause: `${what} has ${size} bytes, in the kernel ${kernelSize}`,
    };
  }

  #missing({ map, member: { name }, program, isSet }: SetMember): Fault | null {
    const at = map.map.name;
    const text = `: Cannot find member ${name} in kernel BTF`;
    const struct = essentialName(nameOf(this.#context.t, map.structOps.struct));
    const lacks = `the kernel's struct ${struct} has no member ${name}, which map ${at} sets`;
    // libbpf writes the address of the program into the member when it opens the object.
    if (program !== null) {
      const { name: to } = program;
      const clause = `${lacks} to program ${to}; if the loader sets the member to NULL between open and prepare, libbpf skips it and does not load ${to}`;
      return { text, clause, callback: name };
    }
    if (isSet) return { text, clause: `${lacks} to a value other than 0` };
    if (this.failures.length === 0) {
      this.infos.push(
        `struct_ops ${at}: member ${name} not found in kernel, skipping it as it's set to zero`,
      );
    }
    return null;
  }

  #programFault(
    { map, member: { name }, kernelType }: SetMember,
    program: FunctionRange,
    { type, index }: Member,
  ): Fault | null {
    const { types, id, module } = kernelType;
    const what = `member ${name} of map ${map.map.name}`;
    if (!isFuncPointer(types, type)) {
      return {
        text: `: kernel member ${name} is not a func ptr`,
        clause: `${what} is set to a program, and in the kernel it does not point to a function`,
      };
    }
    const known = this.slots.get(program);
    if (known === undefined) {
      this.slots.set(program, { btfId: id, module, member: index });
      return null;
    }
    if (known.btfId === id && known.member === index) return null;
    const section = sectionName(this.#context.model.sections, program.section);
    const which =
      known.btfId === id
        ? `expected_attach_type ${known.member} != kern_member_idx ${index}`
        : `attach_btf_id ${known.btfId} != kern_type_id ${id}`;
    return {
      text: ` func ptr ${name}: invalid reuse of prog ${program.name} in sec ${section} with type ${STRUCT_OPS_PROGRAM}: ${which}`,
      clause: `program ${program.name} implements two different members, and ${what} is the second`,
      errno: 'EINVAL',
    };
  }
}

/** Value of BPF_PROG_TYPE_STRUCT_OPS. */
const STRUCT_OPS_PROGRAM = 27;
