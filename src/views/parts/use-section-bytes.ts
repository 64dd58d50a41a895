import { useMemo } from 'react';
import { loaderSections } from '#analysis/objects/loader-sections.ts';
import { isZeros, type SectionBytes } from '#analysis/values/object-data.ts';
import { SHF } from '#formats/elf/constants.ts';
import type { SectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { bytesNow } from '#store/session/bytes-cache.ts';
import { type FileId, useSession } from '#store/session/session.ts';

/** Maximum bytes read of a section. No loader accepts a larger section. */
export const MAX_SECTION_BYTES = 4 << 20;

/** Returns true if the section is compressed, so that offsets in it are not offsets in the file. */
export function isPacked({ sections }: ObjectModel, section: SectionIndex): boolean {
  return ((sections.flags[section] ?? 0n) & SHF.compressed) !== 0n;
}

/** Returns a function that reads a section, null while its bytes load; a new one afterwards. */
export function useSectionBytes(id: FileId, model: ObjectModel): SectionBytes {
  const version = useSession((state) => state.bytesVersion);
  // A new `version` means that more bytes have loaded: make a new reader.
  return useMemo(() => sectionBytes(id, model, version), [id, model, version]);
}

function sectionBytes(id: FileId, model: ObjectModel, _version: number): SectionBytes {
  const { sections } = model;
  const bytesOf = new Map<number, Uint8Array | null>();
  return (section) => {
    const known = bytesOf.get(section);
    if (known !== undefined) return known;
    const start = sections.fileOffset[section] ?? 0;
    const length = Math.min(MAX_SECTION_BYTES, sections.byteLength[section] ?? 0);
    const stored = () => (length === 0 ? new Uint8Array(0) : bytesNow(id, start, start + length));
    const bytes = isPacked(model, section) ? null : stored();
    bytesOf.set(section, bytes);
    return bytes;
  };
}

const NO_BYTES: SectionBytes = () => null;

/** Returns a reader only for the legacy section `maps`. Its bytes, once loaded, make a new one. */
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

/** Returns true if the bytes of a section are loading; false if the file does not store them. */
export function isOnItsWay(
  model: ObjectModel,
  bytes: SectionBytes,
  section: SectionIndex | null,
): boolean {
  if (section === null || isZeros(model, section) || isPacked(model, section)) return false;
  return bytes(section) === null;
}
