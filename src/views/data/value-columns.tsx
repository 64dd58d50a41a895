import type { ReactNode } from 'react';
import type { PointerTarget, Value } from '#analysis/values/decode.ts';
import { drawnName } from '#bytes/text.ts';
import { targetText } from '#print/value-text.ts';
import { select } from '#store/address/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { TreeCell } from '#views/parts/TreeCell.tsx';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import type { ValuePlaces } from './ValueTree.tsx';
import styles from './value-columns.module.css';
import { bitsText, bytesText, otherForm, previewText } from './value-text.ts';
import { bytesOfValue, type ValueRow, valueOfRow } from './value-tree.ts';

type ColumnOptions = {
  readonly value: Value;
  readonly rows: readonly ValueRow[];
  readonly places: ValuePlaces;
  readonly toggle: (key: string) => void;
  readonly isNarrow: boolean;
};

/** Returns the columns of a value. A narrow table has two: part and value. */
export function valueColumns(options: ColumnOptions): TableColumn[] {
  const { value, rows, places, toggle, isNarrow } = options;
  // Cached cells, so that a row is decoded once for all columns.
  const cells = new Map<number, Cell>();
  const cellAt = (index: number): Cell | undefined => {
    const row = rows[index];
    const cell = cells.get(index) ?? (row && { row, part: valueOfRow(value, row) });
    if (cell !== undefined) cells.set(index, cell);
    return cell;
  };
  const header = value.content.kind === 'array' ? 'Element' : 'Member';
  const name = (cell: Cell) => <PartCell {...cell} toggle={toggle} />;
  const valueCell = (cell: Cell) => <ValueCell {...cell} places={places} />;
  const columns: RowColumn<Cell>[] = [
    column('part', header, isNarrow ? 130 : 150, name, { grow: 2 }),
    column('value', 'Value', 190, valueCell, { grow: 3, mono: true }),
  ];
  const ofPart =
    (draw: (part: Value) => ReactNode) =>
    ({ part }: Cell) =>
      part && draw(part);
  const type = ofPart((part) => <TypeLink types={part.scope.types} type={part.type} />);
  const offset = ofPart((part) => offsetCell(places.base + bytesOfValue(part).start));
  const bytes = ofPart((part) => <BytesCell part={part} places={places} />);
  if (!isNarrow) {
    columns.push(
      column('type', 'Type', 120, type, { grow: 2 }),
      column('offset', 'Offset', 70, offset, NUMBER),
      column('bytes', 'Bytes', 200, bytes, { mono: true }),
    );
  }
  return rowColumns(cellAt, columns);
}

/** Row with its value; `part` is null for a range. */
type Cell = { readonly row: ValueRow; readonly part: Value | null };

type ValueCellProps = Cell & { readonly places: ValuePlaces };

/** Shows the value of a part in one line. A pointer is a link. */
function ValueCell({ part, row, places }: ValueCellProps) {
  if (part === null) {
    const count = (row.rangeEnd ?? row.index) - row.index;
    return <span className={styles.quiet}>{countOf(count, 'element')}</span>;
  }
  const { content } = part;
  if (content.kind === 'truncated') {
    return <span className={styles.quiet}>past the end of the bytes</span>;
  }
  if (content.kind === 'none') return <span className={styles.quiet}>no value</span>;
  if (content.kind === 'pointer' && content.target !== null) {
    return <Pointer part={part} target={content.target} places={places} />;
  }
  const otherText = otherForm(part);
  return (
    <span className={styles.cell} data-kind={content.kind}>
      <bdi className={styles.value}>{drawnName(previewText(part))}</bdi>
      {otherText === '' ? null : <span className={styles.other}>{otherText}</span>}
    </span>
  );
}

type PointerProps = {
  readonly part: Value;
  readonly target: PointerTarget;
  readonly places: ValuePlaces;
  readonly hasRelocation?: boolean;
};

/** Shows a pointer as a link to its target, with a link to the relocation that fills it. */
export function Pointer({ part, target, places, hasRelocation = true }: PointerProps) {
  const place = places.placeOf(target);
  const reloc = hasRelocation ? places.relocationOf(part) : null;
  const text = drawnName(targetText(target));
  return (
    <span className={styles.cell}>
      {place === null ? (
        <bdi className={styles.value}>{text}</bdi>
      ) : (
        <button
          type="button"
          className={styles.link}
          title={`Go to ${drawnName(target.name)}`}
          onClick={(event) => {
            event.stopPropagation();
            select(place.selection, place.view);
          }}
        >
          <bdi>{text}</bdi>
        </button>
      )}
      {reloc === null ? null : (
        <button
          type="button"
          className={styles.reloc}
          data-tone="reloc-1"
          title="Show the relocation that fills it"
          onClick={(event) => {
            event.stopPropagation();
            select({ kind: 'relocation', reloc }, 'relocations');
          }}
        >
          reloc
        </button>
      )}
    </span>
  );
}

type PartCellProps = Cell & { readonly toggle: (key: string) => void };

/** Shows the name or index of a part, indented, with a button that opens the part. */
function PartCell({ row, part, toggle }: PartCellProps) {
  const isFolder = row.rangeEnd !== null || (row.parent !== null && (part?.partCount ?? 0) > 0);
  const label = labelOf(row, part);
  return (
    <TreeCell
      depth={row.depth}
      isOpen={isFolder ? row.isOpen : null}
      label={`Parts of ${drawnName(label)}`}
      onToggle={() => toggle(row.key)}
    >
      <span className="shrink small clip">
        <Name text={label} />
        {part?.isBitfield === true ? <span className={styles.bits}>:{part.bitSize}</span> : null}
      </span>
    </TreeCell>
  );
}

function labelOf({ parent, index, rangeEnd }: ValueRow, part: Value | null): string {
  if (parent === null) return 'value';
  if (rangeEnd !== null) return `[${grouped(index)} … ${grouped(rangeEnd - 1)}]`;
  const { kind } = parent.content;
  return kind === 'array' || kind === 'string' ? `[${grouped(index)}]` : (part?.name ?? '');
}

/** Shows the bytes and bits of a part. Marks bytes that a relocation fills. */
function BytesCell({ part, places }: { readonly part: Value; readonly places: ValuePlaces }) {
  const isPointer = part.content.kind === 'pointer';
  const isFilled = isPointer && places.relocationOf(part) !== null;
  const bits = bitsText(part);
  return (
    <span className={styles.bytesCell}>
      <span className={styles.bytes} data-tone={isFilled ? 'reloc-1' : undefined}>
        {bytesText(part)}
      </span>
      {bits === '' ? null : <span className={styles.bytesCellBits}>{bits}</span>}
    </span>
  );
}
