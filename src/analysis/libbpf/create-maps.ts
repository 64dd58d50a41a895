/**
 * Creates the maps of an object on a kernel: what BPF_MAP_CREATE refuses, with and without the types
 * of key and value. Source: libbpf 1.8, libbpf.c: bpf_object__create_maps, bpf_object__create_map.
 */
import { hasKptr } from '#analysis/kernel/field-search.ts';
import { type LoadKernel, structsOf } from '#analysis/kernel/kernel.ts';
import { numberFault } from '#analysis/kernel/map-create.ts';
import { type MapTypes, mapTypesOf } from '#analysis/kernel/map-fields.ts';
import { mapFlags } from '#analysis/kernel/map-flags.ts';
import { type MapNumbers, type NumberFault, refused } from '#analysis/kernel/map-numbers.ts';
import { mapType, mapTypeName } from '#analysis/kernel/map-types.ts';
import type { KernelMap } from '#analysis/kernel/refusals.ts';
import { FIELD_RULES } from '#analysis/kernel/rules.ts';
import { isSince } from '#analysis/kernel/version.ts';
import { memoized } from '#bytes/cache.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { mapCreate } from './calls.ts';
import { checkBtf, recordsOf } from './check-btf.ts';
import { asLoaded } from './fixups.ts';
import type { ObjectMap } from './object-maps.ts';
import type { LoadObject } from './open.ts';
import type { Reason } from './outcome.ts';

const MAPS_OF_MAPS = [mapType('ARRAY_OF_MAPS'), mapType('HASH_OF_MAPS')];
/** Map types without `map_meta_equal`, which are not in maps of maps. */
const NEVER_INNER = (
  ['PROG_ARRAY', 'CGROUP_STORAGE', 'PERCPU_CGROUP_STORAGE', 'STRUCT_OPS', 'INSN_ARRAY'] as const
).map(mapType);
const MMAPABLE = mapFlags('MMAPABLE');

/** The maps of an object as a kernel creates them. */
export type CreatedMaps = {
  /** Why the kernel refuses maps, in the order of the maps. */
  readonly reasons: readonly Reason[];
  /** The maps that libbpf creates, as the kernel has them. */
  readonly maps: ReadonlyMap<ObjectMap, KernelMap>;
};

/** Creates the maps of an object on a kernel. */
export function createMaps(object: LoadObject, kernel: LoadKernel): CreatedMaps {
  const judge = typesJudge(object.model, kernel);
  const maps = new Map<ObjectMap, KernelMap>();
  const reasons = object.maps.flatMap((map) => {
    if (!map.autocreate) return [];
    const { fault, types, whyUntyped } = creation(map, kernel, judge);
    maps.set(map, { ...map, types, whyUntyped });
    const reason = reasonOf(map, fault, kernel, judge);
    return reason === null ? (unmapped(map, types) ?? []) : reason;
  });
  return { reasons, maps };
}

/** Judges the types of a map; null if the kernel has no BTF of the object. */
type TypesJudge = ((map: MapNumbers) => MapTypes) | null;

const loadedBtf = memoized((model: ObjectModel) => {
  const blob = asLoaded(model)?.blob ?? null;
  const records = blob === null ? null : recordsOf(blob);
  return blob === null || records === null
    ? null
    : { blob, records, hasKptr: hasKptr(records), verdict: checkBtf(blob, null).native };
});

/** Errors of the kernel's last step, which came with 6.2. Source: btf_parse_struct_metas. */
const STRUCT_METAS = new Set<string>(Object.values(FIELD_RULES).map(({ rule }) => rule));

/** Returns how the kernel judges types: libbpf goes on without BTF if the kernel refuses it. */
function typesJudge(model: ObjectModel, kernel: LoadKernel): TypesJudge {
  const btf = model.types === null ? null : loadedBtf(model);
  if (btf === null) return null;
  // Since 6.12 the kernel looks for the target of each kptr, whatever struct has it.
  const isLooking = btf.hasKptr && isSince(kernel, '6.12') === true;
  const verdict = isLooking ? checkBtf(btf.blob, null, structsOf(kernel)).native : btf.verdict;
  const isOfMetas = verdict.verdict === 'refused' && STRUCT_METAS.has(verdict.rule);
  const isRefused =
    verdict.verdict === 'refused' && (!isOfMetas || isSince(kernel, '6.2') === true);
  return isRefused ? null : mapTypesOf(btf.records, kernel);
}

/** Types of a map that the kernel does not create. */
const NOT_JUDGED: MapTypes = { fault: null, fields: new Map() };

