/** Selected bytes as text for the clipboard, stored or relocated. */
import type { RelocationLayout } from '#analysis/objects/relocation-facts.ts';
import { relocationsInRange } from '#analysis/relocations/by-place.ts';
import { storedLayout } from '#analysis/relocations/layout.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { hexByte } from '#ui/hex-marks.ts';
import { isPacked } from '#views/parts/use-section-bytes.ts';

const PER_LINE = 12;

/** Formats a C array as `xxd -i` does, preceded by a comment with the file offset. */
export function cArrayText(bytes: Uint8Array, fileOffset: number): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += PER_LINE) {
    const line = Array.from(bytes.subarray(at, at + PER_LINE), (byte) => `0x${hexByte(byte)}`);
    lines.push(`  ${line.join(', ')}`);
  }
  const head = `/* file offset 0x${fileOffset.toString(16)} */`;
  return `${head}\nunsigned char bytes[${bytes.length}] = {\n${lines.join(',\n')}\n};\n`;
}

/** Engines limit the number of arguments of a call. */
const CHUNK = 8192;

export function base64Text(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/** Bytes of a section as stored, or with its relocations applied. */
export type Reading = 'stored' | 'relocated';

/** Returns the displayed bytes from `fileOffset` on. */
export type ShowBytes = (fileOffset: number, bytes: Uint8Array) => Uint8Array;

export const asStored: ShowBytes = (_, bytes) => bytes;

/** Applies the relocations of `section`; `layout` is null if a layout changes nothing. */
export function asRelocated(
  model: ObjectModel,
  section: SectionIndex,
  layout: RelocationLayout | null,
): ShowBytes {
  const start = model.sections.fileOffset[section] ?? 0;
  return (fileOffset, bytes) => relocatedBytes(model, section, fileOffset - start, bytes, layout);
}

/** Most entries tested: later ones do not have a known result if these have none. */
const LOOKED_AT = 256;

/** Returns whether an entry of the section has a known result. */
export function canRelocate(model: ObjectModel, section: SectionIndex | null): boolean {
  if (section === null || isPacked(model, section)) return false;
  const length = model.sections.byteLength[section] ?? 0;
  return relocationsInRange(model, section, 0, length)
    .slice(0, LOOKED_AT)
    .some((reloc) => {
      const { result, siteSpan } = relocationMeaning(model, reloc);
      // An entry without a result can get one from a layout.
      return siteSpan !== null && (result !== null || storedLayout(model) !== null);
    });
}
