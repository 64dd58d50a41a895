/**
 * The maps of an opened object, in order: of `.maps`, of sections of variables, `.kconfig`,
 * struct_ops variables. Source: libbpf 1.8, libbpf.c: bpf_object__init_maps, internal_map_name.
 */
import { mapType } from '#analysis/kernel/map-types.ts';
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { selectionOfVariable, type Variable, variablesOf } from '#analysis/values/variables.ts';
import { decodeText } from '#bytes/text.ts';
import { BtfKind, Linkage } from '#formats/btf/kinds.ts';
import { SHT } from '#formats/elf/constants.ts';
import { type SectionIndex, sectionIndex, type TypeId, VOID } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import { kindOf, sizeOrTypeOf, skipModifiers, varLinkage } from '#model/type-table.ts';
import { collectExterns, KCONFIG } from './externs.ts';
import { openedTypes } from './fixups.ts';
import { type MapAttributes, PIN_BY_NAME } from './map-attributes.ts';
import { btfMaps } from './map-definitions.ts';

/** A struct_ops variable, and the struct of its type without modifiers and typedefs. */
export type StructOps = { readonly variable: Variable; readonly struct: TypeId };

export type ObjectMap = {
  /** libbpf's name as raw text: the variable's name, or one made from object and section. */
  readonly name: string;
  /** Name that the kernel gets, as raw text of at most 15 bytes. */
  readonly kernelName: string;
  /** Name of the section that defines the map or becomes the map, as raw text. */
  readonly section: string;
  /** What the page selects for the map: VAR, symbol, section, or DATASEC if there is no section. */
  readonly selection: Selection | null;
  /** Number BPF_MAP_TYPE_*; 0 if the definition does not state it. */
  readonly type: number;
  readonly keySize: number;
  readonly valueSize: number;
  readonly maxEntries: bigint;
  readonly flags: bigint;
  readonly extra: bigint;
  /** NUMA node, which counts with the flag BPF_F_NUMA_NODE. */
  readonly numaNode: number;
  /** Key type in the BTF of the object; 0 for none. */
  readonly keyTypeId: number;
  /** Value type in the BTF of the object; 0 for none. */
  readonly valueTypeId: number;
  /** Inner map of a map of maps, which libbpf creates first as a template; else null. */
  readonly inner: ObjectMap | null;
  /** True for a map that is pinned by name: libbpf reuses the map in the BPF file system. */
  readonly isPinned: boolean;
  /** False for the first struct_ops variable of a section with `?`: libbpf does not create its map. */
  readonly autocreate: boolean;
  /** The struct_ops variable of the map; null for other maps. */
  readonly structOps: StructOps | null;
};

/** Returns the maps of a BPF object, in the order in which libbpf creates them. */
export function objectMaps(model: ObjectModel): ObjectMap[] {
  if (!isBpf(model)) return [];
  return [
    ...btfMaps(model).map((map) => ofDefinition(map.name, map, selectionOfVariable(map))),
    ...sectionMaps(model),
    ...kconfigMaps(model),
    ...structOpsMaps(model),
  ];
}

/** Maximum bytes of a map name: BPF_OBJ_NAME_LEN without the NUL. */
const MAX_NAME_BYTES = 15;

/** Returns the name of a map or program, cut to 15 bytes. Source: bpf_map_create, bpf_prog_load. */
export function kernelName(name: string): string {
  return decodeText(new TextEncoder().encode(name).subarray(0, MAX_NAME_BYTES));
}

/** Returns the map name of a section of variables. Source: internal_map_name. */
export function sectionMapName(objectName: string, section: string): string {
  const stem = kernelName(objectName.split('.')[0] ?? '');
  const end = Math.min(Math.max(7, section.length), MAX_NAME_BYTES);
  const prefix = section.indexOf('.', 1) >= 0 ? '' : stem.slice(0, MAX_NAME_BYTES - end);
  return `${prefix}${section.slice(0, end)}`.replace(/[^\w.]/g, '_');
}

/** Returns the map of a definition. Source: parse_btf_map_def, fill_map_from_def. */
function ofDefinition(name: string, map: MapAttributes, selection: Selection | null): ObjectMap {
  const { inner } = map;
  const type = map.mapType ?? 0;
  return {
    name,
    kernelName: kernelName(name),
    section: '.maps',
    selection,
    type,
    keySize: map.key.byteSize ?? 0,
    valueSize: map.value.byteSize ?? 0,
    maxEntries: ringEntries(type, map.maxEntries ?? 0n),
    flags: map.mapFlags ?? 0n,
    extra: map.mapExtra ?? 0n,
    numaNode: Number(map.numaNode ?? 0n),
    keyTypeId: map.key.type ?? 0,
    valueTypeId: map.value.type ?? 0,
    inner:
      inner === null || inner === 'program'
        ? null
        : ofDefinition(`${name}.inner`, inner, selection),
    isPinned: map.pinning === PIN_BY_NAME,
    autocreate: true,
    structOps: null,
  };
}

/** Size of a page in bytes of the machine that loads the object, on most machines. */
export const PAGE = 4096n;
const RINGS = [mapType('RINGBUF'), mapType('USER_RINGBUF')];
const MAX_RING = 1n << 31n;

/** Rounds a ring buffer up to a power of two of 4096-byte pages. Source: adjust_ringbuf_sz. */
function ringEntries(type: number, stated: bigint): bigint {
  // A size that has no such power of two below 2^32 stays: the kernel refuses it.
  if (!RINGS.includes(type) || stated === 0n || stated > MAX_RING) return stated;
  let size = PAGE;
  while (size < stated) size *= 2n;
  return size;
}

