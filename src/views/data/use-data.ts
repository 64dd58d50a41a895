import { useMemo } from 'react';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { type SectionIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { FileId } from '#store/session.ts';
import { type DataGroup, dataGroups } from './data-entries.ts';
import { useSectionBytes } from './use-section-bytes.ts';

export type Data = {
  readonly groups: readonly DataGroup[];
  readonly sectionBytes: SectionBytes;
};

const NO_BYTES: SectionBytes = () => null;

/** The file's data by section, and the bytes it is read from as they come. */
export function useData(id: FileId, model: ObjectModel): Data {
  const sectionBytes = useSectionBytes(id, model);
  const old = useMemo(() => oldMapSection(model), [model]);
  // Only the old maps are read out of bytes; all else stays as it is when bytes arrive.
  const oldBytes = old === null ? null : sectionBytes(old);
  const groups = useMemo(
    () => dataGroups(model, old === null ? NO_BYTES : (at) => (at === old ? oldBytes : null)),
    [model, old, oldBytes],
  );
  return { groups, sectionBytes };
}

function oldMapSection(model: ObjectModel): SectionIndex | null {
  for (let i = 1; isBpf(model) && i < model.sections.count; i++) {
    if (sectionName(model.sections, sectionIndex(i)) === 'maps') return sectionIndex(i);
  }
  return null;
}
