/** Tables of a file read piece by piece, so that none is ever held whole. */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { ByteSource } from '#bytes/source.ts';
import type { Endian } from '#bytes/span.ts';

/** How the reading of a file is followed and stopped. */
export type ReadOptions = {
  readonly signal?: AbortSignal;
  /** `done` of `total` rows in the step that `step` names. */
  readonly onProgress?: (done: number, total: number, step: string) => void;
};

export type Table = {
  readonly region: string;
  readonly fileOffset: number;
  /** Rows that are known to lie in the file. */
  readonly count: number;
  /** Bytes from one row to the next. */
  readonly rowSize: number;
  readonly endian: Endian;
};

export type Piece = {
  readonly reader: ByteReader;
  /** Number of the first row in `reader`. */
  readonly first: number;
  readonly count: number;
};

const PIECE_BYTES = 4 * 1024 * 1024;

/** The rows of `table` in order, some megabytes at a time. Throws what the source throws, and `AbortError`. */
export async function* readPieces(
  source: ByteSource,
  table: Table,
  options: ReadOptions,
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

/**
 * What tables may take together. Sections that claim the same bytes again and
 * again would else make a small file cost any amount of memory; in a sound file
 * tables do not overlap, so that they are never larger than the file.
 */
export class Allowance {
  #bytes: number;
  #rows: number;

  constructor(bytes: number, rows: number) {
    this.#bytes = bytes;
    this.#rows = rows;
  }

  /** How many of `rows` rows of `rowSize` bytes may be read; they are taken off. */
  take(rows: number, rowSize: number): number {
    const granted = Math.min(rows, this.#rows, Math.floor(this.#bytes / rowSize));
    this.#rows -= granted;
    this.#bytes -= granted * rowSize;
    return granted;
  }
}

/** No table of the model has more rows than this: beyond it a browser tab would not hold them. */
export const MAX_ROWS = 16 * 1024 * 1024;
