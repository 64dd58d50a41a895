/**
 * What a kernel makes of the types of a map's key and value: whether BPF_MAP_CREATE accepts them, and
 * which special fields the verifier finds in the value. Source: kernel/bpf/syscall.c: map_check_btf;
 * map_check_btf of the map types; kernel/bpf/btf.c: btf_find_field (before 6.2), btf_parse_fields.
 */
import { memoized } from '#bytes/cache.ts';
import { BTF_MEMBER, BtfKind, memberBitOffset } from '#formats/btf/kinds.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import { isModifier, type TypeTable } from '#model/type-table.ts';
import { type BlobTypes, intOf, isRegularInt } from './blob-types.ts';
import { Broken, MAP_SPECIALS, type Special } from './field-kinds.ts';
import { FieldParser } from './field-rules.ts';
import { findByNameKind, type LoadKernel, structsOf } from './kernel.ts';
import { mapFlags } from './map-flags.ts';
import type { MapNumbers } from './map-numbers.ts';
import { mayHold, unfitField } from './map-rules.ts';
import { mapType } from './map-types.ts';
import { isSince, type Version } from './version.ts';

/**
 * What the verifier finds of a special type in the value of a map. `several` and `mangled` (at a
 * wrong offset, or no struct) are told apart before 6.2 only.
 */
export type FieldState = 'valid' | 'missing' | 'several' | 'mangled' | 'unknown';

/** The types of a map in a kernel. */
export type MapTypes = {
  /** Why BPF_MAP_CREATE refuses the types, as a clause; null if it accepts them. */
  readonly fault: string | null;
  /** State of each special type, by its name; `kptr` for all kptrs. */
  readonly fields: ReadonlyMap<string, FieldState>;
};

/** Enumerator of `enum btf_field_type` and first version of each special type, since 6.2. */
const KNOWN: Readonly<Record<string, readonly [enumerator: string, since: Version]>> = {
  bpf_spin_lock: ['BPF_SPIN_LOCK', '5.1'],
  bpf_res_spin_lock: ['BPF_RES_SPIN_LOCK', '6.15'],
  bpf_list_head: ['BPF_LIST_HEAD', '6.2'],
  bpf_rb_root: ['BPF_RB_ROOT', '6.3'],
  bpf_refcount: ['BPF_REFCOUNT', '6.4'],
  bpf_timer: ['BPF_TIMER', '5.15'],
  bpf_wq: ['BPF_WORKQUEUE', '6.10'],
  bpf_task_work: ['BPF_TASK_WORK', '6.18'],
};
const KPTR_SINCE: Version = '5.19';
const NAMES = [...Object.keys(KNOWN), 'kptr'];

const fieldTypesOf = memoized((t: TypeTable): ReadonlySet<string> | null => {
  const id = findByNameKind(t, BtfKind.ENUM, 'btf_field_type');
  const names = new Set(id === null ? [] : enumeratorsOf(t, id).map(({ name }) => name));
  return names.has('BPF_SPIN_LOCK') ? names : null;
});

/** Returns the special types that a kernel knows; null if that is not known. */
function knownSpecials(kernel: LoadKernel): readonly Special[] | null {
  const names = kernel.vmlinux === null ? null : fieldTypesOf(kernel.vmlinux);
  const known: Special[] = [];
  for (const special of MAP_SPECIALS) {
    const [enumerator, since] = KNOWN[special.name] ?? ['', '5.1'];
    const isKnown = names === null ? isSince(kernel, since) : names.has(enumerator);
    if (isKnown === null) return null;
    if (isKnown) known.push(special);
  }
  return known;
}

