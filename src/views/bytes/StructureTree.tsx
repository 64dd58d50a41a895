import { ChevronRight } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName } from '#bytes/text.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { shownInsnText } from '#print/insn.ts';
import { select } from '#store/address/navigation.ts';
import type { Active } from '#store/session/hooks.ts';
import type { Pin } from '#store/session/pins.ts';
import { keepFocus, rowOfEvent } from '#ui/list-keys.ts';
import { useRowWindow } from '#ui/use-row-window.ts';
import { RowScroller } from '#ui/VirtualList.tsx';
import { PinMarks } from '#views/parts/PinMark.tsx';
import { linkOf, selectionOfField } from './field-links.ts';
import styles from './StructureTree.module.css';
import {
  fieldAtPath,
  NOTHING_OPEN,
  type OpenParts,
  outlineOf,
  pathOfByte,
  rowAt,
  rowCount,
  rowOfPath,
  type TreePath,
  type TreeRow,
  treeMove,
  withOpen,
} from './structure-rows.ts';
import type { FileStructure, Places } from './use-places.ts';

const ROW_HEIGHT = 24;

type StructureTreeProps = {
  readonly active: Active;
  readonly structure: FileStructure;
  readonly places: Places;
  readonly pins: readonly Pin[];
};

/** Shows the fields of the file as a tree. Arrow keys move, open, close; Enter follows links. */
export function StructureTree({ active, structure, places, pins }: StructureTreeProps) {
  const { model, selection } = active;
  const { root, read } = structure;
  const [open, setOpen] = useState<OpenParts>(NOTHING_OPEN);
  // Path of the clicked field, since the selected bytes can be those of several fields.
  const [picked, setPicked] = useState<{
    readonly path: TreePath;
    readonly selection: Selection;
  } | null>(null);
  const isPicked = picked !== null && sameSelection(picked.selection, selection);
  const selected = isPicked ? picked.path : pathOfSelection(active, structure, places);

  const branch = selected.slice(0, -1).join();
  useEffect(() => {
    const path = branch === '' ? [] : branch.split(',').map(Number);
    setOpen((now) => withOpen(now, path, true));
  }, [branch]);

  const outline = useMemo(() => outlineOf(root, open), [root, open]);
  const id = useId();
  const count = rowCount(outline);
  const rows = useRowWindow<HTMLDivElement>({ count, rowHeight: ROW_HEIGHT });
  const activeRow = rowOfPath(outline, selected);
  const { showRow } = rows;
  useEffect(() => showRow(activeRow, 'nearest'), [activeRow, showRow]);

  const pick = ({ field, path }: TreeRow) => {
    const next = selectionOfField(model, field);
    setPicked({ path, selection: next });
    places.show(next);
  };
  const toggle = (row: TreeRow) => setOpen((now) => withOpen(now, row.path, !row.isOpen));
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rowAt(outline, activeRow);
    if (row === null) return;
    const place = { ...row, row: activeRow, rowCount: count, pageRows: rows.pageRows };
    const move = treeMove(event.key, place);
    if (event.key === 'Enter') {
      const link = linkOf(row.field);
      if (link !== null) select(link.selection, link.view);
    } else if (move === null) return;
    else if (move.kind === 'open' || move.kind === 'close') toggle(row);
    else {
      const to = move.kind === 'row' ? move.row : rowOfPath(outline, row.path.slice(0, -1));
      const next = to === activeRow ? null : rowAt(outline, to);
      if (next !== null) pick(next);
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const row = rowAt(outline, rowOfEvent(event) ?? -1);
    if (row === null) return;
    const isTwisty = event.target instanceof Element && event.target.closest('[data-twisty]');
    if (isTwisty && row.path.length > 0) toggle(row);
    else pick(row);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const row = rowAt(outline, rowOfEvent(event) ?? -1);
    if (row?.hasParts && row.path.length > 0) toggle(row);
  };
  return (
    <RowScroller
      role="tree"
      label="Structure of the file"
      rows={rows}
      active={activeRow}
      activeId={`${id}${activeRow}`}
      onMouseDown={keepFocus}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      renderRow={(index) => {
        const row = rowAt(outline, index);
        return row === null ? null : (
          <Row
            key={index}
            id={`${id}${index}`}
            index={index}
            top={index * ROW_HEIGHT + rows.shift}
            level={row.path.length + 1}
            position={(row.path.at(-1) ?? 0) + 1}
            siblings={row.siblings}
            state={row.hasParts ? (row.isOpen ? 'open' : 'closed') : 'leaf'}
            kind={row.field.kind}
            isSelected={index === activeRow}
            pins={pinsOnRow(row, pins)}
            {...fieldText(row.field, read, model.endian)}
          />
        );
      }}
    />
  );
}

