/** A few rows of bytes with a range marked, and who owns it. */

import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { childrenOf, fieldsAt } from '#analysis/structure/structure.ts';
import type { Span } from '#bytes/span.ts';
import type { ObjectModel } from '#model/object-model.ts';

const COLUMNS = 16;
const MAX_ROWS = 8;
const MAX_OWNERS = 10;

export type HexCell = {
  /** Offset in the file. */
  readonly at: number;
  readonly text: string;
  readonly isMarked: boolean;
};

export type HexRow = {
  /** Offset in the file of its first cell. */
  readonly fileOffset: number;
  /** Two digits each; empty text behind the end of the file. */
  readonly cells: readonly HexCell[];
  readonly ascii: string;
};

export type OwnerLine = {
  /** `0x4, 4 bytes`. */
  readonly place: string;
  /** Raw text, like `says`. */
  readonly name: string;
  /** Value and meaning; empty where there is nothing to say. */
  readonly says: string;
};

export type HexExcerpt = {
  readonly rows: readonly HexRow[];
  /** Bytes of the range that lie behind the last row. */
  readonly leftOut: number;
  /** The names around the range, the file first. Raw text. */
  readonly around: readonly string[];
  /** The range itself, or its parts where it has some. */
  readonly owners: readonly OwnerLine[];
};

/** The rows that hold `span`, at most eight, with a row more where there is room. Null while bytes are on their way. */
export function hexExcerpt(model: ObjectModel, span: Span, read: ReadBytes): HexExcerpt | null {
  const firstRow = Math.floor(span.start / COLUMNS);
  const lastRow = Math.floor(Math.max(span.start, span.end - 1) / COLUMNS);
  const from = Math.max(0, lastRow - firstRow < MAX_ROWS - 2 ? firstRow - 1 : firstRow);
  const to = Math.min(from + MAX_ROWS, lastRow + 2, Math.ceil(model.size / COLUMNS));
  const bytes = read(from * COLUMNS, Math.min(to * COLUMNS, model.size));
  if (bytes === null) return null;
  const rows: HexRow[] = [];
  for (let row = from; row < to; row++) rows.push(hexRow(row * COLUMNS, bytes, from, span));
  const holders = holding(fieldsAt(model, span.start, read), span);
  return {
    rows,
    leftOut: Math.max(0, span.end - to * COLUMNS),
    around: holders.map(({ label }) => label),
    owners: ownersIn(holders, span),
  };
}

function hexRow(fileOffset: number, bytes: Uint8Array, firstRow: number, span: Span): HexRow {
  const cells: HexCell[] = [];
  let ascii = '';
  for (let i = 0; i < COLUMNS; i++) {
    const at = fileOffset + i;
    const byte = bytes[at - firstRow * COLUMNS];
    const isMarked = byte !== undefined && at >= span.start && at < span.end;
    cells.push({
      at,
      text: byte === undefined ? '' : byte.toString(16).padStart(2, '0'),
      isMarked,
    });
    if (byte !== undefined) ascii += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  }
  return { fileOffset, cells, ascii };
}

/** Those that hold the whole span; groups of bits are told by their number. */
function holding(chain: readonly StructureField[], span: Span): StructureField[] {
  return chain.filter(
    (owner) =>
      owner.kind !== 'bits' && owner.span.start <= span.start && owner.span.end >= span.end,
  );
}

function ownersIn(holders: readonly StructureField[], span: Span): OwnerLine[] {
  const innermost = holders.at(-1);
  if (innermost === undefined) return [];
  const parts = childrenOf(innermost);
  const lines: OwnerLine[] = [];
  for (let i = Math.max(0, parts.indexAt(span.start)); i < parts.count; i++) {
    const part = parts.at(i);
    if (part === null || part.kind === 'bits' || part.span.start >= span.end) break;
    if (lines.length === MAX_OWNERS) break;
    lines.push(ownerLine(part));
  }
  return lines.length > 0 ? lines : [ownerLine(innermost)];
}

function ownerLine({ span, label, value, meaning }: StructureField): OwnerLine {
  const length = span.end - span.start;
  return {
    place: `0x${span.start.toString(16)}, ${length} ${length === 1 ? 'byte' : 'bytes'}`,
    name: label,
    says: [value, meaning].filter((word) => word !== null && word !== '').join(', '),
  };
}
