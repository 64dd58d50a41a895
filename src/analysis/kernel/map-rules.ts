/**
 * The kernel's rules for special fields in the value of a map. If fields break a rule of
 * btf_parse_fields, the map is created, but the verifier sees no special field. If BPF_MAP_CREATE
 * fails, libbpf creates the map without BTF, with the same effect. Not checked: whether the running
 * kernel has the target of a kptr or uptr, unless it is a special type. Source:
 * kernel/bpf/syscall.c: map_check_btf; btf.c: btf_parse_fields, btf_check_and_fixup_fields.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { BlobTypes } from './blob-types.ts';
import { Broken, type Field } from './field-kinds.ts';
import { brokenOwnership, brokenSentence, FieldParser } from './field-rules.ts';
import { mapFlags } from './map-flags.ts';
import { mapType } from './map-types.ts';
import { MAP_RULES } from './rules.ts';
import type { Errno } from './verdict.ts';

export type MapFault = {
  /** Name of the map, or of the section that becomes a map, as raw text. */
  readonly map: string;
  /** Error of BPF_MAP_CREATE; null if the map is created, but without special fields. */
  readonly errno: Errno | null;
  readonly rule: string;
  /** Description of the fault. Names in it are raw text. */
  readonly sentence: string;
  readonly where: string;
};

/** Returns a sentence about the effect of a fault. Names in it are raw text. */
export function mapFaultText({ errno, sentence }: MapFault): string {
  return errno === null
    ? `the verifier sees no special fields in it: ${sentence}`
    : `BPF_MAP_CREATE fails with ${errno}: ${sentence}`;
}

const STORAGES = ['SK_STORAGE', 'INODE_STORAGE', 'TASK_STORAGE', 'CGRP_STORAGE'] as const;
const OF_LOCKS = (['HASH', 'ARRAY', 'CGROUP_STORAGE', ...STORAGES] as const).map(mapType);
const OF_TIMERS = (['HASH', 'LRU_HASH', 'ARRAY'] as const).map(mapType);
const PERCPU = ['PERCPU_HASH', 'LRU_PERCPU_HASH', 'PERCPU_ARRAY'] as const;
const OF_KPTRS = [...OF_TIMERS, ...[...PERCPU, ...STORAGES].map(mapType)];

/** For each special type, the map types whose values may contain it. */
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

const ONE_WAY = mapFlags('RDONLY_PROG', 'WRONLY_PROG');
const PAGE_BYTES = 4096;

export type CreatedMap = {
  /** Name of the map's variable, or of the section that becomes a map, as raw text. */
  readonly name: string;
  /** Number in `enum bpf_map_type`. */
  readonly type: number;
  readonly flags: bigint;
  readonly valueTypeId: number;
};

/** Returns the faults of maps. The kernel must accept the BTF `records`. */
export function mapFaults(records: BlobTypes, maps: readonly CreatedMap[]): MapFault[] {
  if (maps.length === 0) return [];
  const mapParser = new FieldParser(records, { forMap: true });
  const parsed = new Map<number, readonly Field[]>();
  const structParser = new FieldParser(records);
  for (const id of structParser.structsToParse()) {
    const fields = structParser.parse(id);
    if (!(fields instanceof Broken)) parsed.set(id, fields);
  }
  return maps.flatMap((map) => faultOf(records, mapParser, parsed, map) ?? []);
}

function faultOf(
  r: BlobTypes,
  parser: FieldParser,
  parsed: ReadonlyMap<number, readonly Field[]>,
  map: CreatedMap,
): MapFault | null {
  const value = parser.baseOf(map.valueTypeId);
  const kind = r.kind(value);
  if (kind !== BtfKind.STRUCT && kind !== BtfKind.DATASEC) return null;
  const fields = parser.fieldsOf(value);
  if (fields instanceof Broken) return faultBy(r, map, null, fields);
  const unfit = unfitField(map, fields);
  if (unfit !== null) {
    const { name } = unfit.special;
    const where = 'kernel/bpf/syscall.c: map_check_btf';
    const { errno, rule } = isOneWay(map) ? MAP_RULES.oneWay : MAP_RULES.mapType;
    const sentence = isOneWay(map)
      ? `${r.label(value)} has a ${name}, but programs may not both read and write the map.`
      : `${r.label(value)} has a ${name}, which maps of type ${map.type} do not support.`;
    return { map: map.name, errno, rule, sentence, where };
  }
  const broken = brokenUptr(parser, fields) ?? brokenOwnership(r, parsed, value, fields);
  return broken && faultBy(r, map, broken.rule.errno, broken);
}

const isOneWay = ({ flags }: Pick<CreatedMap, 'flags'>) => (flags & ONE_WAY) !== 0n;

/** Returns the first field for which the kernel refuses the flags or the type of a map, or null. */
export function unfitField(
  map: Pick<CreatedMap, 'type' | 'flags'>,
  fields: readonly Field[],
): Field | null {
  const [first] = fields;
  if (first !== undefined && isOneWay(map)) return first;
  return fields.find(({ special: { name } }) => !mayHold(map.type, name)) ?? null;
}

/** Returns true if values of a map type may contain a special type. */
export function mayHold(type: number, special: string): boolean {
  return MAP_TYPES.get(special)?.includes(type) === true;
}

function faultBy(r: BlobTypes, map: CreatedMap, errno: Errno | null, broken: Broken): MapFault {
  const { rule, where } = broken;
  const sentence = brokenSentence(r, broken);
  return { map: map.name, errno, rule: rule.rule, sentence, where: `kernel/bpf/btf.c: ${where}` };
}

function brokenUptr(parser: FieldParser, fields: readonly Field[]): Broken | null {
  const r = parser.records;
  for (const { special, target, owner, member } of fields) {
    const size = r.sizeOrType(target);
    const ofKernel = parser.hasStruct(parser.nameAt(r.nameOff(target)));
    if (special.name !== 'uptr' || (!ofKernel && size > 0 && size <= PAGE_BYTES)) continue;
    const ofSize = size === 0 ? MAP_RULES.uptrEmpty : MAP_RULES.uptrSize;
    const rule = ofKernel ? MAP_RULES.uptrKernel : ofSize;
    const what = `is a uptr to ${r.label(target)} of ${size} bytes`;
    return new Broken(rule, 'btf_check_and_fixup_fields', owner, member, what);
  }
  return null;
}
