import { useMemo } from 'react';
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { isZeros, type SectionBytes } from '#analysis/values/object-data.ts';
import { SHF } from '#formats/elf/constants.ts';
import type { SectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { type FileId, useSession } from '#store/session/session.ts';

/** Bytes of one section that are read: no loader takes a larger one. */
export const MAX_SECTION_BYTES = 4 << 20;

/** Is the section stored packed, so that no offset into it points at its bytes in the file? */
export function isPacked({ sections }: ObjectModel, section: SectionIndex): boolean {
  return ((sections.flags[section] ?? 0n) & SHF.compressed) !== 0n;
}

/**
 * Gives the bytes of sections as far as they have come, each fetched when it is
 * first asked for; another function once more of them are there.
 */
export function useSectionBytes(id: FileId, model: ObjectModel): SectionBytes {
  const version = useSession((state) => state.bytesVersion);
  // The version makes each function one of a moment: what it has given it gives again.
  return useMemo(() => sectionBytes(id, model, version), [id, model, version]);
}

function sectionBytes(id: FileId, model: ObjectModel, _version: number): SectionBytes {
  const { sections } = model;
  const given = new Map<number, Uint8Array | null>();
  return (section) => {
    const known = given.get(section);
    if (known !== undefined) return known;
    const start = sections.fileOffset[section] ?? 0;
    const length = Math.min(MAX_SECTION_BYTES, sections.byteLength[section] ?? 0);
    const stored = () => (length === 0 ? new Uint8Array(0) : bytesNow(id, start, start + length));
    const bytes = isPacked(model, section) ? null : stored();
    given.set(section, bytes);
    return bytes;
  };
}

const NO_BYTES: SectionBytes = () => null;

/**
 * Of `bytes` those that maps are read out of, the old section `maps`: another function
 * only when they have come. No other section is asked for.
 */
export function useMapBytes(model: ObjectModel, bytes: SectionBytes): SectionBytes {
  const old = useMemo(() => oldMapSection(model), [model]);
  const oldBytes = old === null ? null : bytes(old);
  return useMemo(
    () => (oldBytes === null ? NO_BYTES : (section) => (section === old ? oldBytes : null)),
    [old, oldBytes],
  );
}

function oldMapSection(model: ObjectModel): SectionIndex | null {
  return isBpf(model) ? (loaderSections.of(model.sections).maps[0] ?? null) : null;
}

/** Are bytes of the section on their way? False for those that the file does not have. */
export function isOnItsWay(
  model: ObjectModel,
  bytes: SectionBytes,
  section: SectionIndex | null,
): boolean {
  if (section === null || isZeros(model, section) || isPacked(model, section)) return false;
  return bytes(section) === null;
}
