/**
 * The comments on holes and overlaps around the members of a struct, and what is
 * counted of them for its summary.
 */
import type { Frame } from './frames.ts';
import type { MemberRows } from './layouts.ts';
import { counted } from './text.ts';

/** Holes before the first member. */
export function holesBefore(frame: Frame): string {
  const { indent } = frame;
  const { preHole, preBitHole } = frame.layout;
  let text = '';
  if (preBitHole > 0) text += comment(frame, `${indent}${hole(preBitHole, 'bit')}\n`);
  if (preHole > 0) text += comment(frame, `${indent}${hole(preHole, 'byte')}\n`);
  frame.sumBitHoles += preBitHole;
  frame.sumHoles += preHole;
  return text;
}

/**
 * Holes behind the member of the row, and the `padding` of its type where that is
 * a struct.
 */
export function holesAfter(frame: Frame, rows: MemberRows, padding: number): string {
  const { row, indent } = frame;
  const bits = rows.bitHole[row] ?? 0;
  const bytes = rows.hole[row] ?? 0;
  let text = '';
  if (padding > 0) {
    const size = counted(padding, 'byte');
    text += comment(frame, `\n${indent}/* XXX last struct has ${size} of padding */`);
    frame.paddings++;
    frame.sumPaddings += padding;
  }
  if (bits > 0) text += comment(frame, `\n${indent}${hole(bits, 'bit')}`);
  if (bytes > 0) text += comment(frame, `\n${indent}${hole(bytes, 'byte')}`);
  frame.sumBitHoles += bits;
  frame.sumHoles += bytes;
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
  if (bits !== 0) frame.sumBits += bits;
  else frame.sumBytes += size;
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
