import { expect, it } from 'vitest';
import { assemble, u32 } from '#testing/assemble.ts';
import { btfExtFailure } from './btf-ext-rules.ts';

const MAGIC = 0xeb9f;
/** A func_info part: record size, section name, number of records, records. */
const FUNC_INFO = [8, 1, 2, 0, 1, 16, 2];

/** Returns a .BTF.ext with a header of `headerSize` bytes and the func_info part `part`. */
function ext(headerSize: number, part = FUNC_INFO, version = 1, flags = 0): Uint8Array {
  const header = [MAGIC | (version << 16) | (flags << 24), headerSize, 0, 4 * part.length];
  const words = [...header, ...Array.from({ length: headerSize / 4 }, () => 0)];
  const parts = [...words.slice(0, headerSize / 4), ...part].map((word) => u32(word >>> 0));
  return assemble('little', ...parts).bytes;
}

it('may have a header of any length with the fields of func_info and line_info', () => {
  for (const headerSize of [24, 28, 32, 40]) {
    expect(btfExtFailure(ext(headerSize), 'little')).toBeNull();
  }
});

it.each([
  ['a short header', ext(20), 'EINVAL', ['BTF.ext header missing func_info, line_info']],
  ['no data', ext(32, []), 'EINVAL', []],
  ['another version', ext(32, FUNC_INFO, 2), 'ENOTSUP', []],
  ['flags', ext(32, FUNC_INFO, 1, 1), 'ENOTSUP', []],
  ['small records', ext(32, [4, ...FUNC_INFO.slice(1)]), 'EINVAL', []],
  ['no block', ext(32, [8]), 'EINVAL', []],
  ['an empty block', ext(32, [8, 1, 0]), 'EINVAL', []],
  ['a block that runs past the part', ext(32, [8, 1, 3, 0, 1, 16, 2]), 'EINVAL', []],
  ['a part that runs past the section', ext(32).subarray(0, -4), 'EINVAL', []],
  ['no magic number', ext(32).subarray(4), 'EINVAL', []],
  ['three bytes', ext(32).subarray(0, 3), 'EINVAL', []],
])('is refused with %s', (_name, bytes, errno, lines) => {
  expect(btfExtFailure(bytes, 'little')).toEqual({ errno, lines });
});

it('may have longer records only in the byte order of the machine', () => {
  const part = [12, 1, 1, 0, 1, 0];
  expect(btfExtFailure(ext(32, part), 'little')).toBeNull();
  expect(btfExtFailure(ext(32, part), 'big')).toEqual({ errno: 'EINVAL', lines: [] });
});
