/** Opens an example with all of its data, as in the Data view. */
import type { SectionBytes } from '#analysis/values/object-data.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type DataEntry, type DataGroup, dataGroups } from '#views/data/data-entries.ts';
import { sampleBytes, sampleModel } from './samples.ts';

export type OpenData = {
  readonly model: ObjectModel;
  readonly groups: readonly DataGroup[];
  readonly sectionBytes: SectionBytes;
};

/** Opens the example `name` of `public/samples/`. */
export async function openData(name: string): Promise<OpenData> {
  const model = await sampleModel(name);
  const bytes = sampleBytes(name);
  const sectionBytes: SectionBytes = (section) => {
    const start = model.sections.fileOffset[section] ?? 0;
    return bytes.subarray(start, start + (model.sections.byteLength[section] ?? 0));
  };
  return { model, groups: dataGroups(model, sectionBytes), sectionBytes };
}

/** Returns the entry with this name. Throws if there is none. */
export function entryCalled(groups: readonly DataGroup[], name: string): DataEntry {
  const found = groups.flatMap(({ entries }) => entries).find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

/** Returns the variable with this name. Throws if there is none. */
export function variableCalled(groups: readonly DataGroup[], name: string) {
  const entry = entryCalled(groups, name);
  if (entry.kind !== 'variable') throw new Error(`${name} is no variable`);
  return entry.variable;
}

/** Returns the map with this name. Throws if there is none. */
export function mapCalled(groups: readonly DataGroup[], name: string) {
  const entry = entryCalled(groups, name);
  if (entry.kind !== 'map') throw new Error(`${name} is no map`);
  return entry.map;
}
