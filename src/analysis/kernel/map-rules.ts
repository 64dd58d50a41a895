/**
 * The kernel's rules for the special fields in the value of a map, when the map is created.
 *
 * Fields that break a rule of btf_parse_fields do not fail the call: the map is created, and the
 * verifier sees no special field in it. Where the call fails, libbpf creates the map again without
 * BTF (bpf_object__create_map), with the same effect. Not judged: whether the target of a kptr or
 * uptr is a type of the kernel, which only the running kernel knows; but the special types are in
 * every kernel.
 *
 * Source: kernel/bpf/syscall.c: map_check_btf, with btf_parse_fields and btf_check_and_fixup_fields
 * of btf.c.
 */

import { BtfKind } from '#formats/btf/kinds.ts';
import type { BlobTypes } from './blob-types.ts';
import { Broken, type Field, IN_EVERY_KERNEL } from './field-kinds.ts';
import { FieldParser } from './field-parser.ts';
import { brokenOwnership, brokenSentence } from './field-rules.ts';
import { type KernelRule, MAP_RULES } from './kernel-rules.ts';
import { mapType } from './map-types.ts';
import type { Errno } from './verdict.ts';

export type MapFault = {
  /** Raw text: the name of the map or of the section that becomes one. */
  readonly map: string;
  /** The error of BPF_MAP_CREATE; null where it passes and the verifier sees no special field. */
  readonly errno: Errno | null;
  readonly rule: string;
  /** Names in it are raw text. */
  readonly sentence: string;
  readonly where: string;
};

/** Returns the effect of the fault as text, `EOPNOTSUPP: …`. Names in it are raw text. */
export function mapFaultText({ errno, sentence }: MapFault): string {
  return errno === null
    ? `the verifier sees no special fields in it: ${sentence}`
    : `BPF_MAP_CREATE fails with ${errno}: ${sentence}`;
}

const STORAGES = ['SK_STORAGE', 'INODE_STORAGE', 'TASK_STORAGE', 'CGRP_STORAGE'] as const;
const OF_LOCKS = (['HASH', 'ARRAY', 'CGROUP_STORAGE', ...STORAGES] as const).map(mapType);
const OF_TIMERS = (['HASH', 'LRU_HASH', 'ARRAY'] as const).map(mapType);
const OF_KPTRS = (
  [
    'HASH',
    'PERCPU_HASH',
    'LRU_HASH',
    'LRU_PERCPU_HASH',
    'ARRAY',
    'PERCPU_ARRAY',
    ...STORAGES,
  ] as const
).map(mapType);

/** The map types whose values may have a field. */
const MAP_TYPES: ReadonlyMap<string, readonly number[]> = new Map([
  ['bpf_spin_lock', OF_LOCKS],
  ['bpf_res_spin_lock', OF_LOCKS],
  ['bpf_timer', OF_TIMERS],
  ['bpf_wq', OF_TIMERS],
  ['bpf_task_work', OF_TIMERS],
  ['bpf_list_head', OF_TIMERS],
  ['bpf_rb_root', OF_TIMERS],
  ['kptr', OF_KPTRS],
  ['bpf_refcount', OF_KPTRS],
  ['uptr', [mapType('TASK_STORAGE')]],
]);

/** BPF_F_RDONLY_PROG, BPF_F_WRONLY_PROG. */
const ONE_WAY = 0x180n;
const PAGE_BYTES = 4096;
/** Longer names are no special types. */
const LONGEST_SPECIAL = 32;

export type CreatedMap = {
  /** Raw text: the variable of the definition, or the section that becomes a map. */
  readonly name: string;
  /** `enum bpf_map_type`. */
  readonly type: number;
  readonly flags: bigint;
  readonly valueTypeId: number;
};

/** The faults of maps with these values; the kernel must accept `records`. */
export function mapFaults(records: BlobTypes, maps: readonly CreatedMap[]): MapFault[] {
  if (maps.length === 0) return [];
  const search = new FieldParser(records, true);
  const parsed = new Map<number, readonly Field[]>();
  const loaded = new FieldParser(records);
  for (const id of loaded.structsToParse()) {
    const fields = loaded.parse(id);
    if (!(fields instanceof Broken)) parsed.set(id, fields);
  }
  return maps.flatMap((map) => faultOf(records, search, parsed, map) ?? []);
}

function faultOf(
  r: BlobTypes,
  search: FieldParser,
  parsed: ReadonlyMap<number, readonly Field[]>,
  map: CreatedMap,
): MapFault | null {
  const value = search.baseOf(map.valueTypeId);
  const kind = r.kind(value);
  if (kind !== BtfKind.STRUCT && kind !== BtfKind.DATASEC) return null;
  const fields = search.fieldsOf(value);
  if (fields instanceof Broken) return told(r, map, null, fields);
  const [first] = fields;
  if (first === undefined) return null;
  const where = 'kernel/bpf/syscall.c: map_check_btf';
  const fault = (rule: KernelRule, sentence: string): MapFault => ({
    map: map.name,
    errno: rule.errno,
    rule: rule.rule,
    sentence,
    where,
  });
  if ((map.flags & ONE_WAY) !== 0n) {
    const sentence = `${r.label(value)} has a ${first.special.name}, but programs may not both read and write the map.`;
    return fault(MAP_RULES.oneWay, sentence);
  }
  const unfit = fields.find(({ special }) => !MAP_TYPES.get(special.name)?.includes(map.type));
  if (unfit !== undefined) {
    const sentence = `${r.label(value)} has a ${unfit.special.name}, which maps of type ${map.type} do not support.`;
    return fault(MAP_RULES.mapType, sentence);
  }
  const broken = brokenUptr(r, fields) ?? brokenOwnership(r, parsed, value, fields);
  return broken && told(r, map, broken.rule.errno, broken);
}

function told(r: BlobTypes, map: CreatedMap, errno: Errno | null, broken: Broken): MapFault {
  const { rule, where } = broken;
  const sentence = brokenSentence(r, broken);
  return { map: map.name, errno, rule: rule.rule, sentence, where: `kernel/bpf/btf.c: ${where}` };
}

function brokenUptr(r: BlobTypes, fields: readonly Field[]): Broken | null {
  for (const { special, target, owner, member } of fields) {
    const size = r.sizeOrType(target);
    const ofKernel = IN_EVERY_KERNEL.has(r.text(r.nameOff(target), LONGEST_SPECIAL));
    if (special.name !== 'uptr' || (!ofKernel && size > 0 && size <= PAGE_BYTES)) continue;
    const ofSize = size === 0 ? MAP_RULES.uptrEmpty : MAP_RULES.uptrSize;
    const rule = ofKernel ? MAP_RULES.uptrKernel : ofSize;
    const what = `is a uptr to ${r.label(target)} of ${size} bytes`;
    return new Broken(rule, 'btf_check_and_fixup_fields', owner, member, what);
  }
  return null;
}
