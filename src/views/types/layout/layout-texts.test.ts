import { describe, expect, it } from 'vitest';
import { memberRows } from '#analysis/layout/member-rows.ts';
import type { WhatIf } from '#analysis/layout/what-if.ts';
import { typeId } from '#model/ids.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, union } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { boxTitle, longPlaceText } from '#views/parts/StructStrip.tsx';
import { typeMode } from '#views/types/TypeDetail.tsx';
import { pathText } from './LayoutSection.tsx';
import { layoutFacts, paholeLines, paholePieces, unionFacts } from './pahole-lines.ts';
import { verdictOf } from './ReorderSection.tsx';

const types = tableOf(
  btfBlob({
    types: [
      int('int', 4),
      union('', 4, [{ name: 'in\u202e', type: 1, bitOffset: 0 }]),
      struct('s', 24, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: '', type: 2, bitOffset: 64 },
        { name: 'bits', type: 1, bitOffset: 99, bitfieldSize: 3 },
        { name: 'held', type: 2, bitOffset: 128 },
      ]),
    ],
  }).bytes,
);
const S = typeId(3);
const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('the texts of a layout', () => {
  it('give the figures in words of pahole', () => {
    const { lines } = paholeLines(types, S, paholeOf(types, S));
    const facts = Object.fromEntries(layoutFacts(lines).map(({ term, value }) => [term, value]));
    expect(facts).toMatchObject({
      size: '24',
      cachelines: '1',
      members: '4',
      'last cacheline': '24 bytes',
    });
    expect(layoutFacts([])).toEqual([]);
    expect(unionFacts(65, 2).map(({ value }) => value)).toEqual(['65', '2', '2']);
  });

  it('describe a box in full, fit to be drawn', () => {
    const rows = memberRows(types, S, new Set());
    const titles = rows.map((row) => plain(boxTitle(types, row)));
    expect(titles[0]).toBe('a at 0x0 (byte 0), 4 bytes, int');
    expect(titles[1]).toBe('4-byte hole at 0x4 (byte 4)');
    expect(titles).toContain('bits at 0xc (byte 12, bit 3), 3 bits, int');
    expect(plain(longPlaceText(8 * 4096))).toBe('0x1000 (byte 4 096)');
  });

  it('write the path to a member without nameless ones', () => {
    expect(pathText(types, S, [0])).toBe('a');
    expect(pathText(types, S, [1, 0])).toBe('in\\u{202e}');
    expect(pathText(types, S, [3, 0])).toBe('held.in\\u{202e}');
    expect(pathText(types, S, [1])).toBe('(anon)');
  });

  it('cut a line of pahole where its comment begins, tabs as columns', () => {
    expect(paholePieces('\tint a; /* 0 4 */')).toEqual([
      { at: 0, text: '        int a; ', role: 'code' },
      { at: 15, text: '/* 0 4 */', role: 'comment' },
    ]);
    expect(paholePieces('/* XXX 4 bytes hole */')[0]?.role).toBe('hole');
    expect(paholePieces('/* --- cacheline 1 boundary */')[0]?.role).toBe('cacheline');
    expect(paholePieces('}')).toEqual([{ at: 0, text: '}', role: 'code' }]);
  });
});

it('reads any text as a mode', () => {
  expect(['layout', 'what-if', 'c', 'nonsense', null].map(typeMode)).toEqual([
    'layout',
    'what-if',
    'c',
    'c',
    'c',
  ]);
});

describe('verdictOf', () => {
  const members = [{ name: 'a' }, { name: '' }, { name: 'c' }];
  const smaller: WhatIf = {
    kind: 'smaller',
    order: [0, 2, 1],
    bitOffsets: [0, 64, 32],
    sizeBytes: 64,
    savedBytes: 8,
    moved: new Set([1, 2]),
    forced: new Map([[2, 64]]),
  };

  it('states the saving, the moved members, and the fixed ones', () => {
    const { title, text } = verdictOf(smaller, 72, members);
    expect(title).toBe('8 bytes smaller: 64 bytes instead of 72 bytes');
    expect(text).toBe(
      '2 members of 3 would move ((anon), c), and it would touch 1 cache line less. 1 member appears over-aligned, up to 64 bytes; that alignment is kept.',
    );
  });

  it('distinguishes no possible gain, no order found, and no search', () => {
    expect(verdictOf({ kind: 'same', isLeast: true }, 16, members).title).toBe(
      '16 bytes is the minimum for these members',
    );
    expect(verdictOf({ kind: 'same', isLeast: false }, 16, members).title).toMatch(/^No smaller/);
    for (const why of ['union', 'few', 'wide', 'packed', 'gap', 'irregular'] as const) {
      expect(verdictOf({ kind: 'none', why }, 16, members).text.length).toBeGreaterThan(20);
    }
  });
});
