import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, int, type Member, struct, type TypeRecord, union } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { keysToUnfold, type MemberRow, memberRows } from './member-rows.ts';
import { drawLinesToScale, drawToScale, memberAfterKey, type Scale } from './scale.ts';

/** Returns the rows of the last type. Types [1] int, [2] long, [3] char[100] precede `types`. */
function rowsOf(which: 'none' | 'unnamed' | 'all', ...types: readonly TypeRecord[]): MemberRow[] {
  const all = [int('int', 4), int('long', 8), array(4, 1, 100), int('char', 1), ...types];
  const t = tableOf(btfBlob({ types: all }).bytes);
  const id = typeId(all.length);
  return memberRows(t, id, which === 'none' ? new Set() : keysToUnfold(t, id, which));
}

const at = (name: string, type: number, byte: number): Member => ({
  name,
  type,
  bitOffset: 8 * byte,
});

/** Returns each strip as text: `0x0/0 a|b…`; a hole as its kind, a continued row with `…`. */
function told(scale: Scale, rows: readonly MemberRow[]): string[] {
  return scale.strips.map((strip) => {
    if (strip.kind === 'left-out') {
      const row = strip.row === null ? undefined : rows[strip.row];
      return `${strip.startByte}-${strip.endByte} left out: ${row?.name ?? '?'}`;
    }
    const boxes = strip.boxes.map(({ row, isRest, goesOn, bits }) => {
      const name = rows[row]?.name || rows[row]?.kind;
      return `${isRest ? '…' : ''}${name}:${bits}${goesOn ? '…' : ''}`;
    });
    return `${strip.startByte}/${strip.lane} ${boxes.join(' ')}`;
  });
}

const UNION = union('', 8, [at('u', 2, 0), at('v', 1, 0)]);

