/** What comes after the type and the name of a member: attributes, and the comment that tells its place. */
import type { Frame, Style } from './frames.ts';
import type { MemberRows } from './layouts.ts';
import { spaces, whole } from './text.ts';

const PACKED_LENGTH = ' __attribute__((__packed__))'.length;
const OFFSET_WIDTH = 5;
const SIZE_WIDTH = 5;
const BIT_WIDTH = 2;

/** Numbers of elements behind a name, of which the innermost array's comes first. */
export function boundsText(
  bounds: readonly number[],
  style: Pick<Style, 'isFirst' | 'isLast' | 'inUnion'>,
): string {
  if (bounds.length === 0) return '';
  const isFlexible = style.isLast && !style.isFirst && !style.inUnion;
  let text = '';
  for (let i = bounds.length - 1; i >= 0; i--) {
    const count = bounds[i] ?? 0;
    text += count === 0 && isFlexible ? '[]' : `[${count}]`;
  }
  return text;
}

/** The width of a bit-field and an inferred `__aligned__`. */
export function attributesText(rows: MemberRows, row: number): string {
  const bits = rows.bitfieldSize[row] ?? 0;
  const alignment = rows.alignment[row] ?? 0;
  if (bits === 0 && alignment === 0) return '';
  return (bits === 0 ? '' : `:${bits}`) + alignedText(alignment);
}

/** ` __attribute__((__aligned__(8)))`; nothing for 0. */
export function alignedText(alignment: number): string {
  return alignment === 0 ? '' : ` __attribute__((__aligned__(${alignment})))`;
}

/** All that is behind a declaration of which `length` characters count. */
export function placeText(frame: Frame, rows: MemberRows, length: number): string {
  const width = frame.style.typeSpacing + frame.style.nameSpacing;
  return endText(Math.max(1, width - length - 1)) + commentText(frame, rows);
}

/** The same for a member that is no bit-field. */
export function plainPlaceText(style: Style, length: number, offset: number, size: number): string {
  const width = style.typeSpacing + style.nameSpacing;
  return endText(Math.max(1, width - length - 1)) + plainComment(offset, size >>> 0);
}

/** The same behind a struct, union or enumeration that was written in place, whose name has `nameLength` characters. */
export function nestedPlaceText(
  frame: Frame,
  rows: MemberRows,
  nameLength: number,
  isPacked: boolean,
): string {
  const width = frame.style.typeSpacing + frame.style.nameSpacing;
  const aligned = alignedText(rows.alignment[frame.row] ?? 0).length;
  const used = aligned + nameLength + (isPacked ? PACKED_LENGTH : 0) + 3;
  return endText(Math.max(1, Math.abs(width - used))) + commentText(frame, rows);
}

/** Offset and size; of a bit-field also its first bit. */
function commentText(frame: Frame, rows: MemberRows): string {
  const { row, offset } = frame;
  const size = (rows.byteSize[row] ?? 0) >>> 0;
  if (rows.bitfieldSize[row] === 0) return plainComment(offset, size);
  const first = rows.bitfieldOffset[row] ?? 0;
  const bit = (first < 0 ? size * 8 + first : first) >>> 0;
  const place = `${offset}`.padStart(OFFSET_WIDTH);
  const bits = `${bit}`.padStart(BIT_WIDTH);
  return `/* ${place}:${bits} ${`${size}`.padStart(SIZE_WIDTH - 1 - BIT_WIDTH)} */`;
}

/** Comments that most members have are made once. */
const COMMON_OFFSETS = 1 << 10;
const COMMON_SIZES = 1 << 6;
const comments: (string | undefined)[] = new Array(COMMON_OFFSETS * COMMON_SIZES);

function plainComment(offset: number, size: number): string {
  if (offset >= COMMON_OFFSETS || size >= COMMON_SIZES) return newComment(offset, size);
  const key = offset * COMMON_SIZES + size;
  let comment = comments[key];
  if (comment === undefined) {
    comment = newComment(offset, size);
    comments[key] = comment;
  }
  return comment;
}

function newComment(offset: number, size: number): string {
  const place = `${offset}`.padStart(OFFSET_WIDTH);
  return whole('/* ', place, ' ', `${size}`.padStart(SIZE_WIDTH), ' */');
}

const ENDS = Array.from({ length: 64 }, (_, count) => `;${spaces(count)}`);

function endText(count: number): string {
  return ENDS[count] ?? `;${spaces(count)}`;
}
