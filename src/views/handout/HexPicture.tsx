import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { childrenOf, fieldsAt } from '#analysis/structure/structure.ts';
import type { Span } from '#bytes/span.ts';
import { counted, hexText, visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { asciiOf } from '#ui/hex-marks.ts';
import styles from './HexPicture.module.css';

type HexPictureProps = {
  readonly hex: HexExcerpt;
  /** Accessible name of the picture, unique in the handout. */
  readonly label: string;
};

/** Shows rows of bytes with the selected bytes marked, and the fields that contain them. */
export function HexPicture({ hex, label }: HexPictureProps) {
  return (
    <div className={styles.hex} {...scrollRegion(label)}>
      <table className={styles.rows}>
        <tbody>
          {hex.rows.map(({ fileOffset, cells, ascii }) => (
            <tr key={fileOffset}>
              <th scope="row">{hexText(fileOffset)}</th>
              {cells.map(({ at, text, isMarked }) => (
                <td key={at} data-marked={isMarked ? '' : undefined}>
                  {text}
                </td>
              ))}
              <td className={styles.ascii}>{ascii}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hex.leftOut > 0 ? <p className="soft">and {grouped(hex.leftOut)} bytes more</p> : null}
      <ul className="grid gap-hair small">
        {hex.fields.map(({ place, name, says }) => (
          <li key={`${place} ${name}`}>
            <span className={styles.place}>{place}</span> <strong>{visible(name)}</strong>
            {says === '' ? '' : ` ${visible(says)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

const COLUMNS = 16;
const MAX_ROWS = 8;
const MAX_FIELDS = 10;

type HexRow = {
  /** File offset of the first cell in the row. */
  readonly fileOffset: number;
  readonly cells: readonly {
    /** File offset of the byte. */
    readonly at: number;
    /** The byte as two hex digits; empty after the end of the file. */
    readonly text: string;
    readonly isMarked: boolean;
  }[];
  readonly ascii: string;
};

type FieldLine = {
  /** Offset and size of the field: `0x4, 4 bytes`. */
  readonly place: string;
  /** Name of the field, not escaped. */
  readonly name: string;
  /** Value and meaning of the field; may be empty. */
  readonly says: string;
};

export type HexExcerpt = {
  readonly rows: readonly HexRow[];
  /** Number of selected bytes after the last drawn row. */
  readonly leftOut: number;
  /** Names of the structures around the selected bytes, outermost first; not escaped. */
  readonly around: readonly string[];
  /** Fields in the selected bytes; if there are none, the field that contains the bytes. */
  readonly fields: readonly FieldLine[];
};

/** Returns at most eight rows of bytes around `span`; null until the bytes are loaded. */
export function hexExcerpt(model: ObjectModel, span: Span, read: ReadBytes): HexExcerpt | null {
  const firstRow = Math.floor(span.start / COLUMNS);
  const lastRow = Math.floor(Math.max(span.start, span.end - 1) / COLUMNS);
  const from = Math.max(0, lastRow - firstRow < MAX_ROWS - 2 ? firstRow - 1 : firstRow);
  const to = Math.min(from + MAX_ROWS, lastRow + 2, Math.ceil(model.size / COLUMNS));
  const bytes = read(from * COLUMNS, Math.min(to * COLUMNS, model.size));
  if (bytes === null) return null;
  const rows: HexRow[] = [];
  for (let row = from; row < to; row++) rows.push(hexRow(row * COLUMNS, bytes, from, span));
  // Leave out bits: the picture shows whole fields.
  const holders = fieldsAt(model, span.start, read).filter(
    (field) =>
      field.kind !== 'bits' && field.span.start <= span.start && field.span.end >= span.end,
  );
  return {
    rows,
    leftOut: Math.max(0, span.end - to * COLUMNS),
    around: holders.map(({ label }) => label),
    fields: fieldsIn(holders, span),
  };
}

function hexRow(fileOffset: number, bytes: Uint8Array, firstRow: number, span: Span): HexRow {
  const from = fileOffset - firstRow * COLUMNS;
  const cells = Array.from({ length: COLUMNS }, (_, i) => {
    const at = fileOffset + i;
    const text = bytes[from + i]?.toString(16).padStart(2, '0') ?? '';
    return { at, text, isMarked: text !== '' && at >= span.start && at < span.end };
  });
  const ascii = Array.from(bytes.subarray(from, from + COLUMNS), asciiOf).join('');
  return { fileOffset, cells, ascii };
}

function fieldsIn(holders: readonly StructureField[], span: Span): FieldLine[] {
  const innermost = holders.at(-1);
  if (innermost === undefined) return [];
  const parts = childrenOf(innermost);
  const lines: FieldLine[] = [];
  for (let i = Math.max(0, parts.indexAt(span.start)); i < parts.count; i++) {
    const part = parts.at(i);
    if (part === null || part.kind === 'bits' || part.span.start >= span.end) break;
    if (lines.length === MAX_FIELDS) break;
    lines.push(fieldLine(part));
  }
  return lines.length > 0 ? lines : [fieldLine(innermost)];
}

function fieldLine({ span, label, value, meaning }: StructureField): FieldLine {
  const length = span.end - span.start;
  return {
    place: `0x${span.start.toString(16)}, ${counted(length, 'byte')}`,
    name: label,
    says: [value, meaning].filter((word) => word !== null && word !== '').join(', '),
  };
}
