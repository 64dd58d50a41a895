/**
 * Names what a register points at: the type in the BTF of the object or the kernel, and the member
 * at an offset.
 */
import { type Covering, membersAt } from '#analysis/find/find-members.ts';
import { compositeOf } from '#analysis/layout/member-rows.ts';
import { openedTypes } from '#analysis/libbpf/fixups.ts';
import { kernelName, type ObjectMap, objectMaps } from '#analysis/libbpf/object-maps.ts';
import { kernelProgramType, programType } from '#analysis/libbpf/program-types.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { findTypeKey } from '#analysis/types/type-key.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { Value } from '#formats/verifier-log/line.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { isComposite, memberAt, varSecinfosOf } from '#model/type-items.ts';
import {
  arrayData,
  kindOf,
  nameOf,
  refOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import type { LoadedCode } from './program-codes.ts';

/** Files that a log is read beside; null where there is none. */
export type LogBinding = {
  readonly object: ObjectModel | null;
  /** Name of the program in the object. */
  readonly program: string | null;
  /** Types of the kernel that wrote the log. */
  readonly kernel: TypeTable | null;
  /** Code of the program in the object. Default: not known. */
  readonly code?: LoadedCode | null;
};

/** A type by name, and a path of members in it. Names are raw text. */
export type TypedValue = {
  /** `struct task_struct`; of a variable its type. */
  readonly name: string;
  /** `pid`, `a.b[3]`, the name of a variable; null if there is no member at the place. */
  readonly member: string | null;
};

/** An access: bytes from the place that the register points at, as the log prints its offset. */
export type AccessPlace = {
  readonly off: number;
  readonly size: number | null;
  /** True if a number that is known at run time only is added to the offset. */
  readonly isVariable?: boolean;
};

/** Returns what a pointer points at; null if its type has no name in the files. */
export function typedValue(
  value: Value,
  place: AccessPlace,
  binding: LogBinding,
): TypedValue | null {
  const off = (numberOf(value, 'off') ?? 0) + place.off;
  const at = { off, size: place.size, isVariable: RANGE_KEYS.some((key) => hasKey(value, key)) };
  const base = value.type.replace(/_or_null(?=_|$)/, '');
  const kernelType = /(?:^|_)ptr_(.+)$/.exec(base)?.[1];
  if (kernelType !== undefined) return structNamed(kernelType, at, binding);
  if (base === 'map_value') return mapValue(value, at, binding);
  if (base === 'ctx') return contextOf(at, binding);
  const known = FIXED_TYPES.get(base);
  return known === undefined ? null : structNamed(known, at, binding);
}

/** Keys of a value whose offset is not constant. */
const RANGE_KEYS: readonly string[] = ['smin', 'smax', 'umin', 'umax', 'var_off'];

const hasKey = ({ kv }: Value, key: string) => kv.some(([name]) => name === key);

/** Structs that pointers of one kind point at. Source: kernel/bpf/log.c, reg_type_str. */
const FIXED_TYPES: ReadonlyMap<string, string> = new Map([
  ['sock', 'bpf_sock'],
  ['sock_common', 'bpf_sock'],
  ['tcp_sock', 'bpf_tcp_sock'],
  ['xdp_sock', 'bpf_xdp_sock'],
  ['flow_keys', 'bpf_flow_keys'],
]);

/** Structs of contexts by program type. Source: include/linux/bpf_types.h. */
const CONTEXTS: ReadonlyMap<string, string> = new Map([
  ['SOCKET_FILTER', '__sk_buff'],
  ['SCHED_CLS', '__sk_buff'],
  ['SCHED_ACT', '__sk_buff'],
  ['CGROUP_SKB', '__sk_buff'],
  ['SK_SKB', '__sk_buff'],
  ['FLOW_DISSECTOR', '__sk_buff'],
  ['LWT_IN', '__sk_buff'],
  ['LWT_OUT', '__sk_buff'],
  ['LWT_XMIT', '__sk_buff'],
  ['LWT_SEG6LOCAL', '__sk_buff'],
  ['XDP', 'xdp_md'],
  ['CGROUP_SOCK', 'bpf_sock'],
  ['CGROUP_SOCK_ADDR', 'bpf_sock_addr'],
  ['SOCK_OPS', 'bpf_sock_ops'],
  ['SK_MSG', 'sk_msg_md'],
  ['SK_REUSEPORT', 'sk_reuseport_md'],
  ['SK_LOOKUP', 'bpf_sk_lookup'],
  ['CGROUP_DEVICE', 'bpf_cgroup_dev_ctx'],
  ['CGROUP_SYSCTL', 'bpf_sysctl'],
  ['CGROUP_SOCKOPT', 'bpf_sockopt'],
  ['PERF_EVENT', 'bpf_perf_event_data'],
]);

/** Returns a struct of the kernel, else of the object: that of the object has other offsets. */
function structNamed(
  name: string,
  at: AccessPlace,
  { object, kernel }: LogBinding,
): TypedValue | null {
  const named = { name: `struct ${name}`, member: null };
  if (kernel !== null) {
    const id = findTypeKey(kernel, { kind: 'struct', name, ordinal: 0 });
    if (id !== null) return { ...named, member: memberPath(kernel, id, at) };
  }
  // Types that only the object has are allocated by bpf_obj_new: their offsets are the object's.
  const types = object?.types ?? null;
  if (types === null || kernel === null) return named;
  const id = findTypeKey(types, { kind: 'struct', name, ordinal: 0 });
  return id === null ? named : { ...named, member: memberPath(types, id, at) };
}

/** Returns the type of the program's context; contexts of arguments have none. */
function contextOf(at: AccessPlace, binding: LogBinding): TypedValue | null {
  const name = CONTEXTS.get(programTypeOf(binding));
  if (name === undefined) return null;
  const { kernel, object } = binding;
  // The contexts are part of the kernel's interface: members have the same offsets everywhere.
  const types = kernel ?? object?.types ?? null;
  return structNamed(name, at, { ...binding, kernel: types });
}

/** Returns the kernel's type of the bound program (`XDP`); empty if it is not known. */
export function programTypeOf({ object, program }: LogBinding): string {
  if (object === null || program === null) return '';
  const named = functionsOf(object).find((func) => func.isProgram && isCutOf(program, func.name));
  if (named === undefined) return '';
  return kernelProgramType(programType(sectionName(object.sections, named.section)).kind);
}

/** Returns true for equal names, and for one that the kernel cut to 15 bytes. */
export function isCutOf(short: string, name: string): boolean {
  return short === name || short === kernelName(name);
}

const mapsOf = memoized(objectMaps);

/** Returns the map of an index in libbpf's list of an object; null if there is none. */
export function objectMapAt(object: ObjectModel | null, index: number): ObjectMap | null {
  return object === null ? null : (mapsOf(object)[index] ?? null);
}

/** Returns the map of a value: by its name, which Linux 6.12 prints, else the only one of its sizes. */
export function mapOf(value: Value, object: ObjectModel | null): ObjectMap | null {
  if (object === null) return null;
  const name = textOf(value, 'map');
  const [keySize, valueSize] = [numberOf(value, 'ks'), numberOf(value, 'vs')];
  const fitting = mapsOf(object).filter((map) =>
    name === null
      ? map.keySize === keySize && map.valueSize === valueSize
      : isCutOf(name, map.name) || name === map.kernelName,
  );
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

function mapValue(value: Value, at: AccessPlace, { object }: LogBinding): TypedValue | null {
  // Before libbpf opens the object, variables have no offsets in their sections.
  const types = object === null ? null : openedTypes(object);
  const map = mapOf(value, object);
  if (types === null || map === null || map.valueTypeId === 0) return null;
  const id = skipModifiers(types, typeId(map.valueTypeId));
  if (kindOf(types, id) === BtfKind.DATASEC) return variableIn(types, id, at);
  return { name: typeExpression(types, id), member: memberPath(types, id, at) };
}

/** Returns a variable as a member of its section: `.rodata`, `limit`. */
function variableIn(types: TypeTable, section: TypeId, at: AccessPlace): TypedValue | null {
  const item = varSecinfosOf(types, section).find(
    ({ offset, size }) => offset <= at.off && at.off < offset + size,
  );
  if (item === undefined) return null;
  const variable = skipModifiers(types, item.type);
  const type = refOf(types, variable);
  const inner =
    type === null ? null : memberPath(types, type, { ...at, off: at.off - item.offset });
  const name = nameOf(types, variable);
  return { name: nameOf(types, section), member: inner === null ? name : `${name}.${inner}` };
}

/** Maximum number of steps of a path, as members nest in a hostile type without end. */
const MAX_STEPS = 64;

/**
 * Returns the path of the innermost member at an offset in bytes; null if there is none, or members
 * of a union that the size of the access does not tell apart.
 */
export function memberPath(types: TypeTable, root: TypeId, at: AccessPlace): string | null {
  if (at.off < 0 || !isComposite(kindOf(types, skipModifiers(types, root)))) return null;
  const covering = membersAt(types, skipModifiers(types, root), at.off).filter(
    ({ kind }) => kind === 'member',
  );
  const isExact = ({ bitOffset, bitSize }: Covering) =>
    bitOffset === at.off * 8 && (at.size === null || bitSize === at.size * 8);
  const exact = covering.filter(isExact);
  const [only, other] = exact.length > 0 ? exact : covering;
  if (only === undefined || OPAQUE.test(nameOf(types, skipModifiers(types, root)))) return null;
  return pathText(types, root, other === undefined ? only.path : shared(only, other), at);
}

/** Returns the path of the struct or union that two members are in. */
function shared(one: Covering, other: Covering): number[] {
  const end = one.path.findIndex((step, i) => step !== other.path[i]);
  return one.path.slice(0, Math.max(0, end));
}

/** Structs of a value that only helpers may touch. Source: kernel/bpf/btf.c, btf_get_field_type. */
const OPAQUE =
  /^bpf_(?:spin_lock|res_spin_lock|timer|wq|task_work|list_head|list_node|rb_root|rb_node|refcount|dynptr)$/;

function pathText(
  types: TypeTable,
  root: TypeId,
  path: readonly number[],
  { off, isVariable = false }: AccessPlace,
) {
  let text = '';
  let at = 0;
  let type = root;
  const intoArray = () => {
    for (let i = 0; i < MAX_STEPS; i++) {
      const array = skipModifiers(types, type);
      if (kindOf(types, array) !== BtfKind.ARRAY) return;
      const { elemType } = arrayData(types, array);
      const size = Number(sizeOf(types, elemType) ?? 0n);
      const index = size > 0 ? Math.floor((off - at) / size) : 0;
      text += `[${index}]`;
      at += index * size;
      type = elemType;
    }
  };
  for (const [i, index] of path.slice(0, MAX_STEPS).entries()) {
    const composite = compositeOf(types, type);
    const member = composite === null ? null : memberAt(types, composite, index);
    if (member === null) return null;
    const { name } = member;
    if (name !== '') text += text === '' ? name : `.${name}`;
    at += Math.floor(member.bitOffset / 8);
    type = member.type;
    if (OPAQUE.test(nameOf(types, compositeOf(types, type) ?? VOID))) return text;
    if (off > at || i < path.length - 1) intoArray();
  }
  const isArray = kindOf(types, skipModifiers(types, type)) === BtfKind.ARRAY;
  // An unknown offset stays in an array at most, and leaves any other member.
  if (isVariable && !isArray && !text.includes('[')) return null;
  return text === '' ? null : text;
}

/** Returns a number of a value's brackets; null if the key is missing. */
export function numberOf(value: Value, key: string): number | null {
  const text = textOf(value, key);
  return text === null || !/^-?(?:0x[0-9a-f]{1,16}|\d{1,20})$/.test(text) ? null : toNumber(text);
}

function toNumber(text: string): number {
  return text.startsWith('-') ? -Number(text.slice(1)) : Number(text);
}

/** Returns a text of a value's brackets; null if the key is missing. */
export function textOf({ kv }: Value, key: string): string | null {
  return kv.find(([name]) => name === key)?.[1] ?? null;
}
