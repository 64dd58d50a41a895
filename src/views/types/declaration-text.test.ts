import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, union } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import {
  choosableMembers,
  clipLines,
  declarationFileName,
  declarationText,
  lineBlocks,
  lineCount,
  ownDeclarationStart,
} from './declaration-text.ts';
import { DECLARATION_FORMS } from './state.ts';

const types = tableOf(
  btfBlob({
    types: [
      int('int', 4),
      struct('foo', 8, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'b', type: 1, bitOffset: 32 },
      ]),
      struct('../x\n', 0, []),
    ],
  }).bytes,
);

const FORMS = DECLARATION_FORMS.filter((form) => form !== 'source');

const MARKS = {
  c: /^struct foo \{\n\tint a;/,
  header: /^#ifndef __FOO_H__\n/,
  pahole: /\/\* size: 8, cachelines: 1, members: 2 \*\//,
  raw: /^\[2\] STRUCT 'foo' size=8 vlen=2\n/,
  zig: /extern struct/,
  rust: /#\[repr\(C\)\]/,
  go: /type Foo struct/,
};

it.each(FORMS)('writes a struct as %s', (form) => {
  const text = declarationText(types, typeId(2), form, { members: null });
  expect(text).toMatch(MARKS[form]);
});

it('leaves out of a header the members that are not chosen', () => {
  const text = declarationText(types, typeId(2), 'header', {
    members: ['b'],
    preserveAccessIndex: true,
  });
  expect(text).toContain('\tint b;');
  expect(text).not.toContain('\tint a;');
});

it('has no pahole text for other types than structs', () => {
  expect(declarationText(types, typeId(1), 'pahole', {})).toBe('');
});

it('makes a plain file name of any name', () => {
  expect(declarationFileName(types, typeId(2), 'rust')).toBe('foo.rs');
  expect(declarationFileName(types, typeId(3), 'c')).toBe('___x_.h');
  expect(declarationFileName(types, typeId(9), 'go')).toBe('type_9.go');
});

it('finds the type itself behind what it needs', () => {
  const holder = tableOf(
    btfBlob({
      types: [
        int('int', 4),
        struct('inner', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
        struct('outer', 4, [{ name: 'in', type: 2, bitOffset: 0 }]),
      ],
    }).bytes,
  );
  const starts = FORMS.map((form) => {
    const text = declarationText(holder, typeId(3), form, {});
    return text.slice(ownDeclarationStart(text, form)).split('\n')[0];
  });
  expect(starts).toEqual([
    'struct outer {',
    'struct outer {',
    'struct outer {',
    "[3] STRUCT 'outer' size=4 vlen=1",
    '/// struct outer, 4 bytes',
    '/// struct outer, 4 bytes',
    '// struct outer, 4 bytes',
  ]);
});

it('names the members in order, those of anonymous ones in their place', () => {
  const types = tableOf(
    btfBlob({
      types: [
        int('int', 4),
        union('', 4, [
          { name: 'b', type: 1, bitOffset: 0 },
          { name: 'c', type: 1, bitOffset: 0 },
        ]),
        struct('s', 12, [
          { name: 'a', type: 1, bitOffset: 0 },
          { name: '', type: 2, bitOffset: 32 },
          { name: 'd', type: 1, bitOffset: 64 },
          { name: '', type: 1, bitOffset: 64 },
        ]),
      ],
    }).bytes,
  );
  expect(choosableMembers(types, typeId(3))).toEqual(['a', 'b', 'c', 'd']);
});

it('ends for a struct that is in itself', () => {
  const types = tableOf(
    btfBlob({
      types: [
        struct('', 4, [
          { name: 'a', type: 1, bitOffset: 0 },
          { name: '', type: 1, bitOffset: 0 },
        ]),
      ],
    }).bytes,
  );
  expect(choosableMembers(types, typeId(1))).toEqual(['a']);
});

describe('clipLines', () => {
  it('leaves a short text alone', () => {
    expect(clipLines('a\nb', 3)).toEqual({ text: 'a\nb', linesLeftOut: 0 });
  });

  it('cuts between lines and counts the rest', () => {
    expect(clipLines('one\ntwo\nthree\nfour', 9)).toEqual({ text: 'one\ntwo', linesLeftOut: 2 });
  });

  it('cuts a line that is too long by itself, and counts its rest as one', () => {
    expect(clipLines('abcdef\nx', 4)).toEqual({ text: 'abcd', linesLeftOut: 2 });
  });

  it('never shows more than it may, nor loses a line without saying so', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 8, max: 60 }),
        (lines, limit) => {
          const text = lines.join('\n');
          const clipped = clipLines(text, limit);
          expect(clipped.text.length).toBeLessThanOrEqual(limit);
          expect(clipped.text.split('\n').length + clipped.linesLeftOut).toBe(lines.length);
        },
      ),
    );
  });
});

describe('lineBlocks', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `${i}`).join('\n');

  it('begins a block of 24 lines at the own declaration', () => {
    const before = `${lines(100)}\n`;
    const blocks = lineBlocks(before + lines(200), before.length);
    expect(blocks.map(({ text }) => lineCount(text))).toEqual([
      30, 30, 30, 10, 24, 30, 30, 30, 30, 30, 26,
    ]);
    expect(blocks[4]).toMatchObject({ at: before.length, text: expect.stringMatching(/^0\n1\n/) });
  });

  it('leaves no short rest', () => {
    expect(lineBlocks(lines(36), 0)).toHaveLength(1);
    expect(lineBlocks(lines(37), 0).map(({ text }) => lineCount(text))).toEqual([24, 13]);
    expect(lineBlocks('', 0)).toEqual([]);
  });

  it('has all characters of the text', () => {
    const text = fc.stringMatching(/^[a\n]{0,200}$/);
    fc.assert(
      fc.property(text, fc.nat(200), (all, place) => {
        const own = all.lastIndexOf('\n', place) + 1;
        const blocks = lineBlocks(all, own);
        expect(blocks.map((block) => block.text).join('')).toBe(all);
        if (own < all.length) expect(blocks.some(({ at }) => at === own)).toBe(true);
      }),
    );
  });
});
