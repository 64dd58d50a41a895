/** Functions that return a whole result at once, for tests; the product works in steps. */
import { lineRowsOf, type SourceLine, sourceLine } from '#analysis/code/source-lines.ts';
import type { Layout } from '#analysis/ecoff/layout.ts';
import { ecoffListingLines } from '#analysis/ecoff/listing.ts';
import { type Outcome, relocateMembers } from '#analysis/ecoff/relocate.ts';
import { number, type ReportRow } from '#analysis/ecoff/report-value.ts';
import { type LineLink, type LogTarget, logLinker } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { countLines, logLines } from '#analysis/log/parse-log.ts';
import { type RelocationSection, relocationSectionSteps } from '#analysis/relocations/sections.ts';
import { partAt, type Value } from '#analysis/values/decode.ts';
import { finish } from '#bytes/long-work.ts';
import type { EcoffFile } from '#formats/ecoff/ecoff-file.ts';
import type { RelocationTable } from '#formats/ecoff/relocations.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** Returns the whole listing of an eCOFF file; each line ends with a newline. */
export function ecoffListing(file: EcoffFile): string {
  return Array.from(ecoffListingLines(file), (line) => `${line}\n`).join('');
}

/** Returns the report's row about compression; null if the object is not compressed. */
export function compressionReport({ compressed }: EcoffFile): ReportRow | null {
  if (compressed === null) return null;
  return {
    uncompressed_size: number(compressed.uncompressedSize),
    compressed_stream_offset: compressed.streamOffset,
  };
}

/** Returns the relocation outcome of each entry of `table`, in order. */
export function relocate(
  file: EcoffFile,
  table: RelocationTable,
  layout: Layout,
): readonly Outcome[] {
  const all = Array.from({ length: table.count }, (_, n) => n);
  return relocateMembers(file, table, layout, all);
}

/** Returns the sections with at least one relocation entry, in the order of the file. */
export function relocationSections(model: ObjectModel): RelocationSection[] {
  return finish(relocationSectionSteps(model));
}

/** Returns the first `maxLines` lines of a log, and the number of lines in the whole text. */
export function parseLog(text: string, { maxLines }: { readonly maxLines?: number } = {}) {
  return { lines: [...logLines(text, maxLines)], lineCount: countLines(text) };
}

/** Returns links for the lines of a log that name a record or a type. */
export function linkLog(
  lines: readonly LogLine[],
  model: ObjectModel | null,
  targets: readonly LogTarget[],
): LineLink[] {
  return lines.map(logLinker(model, targets)).filter((one) => one !== null);
}

/** Yields up to `count` parts of a value, beginning with part `start`. */
export function* partsOf(value: Value, start = 0, count = value.partCount): Generator<Value> {
  const end = Math.min(value.partCount, start + count);
  for (let i = start; i < end; i++) {
    const part = partAt(value, i);
    if (part !== null) yield part;
  }
}

/** Returns all line records of `section`, sorted by offset. */
export function linesOf(model: ObjectModel, section: SectionIndex): SourceLine[] {
  return Array.from(lineRowsOf(model, section), (row) => sourceLine(model, row));
}
