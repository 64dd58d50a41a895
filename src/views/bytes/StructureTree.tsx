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
  type Outline,
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

type StructureTreeViewProps = {
  readonly outline: Outline;
  /** Path of the selected field, which can be inside a closed one. */
  readonly selected: TreePath;
  readonly textOf: (row: TreeRow) => FieldText;
  /** Pins of a lesson on the row, or on rows collapsed into it. */
  readonly pinsOf: (row: TreeRow) => readonly Pin[];
  readonly onSelect: (row: TreeRow) => void;
  readonly onOpen: (path: TreePath, isOpen: boolean) => void;
  /** On Enter or double click. */
  readonly onActivate: (row: TreeRow) => void;
};

/**
 * Virtualized tree of the file's fields. Arrow keys move, open and close; Enter follows the field's
 * link.
 */
function StructureTreeView(props: StructureTreeViewProps) {
  const { outline, selected, textOf, pinsOf, onSelect, onOpen, onActivate } = props;
  const id = useId();
  const count = rowCount(outline);
  const rows = useRowWindow<HTMLDivElement>({ count, rowHeight: ROW_HEIGHT });
  const active = rowOfPath(outline, selected);
  const { showRow } = rows;
  useEffect(() => showRow(active, 'nearest'), [active, showRow]);

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rowAt(outline, active);
    if (row === null) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onActivate(row);
      return;
    }
    const place = { ...row, row: active, rowCount: count, pageRows: rows.pageRows };
    const move = treeMove(event.key, place);
    if (move === null) return;
    event.preventDefault();
    if (move.kind === 'open' || move.kind === 'close') onOpen(row.path, move.kind === 'open');
    else {
      const to = move.kind === 'row' ? move.row : rowOfPath(outline, row.path.slice(0, -1));
      const next = to === active ? null : rowAt(outline, to);
      if (next !== null) onSelect(next);
    }
  };

  const onClick = (event: MouseEvent) => {
    const row = rowAt(outline, rowOfEvent(event) ?? -1);
    if (row === null) return;
    const isTwisty = event.target instanceof Element && event.target.closest('[data-twisty]');
    if (isTwisty && row.path.length > 0) onOpen(row.path, !row.isOpen);
    else onSelect(row);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const row = rowAt(outline, rowOfEvent(event) ?? -1);
    if (row?.hasParts && row.path.length > 0) onOpen(row.path, !row.isOpen);
  };

  return (
    <RowScroller
      role="tree"
      label="Structure of the file"
      rows={rows}
      active={active}
      activeId={`${id}${active}`}
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
            kind={row.owner.kind}
            isSelected={index === active}
            pins={pinsOf(row)}
            {...textOf(row)}
          />
        );
      }}
    />
  );
}

type RowProps = {
  readonly id: string;
  readonly index: number;
  /** CSS pixels. */
  readonly top: number;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly state: 'open' | 'closed' | 'leaf';
  readonly kind: string;
  readonly isSelected: boolean;
  readonly name: string;
  readonly said: string;
  readonly pins: readonly Pin[];
};

/** Deeper levels are not indented further, so that names stay visible in a narrow pane. */
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
      title={props.said === '' ? props.name : `${props.name}  ${props.said}`}
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
      {props.said === '' ? null : <span className={styles.said}>{props.said}</span>}
    </div>
  );
});

type StructureTreeProps = {
  readonly active: Active;
  readonly structure: FileStructure;
  readonly places: Places;
  readonly pins: readonly Pin[];
};

/** Tree of the file's fields that follows and sets the selection. */
export function StructureTree({ active, structure, places, pins }: StructureTreeProps) {
  const { model, selection } = active;
  const { root, read } = structure;
  const [open, setOpen] = useState<OpenParts>(NOTHING_OPEN);
  // The clicked path, because several fields can have the same bytes.
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
  const pick = ({ owner, path }: TreeRow) => {
    const next = selectionOfField(model, owner);
    setPicked({ path, selection: next });
    places.show(next);
  };
  return (
    <StructureTreeView
      outline={outline}
      selected={selected}
      textOf={({ owner }) => fieldText(owner, read, model.endian)}
      pinsOf={(row) => pinsOnRow(row, pins)}
      onSelect={pick}
      onOpen={(path, isOpen) => setOpen((now) => withOpen(now, path, isOpen))}
      onActivate={({ owner }) => {
        const link = linkOf(owner);
        if (link !== null) select(link.selection, link.view);
      }}
    />
  );
}

/**
 * Returns the path of the innermost field that contains the selection; the file without a
 * selection.
 */
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
    const owner = fieldAtPath(root, path.slice(0, depth));
    if (owner !== null && owner.span.start <= span.start && owner.span.end >= span.end) break;
    depth -= 1;
  }
  return path.slice(0, depth);
}

/** Text of one tree row, printable. */
type FieldText = {
  readonly name: string;
  /** Value, instruction or meaning; empty if there is none. */
  readonly said: string;
};

/** `read` returns the bytes of an instruction. */
function fieldText(owner: StructureField, read: ReadBytes, endian: Endian): FieldText {
  const { label, value, meaning, kind } = owner;
  const said = kind === 'insn' ? (disassembled(owner, read, endian) ?? meaning) : meaning;
  const words = value === null ? said : said === '' ? `= ${value}` : `= ${value}  ${said}`;
  return { name: drawnName(label), said: drawnName(words) };
}

/** Disassembles a slot; null for the second half of ld_imm64, whose meaning is its text. */
function disassembled(
  { span, meaning }: StructureField,
  read: ReadBytes,
  endian: Endian,
): string | null {
  const bytes = meaning.startsWith('BPF_') ? read(span.start, span.start + 16) : null;
  const insn = bytes === null ? null : decodeInsn(bytes, 0, endian);
  return insn === null ? null : shownInsnText(insn);
}

const NONE: readonly Pin[] = [];

/** Returns the pins on exactly these bytes; for a closed row or a leaf also those inside. */
export function pinsOnRow({ owner, isOpen }: TreeRow, pins: readonly Pin[]): readonly Pin[] {
  const { start, end } = owner.span;
  const found = pins.filter(({ span }) => {
    if (span === null) return false;
    const isAll = span.start === start && span.end === end;
    return isAll || (!isOpen && span.start >= start && span.end <= end);
  });
  return found.length === 0 ? NONE : found;
}
