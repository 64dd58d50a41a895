import { describe, expect, it } from 'vitest';
import { BTF_KIND_MAX, infoKind, infoKindFlag, infoVlen, kindLayout, kindName } from './kinds.ts';

describe('the info word', () => {
  it('has 24 bits of vlen, 7 of kind and the flag', () => {
    const info = 0x84012345;
    expect([infoVlen(info), infoKind(info), infoKindFlag(info)]).toEqual([0x12345, 4, true]);
    expect([infoVlen(0x7fffffff), infoKind(0x7fffffff), infoKindFlag(0x7fffffff)]).toEqual([
      0xffffff,
      127,
      false,
    ]);
  });

  it('decodes the same from a negative number', () => {
    expect([infoKind(-1), infoVlen(-1), infoKindFlag(-1)]).toEqual([127, 0xffffff, true]);
  });
});

describe('kinds', () => {
  it('have the names that bpftool prints', () => {
    expect(kindName(1)).toBe('INT');
    expect(kindName(BTF_KIND_MAX)).toBe('LOCSEC');
    expect(kindName(23)).toBe('KIND_23');
  });

  it.each([
    ['INT', 1, 4, 0],
    ['PTR', 2, 0, 0],
    ['ARRAY', 3, 12, 0],
    ['STRUCT', 4, 0, 12],
    ['UNION', 5, 0, 12],
    ['ENUM', 6, 0, 8],
    ['FWD', 7, 0, 0],
    ['FUNC', 12, 0, 0],
    ['FUNC_PROTO', 13, 0, 8],
    ['VAR', 14, 4, 0],
    ['DATASEC', 15, 0, 12],
    ['FLOAT', 16, 0, 0],
    ['DECL_TAG', 17, 4, 0],
    ['TYPE_TAG', 18, 0, 0],
    ['ENUM64', 19, 0, 12],
    ['LOC_PARAM', 20, 4, 4],
    ['LOC_PROTO', 21, 0, 4],
    ['LOCSEC', 22, 0, 12],
  ])('%s: %i has %i bytes once and %i for each item', (name, kind, fixed, item) => {
    expect(kindName(kind)).toBe(name);
    expect(kindLayout(kind)).toEqual({ fixed, item });
  });

  it('have no layout if unknown', () => {
    expect([0, 23, 127, -1].map(kindLayout)).toEqual([null, null, null, null]);
  });
});
