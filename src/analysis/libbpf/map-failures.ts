/**
 * Failures of reading the maps of an object. Source: libbpf 1.8, libbpf.c:
 * bpf_object__init_user_btf_maps, init_arena_map_data.
 */
import { mapType } from '#analysis/kernel/map-types.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { firstFault } from './map-attributes.ts';
import { type BtfMap, btfMaps } from './map-definitions.ts';
import { PAGE } from './object-maps.ts';
import { type Failure, failed } from './outcome.ts';
import { ARENA_SECTION, sectionUses } from './section-uses.ts';

/** Yields the first fault of each map of `.maps`, then those of arenas, in libbpf's order. */
export function* mapFailures({ model }: { readonly model: ObjectModel }): Generator<Failure> {
  const { uses } = sectionUses(model);
  if (model.types === null || !uses.includes('maps')) return;
  if (!datasecsOf(model.types).has('.maps')) {
    yield failed('ENOENT', "DATASEC '.maps' not found.");
    return;
  }
  const maps = btfMaps(model);
  for (const map of maps) {
    const fault = firstFault(map);
    if (fault !== undefined) yield fault;
  }
  yield* arenaFailures(model, maps, uses.lastIndexOf('arena'));
}

const ARENA = mapType('ARENA');

/** `section` is the section of variables in the arena; -1 without. */
function* arenaFailures(
  { sections }: ObjectModel,
  maps: readonly BtfMap[],
  section: number,
): Generator<Failure> {
  const say = (line: string) => `elf: sec '${ARENA_SECTION}': ${line}`;
  const [first, ...others] = maps.filter((map) => map.mapType === ARENA);
  const dataSize = section < 0 ? 0n : (sections.declaredSize[section] ?? 0n);
  if (first === undefined) {
    if (section < 0) return;
    const line = 'to use global __arena variables the ARENA map should be explicitly declared';
    yield failed('ENOENT', say(`${line} in SEC(".maps")`));
    return;
  }
  const arenaSize = (first.maxEntries ?? 0n) * PAGE;
  if (arenaSize < dataSize) {
    const line = `declared ARENA map size (${arenaSize}) is too small`;
    yield failed('E2BIG', say(`${line} to hold global __arena variables of size ${dataSize}`));
  }
  for (const { name } of others) {
    const line = `map '${name}': only single ARENA map is supported`;
    yield failed('EINVAL', `${line} (map '${first.name}' is also ARENA)`);
  }
}
