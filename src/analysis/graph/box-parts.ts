/** Rectangles and texts of a box, relative to its corner, for the page, the canvas and pictures. */
import { namelessText, typeHeading, typeText } from '#analysis/source/type-text.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { append } from '#bytes/arrays.ts';
import { visible } from '#bytes/text.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { enumeratorAt } from '#model/type-items.ts';
import { kindOf, skipModifiers } from '#model/type-table.ts';
import { type Forced, type GraphReader, itemCount, rowsOf } from './entries.ts';
import { BOX_WIDTH, HEADER_HEIGHT, ROW_HEIGHT, rowY } from './measures.ts';

export type PartRole =
  | 'frame'
  | 'badge'
  | 'letter'
  | 'name'
  | 'size'
  | 'line'
  | 'ground'
  | 'row'
  | 'bits'
  | 'chip'
  | 'chipText'
  | 'type'
  | 'rest'
  | 'button'
  | 'buttonText';

export type Rect = {
  readonly shape: 'rect';
  readonly role: PartRole;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  /** Row that the part belongs to; -1 for the header. */
  readonly row: number;
};

export type Label = {
  readonly shape: 'text';
  readonly role: PartRole;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly text: string;
  readonly row: number;
};

export type Part = Rect | Label;

/** What a box shows besides its text: size, button, and rows with an edge. */
export type BoxFace = {
  readonly letter: string;
  /** Size as text; empty if the type has no size. */
  readonly size: string;
  /** Text of the expand button: `+12` or `−`; empty if there is nothing to expand. */
  readonly button: string;
  /** Numbers of rows with an edge, which replaces the text of the row's type. */
  readonly linkedRows: ReadonlySet<number>;
};

export const NAME_SIZE = 12;
export const ROW_SIZE = 11;
const PAD = 9;
const BADGE = 22;
/** Width of one character, relative to the font size, in the widest of our monospace fonts. */
const ADVANCE = 0.605;
const CHIP_PAD = 5;
const MAX_TYPE = 22;

/** Returns `text`, cut with `…` if it would be wider than `width`. */
export function fitText(text: string, width: number, fontSize: number): string {
  const limit = Math.max(1, Math.floor(width / (ADVANCE * fontSize)));
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}

/** Returns the parts of a box in drawing order; `height` is the height of the box. */
export function boxParts(text: BoxText, face: BoxFace, height: number): Part[] {
  const parts: Part[] = [rect('frame', 0, 0, BOX_WIDTH, height, 6, -1)];
  append(parts, headerParts(text, face));
  if (text.rows.length > 0 || text.rest > 0) {
    parts.push(rect('line', 0, HEADER_HEIGHT, BOX_WIDTH, 1, 0, -1));
  }
  for (const [i, row] of text.rows.entries()) {
    append(parts, rowParts(row, i, face.linkedRows.has(i)));
  }
  if (text.rest > 0) {
    const i = text.rows.length;
    parts.push(ground(i), label('rest', PAD, rowY(0, i) + 4, `${text.rest} more`, i));
  }
  return parts;
}

function headerParts({ name }: BoxText, { letter, size, button }: BoxFace): Part[] {
  const baseline = HEADER_HEIGHT / 2 + 4;
  const parts: Part[] = [
    rect('badge', PAD, 7, BADGE, 16, 3, -1),
    label('letter', PAD + BADGE / 2, baseline, letter, -1, 'middle'),
  ];
  let right = BOX_WIDTH - PAD;
  if (button !== '') {
    const width = Math.max(20, widthOf(button, ROW_SIZE) + 10);
    right = BOX_WIDTH - 6 - width;
    parts.push(rect('button', right, 6, width, 18, 9, -1));
    parts.push(label('buttonText', right + width / 2, baseline, button, -1, 'middle'));
    right -= 6;
  }
  if (size !== '') {
    parts.push(label('size', right, baseline, size, -1, 'end'));
    right -= widthOf(size, ROW_SIZE) + 8;
  }
  const left = PAD + BADGE + 7;
  parts.push(label('name', left, baseline, fitText(name, right - left, NAME_SIZE), -1));
  return parts;
}

