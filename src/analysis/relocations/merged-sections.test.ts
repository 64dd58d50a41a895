import { describe, expect, it } from 'vitest';
import { MergedSections } from './merged-sections.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Counts the reads of bytes of `bytes`. */
function counted(bytes: Uint8Array) {
  const count = { reads: 0 };
  const proxy = new Proxy(bytes, {
    get: (target, key) => {
      count.reads++;
      return Reflect.get(target, key);
    },
  });
  return { proxy, count };
}

function strings(own: Uint8Array, output: Uint8Array, from = 0) {
  const sections = new MergedSections(output.length);
  const input = { own, entrySize: 1, isStrings: true, section: 1, output, address: 0x100n, from };
  return sections.add(input);
}

describe('strings', () => {
  it('are found whole, else at the end of a longer string', () => {
    const merged = strings(bytesOf('bc\0abc\0x\0'), bytesOf('abc\0xbc\0x\0'));
    expect([0n, 1n, 3n, 4n, 7n].map((at) => merged?.addressOf(at) ?? null)).toEqual([
      0x101n,
      0x102n,
      0x100n,
      0x101n,
      0x108n,
    ]);
  });

  it('are first looked for where the map has the section', () => {
    const merged = strings(bytesOf('ab\0'), bytesOf('ab\0zz\0ab\0'), 6);
    expect(merged?.addressOf(0n)).toBe(0x106n);
  });

  it('have no address without a match, outside, and without an end', () => {
    const merged = strings(bytesOf('q\0rs'), bytesOf('ab\0rs\0'));
    expect([0n, 2n, 9n, -1n].map((at) => merged?.addressOf(at) ?? null)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('are compared in work that grows with the bytes', () => {
    const readsFor = (count: number) => {
      const names = Array.from({ length: count }, (_, i) => `${'a'.repeat(8)}${i}\0`);
      const own = counted(bytesOf(names.toReversed().join('')));
      const output = counted(bytesOf(names.join('')));
      const merged = strings(own.proxy, output.proxy);
      for (let i = 0n; i < BigInt(own.proxy.length); i += 3n) merged?.addressOf(i);
      return own.count.reads + output.count.reads;
    };
    expect(readsFor(4000) / readsFor(500)).toBeLessThan(16);
  });
});

describe('constants', () => {
  it('are found at multiples of their size', () => {
    const sections = new MergedSections(64);
    const output = bytesOf('..abcdefabXYcdef');
    const merged = sections.add({
      own: bytesOf('cdefabXY'),
      entrySize: 4,
      isStrings: false,
      section: 1,
      output,
      address: 0n,
      from: 0,
    });
    expect([0n, 1n, 5n].map((at) => merged?.addressOf(at) ?? null)).toEqual([4n, 5n, 9n]);
  });

  it('of sizes that no linker joins have none', () => {
    const sections = new MergedSections(64);
    const input = { own: bytesOf('a'), isStrings: true, section: 1, output: bytesOf('a') };
    for (const entrySize of [0, 5, 2 ** 60]) {
      expect(sections.add({ ...input, entrySize, address: 0n, from: 0 })).toBeNull();
    }
  });
});
