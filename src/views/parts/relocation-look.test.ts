import { describe, expect, it } from 'vitest';
import type { RelocationMeaning } from '#analysis/objects/relocation-facts.ts';
import { signedHex } from '#bytes/text.ts';
import { sectionIndex } from '#model/ids.ts';
import { sampleModel } from '#testing/samples.ts';
import { placeOfTarget, relocTone, symbolLine } from './relocation-look.ts';

const meaning = (
  symbolText: string,
  addend: bigint | null,
  target: string | null,
): RelocationMeaning => ({
  typeName: 'R_BPF_64_64',
  known: true,
  formula: 'S + A',
  symbolText,
  symbolValue: 0n,
  addend,
  result: null,
  site: null,
  siteSpan: null,
  marks: [],
  target:
    target === null
      ? null
      : { name: target, what: 'variable', section: sectionIndex(1), offset: 0n },
  belongsTo: 'program',
  words: '',
  numbers: '',
});

describe('symbolLine', () => {
  it.each([
    ['g1', 0n, 'g1', 'g1'],
    ['sec', 8n, 'l1', 'sec + 0x8 → l1'],
    ['sec', 0n, 'first', 'sec + 0x0 → first'],
    ['.rodata', 16n, '.rodata', '.rodata + 0x10'],
    ['puts', -4n, 'puts', 'puts - 0x4'],
    ['lost', null, null, 'lost'],
  ])('%s, A = %s, found %s reads %s', (symbol, addend, target, line) => {
    expect(symbolLine(meaning(symbol, addend, target))).toBe(line);
  });
});

it('writes negative numbers with the sign in front', () => {
  expect([signedHex(-4n), signedHex(24n), signedHex(0n)]).toEqual(['-0x4', '0x18', '0x0']);
});

it('distinguishes code, data and the rest by tone', () => {
  expect((['program', 'data', 'btf', 'btf-ext', 'debug', 'other'] as const).map(relocTone)).toEqual(
    ['reloc-2', 'reloc-1', 'reloc-4', 'reloc-4', 'reloc-4', 'reloc-4'],
  );
});

/** Sections of exec_trace.bpf.o: 2 .text, 9 .rodata at 0x788 with 8 bytes, 11 .bss (NOBITS). */
it.each([
  ['a function', 2, 24n, { selection: { kind: 'insn', section: 2, insnOff: 24 }, view: 'code' }],
  ['a variable', 9, 4n, { selection: { kind: 'bytes', start: 0x78c, end: 0x78d }, view: 'bytes' }],
  [
    'a variable without bytes',
    11,
    8n,
    { selection: { kind: 'section', section: 11 }, view: 'bytes' },
  ],
  ['a place past the end', 9, 80n, { selection: { kind: 'section', section: 9 }, view: 'bytes' }],
  [
    'a place before the start',
    9,
    -4n,
    { selection: { kind: 'section', section: 9 }, view: 'bytes' },
  ],
  ['what is not in this file', null, 0n, null],
])('%s', async (_what, section, offset, place) => {
  const model = await sampleModel('exec_trace.bpf.o');
  const target = {
    name: 'x',
    what: 'variable',
    section: section === null ? null : sectionIndex(section),
    offset,
  } as const;
  expect(placeOfTarget(model, target)).toEqual(place);
});
