/** Data of the file by section: variables, maps, externs, strings. */
import { useMemo } from 'react';
import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import type { MapDefinition } from '#analysis/libbpf/map-definitions.ts';
import { holdsMaps, holdsStrings, sectionRole } from '#analysis/objects/section-role.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { selectionOfVariable, type Variable, variablesOf } from '#analysis/values/variables.ts';
import { addTo } from '#bytes/cache.ts';
import { Derived, isRest, type Steps } from '#bytes/long-work.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type SectionIndex, sectionIndex, type TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isNamed, sectionName } from '#model/sections.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { varSecinfosOf } from '#model/type-items.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import type { FileId } from '#store/session/session.ts';
import { useMapBytes, useSectionBytes } from '#views/parts/use-section-bytes.ts';

export type DataEntry =
  | { readonly kind: 'variable'; readonly name: string; readonly variable: Variable }
  | { readonly kind: 'map'; readonly name: string; readonly map: MapDefinition }
  /** Kernel function, which `.ksyms` lists. */
  | { readonly kind: 'func'; readonly name: string; readonly func: TypeId };

export type DataRole = 'maps' | 'variables' | 'externs' | 'strings' | 'said';

export type DataGroup = {
  /** Name of the section. Names of sections and entries are not escaped. */
  readonly name: string;
  /** Section of the file; null if the file does not have the section, such as `.ksyms`. */
  readonly section: SectionIndex | null;
  readonly datasec: TypeId | null;
  readonly role: DataRole;
  readonly entries: readonly DataEntry[];
};

const ROLES: readonly DataRole[] = ['maps', 'variables', 'externs', 'strings', 'said'];

/** Returns the file's data by section, ordered by role. Reads only bytes of the legacy `maps`. */
export function dataGroups(model: ObjectModel, sectionBytes: SectionBytes): DataGroup[] {
  const bySection = new Map<SectionKey, DataEntry[]>();
  const put = (key: SectionKey, entry: DataEntry) => addTo(bySection, key, entry);
  for (const variable of variables.of(model)) {
    put(keyOf(variable), { kind: 'variable', name: variable.name, variable });
  }
  for (const map of definedMaps(model, sectionBytes)) {
    put(keyOf(map), { kind: 'map', name: map.name, map });
  }
  for (const func of kernelFunctions(model)) put('.ksyms', func);
  return groupsOf(model, bySection).sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
}

const variables = new Derived(function* (model: ObjectModel): Steps<readonly Variable[]> {
  yield;
  return variablesOf(model);
});

/** Section of the file, or the name of a section that the file does not have. */
type SectionKey = SectionIndex | string;

function keyOf(at: {
  readonly section: string;
  readonly sectionIndex: SectionIndex | null;
}): SectionKey {
  return at.sectionIndex ?? at.section;
}

function* kernelFunctions(model: ObjectModel): Generator<DataEntry> {
  const t = model.types;
  const datasec = t === null || !isBpf(model) ? undefined : datasecsOf(t).get('.ksyms');
  if (t === null || datasec === undefined) return;
  for (const { type } of varSecinfosOf(t, datasec)) {
    if (kindOf(t, type) === BtfKind.FUNC) yield { kind: 'func', name: nameOf(t, type), func: type };
  }
}

function groupsOf(
  model: ObjectModel,
  bySection: ReadonlyMap<SectionKey, readonly DataEntry[]>,
): DataGroup[] {
  const datasecs = model.types === null ? null : datasecsOf(model.types);
  const groups: DataGroup[] = [];
  const withEntries = [...bySection.keys()].filter((key) => typeof key !== 'string');
  const shown = new Set([...dataSectionsShown.of(model), ...withEntries]);
  for (const section of [...shown].sort((a, b) => a - b)) {
    const entries = bySection.get(section) ?? NO_ENTRIES;
    const name = sectionName(model.sections, section);
    const role = roleOf(model, section);
    groups.push({
      name,
      section,
      datasec: datasecs?.get(name) ?? null,
      role,
      entries: byPlace(entries),
    });
  }
  for (const [name, entries] of bySection) {
    if (typeof name !== 'string') continue;
    const datasec = datasecs?.get(name) ?? null;
    const isExtern = name === '.ksyms' || name === '.kconfig';
    groups.push({
      name,
      section: null,
      datasec,
      role: isExtern ? 'externs' : 'variables',
      entries,
    });
  }
  return groups;
}

