import { describe, expect, it } from 'vitest';
import {
  type KernelRule,
  LOCATION_RULES,
  META_RULES,
  REFERENCE_RULES,
} from '#analysis/kernel/rules.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  declTag,
  func,
  funcProto,
  int,
  locParam,
  locProto,
  locsec,
  ptr,
  struct,
  type TypeRecord,
  typedef,
} from '#testing/btf-types.ts';
import { checkBtf } from './check-btf.ts';

const REG = 8;
/** Types of `int f(int a)` with its argument in register 1 at a site in inline.text. */
const sound: readonly TypeRecord[] = [
  int('int', 4),
  funcProto(1, [['a', 1]]),
  func('f', 2),
  locParam(REG, [1]),
  locProto([4]),
  locsec('inline.text', [[3, 5, 64]]),
];
const verdicts = (types: readonly TypeRecord[]) => checkBtf(btfBlob({ types }).bytes, null);
/** Returns `sound` with record `id` replaced by `other`. */
const changed = (id: number, other: TypeRecord) =>
  verdicts(sound.map((one, i) => (i + 1 === id ? other : one)));

describe('location kinds', () => {
  it('are accepted by bpf-next only', () => {
    const { kernel, next, libbpf } = verdicts(sound);
    expect(kernel).toMatchObject({ word: 'Invalid kind', typeId: 4 });
    expect(next).toEqual({ verdict: 'ok' });
    expect(libbpf).toEqual({
      verdict: 'refused',
      errno: 'EINVAL',
      message: 'Unsupported BTF_KIND: 20',
    });
  });

  it('may come before what they refer to', () => {
    const types = [
      locsec('inline.text', [[5, 2, 0]]),
      locProto([3, 0]),
      locParam(REG, [1]),
      int('int', 4),
    ];
    const both = [
      ...types,
      func('f', 6),
      funcProto(4, [
        ['a', 4],
        ['b', 4],
      ]),
    ];
    expect(verdicts(both).next).toEqual({ verdict: 'ok' });
  });

  it('are accepted behind a header of 32 bytes, with a layout or without', () => {
    const layout = Array.from({ length: 23 }, () => ({ infoSize: 0, elemSize: 0 }));
    for (const spec of [{ headerLength: 32 as const }, { layout }]) {
      const { bytes } = btfBlob({ types: sound, ...spec });
      expect(checkBtf(bytes, null).next).toEqual({ verdict: 'ok' });
    }
  });

  it.each<[string, KernelRule, number, TypeRecord]>([
    ['a name', META_RULES.noName, 4, locParam(REG, [1], 4, { name: 'p' })],
    ['size 0', LOCATION_RULES.size, 4, locParam(REG, [1], 0)],
    ['size 17', LOCATION_RULES.size, 4, locParam(REG, [1], 17)],
    ['kind_flag', META_RULES.kindFlag, 4, locParam(REG, [1], 4, { kindFlag: true })],
    ['no words', LOCATION_RULES.vlen, 4, locParam(0, [])],
    ['a constant of 8 bytes in one word', LOCATION_RULES.vlen, 4, locParam(2, [1], 8)],
    ['a constant of 16 bytes', LOCATION_RULES.vlen, 4, locParam(2, [1, 2], 16)],
    ['three words of a constant', LOCATION_RULES.vlen, 4, locParam(2, [1, 2, 3], 8)],
    ['three registers', LOCATION_RULES.vlen, 4, locParam(REG, [1, 2, 3])],
    ['two words of a load', LOCATION_RULES.vlen, 4, locParam(0x18, [1, 2])],
    ['an offset without its word', LOCATION_RULES.vlen, 4, locParam(0x28, [1])],
    ['no flags', LOCATION_RULES.flags, 4, locParam(0, [1])],
    ['a signed register', LOCATION_RULES.flags, 4, locParam(REG | 1, [1])],
    ['a constant in a register', LOCATION_RULES.flags, 4, locParam(0xa, [1])],
    ['an unknown flag', LOCATION_RULES.flags, 4, locParam(0x80000002, [1])],
    ['a LOC_PROTO with a name', META_RULES.noName, 5, locProto([4], { name: 'p' })],
    ['a LOC_PROTO with kind_flag', META_RULES.kindFlag, 5, locProto([4], { kindFlag: true })],
    ['a LOC_PROTO with a type', LOCATION_RULES.protoType, 5, locProto([4], { sizeOrType: 1 })],
    ['an INT as a location', LOCATION_RULES.protoParam, 5, locProto([1])],
    ['a location that does not exist', LOCATION_RULES.protoParam, 5, locProto([99])],
    ['a section without a name', META_RULES.sectionName, 6, locsec('', [[3, 5, 0]])],
    [
      'a section with kind_flag',
      META_RULES.kindFlag,
      6,
      locsec('inline.text', [[3, 5, 0]], { kindFlag: true }),
    ],
    [
      'a section with a type',
      LOCATION_RULES.sectionType,
      6,
      locsec('inline.text', [[3, 5, 0]], { sizeOrType: 1 }),
    ],
    ['function 0', LOCATION_RULES.func, 6, locsec('inline.text', [[0, 5, 0]])],
    [
      'a function id that is too large',
      LOCATION_RULES.func,
      6,
      locsec('inline.text', [[0x100000, 5, 0]]),
    ],
    ['LOC_PROTO 0', LOCATION_RULES.proto, 6, locsec('inline.text', [[3, 0, 0]])],
    [
      'a FUNC_PROTO as a function',
      LOCATION_RULES.siteFunc,
      6,
      locsec('inline.text', [
        [3, 5, 0],
        [2, 5, 0],
      ]),
    ],
    ['a LOC_PARAM as a LOC_PROTO', LOCATION_RULES.siteProto, 6, locsec('inline.text', [[3, 4, 0]])],
    ['two locations for one argument', LOCATION_RULES.siteLength, 5, locProto([4, 0])],
  ])('with %s are rejected by bpf-next', (_what, { word, errno, rule }, id, other) => {
    const typeId = rule === LOCATION_RULES.siteLength.rule ? 6 : id;
    expect(changed(id, other).next).toMatchObject({ word, errno, rule, typeId });
  });

  it.each<[string, KernelRule, TypeRecord]>([
    ['a pointer', REFERENCE_RULES.typeId, ptr(4)],
    ['a typedef', REFERENCE_RULES.typeId, typedef('t', 5)],
    ['a member', REFERENCE_RULES.member, struct('s', 4, [{ name: 'm', type: 4, bitOffset: 0 }])],
    ['an argument', REFERENCE_RULES.arg, funcProto(0, [['a', 4]])],
    ['a result', REFERENCE_RULES.returnType, funcProto(4)],
    ['a tag', REFERENCE_RULES.tagTarget, declTag('t', 5)],
  ])('are not what %s refers to', (_what, { word, rule }, other) => {
    expect(verdicts([...sound, other]).next).toMatchObject({ word, rule, typeId: 7 });
  });
});
