import { useMemo } from 'react';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { FileId } from '#store/session.ts';
import { useMapBytes, useSectionBytes } from '#views/parts/use-section-bytes.ts';
import { type DataGroup, dataGroups } from './data-entries.ts';

export type Data = {
  readonly groups: readonly DataGroup[];
  readonly sectionBytes: SectionBytes;
};

/** The file's data by section, and the bytes it is read from as they come. */
export function useData(id: FileId, model: ObjectModel): Data {
  const sectionBytes = useSectionBytes(id, model);
  const mapBytes = useMapBytes(model, sectionBytes);
  // Only the old maps are read out of bytes; all else stays as it is when bytes arrive.
  const groups = useMemo(() => dataGroups(model, mapBytes), [model, mapBytes]);
  return { groups, sectionBytes };
}