/** Sections that the list has even if they have no entries. */
export const dataSectionsShown = new Derived(function* (
  model: ObjectModel,
): Steps<readonly SectionIndex[]> {
  const shown: SectionIndex[] = [];
  for (let i = 1; i < model.sections.count; i++) {
    if (isRest(i)) yield;
    if (isData(model, sectionIndex(i))) shown.push(sectionIndex(i));
  }
  return shown;
});

/** Returns true if a section is listed even if empty. Only BPF objects have such sections. */
function isData(model: ObjectModel, section: SectionIndex): boolean {
  if (!isBpf(model)) return false;
  const size = model.sections.declaredSize[section] ?? 0n;
  if (size === 0n) return false;
  const isKnown = holdsMaps(model, section) || sectionRole(model, section) === 'data';
  return isKnown || isSaid(model, section);
}

const NO_ENTRIES: readonly DataEntry[] = [];
const SAID = ['license', 'version'];

function isSaid(model: ObjectModel, section: SectionIndex): boolean {
  return SAID.some((name) => isNamed(model.sections, section, name));
}

function roleOf(model: ObjectModel, section: SectionIndex): DataRole {
  if (holdsMaps(model, section)) return 'maps';
  if (isBpf(model) && isSaid(model, section)) return 'said';
  return isBpf(model) && holdsStrings(model, section) ? 'strings' : 'variables';
}

function byPlace(entries: readonly DataEntry[]): DataEntry[] {
  const offset = (entry: DataEntry) => placeOf(entry)?.byteOffset ?? Number.POSITIVE_INFINITY;
  return [...entries].sort((a, b) => {
    const [x, y] = [offset(a), offset(b)];
    return x === y ? 0 : x - y;
  });
}

/** Returns the place of a variable or map; null for a function. */
export function placeOf(
  entry: DataEntry,
): Pick<Variable, 'sectionIndex' | 'byteOffset' | 'byteSize'> | null {
  if (entry.kind === 'func') return null;
  return entry.kind === 'map' ? entry.map : entry.variable;
}

/** Returns the VAR or FUNC type of the entry; null if BTF has none. */
export function typeOfEntry(entry: DataEntry): TypeId | null {
  if (entry.kind === 'func') return entry.func;
  return entry.kind === 'map' ? entry.map.varId : entry.variable.varId;
}

/** Returns the selection of the VAR or FUNC type of the entry, else of its symbol. */
export function selectionOfEntry(entry: DataEntry): Selection | null {
  if (entry.kind === 'func') return typeSelection(entry.func);
  return selectionOfVariable(entry.kind === 'map' ? entry.map : entry.variable);
}

/** Returns the selection of a section; if the file does not have it, of its DATASEC. */
export function selectionOfGroup({
  section,
  datasec,
}: Pick<DataGroup, 'section' | 'datasec'>): Selection | null {
  if (section !== null) return { kind: 'section', section };
  return datasec === null ? null : typeSelection(datasec);
}

export type Data = ReturnType<typeof useData>;

/** Returns the data of the file by section, and a function for the loaded bytes of sections. */
export function useData(id: FileId, model: ObjectModel) {
  const sectionBytes = useSectionBytes(id, model);
  const mapBytes = useMapBytes(model, sectionBytes);
  // Only the old map section needs bytes: the data must not change when other bytes arrive.
  const groups = useMemo(() => dataGroups(model, mapBytes), [model, mapBytes]);
  return { groups, sectionBytes };
}
