import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeUses } from '#analysis/find/type-uses.ts';
import { fileField } from '#analysis/structure/structure.ts';
import { coreIndex, relocIndex, sectionIndex, typeId } from '#model/ids.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { recordSpan } from '#model/type-table.ts';
import type { Pin } from '#store/session/pins.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes, sampleObject } from '#testing/samples.ts';
import type { ByteMark } from '#ui/hex-marks.ts';
import {
  bytePieces,
  type MarkOptions,
  marksIn,
  pinMarks,
  relocationOnByte,
  shiftedMarks,
  withPins,
  withUses,
} from './byte-marks.ts';
import { pinsOnRow } from './StructureTree.tsx';
import { NOTHING_OPEN, outlineOf, rowAt, rowCount, withOpen } from './structure-rows.ts';

async function open(name: string, lit: Selection = NO_SELECTION) {
  const bytes = sampleBytes(name);
  const model = await openModel(name, bytes);
  const read = (start: number, end: number) => bytes.subarray(start, end);
  const bitClass = (from: number, to: number) => `bits-${from}-${to}`;
  return { model, bytes, options: { read, lit, litClass: 'lit', bitClass } };
}

/** Section numbers of doc_call.bpf.o, from llvm-readelf; .text is at 0x40. */
const TEXT = sectionIndex(2);

describe('ELF relocations in code', () => {
  it('marks imm, four bytes after r_offset, with its value', async () => {
    const { model, options } = await open('doc_call.bpf.o');
    expect(marksIn(model, TEXT, 0x40, 0x40 + 104, options)).toEqual([
      { start: 0x54, end: 0x58, tone: 'reloc-2', label: 'R_BPF_64_32 gfunc' },
      { start: 0x74, end: 0x78, tone: 'reloc-2', label: 'R_BPF_64_32 sec1 + 0x18 → lfunc' },
      { start: 0x84, end: 0x88, tone: 'reloc-2', label: 'R_BPF_64_64 global' },
    ]);
  });

  it('gives a row only what touches it, also when r_offset is in the row before', async () => {
    const { model, options } = await open('doc_call.bpf.o');
    const inRow = (start: number) => marksIn(model, TEXT, start, start + 4, options).length;
    expect([0x50, 0x54, 0x57, 0x58, 0x70, 0x73, 0x74].map(inRow)).toEqual([0, 1, 1, 0, 0, 1, 1]);
  });

  it('finds the same marks through the whole file', async () => {
    const { model, options } = await open('doc_call.bpf.o');
    const rows = (section: typeof TEXT | null) => marksIn(model, section, 0x40, 0xa8, options);
    expect(rows(null)).toEqual(rows(TEXT));
  });

  it('marks the selected one by its class', async () => {
    const { model, options } = await open('doc_call.bpf.o', {
      kind: 'relocation',
      reloc: relocIndex(1),
    });
    const classes = marksIn(model, TEXT, 0x40, 0xa8, options).map((mark) => mark.className);
    expect(classes).toEqual([undefined, 'lit', undefined]);
  });
});

it('marks words of data at their full width, whatever the byte order', async () => {
  const { model, options } = await open('data_relocs.be.bpf.o');
  const marks = marksIn(model, sectionIndex(8), 0x2a0, 0x2c8, options);
  expect(marks.map(({ start, end, tone }) => [start, end, tone])).toEqual([
    [0x2a0, 0x2a8, 'reloc-1'],
    [0x2a8, 0x2b0, 'reloc-1'],
    [0x2b0, 0x2b8, 'reloc-1'],
    [0x2c0, 0x2c8, 'reloc-1'],
  ]);
  expect(marks[0]?.label).toBe('R_BPF_64_ABS64 .text + 0x10 → first');
});

it('marks the field of the instruction that CO-RE patches', async () => {
  const { model, bytes, options } = await open('exec_trace.bpf.o');
  const { core } = model.ext;
  for (let row = 0; row < core.count; row++) {
    const section = sectionIndex(core.section[row] ?? 0);
    const insn = (model.sections.fileOffset[section] ?? 0) + (core.insnOff[row] ?? 0);
    const own = { ...options, lit: { kind: 'core', core: coreIndex(row), step: null } as const };
    const lit = marksIn(model, section, insn, insn + 8, own).filter((m) => m.className === 'lit');
    const isLoad = (bytes[insn] ?? 0) % 8 === 1;
    expect(lit).toMatchObject([
      isLoad ? { start: insn + 2, end: insn + 4 } : { start: insn + 4, end: insn + 8 },
    ]);
    expect(lit[0]?.tone).toBe('reloc-3');
    expect(lit[0]?.label).toMatch(/^CO-RE \w+ /);
  }
  expect(core.count).toBeGreaterThan(10);
});

it('waits for the bytes before it marks a CO-RE field', async () => {
  const { model, options } = await open('exec_trace.bpf.o');
  const waiting = { ...options, read: () => null };
  const tones = (o: MarkOptions) =>
    new Set(marksIn(model, null, 0, model.size, o).map(({ tone }) => tone));
  expect(tones(options).has('reloc-3')).toBe(true);
  expect(tones(waiting).has('reloc-3')).toBe(false);
});

