/** Decodes one unit of `.debug_info` or `.debug_types`, as far as its bytes are loaded. */
import type { FileStructure } from '#analysis/fields/context.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import { type DieTree, DwarfReader, type DwarfUnit } from '#formats/dwarf/reader.ts';
import type { SectionIndex } from '#model/ids.ts';
import { bytesOf, debugName, debugSection, type SectionBytes } from './debug-sections.ts';
import { kept } from './kept.ts';

/** A unit whose first byte has the offset 0. */
export type DecodedUnit = {
  readonly bytes: SectionBytes;
  readonly unit: DwarfUnit;
  readonly tree: DieTree;
};

/** A unit that cannot be decoded, and the reason. */
export type BrokenUnit = { readonly bytes: SectionBytes; readonly fault: string };

/** Largest unit and largest `.debug_abbrev` in bytes that are decoded at once. */
const MAX_DECODED = 8 << 20;

const keptUnits = kept<DecodedUnit | BrokenUnit>();

/** Returns the unit at `place` of a section; null until its bytes are loaded. */
export function decodedUnit(
  structure: FileStructure,
  section: SectionIndex,
  place: Span,
): DecodedUnit | BrokenUnit | null {
  const { model } = structure;
  const start = (model.sections.fileOffset[section] ?? 0) + place.start;
  return keptUnits(model, start, () => decode(structure, section, place));
}

function decode(
  structure: FileStructure,
  section: SectionIndex,
  { start, end }: Span,
): DecodedUnit | BrokenUnit | null {
  const { model } = structure;
  const abbrevs = debugSection(model, 'abbrev', section);
  const size = abbrevs === null ? 0 : (model.sections.byteLength[abbrevs] ?? 0);
  const isLarge = end - start > MAX_DECODED || size > MAX_DECODED;
  const bytes = bytesOf(structure, section, start, isLarge ? 0 : end - start);
  if (bytes === null) return null;
  if (isLarge) return { bytes, fault: 'The unit is too large to list its entries' };
  if (abbrevs === null) return { bytes, fault: 'The file has no .debug_abbrev' };
  const abbrev = bytesOf(structure, abbrevs, 0, size);
  if (abbrev === null) return null;
  const issues: Issue[] = [];
  const decoded = attempt(issues, () => {
    const isTypes = debugName(model, section) === 'types';
    const none = new ByteReader(new Uint8Array(0), bytes.linked.region, model.endian);
    const reader = new DwarfReader({
      info: isTypes ? none : bytes.linked,
      types: isTypes ? bytes.linked : undefined,
      abbrev: abbrev.linked,
    });
    const [unit] = reader.units;
    return unit === undefined ? reader.issues[0]?.message : { bytes, unit, tree: unit.tree() };
  });
  if (decoded !== null && typeof decoded === 'object') return decoded;
  return { bytes, fault: decoded ?? issues[0]?.message ?? 'The unit cannot be read' };
}