describe('drawToScale', () => {
  it('puts members and holes on lines, bit by bit', () => {
    const bits = { name: 'x', type: 1, bitOffset: 32, bitfieldSize: 3 };
    const rows = rowsOf('none', struct('s', 16, [at('a', 1, 0), bits, at('b', 2, 8)]));
    expect(told(drawToScale(rows, 16, 8, false), rows)).toEqual([
      '0/0 a:32 x:3 hole:29',
      '8/0 b:64',
    ]);
    expect(told(drawToScale(rows, 16, 16, false), rows)).toEqual(['0/0 a:32 x:3 hole:29 b:64']);
  });

  it('draws the requested lines, and describes the gaps', () => {
    const rows = rowsOf('none', struct('s', 112, [at('a', 1, 0), at('many', 3, 4)]));
    expect(told(drawLinesToScale(rows, 112, 8, [0, 3, 13]), rows)).toEqual([
      '0/0 a:32 many:32…',
      '8-24 left out: many',
      '24/0 …many:64…',
      '32-104 left out: ?',
      '104/0 padding:64',
    ]);
  });

  it('leaves out lines in which no member begins or ends', () => {
    const rows = rowsOf(
      'none',
      struct('s', 112, [at('a', 1, 0), at('many', 3, 4), at('z', 2, 104)]),
    );
    expect(told(drawToScale(rows, 112, 8, false), rows)).toEqual([
      '0/0 a:32 many:32…',
      '8-96 left out: many',
      '96/0 …many:64',
      '104/0 z:64',
    ]);
  });

  it('draws the members of a union in separate lanes', () => {
    const rows = rowsOf('all', UNION, struct('s', 16, [at('', 5, 0), at('b', 2, 8)]));
    expect(told(drawToScale(rows, 16, 8, false), rows)).toEqual([
      '0/0 member:64',
      '0/1 u:64',
      '0/2 v:32',
      '8/0 b:64',
    ]);
  });

  it('draws the bar of an unfolded member where it begins, and where others share its line', () => {
    const inner = struct('in', 20, [at('p', 2, 0), at('q', 2, 8), at('r', 1, 16)]);
    const rows = rowsOf('all', inner, struct('s', 24, [at('in', 5, 0), at('b', 1, 20)]));
    expect(told(drawToScale(rows, 24, 8, false), rows)).toEqual([
      '0/0 in:64…',
      '0/1 p:64',
      '8/0 q:64',
      '16/0 …in:32 b:32',
      '16/1 r:32',
    ]);
  });

  it('draws only lines with holes when asked to', () => {
    const rows = rowsOf(
      'none',
      struct('s', 40, [at('a', 2, 0), at('b', 1, 8), at('c', 2, 16), at('d', 1, 32)]),
    );
    expect(told(drawToScale(rows, 40, 8, true), rows)).toEqual([
      '8/0 b:32 hole:32',
      '16-24 left out: ?',
      '24/0 hole:64',
      '32/0 d:32 padding:32',
    ]);
  });

  it('positions members without bits, also after the last byte', () => {
    const none = array(1, 1, 0);
    const rows = rowsOf('none', none, struct('s', 8, [at('a', 2, 0), at('data', 5, 8)]));
    expect(told(drawToScale(rows, 8, 8, false), rows)).toEqual(['0/0 a:64 data:0']);
  });

  it('draws a struct of four gigabytes in a few lines, and one of no bytes in none', () => {
    const rows = rowsOf('none', struct('s', 0xffffffff, [at('a', 1, 0)]));
    expect(drawToScale(rows, 0xffffffff, 8, false).strips).toHaveLength(3);
    expect(drawToScale(rows, 0, 8, false).strips).toEqual([]);
  });

  it('stops where thousands overlap on thousands of lines, and reports it', () => {
    const members = Array.from({ length: 2_000 }, (_, i) => at('m', 5, 8 * (i % 7)));
    const rows = rowsOf('none', array(2, 1, 2_000), union('u', 20_000, members.slice(0, 1_000)));
    const wide = rows.map((row, i) => Object.assign({ ...row }, { bitSize: 64 * (i + 1) }));
    const scale = drawToScale(wide, 20_000, 8, false);
    expect(scale.isCut).toBe(true);
    expect(scale.strips.length).toBeLessThan(301_000);
  });

  it('draws every member once, none over another, whatever the struct', () => {
    const member = fc.record({
      type: fc.integer({ min: 1, max: 3 }),
      byte: fc.integer({ min: 0, max: 300 }),
    });
    fc.assert(
      fc.property(
        fc.array(member, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 420 }),
        fc.constantFrom(8, 16, 64),
        (drawn, size, lineBytes) => {
          const members = drawn.map(({ type, byte }, i) => at(`m${i}`, type, byte));
          const rows = rowsOf('none', struct('s', size, members));
          const scale = drawToScale(rows, size, lineBytes, false);
          for (const strip of scale.strips) {
            if (strip.kind === 'left-out') continue;
            let free = 8 * strip.startByte;
            for (const { startBit, bits } of strip.boxes) {
              expect(startBit).toBeGreaterThanOrEqual(free);
              free = startBit + bits;
            }
            expect(free).toBeLessThanOrEqual(8 * (strip.startByte + lineBytes));
          }
          rows.forEach((row, i) => {
            const begins = scale.strips.filter(
              (s) => s.kind === 'bytes' && s.boxes.some((box) => box.row === i && !box.isRest),
            );
            expect(begins).toHaveLength(row.bitOffset <= 8 * size ? 1 : 0);
            expect(scale.strips[scale.stripOfRow[i] ?? -1]).toBe(begins[0]);
          });
        },
      ),
    );
  });
});

describe('memberAfterKey', () => {
  const rows = rowsOf(
    'all',
    UNION,
    struct('s', 32, [at('a', 1, 0), at('b', 1, 4), at('', 5, 8), at('z', 1, 20)]),
  );
  const scale = drawToScale(rows, 32, 8, false);
  const name = (i: number | null) => (i === null ? null : rows[i]?.name || rows[i]?.kind);
  const from = (text: string) => rows.findIndex((row) => row.name === text);
  const reached = (text: string, key: string) =>
    name(memberAfterKey(scale, rows, text === '' ? null : from(text), key));

  it('moves sideways in the order of the members, past holes', () => {
    expect(reached('a', 'ArrowRight')).toBe('b');
    expect(reached('v', 'ArrowRight')).toBe('z');
    expect(reached('z', 'ArrowLeft')).toBe('v');
    expect(reached('a', 'ArrowLeft')).toBeNull();
  });

  it('moves up and down to the member drawn there', () => {
    expect(reached('b', 'ArrowDown')).toBe('member');
    expect(reached('u', 'ArrowDown')).toBe('v');
    expect(reached('v', 'ArrowUp')).toBe('u');
    expect(reached('z', 'ArrowUp')).toBe('u');
    expect(reached('z', 'ArrowDown')).toBeNull();
  });

  it('begins at the first, and stops at both ends', () => {
    expect(reached('', 'ArrowDown')).toBe('a');
    expect(reached('b', 'Home')).toBe('a');
    expect(reached('b', 'End')).toBe('z');
    expect(reached('b', 'x')).toBeNull();
  });
});