it('marks each record of a BTF type from its first byte to its last', async () => {
  const { model, options } = await open('kinds.btf');
  const all = marksIn(model, null, 0, model.size, options);
  const marks = all.filter(({ isInk }) => isInk !== true);
  expect(marks).toHaveLength(model.types?.count ?? 0);
  marks.reduce((end, mark) => {
    expect(mark.start).toBe(end);
    return mark.end;
  }, marks[0]?.start ?? 0);
  expect(marks[0]?.label).toMatch(/^\[1\] /);
});

it('finds the entry on a byte, and none next to it', async () => {
  const { model } = await open('doc_call.bpf.o');
  const found = [0x53, 0x54, 0x57, 0x58].map((at) => relocationOnByte(model, TEXT, at));
  expect(found).toEqual([null, 0, 0, null]);
});

it('writes marks in offsets of the section when those are shown', async () => {
  const { model, options } = await open('doc_call.bpf.o');
  const shift = -0x40;
  const read = (start: number, end: number) => options.read(start - shift, end - shift);
  const marks = shiftedMarks(model, TEXT, shift, { ...options, read });
  expect(marks(0x10, 0x18)).toMatchObject([{ start: 0x14, end: 0x18 }]);
});

describe('Alpha relocations', () => {
  const DATA = sectionIndex(1);
  /**
   * Relocations change bits 12 to 30 and 40 to 47 of the first quadword of .data, which is at 0xb0
   * in the file, and the whole second quadword.
   */
  it('mark bit-fields to the bit', async () => {
    const { model, options } = await open('alpha_bits.ecoff');
    const marks = marksIn(model, DATA, 0xb0, 0xc0, options);
    expect(marks.map(({ start, end, className }) => [start, end, className])).toEqual([
      [0xb1, 0xb2, 'bits-4-8'],
      [0xb2, 0xb3, undefined],
      [0xb3, 0xb4, 'bits-0-7'],
      [0xb5, 0xb6, undefined],
      [0xb8, 0xc0, undefined],
    ]);
    expect(marks[0]?.label).toBe('R_OP_STORE .data, bits 4-7');
  });

  it('find the entry of a byte by its bits, and none next to them', async () => {
    const { model } = await open('alpha_bits.ecoff');
    const on = [0xb0, 0xb1, 0xb3, 0xb4, 0xb5, 0xb8].map((at) => relocationOnByte(model, DATA, at));
    expect(on).toEqual([null, 3, 3, null, 5, 8]);
  });

  it('mark both halves of a pair, in a row of either', async () => {
    const { model, options } = await open('alpha_gpdisp.ecoff');
    const base = model.sections.fileOffset[1] ?? 0;
    const inRow = (at: number) =>
      marksIn(model, DATA, base + at, base + at + 4, options).map(({ start }) => start - base);
    expect([inRow(0), inRow(4), inRow(8), inRow(0x10), inRow(0x14)]).toEqual([
      [0],
      [4],
      [],
      [0x10],
      [0x14],
    ]);
  });
});

const mark = (bitStart: number, bitLength: number, bytes = 4) => ({
  span: { start: 0x10, end: 0x10 + bytes },
  bitStart,
  bitLength,
  role: '',
});

describe('bytePieces', () => {
  it('has 21 bits as two whole bytes and five bits', () => {
    expect(bytePieces(mark(0, 21), 'little')).toEqual([
      { start: 0x10, end: 0x12, bits: null },
      { start: 0x12, end: 0x13, bits: { from: 0, to: 5 } },
    ]);
  });

  it('has a field inside of bytes by the bits at both of its ends', () => {
    expect(bytePieces(mark(12, 19, 8), 'little')).toEqual([
      { start: 0x11, end: 0x12, bits: { from: 4, to: 8 } },
      { start: 0x12, end: 0x13, bits: null },
      { start: 0x13, end: 0x14, bits: { from: 0, to: 7 } },
    ]);
  });

  it('counts from the other end in big-endian words', () => {
    expect(bytePieces(mark(0, 16), 'big')).toEqual([{ start: 0x12, end: 0x14, bits: null }]);
  });

  it('has every bit once, whatever the mark', () => {
    const bytes = fc.constantFrom(1, 2, 4, 8);
    const any = bytes.chain((n) => fc.tuple(fc.constant(n), fc.nat(8 * n - 1), fc.nat(8 * n)));
    fc.assert(
      fc.property(any, fc.constantFrom('little', 'big'), ([n, start, wanted], endian) => {
        const length = Math.min(wanted, 8 * n - start);
        const pieces = bytePieces(mark(start, length, n), endian);
        const bits = pieces.reduce(
          (sum, piece) =>
            sum + (piece.bits ? piece.bits.to - piece.bits.from : 8 * (piece.end - piece.start)),
          0,
        );
        expect(bits).toBe(length);
      }),
    );
  });
});