function rowParts({ name, bits, type, isScalar }: BoxRow, i: number, isLinked: boolean): Part[] {
  const baseline = rowY(0, i) + 4;
  const parts: Part[] = [ground(i)];
  const room = BOX_WIDTH - 2 * PAD;
  const wanted = Math.min(room * 0.62, widthOf(name + bits, ROW_SIZE)) + 12;
  const shown = isLinked || type === '' ? '' : fitText(type, typeRoom(room - wanted), ROW_SIZE);
  const typeWidth = shown === '' ? 0 : widthOf(shown, ROW_SIZE) + 2 * CHIP_PAD;
  if (shown !== '' && isScalar) {
    const x = BOX_WIDTH - PAD - typeWidth + 3;
    parts.push(rect('chip', x, baseline - 11, typeWidth, 15, 3, i));
    parts.push(label('chipText', x + CHIP_PAD, baseline, shown, i));
  } else if (shown !== '') {
    parts.push(label('type', BOX_WIDTH - PAD, baseline, shown, i, 'end'));
  }
  const bitsWidth = widthOf(bits, ROW_SIZE);
  const fitted = fitText(name, room - typeWidth - bitsWidth - (shown === '' ? 0 : 6), ROW_SIZE);
  parts.push(label('row', PAD, baseline, fitted, i));
  if (bits !== '') {
    parts.push(label('bits', PAD + widthOf(fitted, ROW_SIZE), baseline, bits, i));
  }
  return parts;
}

function typeRoom(left: number): number {
  return Math.min(widthOf('m'.repeat(MAX_TYPE), ROW_SIZE), left) - 2 * CHIP_PAD + 8;
}

function ground(row: number): Rect {
  return rect('ground', 1, rowY(0, row) - ROW_HEIGHT / 2, BOX_WIDTH - 2, ROW_HEIGHT, 0, row);
}

function widthOf(text: string, fontSize: number): number {
  return [...text].length * ADVANCE * fontSize;
}

function rect(
  role: PartRole,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  row: number,
): Rect {
  return { shape: 'rect', role, x, y, width, height, radius, row };
}

function label(
  role: PartRole,
  x: number,
  y: number,
  text: string,
  row: number,
  anchor: Label['anchor'] = 'start',
): Label {
  return { shape: 'text', role, x, y, text, row, anchor };
}

/** Row of a box: a member, parameter, variable or enumerator. All texts are safe to draw. */
type BoxRow = {
  /** Member indices, starting at the box's type; empty if the row cannot be selected. */
  readonly path: readonly number[];
  readonly name: string;
  /** Width of a bit-field as `:3`; else empty. */
  readonly bits: string;
  /** Type in C syntax, or the value of an enumerator. */
  readonly type: string;
  /** True if the row has no edge to another node. */
  readonly isScalar: boolean;
  /** Id of the row's type; 0 for an enumerator. */
  readonly of: TypeId;
};

export type BoxText = {
  readonly type: TypeId;
  readonly kind: number;
  readonly name: string;
  /** Size in bytes; null if the type has no size. */
  readonly size: bigint | null;
  readonly rows: readonly BoxRow[];
  /** Number of items that are not shown as rows; 0 for a box without rows. */
  readonly rest: number;
};

/** Returns the text of a box. `limit` and `forced` select its rows, as in `rowsOf`. */
export function boxText(
  reader: GraphReader,
  type: TypeId,
  limit: number,
  forced: readonly Forced[],
): BoxText {
  const { types } = reader;
  const numbers = rowsOf(reader, type, limit, forced);
  const entries = reader.entriesOf(type);
  return {
    type,
    kind: kindOf(types, type),
    name: visible(typeHeading(types, type)),
    size: sizeOf(types, type),
    rows: numbers.map((number) => {
      const entry = entries[number];
      return entry === undefined
        ? enumeratorRow(reader, type, number)
        : entryRow(types, type, entry);
    }),
    rest: limit > 0 ? itemCount(reader, type) - numbers.length : 0,
  };
}

function entryRow(
  types: GraphReader['types'],
  node: TypeId,
  entry: ReturnType<GraphReader['entriesOf']>[number],
): BoxRow {
  const { name, path, type, bitfieldSize, to } = entry;
  const isEllipsis = name === '' && type === VOID;
  return {
    path,
    name: isEllipsis ? '...' : visible(name) || namelessText(types, node, path[0] ?? -1),
    bits: bitfieldSize === 0 ? '' : `:${bitfieldSize}`,
    type: isEllipsis ? '' : shortType(visible(typeText(types, type)), to !== null),
    isScalar: to === null,
    of: type,
  };
}

/** Removes the keyword (`struct`) from the type of a row with an edge: the target box shows it. */
function shortType(text: string, isLinked: boolean): string {
  return isLinked ? text.replace(/\b(?:struct|union|enum) (?=\S)/, '') : text;
}

function enumeratorRow({ types }: GraphReader, type: TypeId, index: number): BoxRow {
  const enumerator = enumeratorAt(types, skipModifiers(types, type), index);
  return {
    path: [],
    name: visible(enumerator?.name ?? ''),
    bits: '',
    type: `${enumerator?.value ?? ''}`,
    isScalar: true,
    of: VOID,
  };
}
