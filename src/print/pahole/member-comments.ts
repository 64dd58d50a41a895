/**
 * The comments on holes and overlaps around the members of a struct, and what is
 * counted of them for its summary.
 */

import { counted } from '#bytes/text.ts';
import type { Frame } from './frames.ts';
import { CACHELINE_BYTES, type MemberRows } from './layouts.ts';
import { deeper, tabs } from './text.ts';

/** Holes before the first member. */
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

/** Holes behind the member of the row, and the `padding` of its type where that is a struct. */
export function holesAfter(frame: Frame, rows: MemberRows, padding: number): string {
  const { row, indent } = frame;
  const bits = rows.bitHole[row] ?? 0;
  const bytes = rows.hole[row] ?? 0;
  let text = '';
  if (padding > 0) {
    const size = counted(padding, 'byte');
    text += comment(frame, `\n${indent}/* XXX last struct has ${size} of padding */`);
    frame.sums.paddings++;
    frame.sums.padding += padding;
  }
  if (bits > 0) text += comment(frame, `\n${indent}${hole(bits, 'bit')}`);
  if (bytes > 0) text += comment(frame, `\n${indent}${hole(bytes, 'byte')}`);
  frame.sums.bitHoles += bits;
  frame.sums.holes += bytes;
  return text;
}

/**
 * Before the member of the row: says where it shares bytes that only bit-fields
 * should, and ends the comments that came before.
 */
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
  if (frame.newline) text += '\n';
  frame.newline = false;
  return text;
}

/** Counts a member that was written. */
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

/** A comment of its own. An empty line comes before the first of some, and after the last. */
function comment(frame: Frame, text: string): string {
  const start = frame.newline ? '' : '\n';
  frame.newline = true;
  return start + text;
}

function hole(size: number, unit: 'bit' | 'byte'): string {
  return `/* XXX ${counted(size, unit)} hole, try to pack */`;
}

/**
 * The lines that sum up a struct at its end.
 *
 * The rules: the second half of __class__fprintf of pahole 1.24. Sums are of 32
 * bits, as they are there.
 */

/** The summary of a struct of `size` bytes and `count` members whose members were all written. */
export function summaryText(frame: Frame, size: number, count: number): string {
  const { layout, style } = frame;
  const indent = tabs(deeper(style.indent));
  // An empty struct of one byte, as C++ has it, counts none.
  const bytes = size === 1 && count === 0 ? 0 : size;
  const cachelines = Math.ceil(bytes / CACHELINE_BYTES);
  let text = `\n${indent}/* size: ${size | 0}, cachelines: ${cachelines}, members: ${count} */\n`;
  if (frame.sums.holes > 0 || frame.sums.bitHoles > 0) text += memberLines(frame, indent);
  if (layout.padding > 0) text += `${indent}/* padding: ${layout.padding} */\n`;
  if (frame.sums.paddings > 0) {
    const sum = frame.sums.padding >>> 0;
    text += `${indent}/* paddings: ${frame.sums.paddings}, sum paddings: ${sum} */\n`;
  }
  if (layout.bitPadding > 0) text += `${indent}/* bit_padding: ${layout.bitPadding} bits */\n`;
  if (frame.sums.forced > 0) {
    const { forcedHoles, forcedHole: sumForcedHoles } = frame.sums;
    const holes = `, forced holes: ${forcedHoles}, sum forced holes: ${sumForcedHoles}`;
    text += `${indent}/* forced alignments: ${frame.sums.forced}${forcedHoles > 0 ? holes : ''} */\n`;
  }
  const rest = ((style.baseOffset + size) >>> 0) % CACHELINE_BYTES;
  if (rest !== 0) text += `${indent}/* last cacheline: ${rest} bytes */\n`;
  return count === 0 ? text : text + differenceLine(frame, size, indent);
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

/** Where members, holes and paddings are not all of the struct, or more than that. */
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
