import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { fwd } from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { ByteText, gathered, pieceOf, stringOwner } from './byte-text.ts';

const textOf = (write: (out: ByteText) => void) =>
  [...gathered(write)].map((byte) => String.fromCharCode(byte)).join('');

describe('ByteText', () => {
  it('writes decimals as JavaScript does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer()), (n) => {
        expect(textOf((out) => out.decimal(n))).toBe(`${n}`);
      }),
    );
    const powers = Array.from({ length: 16 }, (_, i) => 10 ** i);
    const ends = [0, 0x7fffffff, 0x80000000, 0xffffffff, Number.MAX_SAFE_INTEGER];
    for (const n of [...powers, ...powers.map((p) => p - 1), ...ends]) {
      expect(textOf((out) => out.decimal(n))).toBe(`${n}`);
      expect(textOf((out) => out.decimal(-n))).toBe(`${-n}`);
    }
  });

  it('keeps the order across chunks', () => {
    const long = 'abcdefg'.repeat(30_000);
    const bytes = new TextEncoder().encode(long);
    const text = textOf((out) => out.latin1(long).decimal(-12).bytes(bytes, 1, 1e9).byte(0x0a));
    expect(text).toBe(`${long}-12${long.slice(1)}\n`);
  });

  it('writes pieces of any length in order', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 9 })), (texts) => {
        const write = (out: ByteText) => {
          for (const text of texts) out.piece(pieceOf(text));
        };
        expect(textOf(write)).toBe(texts.join(''));
        expect(gathered(write, 16)).toEqual(gathered(write));
      }),
    );
  });

  it('counts the written bytes', () => {
    const out = new ByteText(() => undefined);
    out.latin1('x'.repeat(100_000)).decimal(1234);
    expect(out.length).toBe(100_004);
  });

  it('passes full chunks to the sink', () => {
    const chunks: string[] = [];
    const out = new ByteText((chunk) => chunks.push(new TextDecoder().decode(chunk)), 16);
    out.latin1('a'.repeat(16)).latin1('b'.repeat(16)).end();
    expect(chunks).toEqual(['a'.repeat(16), 'b'.repeat(16)]);
  });
});

describe('names', () => {
  const long = 'name'.repeat(30_000);
  const base = tableOf(btfBlob({ types: [fwd('base'), fwd(long)] }).bytes);
  const baseStringLength = base.strEnd - base.strStart;
  const split = btfBlob({ types: [fwd('own')], baseStringLength });
  const t = tableOf(split.bytes, base);

  it.each([
    [1, 'base'],
    [3, 'se'],
    [6, long],
    [baseStringLength, 'own'],
    [baseStringLength + 4, ''],
    [0xffffffff, ''],
  ])('at %i', (nameOff, name) => {
    expect(textOf((out) => out.name(t, nameOff))).toBe(name);
  });

  it('come from the table with their offset', () => {
    expect(stringOwner(t, 1)).toBe(base);
    expect(stringOwner(t, baseStringLength)).toBe(t);
    expect(stringOwner(t, baseStringLength + 4)).toBeNull();
    expect(stringOwner({ ...t, base: null }, 1)).toBeNull();
  });
});
