import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { tableOf } from '#testing/type-table.ts';
import { accessStringAt, MAX_INDICES, parseAccessString } from './access-string.ts';

describe('accessStringAt', () => {
  const at = (text: string) => {
    const blob = btfBlob({ strings: [text] });
    return accessStringAt(tableOf(blob.bytes), blob.stringOff(text));
  };

  it('reads what is as long as any compiler writes it', () => {
    const longest = Array(MAX_INDICES).fill('4294967295').join(':');
    expect(at(longest)).toBe(longest);
    expect(at('1'.repeat(4096))).toBe('1'.repeat(4096));
  });

  it('cuts a million digits, and what is left is no access string', () => {
    const text = at('1'.repeat(1_000_000));
    expect(text).toBe(`${'1'.repeat(4096)}…`);
    expect(parseAccessString(text).error).not.toBeNull();
  });
});

describe('parseAccessString', () => {
  it('gives back every list of up to 64 indices', () => {
    const indices = fc.array(fc.nat(0x7fffffff), { minLength: 1, maxLength: MAX_INDICES });
    fc.assert(
      fc.property(indices, (list) => {
        expect(parseAccessString(list.join(':'))).toEqual({ indices: list, error: null, errno: 0 });
      }),
    );
  });

  it('takes leading zeros, as libbpf does', () => {
    expect(parseAccessString('0:0000000000000000000001').indices).toEqual([0, 1]);
  });

  it.each([
    ['', [], 'empty'],
    [':0', [], 'missing at character 1'],
    ['0:', [0], 'missing at character 3'],
    ['0::1', [0], 'missing at character 3'],
    ['0:a', [0], 'missing at character 3'],
    [' 0:0', [], 'missing at character 1'],
    ['0 :0', [0], "' ' at character 2"],
    ['0:-1', [0], 'missing at character 3'],
    ['4294967295:0', [], 'stands for -1'],
    ['18446744073709551616', [], 'too large'],
    [Array(65).fill('0').join(':'), Array(64).fill(0), 'more than 64'],
  ])('%j stops where it goes wrong', (text, indices, words) => {
    const parsed = parseAccessString(text);
    expect(parsed.indices).toEqual(indices);
    expect(parsed.error).toContain(words);
  });

  it('takes numbers with single colons between them, and keeps the beginning of all else', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9:a -]{0,40}$/), (text) => {
        const { indices, error } = parseAccessString(text);
        const numbers = /^\d+(?::\d+)*$/.test(text) ? text.split(':').map(Number) : null;
        const fits = numbers?.every((n) => n <= 0x7fffffff) ?? false;
        expect(error === null).toBe(fits);
        expect(
          text
            .split(':')
            .slice(0, indices.length)
            .map((part) => parseInt(part, 10)),
        ).toEqual(indices);
      }),
    );
  });
});
