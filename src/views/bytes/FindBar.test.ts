import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countMatches,
  countText,
  type FindMode,
  findBytes,
  type Needle,
  parseNeedle,
} from './FindBar.tsx';

function needle(text: string, mode: FindMode): Needle {
  const parsed = parseNeedle(text, mode);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.needle;
}

describe('search patterns', () => {
  it.each([
    ['18 01 ?? ff', 'hex', [0x18, 1, null, 0xff]],
    ['0x1801', 'hex', [0x18, 1]],
    ['0x18, 0x01', 'hex', [0x18, 1]],
    ['pid', 'text', [0x70, 0x69, 0x64]],
    ['ü', 'text', [0xc3, 0xbc]],
  ] as const)('%j as %s', (text, mode, expected) => {
    expect(needle(text, mode)).toEqual(expected);
  });

  it.each([
    ['', 'hex'],
    ['1', 'hex'],
    ['xy', 'hex'],
    ['?1', 'hex'],
    ['', 'text'],
  ] as const)('%j as %s is refused', (text, mode) => {
    expect(parseNeedle(text, mode).ok).toBe(false);
  });
});

function search(
  file: Uint8Array,
  text: string,
  from: number,
  step: 'next' | 'previous',
  region = { start: 0, end: file.length },
) {
  const controller = new AbortController();
  return findBytes({
    needle: needle(text, 'hex'),
    region,
    from,
    step,
    read: async (start, end) => file.subarray(start, end),
    signal: controller.signal,
  });
}

describe('the nearest match', () => {
  const file = Uint8Array.of(1, 2, 3, 1, 2, 4, 1, 2);

  it('goes round the ends of the region', async () => {
    expect(await search(file, '01 02', 1, 'next')).toBe(3);
    expect(await search(file, '01 02', 7, 'next')).toBe(0);
    expect(await search(file, '01 02', 3, 'previous')).toBe(0);
    expect(await search(file, '01 02', 0, 'previous')).toBe(6);
    expect(await search(file, '01 ?? 04', 0, 'next')).toBe(3);
    expect(await search(file, '02 01', 0, 'next')).toBeNull();
  });

  it('stays inside the region', async () => {
    expect(await search(file, '01 02', 0, 'next', { start: 1, end: 4 })).toBeNull();
    expect(await search(file, '01 02', 1, 'next', { start: 1, end: 5 })).toBe(3);
  });

  it('is found over the edges of pieces', async () => {
    const long = new Uint8Array(600_000);
    long.set([7, 8, 9], 256 * 1024 - 1);
    expect(await search(long, '07 08 09', 0, 'next')).toBe(256 * 1024 - 1);
    expect(await search(long, '07 08 09', 600_000, 'previous')).toBe(256 * 1024 - 1);
  });

  it('ends when it is stopped', async () => {
    const controller = new AbortController();
    let reads = 0;
    const found = await findBytes({
      needle: [9],
      region: { start: 0, end: 1e12 },
      from: 0,
      step: 'next',
      read: async () => {
        reads += 1;
        if (reads === 3) controller.abort();
        return new Uint8Array(8);
      },
      signal: controller.signal,
    });
    expect([found, reads]).toEqual([null, 3]);
  });

  it('is the one that a plain search finds', async () => {
    const few = fc.uint8Array({ max: 2, maxLength: 60 });
    const wanted = fc.uint8Array({ max: 2, minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(few, wanted, fc.nat(60), async (bytes, want, from) => {
        const at: number[] = [];
        for (let i = 0; i + want.length <= bytes.length; i++) {
          if (want.every((byte, k) => bytes[i + k] === byte)) at.push(i);
        }
        const start = Math.min(from, bytes.length);
        const text = Buffer.from(want).toString('hex');
        expect(await search(bytes, text, from, 'next')).toBe(
          at.find((i) => i >= start) ?? at[0] ?? null,
        );
        expect(await search(bytes, text, from, 'previous')).toBe(
          at.findLast((i) => i < start) ?? at.at(-1) ?? null,
        );
        const [first] = at;
        if (first === undefined) return;
        const count = await countMatches(
          {
            needle: needle(text, 'hex'),
            region: { start: 0, end: bytes.length },
            read: async (from, to) => bytes.subarray(from, to),
            signal: new AbortController().signal,
          },
          at.at(-1) ?? first,
        );
        expect(count).toEqual({ total: at.length, number: at.length, isCut: false });
      }),
    );
  });
});

describe('the number of matches', () => {
  it('is told with which of them it is, up to a hundred thousand', async () => {
    const file = new Uint8Array(300_000);
    file[10] = 5;
    file[299_999] = 5;
    const count = (text: string, at: number) =>
      countMatches(
        {
          needle: needle(text, 'hex'),
          region: { start: 0, end: file.length },
          read: async (start, end) => file.subarray(start, end),
          signal: new AbortController().signal,
        },
        at,
      );
    expect(countText(await count('05', 299_999))).toBe('2 of 2');
    expect(countText(await count('05', 10))).toBe('1 of 2');
    expect(countText(await count('00', 20))).toBe('one of more than 100\u202f000');
  });
});