type Creation = Pick<KernelMap, 'types' | 'whyUntyped'> & {
  /** Why the kernel creates the map neither with nor without types; null if it creates it. */
  readonly fault: NumberFault | null;
};

function creation(map: ObjectMap, kernel: LoadKernel, judge: TypesJudge): Creation {
  const numbers = numbersOf(map, kernel);
  const untyped = (whyUntyped: string): Creation => {
    const fault = numberFault({ ...numbers, keyTypeId: 0, valueTypeId: 0 }, kernel);
    // If the map were repaired, the kernel might have its types.
    return fault === null
      ? { fault, types: null, whyUntyped }
      : { fault, types: NOT_JUDGED, whyUntyped: '' };
  };
  if (numbers.keyTypeId === 0 && numbers.valueTypeId === 0) {
    return untyped('its definition gives the kernel no type');
  }
  if (judge === null) return untyped('the kernel refuses the BTF of the object');
  const types = judge(numbers);
  const why = numberFault(numbers, kernel)?.what ?? types.fault;
  return why === null ? { fault: null, types, whyUntyped: '' } : untyped(why);
}

function reasonOf(
  map: ObjectMap,
  own: NumberFault | null,
  kernel: LoadKernel,
  judge: TypesJudge,
): Reason | null {
  const { inner } = map;
  if (MAPS_OF_MAPS.includes(map.type) && inner !== null) {
    const { fault } = creation(inner, kernel, judge);
    if (fault !== null) return mapReason(map, inner, fault, 'create inner map');
  }
  const fault = own ?? innerFault(map);
  return fault && mapReason(map, map, fault, 'create');
}

/** Returns the reason for a section whose map user space may not map, or null. */
function unmapped(map: ObjectMap, types: MapTypes | null): Reason | null {
  const isMapped = map.section !== '.maps' && (map.flags & MMAPABLE) !== 0n;
  const [special] = [...(types?.fields ?? [])].find(([, state]) => state === 'valid') ?? [];
  if (!isMapped || special === undefined) return null;
  return {
    outcome: 'rejected',
    step: 'maps',
    text: `The kernel maps no section with a ${special} to user space: make the global variables of ${map.section} static or hidden.`,
    line: `map '${map.name}': failed to re-mmap() contents: -ENOTSUPP`,
    insn: null,
    source: null,
  };
}

/** Returns the numbers of a map as libbpf passes them, with the types. */
function numbersOf(map: ObjectMap, kernel: LoadKernel): MapNumbers {
  const { maxEntries, keyTypeId, valueTypeId } = mapCreate(map);
  const isPlain = map.section === '.maps' || isSince(kernel, '5.5') !== false;
  return {
    ...map,
    // libbpf removes the flag from sections of variables if the kernel lacks it.
    flags: isPlain ? map.flags : map.flags & ~MMAPABLE,
    // The number of CPUs is at least 1.
    maxEntries: maxEntries ?? 1n,
    keyTypeId,
    valueTypeId,
  };
}

/** Returns the fault of the inner map of a map of maps, or null. Source: bpf_map_meta_alloc. */
function innerFault({ type, inner }: ObjectMap): NumberFault | null {
  if (!MAPS_OF_MAPS.includes(type)) return null;
  if (inner === null) {
    return refused('EINVAL', 'the definition has no inner map, which a loader may set');
  }
  return NEVER_INNER.includes(inner.type)
    ? refused('ENOTSUPP', `its inner maps are of type ${mapTypeName(inner.type)}`)
    : null;
}

/** Returns the name in libbpf's lines: of a section's map, the name in the kernel. */
function loggedName({ section, name, kernelName, structOps }: ObjectMap): string {
  return section === '.maps' || structOps !== null ? name : kernelName;
}

/** Returns the reason for a map that is not created. `faulty` is the map or its inner map. */
function mapReason(
  map: ObjectMap,
  faulty: ObjectMap,
  { errno, what, isSure, dependsOn = 'running' }: NumberFault,
  call: string,
): Reason {
  const word = isSure ? 'refuses' : 'may refuse';
  return {
    ...(isSure ? { outcome: 'rejected' } : { outcome: 'may-fail', dependsOn }),
    step: 'maps',
    text: `The kernel ${word} map '${faulty.name}' of type ${mapTypeName(faulty.type)}: ${what}.`,
    line: errno === null ? null : `map '${loggedName(map)}': failed to ${call}: -${errno}`,
    insn: null,
    source: null,
  };
}
