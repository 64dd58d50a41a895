import { useCallback, useMemo, useRef, useState } from 'react';
import type { PointerTarget, Value } from '#analysis/values/decode.ts';
import type { Span } from '#bytes/span.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { useRowInSight } from '#ui/use-row-in-sight.ts';
import { useNarrow } from '#ui/ViewWidth.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import type { Place } from '#views/parts/relocation-target.ts';
import styles from './detail.module.css';
import { RowDetail } from './RowDetail.tsx';
import { valueColumns } from './value-columns.tsx';
import {
  firstOpen,
  isFolder,
  type ValueRow,
  valueOfRow,
  valueRows,
  wayToBytes,
} from './value-tree.ts';

/** Where the parts of a value lie, and where its pointers lead. */
export type ValuePlaces = {
  /** Bytes from the start of the section to the value's. */
  readonly base: number;
  /** File bytes of a part; null where the file has none. */
  readonly spanOf: (part: Value) => Span | null;
  /** The entry that fills a pointer; null for none. */
  readonly relocationOf: (part: Value) => RelocIndex | null;
  readonly placeOf: (target: PointerTarget) => Place | null;
};

export const NO_PLACES: ValuePlaces = {
  base: 0,
  spanOf: () => null,
  relocationOf: () => null,
  placeOf: () => null,
};

type ValueTreeProps = {
  /** null where the bytes are no file's. */
  readonly model: ObjectModel | null;
  readonly value: Value;
  readonly places: ValuePlaces;
  /** What the page has selected: a row that was chosen here stays chosen as long as it does. */
  readonly selection: Selection | null;
  /** The selected bytes from the start of the value; null for none. */
  readonly selectedBytes: Span | null;
  /** A row with bytes in the file was chosen. */
  readonly onBytes: (span: Span) => void;
};

const ROW_HEIGHT = 24;
const HEADER_HEIGHT = 28;
const MOST_ROWS = 16;
const NARROW = 719;

/** A value as a table whose rows open: each part with its bytes, its type and where it lies. */
export function ValueTree(props: ValueTreeProps) {
  const { model, value, places, selection, selectedBytes, onBytes } = props;
  const isNarrow = useNarrow(NARROW);
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => firstOpen(value));
  const [chosen, setChosen] = useState<{
    readonly key: string;
    readonly of: Selection | null;
  } | null>(null);
  const way = useMemo(
    () => (selectedBytes === null ? [] : wayToBytes(value, selectedBytes.start, selectedBytes.end)),
    [value, selectedBytes],
  );
  const isChosenHere = chosen !== null && sameOrNone(chosen.of, selection);
  const selectedKey = isChosenHere ? chosen.key : (way.at(-1) ?? null);

  // What is selected elsewhere is opened once; whoever closes it then has it closed.
  const [openedFor, setOpenedFor] = useState<Selection | null>(null);
  if (selection !== null && openedFor !== selection) {
    setOpenedFor(selection);
    const missing = isChosenHere ? [] : way.slice(0, -1).filter((key) => !open.has(key));
    if (missing.length > 0) setOpen(new Set([...open, ...missing]));
  }

  const toggle = useCallback((key: string) => {
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const rows = useMemo(() => valueRows(value, open), [value, open]);
  const columns = useMemo(
    () => valueColumns({ value, rows, places, toggle, isNarrow }),
    [value, rows, places, toggle, isNarrow],
  );
  const index = selectedKey === null ? -1 : rows.findIndex(({ key }) => key === selectedKey);
  const selectedIndex = index < 0 ? null : index;
  useRowInSight(frame, isChosenHere ? null : selectedIndex);

  const choose = (row: ValueRow) => {
    const part = valueOfRow(value, row);
    const span = part === null ? null : places.spanOf(part);
    const next: Selection | null = span === null ? selection : { kind: 'bytes', ...span };
    setChosen({ key: row.key, of: next });
    if (span !== null) onBytes(span);
  };
  const activate = (row: ValueRow) => {
    if (isFolder(value, row)) toggle(row.key);
    else {
      const part = valueOfRow(value, row);
      const span = part === null ? null : places.spanOf(part);
      if (span !== null) select({ kind: 'bytes', ...span }, 'bytes');
    }
  };
  const at = (rowIndex: number, act: (row: ValueRow) => void) => {
    const row = rows[rowIndex];
    if (row !== undefined) act(row);
  };
  const selectedRow = selectedIndex === null ? undefined : rows[selectedIndex];
  const height = HEADER_HEIGHT + ROW_HEIGHT * Math.min(rows.length, MOST_ROWS) + 2;
  return (
    <>
      <div ref={frame} className={styles.frame} style={{ height: isNarrow ? height + 12 : height }}>
        <VirtualTable
          label="Value"
          columns={columns}
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={selectedIndex}
          onSelect={(row) => at(row, choose)}
          onActivate={(row) => at(row, activate)}
          scrollToIndex={isChosenHere ? null : selectedIndex}
        />
      </div>
      {selectedRow === undefined ? null : (
        <RowDetail model={model} root={value} row={selectedRow} places={places} />
      )}
    </>
  );
}

function sameOrNone(a: Selection | null, b: Selection | null): boolean {
  return a === null || b === null ? a === b : sameSelection(a, b);
}