/** Returns a function that judges the types of a map whose BTF the kernel has accepted. */
export function mapTypesOf(records: BlobTypes, kernel: LoadKernel): (map: MapNumbers) => MapTypes {
  const isNew = isSince(kernel, '6.2');
  const known = knownSpecials(kernel);
  if (isNew === null || known === null) return (map) => unknownTypes(idFault(records, map));
  if (!isNew) return (map) => oldTypes(records, known, kernel, map);
  // Since 6.11 the kernel searches structs and arrays in the value.
  const isDeep = isSince(kernel, '6.11');
  const options = { forMap: true, known, hasStruct: structsOf(kernel) };
  const deep = new FieldParser(records, { ...options, isDeep: isDeep !== false });
  const flat = isDeep === null ? new FieldParser(records, { ...options, isDeep: false }) : deep;
  const isExact = isSince(kernel, '6.12') === true;
  return (map) => {
    const fault = idFault(records, map);
    if (fault !== null) return unknownTypes(fault);
    const types = newTypes(deep, isExact, map);
    return flat === deep ? types : agreed(types, newTypes(flat, isExact, map));
  };
}

function unknownTypes(fault: string | null): MapTypes {
  return { fault, fields: new Map() };
}

function agreed(one: MapTypes, other: MapTypes): MapTypes {
  const fields = [...one.fields].filter(([name, state]) => other.fields.get(name) === state);
  return { fault: one.fault === other.fault ? one.fault : null, fields: new Map(fields) };
}

/** Judges the value since 6.2. `isExact` tells that the rules of btf_parse_fields are those of 6.12. */
function newTypes(parser: FieldParser, isExact: boolean, map: MapNumbers): MapTypes {
  const { records: r } = parser;
  const value = parser.baseOf(map.valueTypeId);
  const kind = r.kind(value);
  const isSearched = kind === BtfKind.STRUCT || kind === BtfKind.DATASEC;
  const found = isSearched ? parser.fieldsOf(value) : [];
  if (found instanceof Broken) {
    return {
      fault: null,
      fields: new Map(NAMES.map((name) => [name, isExact ? 'missing' : 'unknown'])),
    };
  }
  const unfit = unfitField(map, found);
  const names = new Set(found.map(({ special }) => special.name));
  return {
    fault: unfit && `its value may not have a ${unfit.special.name}`,
    fields: new Map(NAMES.map((name) => [name, names.has(name) ? 'valid' : 'missing'])),
  };
}

const READ_ONLY = mapFlags('RDONLY_PROG');
const OLD_KPTR_TYPES = (['HASH', 'LRU_HASH', 'ARRAY', 'PERCPU_ARRAY'] as const).map(mapType);

/** Judges the value before 6.2, which searches each kind of field on its own, not in nested structs. */
function oldTypes(
  records: BlobTypes,
  known: readonly Special[],
  kernel: LoadKernel,
  map: MapNumbers,
): MapTypes {
  const fault = idFault(records, map);
  const search = new FieldParser(records, { forMap: true, known, isDeep: false });
  const value = search.baseOf(map.valueTypeId);
  const states = new Map<string, FieldState>(
    known.map((special) => [special.name, oldState(search, value, special)]),
  );
  if (isSince(kernel, KPTR_SINCE) !== false) states.set('kptr', oldKptr(search, value));
  const unfit = [...states].find(
    ([name, state]) =>
      state === 'valid' &&
      ((map.flags & READ_ONLY) !== 0n ||
        (name === 'kptr' ? !OLD_KPTR_TYPES.includes(map.type) : !mayHold(map.type, name))),
  );
  const what = unfit === undefined ? null : `its value may not have a ${unfit[0]}`;
  return { fault: fault ?? what, fields: states };
}

/** Source: btf_find_struct_field, btf_find_datasec_var. */
function oldState(search: FieldParser, value: number, { name, size, align }: Special): FieldState {
  const r = search.records;
  const kind = r.kind(value);
  if (kind !== BtfKind.STRUCT && kind !== BtfKind.DATASEC) return 'mangled';
  let isFound = false;
  for (const { type, bitOffset, byteSize } of search.partsOf(value)) {
    if (search.nameAt(r.nameOff(type)) !== name) continue;
    if (kind === BtfKind.DATASEC && byteSize !== size) continue;
    if (bitOffset % (8 * align) !== 0) return 'mangled';
    if (r.kind(type) !== BtfKind.STRUCT || r.sizeOrType(type) !== size) continue;
    if (isFound) return 'several';
    isFound = true;
  }
  return isFound ? 'valid' : 'missing';
}

