import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { parseLog } from '#testing/all-at-once.ts';
import { int, struct } from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { askedPath, pathsIn } from './ask-target.ts';
import { countLines, logLines } from './parse-log.ts';

const timespec = struct('timespec64', 16, [{ name: 'tv_sec', type: 1, bitOffset: 0 }]);
/** Types of `struct inode` in Linux 6.1 (OLD) and since 6.11 (NEW). */
const OLD = typesOfBlob([
  int('long', 8),
  timespec,
  struct('inode', 32, [{ name: 'i_atime', type: 2, bitOffset: 64 }]),
]);
const NEW = typesOfBlob([
  int('long', 8),
  struct('inode', 32, [
    { name: 'i_uid', type: 1, bitOffset: 0 },
    { name: 'i_atime_sec', type: 1, bitOffset: 64 },
  ]),
  struct('inode___other', 8, []),
]);

function asked(text: string) {
  const [line] = parseLog(text).lines;
  const path = line === undefined ? null : askedPath(line);
  if (path === null) throw new Error(`no type in ${text}`);
  return path;
}

describe('a field that was renamed', () => {
  it.each([
    'failed to resolve CO-RE relocation <byte_off> [423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)',
    '[423] struct inode.i_atime.tv_sec (0:15:0 @ offset 88)',
    '  <byte_off> [423] struct inode___v6.i_atime.tv_sec (0:15:0 @ offset 88)\r\n',
  ])('is found in the old kernel, and not in the new one: %s', (text) => {
    const path = asked(text);
    expect(pathsIn(OLD, path)).toMatchObject([
      { root: 3, fault: null, steps: [{ name: 'i_atime', index: 0 }, { name: 'tv_sec' }] },
    ]);
    const [first, ...others] = pathsIn(NEW, path);
    expect(first?.fault).toMatchObject({ atStep: 0, reason: 'no-member', near: ['i_atime_sec'] });
    // libbpf ignores the flavour suffix: the flavour has the same name.
    expect(others.map((other) => other.root)).toEqual([3]);
  });
});

it('takes a candidate by its id as long as the name agrees', () => {
  const path = asked(
    "libbpf: prog 'p': relo #0: non-matching candidate #0 <byte_off> [3] struct inode___other (0 @ offset 0)",
  );
  expect(pathsIn(NEW, path).map((one) => one.root)).toEqual([typeId(3)]);
  expect(pathsIn(OLD, path).map((one) => one.root)).toEqual([typeId(3)]);
});

it('finds no target for lines without a type', () => {
  const lines = parseLog('processed 13 insns\nlibbpf: prog: x\n\nwhat').lines;
  expect(lines.map(askedPath)).toEqual([null, null, null, null]);
});

describe('lines one by one', () => {
  const TEXT = 'a\n\nb\r\nc';

  it('are those of the whole', () => {
    expect([...logLines(TEXT)]).toEqual(parseLog(TEXT).lines);
    expect([...logLines(TEXT, 2)]).toHaveLength(2);
    expect(parseLog(TEXT, { maxLines: 2 })).toMatchObject({ lineCount: 4 });
  });

  it.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n\n', 2],
  ])('of %j there are %i', (text, count) => {
    expect(countLines(text)).toBe(count);
    expect(parseLog(text).lines).toHaveLength(count);
  });
});