const pin = (number: number, start: number, end: number): Pin => ({
  number,
  text: `the \`${number}\``,
  selection: NO_SELECTION,
  span: { start, end },
  isLit: number === 2,
});
const classOf = (isLit: boolean) => (isLit ? 'lit' : 'pin');

it('makes a mark with its number for each pin that has bytes', () => {
  const marks = pinMarks([pin(1, 4, 8), { ...pin(3, 0, 1), span: null }], 0x40, classOf);
  expect(marks).toEqual([
    {
      start: 0x44,
      end: 0x48,
      tone: 'accent',
      label: 'Pin 1: the 1',
      className: 'pin',
      badge: '1',
    },
  ]);
});

it('lays the pins below what marks the bytes otherwise', () => {
  const own: ByteMark = { start: 0, end: 4, tone: 'reloc-1', label: 'own' };
  const getOwn = () => [own];
  expect(withPins(getOwn, [])).toBe(getOwn);
  const marks = withPins(getOwn, pinMarks([pin(1, 2, 6), pin(2, 6, 8)], 0, classOf));
  expect(marks(0, 4).map(({ label }) => label)).toEqual(['Pin 1: the 1', 'own']);
  expect(marks(4, 8).map(({ className }) => className)).toEqual(['pin', 'lit', undefined]);
});

it('is on the row of the structure with exactly these bytes, or folded over them', async () => {
  const { model, source } = await sampleObject('kinds.btf');
  const file = await source.read(0, source.size);
  const root = fileField(model, (start, end) => file.subarray(start, end));
  const pins = [pin(1, 0, 2), pin(2, 4, 8)];
  const rows = (open: typeof NOTHING_OPEN) => {
    const outline = outlineOf(root, open);
    return Array.from({ length: rowCount(outline) }, (_, i) => rowAt(outline, i)).flatMap((row) => {
      const own = row === null ? [] : pinsOnRow(row, pins);
      return own.length === 0 ? [] : [`${row?.field.label}: ${own.map((p) => p.number)}`];
    });
  };
  expect(rows(NOTHING_OPEN)).toEqual(['BTF: 1,2']);
  expect(rows(withOpen(NOTHING_OPEN, [0, 0], true))).toEqual(['magic: 1', 'hdr_len: 2']);
});

describe('the fields of BTF records', () => {
  it('have their roles, word by word', async () => {
    const { model, options } = await open('kinds.btf');
    const types = model.types;
    if (types === null) throw new Error('no types');
    const seen = new Set<string>();
    for (let i = 0; i < types.count; i++) {
      const id = typeId(types.firstId + i);
      const span = recordSpan(types, id) ?? { start: 0, end: 0 };
      const marks = marksIn(model, null, span.start, span.end, options);
      const fields = marks.filter(({ isInk }) => isInk === true);
      // Each word of the record has exactly one mark.
      const words = (span.end - span.start) / 4;
      expect(fields.map(({ start }) => start)).toEqual(
        Array.from({ length: words }, (_, word) => span.start + 4 * word),
      );
      expect(fields.slice(0, 2).map(({ label }) => label)).toEqual(['name_off', 'info']);
      for (const { tone, label } of fields) seen.add(`${label} ${tone}`);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'name_off kind-enum',
        'info kind-func',
        'type kind-ptr',
        'size kind-int',
        'offset kind-int',
        'val kind-int',
        'nelems kind-int',
      ]),
    );
  });

  it('are made for the bytes that are asked for only', async () => {
    const { model, options } = await open('kernel.btf');
    const types = model.types;
    if (types === null) throw new Error('no types');
    const start = (types.fileOffset ?? 0) + (types.recordOff[0] ?? 0) + 64;
    const marks = marksIn(model, null, start, start + 16, options);
    for (const mark of marks)
      expect([mark.start < start + 16, mark.end > start]).toEqual([true, true]);
    expect(marks.filter(({ isInk }) => isInk === true)).toHaveLength(4);
  });
});

it('marks the words that hold the id of the highlighted type, in the rows that are asked for', async () => {
  const { model } = await open('kinds.bpf.o');
  const { types } = model;
  if (types === null) throw new Error('kinds.bpf.o has types');
  const type = typeId(1);
  const { words } = typeUses(model, types, type);
  expect(words.length).toBeGreaterThan(2);
  const marks = withUses(() => [], { model, type, words }, 0x100, 'use');
  const [first = 0, second = 0] = words;
  const startsIn = (start: number, end: number) => marks(start, end).map((mark) => mark.start);
  expect(startsIn(first + 0x100, second + 0x100)).toEqual([first + 0x100]);
  expect(startsIn(first + 0x103, first + 0x104)).toEqual([first + 0x100]);
  expect(startsIn(first + 0x104, first + 0x104)).toEqual([]);
  const record = recordSpan(types, type)?.start ?? 0;
  expect(startsIn(record + 0x100, record + 0x101)).toEqual([record + 0x100]);
});