/** Tells whether the value has a pointer with a type tag. A kptr is valid if the kernel has its target. */
function oldKptr(search: FieldParser, value: number): FieldState {
  const r = search.records;
  const kind = r.kind(value);
  if (kind !== BtfKind.STRUCT && kind !== BtfKind.DATASEC) return 'missing';
  for (const { type } of search.partsOf(value)) {
    const isTagged =
      r.kind(type) === BtfKind.PTR && r.kind(r.sizeOrType(type)) === BtfKind.TYPE_TAG;
    if (isTagged) return 'unknown';
  }
  return 'missing';
}

const ARRAYS = [mapType('ARRAY'), mapType('PERCPU_ARRAY')];
const STORAGES = (['SK_STORAGE', 'INODE_STORAGE', 'TASK_STORAGE', 'CGRP_STORAGE'] as const).map(
  mapType,
);
const CGROUP_STORAGES = [mapType('CGROUP_STORAGE'), mapType('PERCPU_CGROUP_STORAGE')];

/** Returns the rule about the ids of the types that a map breaks, or null. */
function idFault(r: BlobTypes, { type, keyTypeId, valueTypeId, keySize, maxEntries }: MapNumbers) {
  if (valueTypeId === 0) return keyTypeId === 0 ? null : 'the value has no type';
  const key = baseOf(r, keyTypeId);
  if (type === mapType('BLOOM_FILTER')) return keyTypeId === 0 ? null : 'the key has a type';
  if (type === mapType('ARRAY') && keyTypeId === 0) {
    const isSection = r.kind(baseOf(r, valueTypeId)) === BtfKind.DATASEC && maxEntries === 1n;
    return isSection ? null : 'the key has no type';
  }
  if (keyTypeId === 0) return 'the key has no type';
  if (type === mapType('INSN_ARRAY')) return 'the value is not a 64-bit integer';
  if (ARRAYS.includes(type) || STORAGES.includes(type)) {
    return isInt(r, key, 32) ? null : 'the key is not a 32-bit integer';
  }
  if (type === mapType('LPM_TRIE')) {
    return r.kind(key) === BtfKind.STRUCT ? null : 'the key is not a struct';
  }
  if (!CGROUP_STORAGES.includes(type)) return null;
  if (keySize === 8) return isInt(r, key, 64) ? null : 'the key is not a 64-bit integer';
  return isStorageKey(r, key) ? null : 'the key is not a bpf_cgroup_storage_key';
}

/** Returns the type without modifiers. There are no cycles: the kernel has accepted the BTF. */
function baseOf(r: BlobTypes, id: number): number {
  let end = id;
  while (isModifier(r.kind(end))) end = r.sizeOrType(end);
  return end;
}

function isInt(r: BlobTypes, id: number, wanted: number): boolean {
  if (r.kind(id) !== BtfKind.INT) return false;
  const { bits, bitOffset } = intOf(r, id);
  return bits === wanted && bitOffset === 0;
}

/** Returns true for a struct of a u64 and a u32. Source: cgroup_storage_check_btf. */
function isStorageKey(r: BlobTypes, id: number): boolean {
  if (r.kind(id) !== BtfKind.STRUCT || r.vlen(id) !== 2) return false;
  const isMember = (index: number, offset: number, bits: number) => {
    const type = baseOf(r, r.item(id, index, BTF_MEMBER.at.type));
    const at = memberBitOffset(r.item(id, index, BTF_MEMBER.at.offset), r.kindFlag(id));
    return isRegularInt(r, type) && intOf(r, type).bits === bits && at === offset;
  };
  return isMember(0, 0, 64) && isMember(1, 64, 32);
}
