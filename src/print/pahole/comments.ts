/** Comments of pahole beside and between members: offsets, sizes, holes; and the summary after them. */
import { counted } from '#bytes/text.ts';
import type { Frame, Style, Sums } from './frames.ts';
import { CACHELINE_BYTES, type MemberRows } from './layouts.ts';
import type { Remark } from './members.ts';
import { deeper, joined, spaces, tabs } from './text.ts';

const PACKED_LENGTH = ' __attribute__((__packed__))'.length;
const OFFSET_WIDTH = 5;
const SIZE_WIDTH = 5;
const BIT_WIDTH = 2;

/** Returns the bounds of arrays and vectors after a name: `[2][3]`, in reverse order of `bounds`. */
export function boundsText(
  bounds: readonly number[],
  style: Pick<Style, 'isFirst' | 'isLast' | 'inUnion'>,
): string {
  if (bounds.length === 0) return '';
  const isFlexible = style.isLast && !style.isFirst && !style.inUnion;
  let text = '';
  for (let i = bounds.length - 1; i >= 0; i--) {
    const count = bounds[i] ?? 0;
    if (count < 0) text += ` __attribute__ ((__vector_size__ (${-count})))`;
    else text += count === 0 && isFlexible ? '[]' : `[${count}]`;
  }
  return text;
}

/** Returns the attributes of a member: the width of a bit-field, or an inferred `__aligned__`. */
export function attributesText(rows: MemberRows, row: number): string {
  const bits = rows.bitfieldSize[row] ?? 0;
  const alignment = rows.alignment[row] ?? 0;
  return (bits === 0 ? '' : `:${bits}`) + alignedText(alignment);
}

/** Returns ` __attribute__((__aligned__(8)))`; empty for alignment 0. */
export function alignedText(alignment: number): string {
  return alignment === 0 ? '' : ` __attribute__((__aligned__(${alignment})))`;
}

/** Returns the spaces and the comment after a declaration of `length` characters. */
export function placeText(frame: Frame, rows: MemberRows, length: number): string {
  const width = frame.style.typeSpacing + frame.style.nameSpacing;
  return endText(Math.max(1, width - length - 1)) + commentText(frame, rows);
}

/** Returns the spaces and the comment after a member that is not a bit-field. */
export function plainPlaceText(style: Style, length: number, offset: number, size: number): string {
  const width = style.typeSpacing + style.nameSpacing;
  return endText(Math.max(1, width - length - 1)) + plainComment(offset, size >>> 0);
}

/** Returns the spaces and comment after a nested type; its name has `nameLength` characters. */
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

/** Returns the comment with a member's offset and size, and a bit-field's first bit. */
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

/** Number of cached comments by offset: most members have small offsets. */
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
  return joined('/* ', place, ' ', `${size}`.padStart(SIZE_WIDTH), ' */');
}

const ENDS = Array.from({ length: 64 }, (_, count) => `;${spaces(count)}`);

function endText(count: number): string {
  return ENDS[count] ?? `;${spaces(count)}`;
}

/** Returns the comments on holes before the first member. */
export function holesBefore(frame: Frame): string {
  const { indent } = frame;
  const { preHole, preBitHole } = frame.layout;
  let text = '';
  if (preBitHole > 0) text += comment(frame, `${indent}${hole(preBitHole, 'bit')}\n`);
  if (preHole > 0) text += comment(frame, `${indent}${hole(preHole, 'byte')}\n`);
  frame.sums.bitHoles += preBitHole;
  frame.sums.holes += preHole;
  return text;
}

/** Returns the comment with the remark on a member's struct. */
export function remarkText(frame: Frame, remark: Remark): string {
  frame.sums.add(remark);
  return comment(frame, `\n${frame.indent}${remark.text}`);
}

/** Returns the comments after a member: the `remark` on its type, then the holes. */
export function holesAfter(frame: Frame, rows: MemberRows, remark: Remark | null): string {
  const { row, indent } = frame;
  const bits = rows.bitHole[row] ?? 0;
  const bytes = rows.hole[row] ?? 0;
  let text = '';
  if (remark !== null) text += remarkText(frame, remark);
  if (bits > 0) text += comment(frame, `\n${indent}${hole(bits, 'bit')}`);
  if (bytes > 0) text += comment(frame, `\n${indent}${hole(bytes, 'byte')}`);
  frame.sums.bitHoles += bits;
  if (bytes > 0) frame.sums.holes += bytes;
  return text;
}

/** Returns a comment if non-bit-fields share bytes, and an empty line after earlier comments. */
export function combinations(frame: Frame, rows: MemberRows): string {
  const { row, last } = frame;
  let text = '';
  if (last >= 0 && frame.lastSize !== 0) {
    const distance = (rows.byteOffset[row] ?? 0) - (rows.byteOffset[last] ?? 0);
    const begins = rows.bitfieldSize[last] === 0 && rows.bitfieldSize[row] !== 0;
    const withPrevious = distance < 0 || (distance === 0 && begins);
    if (withPrevious || (distance > 0 && distance < frame.lastSize)) {
      const which = withPrevious ? 'previous' : 'next';
      text = comment(frame, `${frame.indent}/* Bitfield combined with ${which} fields */\n`);
    }
  }
  return text + emptyLine(frame);
}

/** Returns the empty line that earlier comments need; empty if there are none. */
export function emptyLine(frame: Frame): string {
  if (!frame.newline) return '';
  frame.newline = false;
  return '\n';
}

