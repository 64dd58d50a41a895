import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DumpError } from './dump-error.ts';
import { hexBytes, parseMapDump, readMapDump } from './map-dump.ts';

it.each([
  ['0aff', [10, 255]],
  ['0a ff', [10, 255]],
  ['0x0a, 0xFF', [10, 255]],
  ['["0x5","0x06"]', [5, 6]],
  ['', []],
])('reads %j', (text, bytes) => {
  expect([...hexBytes(text)]).toEqual(bytes);
});

it.each(['0a f', 'xyz', '0a0', '0x', '١٢'])('refuses %j', (text) => {
  expect(() => hexBytes(text)).toThrow(DumpError);
});

it('reads keys and values, per map or per CPU, and missing values', () => {
  const text = `[
    {"key":["0x01"],"value":["0x02","0x03"],"formatted":{"key":1,"value":(unsupported-kind}},
    {"key":["0x02"],"values":[{"cpu":0,"value":["0x04"]},{"cpu":1,"value":["0x05"]}]},
    {"key":["0x03"],"value":{"error":"No such file or directory"}}]`;
  expect(parseMapDump(text)).toEqual([
    { key: Uint8Array.of(1), values: [{ cpu: null, bytes: Uint8Array.of(2, 3) }] },
    {
      key: Uint8Array.of(2),
      values: [
        { cpu: 0, bytes: Uint8Array.of(4) },
        { cpu: 1, bytes: Uint8Array.of(5) },
      ],
    },
    { key: Uint8Array.of(3), values: [{ cpu: null, bytes: null }] },
  ]);
});

it.each([
  ['{', 'not JSON'],
  ['{}', 'not an array of entries'],
  ['[1]', 'the key of entry 0 is not an array of bytes'],
  ['[{"key":["0x01"]}]', 'the value of entry 0 is not an array of bytes'],
  ['[{"key":["0x01"],"value":["0x100"]}]', 'item 0 is not as "0x2a"'],
  ['[{"key":["0x01"],"values":[{"value":["0x00"]}]}]', 'has no cpu'],
])('reports %s', (text, message) => {
  expect(() => parseMapDump(text)).toThrow(message);
});

it('throws only DumpError on any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      for (const read of [hexBytes, parseMapDump, readMapDump]) {
        try {
          read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(DumpError);
        }
      }
    }),
  );
});

describe('the output without -j and BTF', () => {
  const bytesOf = (text: string) => {
    const dump = readMapDump(text);
    return dump.form === 'bytes' ? dump.entries : null;
  };

  it('looks at each run of spaces once', () => {
    const { user } = process.cpuUsage();
    expect(bytesOf(`key: ${' '.repeat(200_000)}00  value: 01`)).toHaveLength(1);
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });

  it('has key and value on one line, or on lines of their own', () => {
    const text = `key: 01 00 00 00  value: 02 00 00 00 00 00 00 00
key:
00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f
10
value:
ff fe
Found 2 elements
`;
    expect(bytesOf(text)).toEqual([
      {
        key: Uint8Array.of(1, 0, 0, 0),
        values: [{ cpu: null, bytes: Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0) }],
      },
      {
        key: Uint8Array.from({ length: 17 }, (_, i) => i),
        values: [{ cpu: null, bytes: Uint8Array.of(255, 254) }],
      },
    ]);
    expect(bytesOf('Found 0 elements\n')).toEqual([]);
  });

  it('has a value per CPU, ids of maps, and messages for missing values', () => {
    const text = `key:
05 00 00 00
value (CPU 00): 01 00
value (CPU 01): 02 00
key: 06 00 00 00  id: 258
key: 07 00 00 00
value:
No such file or directory
Found 3 elements`;
    expect(bytesOf(text)?.map(({ values }) => values)).toEqual([
      [
        { cpu: 0, bytes: Uint8Array.of(1, 0) },
        { cpu: 1, bytes: Uint8Array.of(2, 0) },
      ],
      [{ cpu: null, bytes: Uint8Array.of(2, 1, 0, 0) }],
      [{ cpu: null, bytes: null }],
    ]);
  });

  it('reports the line of a fault', () => {
    expect(placeOf(() => readMapDump('key: 01\nvalue: 02\nxyz'))).toEqual({ start: 18, length: 3 });
  });
});

const placeOf = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    return error instanceof DumpError ? error.at : undefined;
  }
  return undefined;
};

it('reports the place of an error', () => {
  expect(placeOf(() => hexBytes('0a\n0b zz 0c'))).toEqual({ start: 6, length: 2 });
  expect(placeOf(() => hexBytes('0x1 0x123'))).toEqual({ start: 4, length: 5 });
  expect(placeOf(() => parseMapDump('['))).toEqual({ start: 1, length: 1 });
  expect(placeOf(() => parseMapDump('[1 2]'))).toEqual({ start: 3, length: 1 });
  expect(placeOf(() => parseMapDump('{}'))).toBeNull();
});
