/** Compares the text of every instruction that llvm-objdump printed for real objects. */
import { describe, expect, it } from 'vitest';
import type { Endian } from '#bytes/span.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { assemble, hex } from '#testing/assemble.ts';
import { corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { goldenOf } from '#testing/goldens.ts';
import { insnText } from './insn.ts';

const INSN_LINE = /^ *\d+:\t((?:[0-9a-f]{2} )*[0-9a-f]{2})\t(.*)$/gm;
const TARGET_SYMBOL = /(?<=goto [+-]0x[0-9a-f]+|gotol [+-]0x[0-9a-f]+) <.*>$/;

type Line = { readonly bytes: string; readonly text: string };

function insnLines(listing: string): Line[] {
  return [...listing.matchAll(INSN_LINE)].map(([, bytes = '', text = '']) => ({
    bytes,
    text: text.replace(TARGET_SYMBOL, ''),
  }));
}

/** Returns this project's line for the bytes of an llvm-objdump line. */
function ourLine({ bytes }: Line, endian: Endian): Line {
  const code = assemble(endian, hex(bytes)).bytes;
  const insn = decodeInsn(code, 0, endian);
  if (insn === null || insn.length !== code.length) throw new Error(`not one insn: ${bytes}`);
  return { bytes, text: insnText(insn) };
}

describe('insnText on the corpus', () => {
  it('equals llvm-objdump on every line, in both byte orders', () => {
    const counts = { little: 0, big: 0 };
    for (const object of corpusObjects()) {
      const golden = goldenOf(object.id, 'objdump-raw.txt');
      if (golden === null) continue;
      const endian = readCorpusFile(object)[5] === 2 ? 'big' : 'little';
      const lines = insnLines(golden.text);
      expect(
        lines.map((line) => ourLine(line, endian)),
        object.id,
      ).toEqual(lines);
      counts[endian] += lines.length;
    }
    expect(counts.little).toBeGreaterThan(10_000);
    expect(counts.big).toBeGreaterThan(1_000);
  }, 60_000);
});
