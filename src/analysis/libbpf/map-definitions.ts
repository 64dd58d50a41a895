/**
 * Map definitions of `.maps`: a variable for each map, whose struct has the attributes. Source:
 * libbpf 1.8, libbpf.c: bpf_object__init_user_btf_map.
 */
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { relocationOffset, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { mapVariables, type Variable } from '#analysis/values/variables.ts';
import { BtfKind, LINKAGE_NAMES, Linkage } from '#formats/btf/kinds.ts';
import type { RelocIndex, SectionIndex, SymbolIndex, TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { memberAt, type VarSecinfo, varSecinfosOf } from '#model/type-items.ts';
import {
  kindOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import { openedTypes } from './fixups.ts';
import {
  type MapAttributes,
  noAttributes,
  PIN_BY_NAME,
  readMapAttributes,
} from './map-attributes.ts';
import { type Failure, failed } from './outcome.ts';

/** What a slot of `values` initially holds: a map, or a program of a PROG_ARRAY. */
export type MapSlot = {
  readonly index: number;
  readonly name: string;
  /** Relocation entry for the slot. */
  readonly reloc: RelocIndex;
};

export type MapDefinition = MapAttributes & {
  /** Name of the map as raw text. */
  readonly name: string;
  readonly section: '.maps' | 'maps';
  readonly sectionIndex: SectionIndex | null;
  readonly symbol: SymbolIndex | null;
  /** Id of the map's VAR; null in the old section `maps`. */
  readonly varId: TypeId | null;
  /** Id of the struct that defines the map; null in the old section `maps`. */
  readonly type: TypeId | null;
  readonly byteOffset: number | null;
  readonly byteSize: number;
  readonly linkage: Variable['linkage'];
  readonly slots: readonly MapSlot[];
};

/** A map of `.maps`, with the place of its variable after libbpf's fix-ups. */
export type BtfMap = MapDefinition & { readonly place: VarSecinfo };

const MAPS = '.maps';

/** Returns the maps of `.maps` in the order in which libbpf reads them: by offset. */
export function btfMaps(model: ObjectModel): BtfMap[] {
  const t = model.types;
  const datasec = t === null ? undefined : datasecsOf(t).get(MAPS);
  if (t === null || datasec === undefined) return [];
  const opened = openedTypes(model) ?? t;
  const section = loaderSections.of(model.sections)[MAPS].at(-1);
  const sectionSize = section === undefined ? null : model.sections.declaredSize[section];
  const variables = new Map(mapVariables(model).map((variable) => [variable.varId, variable]));
  return varSecinfosOf(opened, datasec).flatMap((place, number) => {
    const variable = variables.get(place.type);
    if (variable === undefined) return [];
    const { name, type } = variable;
    const struct = type === null ? null : skipModifiers(t, type);
    const isStruct = struct !== null && kindOf(t, struct) === BtfKind.STRUCT;
    const attributes = isStruct ? readMapAttributes(opened, struct, name) : noAttributes();
    const broken = variableFault(opened, { name, number, place, struct, sectionSize });
    const tooLong = attributes.pinning === PIN_BY_NAME ? pinPathFault(name) : null;
    return [
      {
        ...attributes,
        ...variable,
        section: MAPS,
        place,
        slots: struct === null ? [] : slotsOf(model, t, struct, variable),
        faults: [broken ?? [], attributes.faults, tooLong ?? []].flat(),
      },
    ];
  });
}

type Placed = {
  readonly name: string;
  /** Number of the variable in the DATASEC. */
  readonly number: number;
  readonly place: VarSecinfo;
  readonly struct: TypeId | null;
  /** Size of the section in bytes; null if the file lacks it. */
  readonly sectionSize: bigint | null | undefined;
};

/** Returns the reason why libbpf refuses the variable of a map before it reads the members. */
function variableFault(
  t: TypeTable,
  { name, number, place, struct, sectionSize }: Placed,
): Failure | null {
  const { offset, size, type } = place;
  if (name === '') return failed('EINVAL', `map #${number}: empty name.`);
  if (typeof sectionSize === 'bigint' && BigInt(offset + size) > sectionSize) {
    return failed('EINVAL', `map '${name}' BTF data is corrupted.`);
  }
  const linkage = varLinkage(t, type);
  if (linkage !== Linkage.global) {
    const word = LINKAGE_NAMES[linkage] ?? 'unknown';
    return failed('ENOTSUP', `map '${name}': unsupported map linkage ${word}.`);
  }
  if (struct === null || kindOf(t, struct) !== BtfKind.STRUCT) {
    // libbpf prints the kind of the variable, not of its type.
    return failed('EINVAL', `map '${name}': unexpected def kind var.`);
  }
  return sizeOrTypeOf(t, struct) > size
    ? failed('EINVAL', `map '${name}': invalid def size.`)
    : null;
}

/** Value of PATH_MAX: the size of libbpf's buffer for a path. */
const PATH_MAX = 4096;

/** Checks the path of a map that is pinned by name. Source: build_map_pin_path. */
function pinPathFault(name: string): Failure | null {
  return new TextEncoder().encode(`/sys/fs/bpf/${name}`).length < PATH_MAX
    ? null
    : failed('ENAMETOOLONG', `map '${name}': couldn't build pin path.`);
}

const SLOT_SIZE = 8;

function slotsOf(
  model: ObjectModel,
  t: TypeTable,
  struct: TypeId,
  { sectionIndex, byteOffset, byteSize }: Variable,
): MapSlot[] {
  const last = memberAt(t, struct, vlenOf(t, struct) - 1);
  if (sectionIndex === null || byteOffset === null || last?.name !== 'values') return [];
  const first = byteOffset + last.bitOffset / 8;
  const relocs = relocationsInRange(model, sectionIndex, first, byteOffset + byteSize);
  return relocs.flatMap((reloc) => {
    const { target } = relocationMeaning(model, reloc);
    const index = Math.floor((relocationOffset(model, reloc) - first) / SLOT_SIZE);
    return target === null ? [] : [{ index, name: target.name, reloc }];
  });
}
