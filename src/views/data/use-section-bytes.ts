import { useMemo } from 'react';
import { isZeros, type SectionBytes } from '#analysis/values/object-data.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { bytesNow } from '#store/bytes-cache.ts';
import { type FileId, useSession } from '#store/session.ts';

/** Bytes of one section that are read: no loader takes a larger one. */
export const MOST_OF_SECTION = 4 << 20;

const COMPRESSED = 0x800n;

/**
 * Gives the bytes of sections as far as they have come, each fetched when it is
 * first asked for; another function once more of them are there.
 */
export function useSectionBytes(id: FileId, model: ObjectModel): SectionBytes {
  const version = useSession((state) => state.bytesVersion);
  // The version makes each function one of a moment: what it has given it gives again.
  return useMemo(() => sectionBytes(id, model, version), [id, model, version]);
}

function sectionBytes(id: FileId, { sections }: ObjectModel, _version: number): SectionBytes {
  const given = new Map<number, Uint8Array | null>();
  return (section) => {
    const known = given.get(section);
    if (known !== undefined) return known;
    const start = sections.fileOffset[section] ?? 0;
    const length = Math.min(MOST_OF_SECTION, sections.byteLength[section] ?? 0);
    const isPacked = ((sections.flags[section] ?? 0n) & COMPRESSED) !== 0n;
    const bytes = isPacked
      ? null
      : length === 0
        ? new Uint8Array(0)
        : bytesNow(id, start, start + length);
    given.set(section, bytes);
    return bytes;
  };
}

/** Are bytes of the section on their way? False for those that the file does not have. */
export function isOnItsWay(
  model: ObjectModel,
  bytes: SectionBytes,
  section: Parameters<SectionBytes>[0] | null,
): boolean {
  if (section === null || isZeros(model, section)) return false;
  const isPacked = ((model.sections.flags[section] ?? 0n) & COMPRESSED) !== 0n;
  return !isPacked && bytes(section) === null;
}
