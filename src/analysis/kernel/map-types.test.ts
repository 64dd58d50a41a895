import { describe, expect, it } from 'vitest';
import { mapTypeName, shortMapType } from './map-types.ts';

describe('mapTypeName', () => {
  it('is the word of bpf.h', () => {
    expect(mapTypeName(1)).toBe('BPF_MAP_TYPE_HASH');
    expect(mapTypeName(27)).toBe('BPF_MAP_TYPE_RINGBUF');
    expect(mapTypeName(33)).toBe('BPF_MAP_TYPE_ARENA');
    expect(mapTypeName(4000)).toBe('map type 4000');
  });
});

it('is short without the beginning that all have', () => {
  expect([shortMapType('BPF_MAP_TYPE_HASH'), shortMapType('map type 4000')]).toEqual([
    'HASH',
    'map type 4000',
  ]);
  expect(shortMapType(null)).toBe('');
});
