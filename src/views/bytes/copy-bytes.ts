/** Selected bytes as text for the clipboard. */
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

/** A C array as `xxd -i` lays it out, twelve bytes to a line, with where the bytes came from. */
export function cArrayText(bytes: Uint8Array, fileOffset: number): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += PER_LINE) {
    const line = Array.from(bytes.subarray(at, at + PER_LINE), (byte) => `0x${hexByte(byte)}`);
    lines.push(`  ${line.join(', ')}`);
  }
  const head = `/* file offset 0x${fileOffset.toString(16)} */`;
  return `${head}\nunsigned char bytes[${bytes.length}] = {\n${lines.join(',\n')}\n};\n`;
}

/** More arguments than this at once may be refused by an engine. */
const CHUNK = 8192;

/** Base64 with padding, in one line. */
export function base64Text(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}

/** The bytes of a section as they stand in the file, or as they are once its relocations are applied. */
export type Reading = 'stored' | 'relocated';

/** File bytes from `fileOffset` on as they are to be shown. */
export type ShowBytes = (fileOffset: number, bytes: Uint8Array) => Uint8Array;

export const asStored: ShowBytes = (_, bytes) => bytes;

/** Shows the bytes of `section` with what its relocations write; `layout` is null where layouts change nothing. */
export function asRelocated(
  model: ObjectModel,
  section: SectionIndex,
  layout: RelocationLayout | null,
): ShowBytes {
  const start = model.sections.fileOffset[section] ?? 0;
  return (fileOffset, bytes) => relocatedBytes(model, section, fileOffset - start, bytes, layout);
}

/** No section has so many entries that nobody knows the result of before one that somebody does. */
const LOOKED_AT = 256;

/** Has the section entries whose result is known, so that there is something to show? */
export function canRelocate(model: ObjectModel, section: SectionIndex | null): boolean {
  if (section === null || isPacked(model, section)) return false;
  const length = model.sections.byteLength[section] ?? 0;
  return relocationsInRange(model, section, 0, length)
    .slice(0, LOOKED_AT)
    .some((reloc) => {
      const { result, siteSpan } = relocationMeaning(model, reloc);
      // What has no result yet may have one under a layout.
      return siteSpan !== null && (result !== null || storedLayout(model) !== null);
    });
}
