/** Reads and checks tables of an ELF file in parts, so that no whole table is in memory. */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Issue } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import type { ElfHeader } from '#formats/elf/header.ts';
import { type SectionHeaderFieldName, sectionHeaderSpan } from '#formats/elf/records.ts';
import { sectionIndex } from '#model/ids.ts';
import { type SectionTable, sectionName } from '#model/sections.ts';
import type { IngestOptions } from './ingest-options.ts';

type Table = {
  readonly region: string;
  readonly fileOffset: number;
  /** Number of rows that are in the file. */
  readonly count: number;
  /** Distance in bytes from a row to the next row. */
  readonly rowSize: number;
  readonly endian: Endian;
};

type Piece = {
  readonly reader: ByteReader;
  /** Number of the first row that `reader` contains. */
  readonly first: number;
  readonly count: number;
};

const PIECE_BYTES = 4 * 1024 * 1024;

/** Yields the rows of `table`, some megabytes at a time. Throws read errors and `AbortError`. */
export async function* readPieces(
  source: ByteSource,
  table: Table,
  options: IngestOptions,
): AsyncGenerator<Piece> {
  const rowsPerPiece = Math.max(1, Math.floor(PIECE_BYTES / table.rowSize));
  for (let first = 0; first < table.count; first += rowsPerPiece) {
    options.signal?.throwIfAborted();
    const count = Math.min(rowsPerPiece, table.count - first);
    const start = table.fileOffset + first * table.rowSize;
    const bytes = await source.read(start, start + count * table.rowSize);
    yield { reader: new ByteReader(bytes, table.region, table.endian, start), first, count };
  }
}

/** A limit that several tables share, because many sections may claim the same bytes. */
export class Allowance {
  #bytes: number;
  #rows: number;

  constructor(bytes: number, rows: number) {
    this.#bytes = bytes;
    this.#rows = rows;
  }

  /** Returns how many of `rows` rows may be read, and deducts their bytes from the limit. */
  take(rows: number, rowSize: number): number {
    const granted = Math.min(rows, this.#rows, Math.floor(this.#bytes / rowSize));
    this.#rows -= granted;
    this.#bytes -= granted * rowSize;
    return granted;
  }
}

/** Largest number of rows in a table of the model: a browser tab cannot hold more. */
export const MAX_ROWS = 16 * 1024 * 1024;

/** The first fault with a code. `report` calls `message` with the number of faults. */
type FirstFault = Omit<Issue, 'code' | 'message'> & {
  readonly message: (count: number) => string;
};

export class Faults {
  readonly #faults = new Map<string, { readonly first: FirstFault; count: number }>();

  /** Counts a fault with the code `code`. Calls `describe` only for the first one. */
  add(code: string, describe: () => FirstFault): void {
    const known = this.#faults.get(code);
    if (known === undefined) this.#faults.set(code, { first: describe(), count: 1 });
    else known.count += 1;
  }

  /** Adds one issue for each code, in the order of the first faults. */
  report(issues: Issue[]): void {
    for (const [code, { first, count }] of this.#faults) {
      issues.push({ ...first, code, message: first.message(count) });
    }
  }
}

/** Returns a function that turns a count into `what: place` or `what: 7, the first is place`. */
export function tally(what: string, place: string): (count: number) => string {
  return (count) =>
    count === 1 ? `${what}: ${place}` : `${what}: ${count}, the first is ${place}`;
}

/** Returns the file span of a field in a section header. */
export function sectionFieldSpan(
  sections: SectionTable,
  header: Pick<ElfHeader, 'elfClass'>,
  index: number,
  field: SectionHeaderFieldName,
): Span {
  const { start, end } = sectionHeaderSpan(header.elfClass, field);
  return spanOf((sections.headerOffset[index] ?? 0) + start, end - start);
}

/** Returns the name of a section, or its number if it has no name. */
export function sectionLabel(sections: SectionTable, index: number): string {
  return sectionName(sections, sectionIndex(index)) || `section ${index}`;
}

/** Returns the issue of a section that ends after the end of the file (`fileSize`, in bytes). */
export function pastEndIssue(
  sections: SectionTable,
  header: Pick<ElfHeader, 'elfClass'>,
  index: number,
  fileSize: number,
): Issue {
  const offset = sections.declaredOffset[index] ?? 0n;
  const field = offset > BigInt(fileSize) ? 'sh_offset' : 'sh_size';
  const label = sectionLabel(sections, index);
  return {
    severity: 'error',
    code: 'elf.section-past-end',
    region: label,
    message: `${label}: past the end of the file`,
    span: sectionFieldSpan(sections, header, index, field),
    expected: `a section inside ${fileSize} bytes`,
    found: `sh_offset ${offset}, sh_size ${sections.declaredSize[index] ?? 0n}`,
  };
}

export type TableSection = {
  readonly sections: SectionTable;
  readonly header: ElfHeader;
  readonly index: number;
  /** Size of a row in bytes for the class of the file. `sh_entsize` may be different. */
  readonly rowSize: number;
  readonly allowance: Allowance;
  readonly faults: Faults;
};

/** Returns how many rows are in the file and within the limit. Adds `faults` for other rows. */
export function checkTable({
  sections,
  header,
  index,
  rowSize,
  allowance,
  faults,
}: TableSection): number {
  const label = sectionLabel(sections, index);
  const length = sections.byteLength[index] ?? 0;
  const entsize = sections.entsize[index] ?? 0n;
  if (entsize !== BigInt(rowSize)) {
    faults.add('elf.entry-size', () => ({
      severity: 'warning',
      region: label,
      message: tally(`entry size ${entsize} instead of ${rowSize}, which is used`, label),
      span: sectionFieldSpan(sections, header, index, 'sh_entsize'),
      expected: `${rowSize}`,
      found: `${entsize}`,
    }));
  }
  if (length % rowSize !== 0) {
    faults.add('elf.partial-entry', () => ({
      severity: 'warning',
      region: label,
      message: tally('tables that end inside an entry', label),
      span: sectionFieldSpan(sections, header, index, 'sh_size'),
      expected: `a multiple of ${rowSize} bytes`,
      found: `${length} bytes`,
    }));
  }
  const rows = Math.floor(length / rowSize);
  const granted = allowance.take(rows, rowSize);
  if (granted < rows) {
    faults.add('elf.too-many-rows', () => ({
      severity: 'error',
      region: label,
      message: (count) =>
        `${label}: only ${granted} of ${rows} entries are read` +
        (count > 1 ? `, and too few of ${count - 1} more tables` : ''),
      span: sectionFieldSpan(sections, header, index, 'sh_size'),
      expected: 'tables that do not overlap and that a browser tab can hold',
      found: `${rows} entries of ${rowSize} bytes`,
    }));
  }
  return granted;
}
