/**
 * The slots of maps of maps and program arrays that libbpf fills, and which of them the kernel
 * refuses. Source: libbpf 1.8, libbpf.c: init_map_in_map_slots, init_prog_array_slots; Linux,
 * kernel/bpf/arraymap.c: bpf_fd_array_map_update_elem, array_map_meta_equal, and
 * kernel/bpf/map_in_map.c: bpf_map_meta_equal, and kernel/bpf/core.c: bpf_prog_map_compatible.
 */
import { mapFlags } from '#analysis/kernel/map-flags.ts';
import { mapType } from '#analysis/kernel/map-types.ts';
import { btfMaps, type MapSlot } from './map-definitions.ts';
import type { ObjectMap } from './object-maps.ts';
import type { LoadObject, LoadProgram } from './open.ts';
import type { Reason } from './outcome.ts';
import { kernelProgramType } from './program-types.ts';

const PROG_ARRAY = mapType('PROG_ARRAY');
const ARRAY_OF_MAPS = mapType('ARRAY_OF_MAPS');
/** Map types whose inner maps must have as many entries as the template. */
const SIZED = [mapType('ARRAY'), mapType('XSKMAP')];
const INNER_MAP = mapFlags('INNER_MAP');

/** Why the kernel refuses a slot. */
type SlotFault = {
  readonly errno: 'EBADF' | 'EINVAL' | 'E2BIG';
  /** End of a sentence about the slot; names are raw text. */
  readonly what: string;
  /** libbpf's log line; null if it has a number that only the loader knows. */
  readonly line: string | null;
};

/** Returns for each map the reason of the first slot that the kernel refuses. */
export function slotReasons(
  object: LoadObject,
  autoload: ReadonlyMap<LoadProgram, boolean>,
): readonly Reason[] {
  const maps = object.maps.filter(({ section }) => section === '.maps');
  const order = new Map<string, number>();
  for (const [at, { name }] of maps.entries()) if (!order.has(name)) order.set(name, at);
  const byName = new Map(object.programs.map((program) => [program.name, program]));
  return btfMaps(object.model).flatMap(({ name, slots }): Reason[] => {
    const at = order.get(name) ?? -1;
    const outer = maps[at];
    if (outer === undefined || slots.length === 0) return [];
    const sorted = slots.toSorted((a, b) => a.index - b.index);
    const isPrograms = outer.type === PROG_ARRAY;
    let owner: LoadProgram | undefined;
    for (const slot of sorted) {
      const target = order.get(slot.name) ?? -1;
      const program = byName.get(slot.name);
      const fault =
        outsideFault(outer, slot) ??
        (isPrograms
          ? program && programFault(outer, slot, program, owner, autoload)
          : mapFault(outer, maps[target], target > at));
      owner ??= program;
      if (fault) return [reasonOf(outer, slot, fault)];
    }
    return [];
  });
}

function outsideFault(outer: ObjectMap, { index }: MapSlot): SlotFault | null {
  const isArray = outer.type === PROG_ARRAY || outer.type === ARRAY_OF_MAPS;
  if (!isArray || BigInt(index) < outer.maxEntries) return null;
  const what = `the map has ${outer.maxEntries} entries`;
  return { errno: 'E2BIG', what, line: createLine(outer, 'E2BIG') };
}

/** Returns the last line about a map of maps, which is not created; null for program arrays. */
function createLine({ name, type }: ObjectMap, errno: SlotFault['errno']): string | null {
  return type === PROG_ARRAY ? null : `map '${name}': failed to create: -${errno}`;
}

function mapFault(
  outer: ObjectMap,
  target: ObjectMap | undefined,
  isLater: boolean,
): SlotFault | null {
  const { inner } = outer;
  if (target === undefined || inner === null) return null;
  const what = isLater
    ? 'libbpf creates the maps in the order of .maps, and this one after the map with the slot'
    : difference(inner, target);
  return what === null ? null : { errno: 'EINVAL', what, line: createLine(outer, 'EINVAL') };
}

/** Returns how a map differs from the template of the inner maps; null if the kernel takes it. */
function difference(inner: ObjectMap, target: ObjectMap): string | null {
  const isSized = SIZED.includes(inner.type) && (inner.flags & INNER_MAP) === 0n;
  const fields = [
    ['type', inner.type, target.type],
    ['key size', inner.keySize, target.keySize],
    ['value size', inner.valueSize, target.valueSize],
    ['flags', inner.flags, target.flags],
    ...(isSized ? [['max_entries', inner.maxEntries, target.maxEntries] as const] : []),
  ] as const;
  const other = fields.find(([, of, is]) => of !== is);
  return other === undefined ? null : `its ${other[0]} is ${other[2]}, not ${other[1]}`;
}

function programFault(
  outer: ObjectMap,
  { index }: MapSlot,
  program: LoadProgram,
  owner: LoadProgram | undefined,
  autoload: ReadonlyMap<LoadProgram, boolean>,
): SlotFault | null {
  const { name, kind } = program;
  if (!(autoload.get(program) ?? program.autoload)) {
    const line = `map '${outer.name}': failed to initialize slot [${index}] to prog '${name}' fd=-2: -EBADF`;
    return { errno: 'EBADF', what: 'the program is not loaded', line };
  }
  const [own, first] = [kernelProgramType(kind), owner && kernelProgramType(owner.kind)];
  // The type of an extension is that of the program that it replaces.
  if (owner === undefined || own === first || [own, first].includes('EXT')) return null;
  const what = `it is of type ${own}, and program ${owner.name} of type ${first}`;
  return { errno: 'EINVAL', what, line: null };
}

function reasonOf({ name, type }: ObjectMap, slot: MapSlot, { what, line }: SlotFault): Reason {
  const target = `${type === PROG_ARRAY ? 'program' : 'map'} ${slot.name}`;
  const text = `The kernel refuses ${target} in slot ${slot.index} of map ${name}: ${what}.`;
  return { outcome: 'rejected', step: 'maps', text, line, insn: null, source: null };
}
