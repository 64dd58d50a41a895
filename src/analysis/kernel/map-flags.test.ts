import { expect, it } from 'vitest';
import { mapFlagsText } from './map-flags.ts';

it.each([
  [0n, '0'],
  [1n, 'BPF_F_NO_PREALLOC'],
  [129n, 'BPF_F_NO_PREALLOC | BPF_F_RDONLY_PROG'],
  [1n << 40n, '0x10000000000'],
])('%s is %j', (flags, text) => expect(mapFlagsText(flags)).toBe(text));
