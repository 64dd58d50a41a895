/**
 * The lines that sum up a struct at its end.
 *
 * The rules: the second half of __class__fprintf of pahole 1.24. Sums are of 32
 * bits, as they are there.
 */
import type { Frame } from './frames.ts';
import { CACHELINE_BYTES } from './layouts.ts';
import { deeper, tabs } from './text.ts';

/** The summary of a struct of `size` bytes and `count` members whose members were all written. */
export function summaryText(frame: Frame, size: number, count: number): string {
  const { layout, style } = frame;
  const indent = tabs(deeper(style.indent));
  // An empty struct of one byte, as C++ has it, counts none.
  const bytes = size === 1 && count === 0 ? 0 : size;
  const cachelines = Math.ceil(bytes / CACHELINE_BYTES);
  let text = `\n${indent}/* size: ${size | 0}, cachelines: ${cachelines}, members: ${count} */\n`;
  if (frame.sumHoles > 0 || frame.sumBitHoles > 0) text += memberLines(frame, indent);
  if (layout.padding > 0) text += `${indent}/* padding: ${layout.padding} */\n`;
  if (frame.paddings > 0) {
    const sum = frame.sumPaddings >>> 0;
    text += `${indent}/* paddings: ${frame.paddings}, sum paddings: ${sum} */\n`;
  }
  if (layout.bitPadding > 0) text += `${indent}/* bit_padding: ${layout.bitPadding} bits */\n`;
  if (frame.forced > 0) {
    const { forcedHoles, sumForcedHoles } = frame;
    const holes = `, forced holes: ${forcedHoles}, sum forced holes: ${sumForcedHoles}`;
    text += `${indent}/* forced alignments: ${frame.forced}${forcedHoles > 0 ? holes : ''} */\n`;
  }
  const rest = ((style.baseOffset + size) >>> 0) % CACHELINE_BYTES;
  if (rest !== 0) text += `${indent}/* last cacheline: ${rest} bytes */\n`;
  return count === 0 ? text : text + differenceLine(frame, size, indent);
}

function memberLines(frame: Frame, indent: string): string {
  const { layout, sumHoles, sumBitHoles } = frame;
  const bytes = frame.sumBytes >>> 0;
  const bits = frame.sumBits >>> 0;
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
  const { layout, sumHoles, sumBitHoles } = frame;
  const bytes = frame.sumBytes >>> 0;
  const bits = frame.sumBits >>> 0;
  const sum = 8 * (bytes + sumHoles + layout.padding) + bits + sumBitHoles + layout.bitPadding;
  const difference = (8 * size - sum) | 0;
  if (difference === 0) return '';
  const members = `${bytes} (member bytes) + ${bits} (member bits)`;
  const holes = `${sumHoles} (byte holes) + ${sumBitHoles} (bit holes)`;
  return `\n${indent}/* BRAIN FART ALERT! ${size | 0} bytes != ${members} + ${holes}, diff = ${difference} bits */\n`;
}
