/**
 * Maps that no definition names: libbpf makes them of variables when it opens an object.
 *
 * Source: libbpf's bpf_object__elf_collect and bpf_object__init_internal_map, and for
 * options of the kernel and tables of functions init_kconfig_map and init_struct_ops_maps.
 */
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import type { TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { type MapAttributes, noAttributes } from './map-definitions.ts';
import { mapTypeName } from './map-types.ts';
import { selectionOfVariable, variablesOf } from './variables.ts';

export type ImpliedMap = MapAttributes & {
  /** Of the section or the variable. Raw text. */
  readonly name: string;
  /** The section that becomes the map, its DATASEC where the file has no such section, or the variable. */
  readonly selection: Selection | null;
  /** Is it created without being asked for? Not a table of functions whose section begins with `?`. */
  readonly autocreate: boolean;
};

const ARRAY = 2;
const STRUCT_OPS = 26;

/** Those of a BPF object: sections in the order of the file, then `.kconfig`, then tables of functions. */
export function impliedMaps(model: ObjectModel): ImpliedMap[] {
  if (!isBpf(model)) return [];
  return [...sectionMaps(model), ...kconfigMaps(model), ...structOpsMaps(model)];
}

/** Sections of variables; string literals that the compiler merges, `.rodata.str1.1`, are one too. */
function* sectionMaps({ sections }: ObjectModel): Generator<ImpliedMap> {
  for (const section of loaderSections.of(sections).variables) {
    const byteSize = Number(sections.declaredSize[section] ?? 0n);
    if (byteSize === 0) continue;
    const name = sectionName(sections, section);
    yield {
      ...oneElement(ARRAY, null, byteSize),
      name,
      selection: { kind: 'section', section },
      autocreate: true,
    };
  }
}

/** The options of the running kernel that the object asks for, one behind the other. */
function* kconfigMaps(model: ObjectModel): Generator<ImpliedMap> {
  const name = '.kconfig';
  const datasec = model.types === null ? undefined : datasecsOf(model.types).get(name);
  if (datasec === undefined) return;
  const options = variablesOf(model).filter(({ section }) => section === name);
  const byteSize = options.reduce((sum, option) => sum + option.byteSize, 0);
  if (byteSize === 0) return;
  yield {
    ...oneElement(ARRAY, null, byteSize),
    name,
    selection: typeSelection(datasec),
    autocreate: true,
  };
}

function* structOpsMaps(model: ObjectModel): Generator<ImpliedMap> {
  const names = model.types === null ? [] : [...datasecsOf(model.types).keys()];
  if (!names.some((name) => STRUCT_OPS_SECTION.test(name))) return;
  for (const variable of variablesOf(model)) {
    const { name, section, type, byteSize } = variable;
    if (!STRUCT_OPS_SECTION.test(section)) continue;
    yield {
      ...oneElement(STRUCT_OPS, type, byteSize),
      mapFlags: section.endsWith('.link') ? LINK : null,
      name,
      selection: selectionOfVariable(variable),
      autocreate: !section.startsWith('?'),
    };
  }
}

/** The sections that hold tables of functions. */
export const STRUCT_OPS_SECTION = /^\??\.struct_ops(?:\.link)?$/;
/** BPF_F_LINK. */
const LINK = 1n << 13n;

function oneElement(mapType: number, type: TypeId | null, byteSize: number): MapAttributes {
  return {
    ...noAttributes(),
    mapType,
    mapTypeName: mapTypeName(mapType),
    key: { type: null, byteSize: 4 },
    value: { type, byteSize },
    maxEntries: 1n,
  };
}