type RowProps = ReturnType<typeof fieldText> & {
  readonly id: string;
  readonly index: number;
  /** Distance from the top of the tree in CSS pixels. */
  readonly top: number;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly state: 'open' | 'closed' | 'leaf';
  readonly kind: string;
  readonly isSelected: boolean;
  readonly pins: readonly Pin[];
};

/** Maximum indentation in levels, so that names stay visible in a narrow pane. */
const MAX_INDENT = 8;

const Row = memo(function Row(props: RowProps) {
  const { state, level } = props;
  const indent: CSSProperties = { paddingInlineStart: 4 + 12 * Math.min(level - 1, MAX_INDENT) };
  return (
    <div
      id={props.id}
      data-row={props.index}
      role="treeitem"
      tabIndex={-1}
      className={styles.row}
      style={{ ...indent, top: props.top, height: ROW_HEIGHT }}
      aria-level={level}
      aria-posinset={props.position}
      aria-setsize={props.siblings}
      aria-selected={props.isSelected}
      aria-expanded={state === 'leaf' ? undefined : state === 'open'}
      title={props.detail === '' ? props.name : `${props.name}  ${props.detail}`}
    >
      {state === 'leaf' ? (
        <span className={styles.dot} data-kind={props.kind} aria-hidden />
      ) : (
        <span
          data-twisty=""
          className={styles.twisty}
          data-open={state === 'open' ? '' : undefined}
        >
          <ChevronRight size={14} aria-hidden />
        </span>
      )}
      <span className={styles.name} data-kind={props.kind}>
        {props.name}
      </span>
      <PinMarks pins={props.pins} />
      {props.detail === '' ? null : <span className={styles.detail}>{props.detail}</span>}
    </div>
  );
});

/** Returns the path of the innermost field that contains the selection, else of the file. */
function pathOfSelection(
  { model, selection }: Active,
  { root }: FileStructure,
  places: Places,
): TreePath {
  if (selection.kind === 'none') return [];
  const span = places.lit ?? selectionSpan(model, selection);
  if (span === null) return [];
  const path = pathOfByte(root, span.start);
  let depth = path.length;
  while (depth > 0) {
    const field = fieldAtPath(root, path.slice(0, depth));
    if (field !== null && field.span.start <= span.start && field.span.end >= span.end) break;
    depth -= 1;
  }
  return path.slice(0, depth);
}

/** Returns the texts in the row of a field. `detail` is a value, an instruction or a meaning. */
function fieldText(field: StructureField, read: ReadBytes, endian: Endian) {
  const { label, value, meaning, kind } = field;
  const detail = kind === 'insn' ? (disassembled(field, read, endian) ?? meaning) : meaning;
  const words = value === null ? detail : detail === '' ? `= ${value}` : `= ${value}  ${detail}`;
  return { name: drawnName(label), detail: drawnName(words) };
}

/** Returns the instruction in a slot as text; null for the second half of ld_imm64. */
function disassembled(
  { span, meaning }: StructureField,
  read: ReadBytes,
  endian: Endian,
): string | null {
  const bytes = meaning.startsWith('BPF_') ? read(span.start, span.start + 16) : null;
  const insn = bytes === null ? null : decodeInsn(bytes, 0, endian);
  return insn === null ? null : shownInsnText(insn);
}

const NO_PINS: readonly Pin[] = [];

/** Returns the pins on the bytes of a row. A closed row has the pins of its parts too. */
export function pinsOnRow({ field, isOpen }: TreeRow, pins: readonly Pin[]): readonly Pin[] {
  const { start, end } = field.span;
  const onRow = pins.filter(({ span }) => {
    if (span === null) return false;
    const isAll = span.start === start && span.end === end;
    return isAll || (!isOpen && span.start >= start && span.end <= end);
  });
  return onRow.length === 0 ? NO_PINS : onRow;
}