type Implied = Pick<ObjectMap, 'name' | 'section' | 'selection' | 'type' | 'valueSize'>;

/** Returns a map that has one element and no definition. Source: bpf_object__init_internal_map. */
function ofOneElement(implied: Implied, more: Partial<ObjectMap>): ObjectMap {
  return {
    ...implied,
    kernelName: kernelName(implied.name),
    keySize: 4,
    maxEntries: 1n,
    flags: 0n,
    extra: 0n,
    numaNode: 0,
    keyTypeId: 0,
    valueTypeId: 0,
    inner: null,
    isPinned: false,
    autocreate: true,
    structOps: null,
    ...more,
  };
}

/** Yields the maps of sections of variables or merged string literals (`.rodata.str1.1`). */
function* sectionMaps(model: ObjectModel): Generator<ObjectMap> {
  const { sections } = model;
  for (const section of loaderSections.of(sections).variables) {
    const valueSize = Number(sections.declaredSize[section] ?? 0n);
    if (valueSize === 0) continue;
    const name = sectionName(sections, section);
    yield dataMap(model, name, valueSize, { kind: 'section', section });
  }
}

/** Yields the map of kernel options, `.kconfig`. Source: bpf_object__init_kconfig_map. */
function* kconfigMaps(model: ObjectModel): Generator<ObjectMap> {
  const { types } = model;
  const datasec = types === null ? undefined : datasecsOf(types).get(KCONFIG);
  if (types === null || datasec === undefined) return;
  const last = collectExterns(model).list.findLast(({ kconfig }) => kconfig !== null)?.kconfig;
  if (last) yield dataMap(model, KCONFIG, last.offset + last.size, typeSelection(datasec));
}

/** Values of BPF_F_MMAPABLE, BPF_F_RDONLY_PROG and BPF_F_LINK. */
const MMAPABLE = 1024n;
const READ_ONLY = 128n;
const LINK = 1n << 13n;

function dataMap(
  model: ObjectModel,
  section: string,
  valueSize: number,
  selection: Selection,
): ObjectMap {
  const kernel = sectionMapName(model.name, section);
  // `.data.*` and `.rodata.*` maps keep the section's name. Source: map_uses_real_name.
  const name = /^\.(?:ro)?data\../.test(section) ? section : kernel;
  const datasec = model.types === null ? undefined : datasecsOf(model.types).get(section);
  return ofOneElement(
    { name, section, selection, type: mapType('ARRAY'), valueSize },
    { kernelName: kernel, flags: sectionFlags(model, section, datasec), valueTypeId: datasec ?? 0 },
  );
}

/** Returns the map_flags of a section. Source: bpf_object__init_internal_map, map_is_mmapable. */
function sectionFlags(model: ObjectModel, section: string, datasec?: TypeId): bigint {
  const types = openedTypes(model) ?? model.types;
  const isReadOnly = section.startsWith('.rodata') || section === KCONFIG;
  const isMapped =
    types !== null &&
    datasec !== undefined &&
    varSecinfosOf(types, datasec).some(
      ({ type }) =>
        kindOf(types, type) === BtfKind.VAR && varLinkage(types, type) !== Linkage.static,
    );
  return (isReadOnly ? READ_ONLY : 0n) | (isMapped ? MMAPABLE : 0n);
}

/** Matches the names of sections of struct_ops variables. */
export const STRUCT_OPS_SECTION = /^\??\.struct_ops(?:\.link)?$/;

type StructOpsSection = {
  readonly section: SectionIndex;
  readonly name: string;
  /** Variables in the DATASEC of the section, by offset. */
  readonly variables: readonly Variable[];
};

/** Returns the sections of struct_ops variables, in the order of the file. */
export function structOpsVariables(model: ObjectModel): readonly StructOpsSection[] {
  const { sections, types } = model;
  const found: Omit<StructOpsSection, 'variables'>[] = [];
  for (let i = 1; i < sections.count; i++) {
    const section = sectionIndex(i);
    const isRead = sections.type[i] === SHT.progbits && (sections.declaredSize[i] ?? 0n) > 0n;
    const name = sectionName(sections, section);
    if (isRead && STRUCT_OPS_SECTION.test(name)) found.push({ section, name });
  }
  if (types === null || found.length === 0) return [];
  const all = variablesOf(model).filter(({ varId }) => varId !== null);
  return found.map(({ section, name }) => {
    const variables = all.filter((variable) => variable.section === name);
    variables.sort((a, b) => (a.byteOffset ?? 0) - (b.byteOffset ?? 0));
    return { section, name, variables };
  });
}

/** Yields the maps of struct_ops variables. Source: init_struct_ops_maps. */
function* structOpsMaps(model: ObjectModel): Generator<ObjectMap> {
  const { types } = model;
  if (types === null) return;
  for (const { name: section, variables } of structOpsVariables(model)) {
    for (const [at, variable] of variables.entries()) {
      const { name, type } = variable;
      const struct = type === null ? VOID : skipModifiers(types, type);
      if (kindOf(types, struct) !== BtfKind.STRUCT) continue;
      const valueSize = sizeOrTypeOf(types, struct);
      const selection = selectionOfVariable(variable);
      yield ofOneElement(
        { name, section, selection, type: mapType('STRUCT_OPS'), valueSize },
        {
          flags: section.endsWith('.link') ? LINK : 0n,
          valueTypeId: struct,
          // libbpf drops the `?` of the section's name after its first variable.
          autocreate: at > 0 || !section.startsWith('?'),
          structOps: { variable, struct },
        },
      );
    }
  }
}