export function countMember(frame: Frame, rows: MemberRows): void {
  const { row, last } = frame;
  const size = rows.byteSize[row] ?? 0;
  const bits = rows.bitfieldSize[row] ?? 0;
  if (bits !== 0) frame.sums.bits += bits;
  else frame.sums.bytes += size;
  const moved = last < 0 || rows.byteOffset[last] !== rows.byteOffset[row];
  if (moved || frame.lastSize === 0 || (rows.bitfieldSize[last] === 0 && bits !== 0)) {
    frame.lastSize = size;
  }
  frame.last = row;
}

/** Returns a comment on separate lines. An empty line precedes the first of several. */
function comment(frame: Frame, text: string): string {
  const start = frame.newline ? '' : '\n';
  frame.newline = true;
  return start + text;
}

function hole(size: number, unit: 'bit' | 'byte'): string {
  return `/* XXX ${counted(size, unit)} hole, try to pack */`;
}

/** Summary at the end of a struct, with sums of 32 bits. Source: pahole, __class__fprintf. */

/** Returns the summary of a struct with `size` bytes, after its `count` members are written. */
export function summaryText(frame: Frame, size: number, count: number): string {
  const { layout, style } = frame;
  const indent = tabs(deeper(style.indent));
  // In C++, an empty struct has one byte: pahole reports 0.
  const bytes = size === 1 && count === 0 ? 0 : size;
  const cachelines = Math.ceil(bytes / CACHELINE_BYTES);
  let text = `\n${indent}/* size: ${size | 0}, cachelines: ${cachelines}, members: ${count} */\n`;
  if (frame.sums.holes > 0 || frame.sums.bitHoles > 0) text += memberLines(frame, indent);
  if (layout.padding > 0) text += `${indent}/* padding: ${layout.padding} */\n`;
  text += insideLine(frame.sums, indent);
  if (frame.sums.paddings > 0) {
    const sum = frame.sums.padding >>> 0;
    text += `${indent}/* paddings: ${frame.sums.paddings}, sum paddings: ${sum} */\n`;
  }
  if (layout.bitPadding > 0) text += `${indent}/* bit_padding: ${layout.bitPadding} bits */\n`;
  if (frame.sums.forced > 0) {
    const { forcedHoles } = frame.sums;
    const sumForcedHoles = frame.sums.forcedHole >>> 0;
    const holes = `, forced holes: ${forcedHoles}, sum forced holes: ${sumForcedHoles}`;
    text += `${indent}/* forced alignments: ${frame.sums.forced}${forcedHoles > 0 ? holes : ''} */\n`;
  }
  text += flexibleLine(frame.sums, indent);
  const rest = ((style.baseOffset + size) >>> 0) % CACHELINE_BYTES;
  if (rest !== 0) text += `${indent}/* last cacheline: ${rest} bytes */\n`;
  return count === 0 ? text : text + differenceLine(frame, size, indent);
}

/** Returns the summary line on holes and bit padding inside of member types. */
function insideLine(sums: Sums, indent: string): string {
  const parts: string[] = [];
  if (sums.holed > 0) parts.push(`holes: ${sums.holed}, total: ${sums.holesInside & 0xffff}`);
  if (sums.bitHoled > 0) {
    parts.push(`bit holes: ${sums.bitHoled}, total: ${sums.bitHolesInside & 0xffff}`);
  }
  if (sums.bitPadded > 0) {
    parts.push(`bit paddings: ${sums.bitPadded}, total: ${counted(sums.bitPadding, 'bit')}`);
  }
  return parts.length === 0 ? '' : `${indent}/* member types with ${parts.join(', ')} */\n`;
}

function flexibleLine({ flexible, holdingFlexible }: Sums, indent: string): string {
  const parts: string[] = [];
  if (flexible > 0) parts.push(`end: ${flexible}`);
  if (holdingFlexible > 0) parts.push(`middle: ${holdingFlexible}`);
  return parts.length === 0 ? '' : `${indent}/* flexible array members: ${parts.join(', ')} */\n`;
}

function memberLines(frame: Frame, indent: string): string {
  const { layout } = frame;
  const { holes: sumHoles, bitHoles: sumBitHoles } = frame.sums;
  const bytes = frame.sums.bytes >>> 0;
  const bits = frame.sums.bits >>> 0;
  let text = '';
  if (bytes > 0) {
    const holes = `, holes: ${layout.holeCount}, sum holes: ${sumHoles}`;
    text += `${indent}/* sum members: ${bytes}${sumHoles > 0 ? holes : ''} */\n`;
  }
  if (bits > 0) {
    const rest =
      sumBitHoles > 0
        ? `, bit holes: ${layout.bitHoleCount}, sum bit holes: ${sumBitHoles} bits`
        : ` (${bits >>> 3} bytes)`;
    text += `${indent}/* sum bitfield members: ${bits} bits${rest} */\n`;
  }
  return text;
}

/** Returns a line if the struct's size is not the sum of its members, holes and padding. */
function differenceLine(frame: Frame, size: number, indent: string): string {
  const { layout } = frame;
  const { holes: sumHoles, bitHoles: sumBitHoles } = frame.sums;
  const bytes = frame.sums.bytes >>> 0;
  const bits = frame.sums.bits >>> 0;
  const sum = 8 * (bytes + sumHoles + layout.padding) + bits + sumBitHoles + layout.bitPadding;
  const difference = (8 * size - sum) | 0;
  if (difference === 0) return '';
  const members = `${bytes} (member bytes) + ${bits} (member bits)`;
  const holes = `${sumHoles} (byte holes) + ${sumBitHoles} (bit holes)`;
  return `\n${indent}/* BRAIN FART ALERT! ${size | 0} bytes != ${members} + ${holes}, diff = ${difference} bits */\n`;
}
