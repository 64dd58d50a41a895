/**
 * The system calls by which libbpf loads an object: its BTF, then each map, then each program, with
 * the fields of `union bpf_attr` about BTF. Source: libbpf 1.8, libbpf.c: bpf_object__create_map,
 * bpf_object_load_prog.
 */
import { mapType } from '#analysis/kernel/map-types.ts';
import type { ByteSource } from '#bytes/source.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { asLoaded } from './fixups.ts';
import type { ObjectMap } from './object-maps.ts';
import { loadObject } from './open.ts';
import type { Failure } from './outcome.ts';
import type { ProgLoad } from './program-parts.ts';

/** One call of BPF_MAP_CREATE. */
export type MapCreate = {
  readonly map: ObjectMap;
  /** Field max_entries, computed for pages of 4096 bytes; null if it is the number of CPUs. */
  readonly maxEntries: bigint | null;
  /** True if btf_fd is the descriptor that BPF_BTF_LOAD returned; false if it is 0. */
  readonly hasBtf: boolean;
  /** Field btf_key_type_id of the call; 0 for none. */
  readonly keyTypeId: number;
  /** Field btf_value_type_id of the call; 0 for none. */
  readonly valueTypeId: number;
  /** Reason why an id is 0, as a sentence; empty if no id is 0. */
  readonly reason: string;
};

export type LoadCalls = {
  /** Bytes of the BTF for BPF_BTF_LOAD, after the fix-ups. */
  readonly btfSize: number;
  readonly fixups: number;
  readonly maps: readonly MapCreate[];
  readonly programs: readonly ProgLoad[];
  /** Size in bytes of one record of func_info and of line_info, as `.BTF.ext` declares it. */
  readonly funcInfoRecSize: number;
  readonly lineInfoRecSize: number;
  /** Number of programs left out after `MAX_CALLS` calls of subprograms. */
  readonly morePrograms: number;
  /** Reason why libbpf makes none of the calls, as a sentence with raw names; else null. */
  readonly stopped: string | null;
};

/** Returns the calls for a BPF object with BTF, else null. Rejects if `source` rejects. */
export async function loadCalls(model: ObjectModel, source: ByteSource): Promise<LoadCalls | null> {
  const loaded = isBpf(model) ? asLoaded(model) : null;
  if (loaded === null) return null;
  const { failures, openWarnings, maps, programs, morePrograms, ...opened } = await loadObject(
    model,
    source,
  );
  const [failure] = failures;
  const withoutBtf =
    opened.model.types === null
      ? `libbpf refuses the BTF and loads the object without: ${openWarnings.join(' ')}`
      : null;
  return {
    btfSize: loaded.blob.length,
    fixups: loaded.rewrites.length + loaded.moreRewrites,
    maps: maps.flatMap((map) => [
      ...(map.inner === null ? [] : [mapCreate(map.inner)]),
      mapCreate(map),
    ]),
    programs: programs.map(({ load }) => load),
    funcInfoRecSize: model.ext.func.recordSize,
    lineInfoRecSize: model.ext.line.recordSize,
    morePrograms,
    stopped: failure === undefined ? withoutBtf : refusalText(failure),
  };
}

function refusalText({ errno, lines }: Failure): string {
  return `libbpf refuses to open the object with ${errno}${lines.length === 0 ? '.' : `: ${lines.join(' ')}`}`;
}

const STRUCT_OPS = mapType('STRUCT_OPS');
const PERF_EVENT_ARRAY = mapType('PERF_EVENT_ARRAY');

/** Map types for which libbpf sets btf_fd and both ids to 0: the kernel refuses BTF with them. */
const WITHOUT_BTF: ReadonlySet<number> = new Set([
  ...(['PERF_EVENT_ARRAY', 'CGROUP_ARRAY', 'STACK_TRACE', 'ARRAY_OF_MAPS'] as const).map(mapType),
  ...(['HASH_OF_MAPS', 'DEVMAP', 'DEVMAP_HASH', 'CPUMAP', 'XSKMAP'] as const).map(mapType),
  ...(['SOCKMAP', 'SOCKHASH', 'QUEUE', 'STACK', 'ARENA'] as const).map(mapType),
]);

export function mapCreate(map: ObjectMap): MapCreate {
  const { type, maxEntries } = map;
  const isCleared = WITHOUT_BTF.has(type);
  const hasIds = !isCleared && type !== STRUCT_OPS;
  return {
    map,
    maxEntries: type === PERF_EVENT_ARRAY && maxEntries === 0n ? null : maxEntries,
    hasBtf: !isCleared,
    keyTypeId: hasIds ? map.keyTypeId : 0,
    valueTypeId: hasIds ? map.valueTypeId : 0,
    reason: isCleared ? CLEARED : hasIds ? missingIds(map) : OF_KERNEL,
  };
}

const CLEARED =
  'libbpf sets btf_fd and both ids to 0 for this map type: the kernel accepts no BTF with it.';
const OF_KERNEL =
  'The value is a struct of the kernel: its id in the kernel’s BTF is in btf_vmlinux_value_type_id.';

function missingIds({ section, keyTypeId, valueTypeId }: ObjectMap): string {
  if (section !== '.maps') {
    return valueTypeId === 0
      ? 'No DATASEC has the name of the section, so there is no type for its value.'
      : 'The value is the whole section, its type the DATASEC; an index as key needs no type.';
  }
  if (keyTypeId !== 0 && valueTypeId !== 0) return '';
  return 'An id is 0 where the definition states a size, or nothing, and no type.';
}
