import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  declTag,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  ptr,
  struct,
  type TypeRecord,
  variable,
} from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { typeFacts } from './type-facts.ts';

/** Ids: [1] int, [2] struct s {a, (anon)}, [3] proto (p), [4] FUNC f, [5] the tested record. */
async function factsOf(record: TypeRecord) {
  const types = [
    int('int', 4),
    struct('s', 8, [
      { name: 'a', type: 1, bitOffset: 0 },
      { name: '', type: 1, bitOffset: 32 },
    ]),
    funcProto(0, [['p', 1]]),
    func('f', 3),
    record,
  ];
  const model = await openModel('facts.btf', btfBlob({ types }).bytes);
  if (model.types === null) throw new Error('no types');
  return typeFacts(model.types, typeId(5)).map((fact) =>
    'type' in fact
      ? `${fact.term}: [${fact.type}]`
      : `${fact.term}: ${fact.text}`.replaceAll('\u202f', ' '),
  );
}

describe('typeFacts', () => {
  it.each([
    ['a plain int', int('u', 4), ['Encoding: (none)', 'Bits: 32']],
    [
      'a bit-field int',
      int('c', 1, { encoding: 3, bits: 5, bitOffset: 2 }),
      ['Encoding: SIGNED CHAR', 'Bits: 5', 'Bit offset: 2'],
    ],
    [
      'an array',
      array(2, 1, 1000),
      ['Elements: 1 000 × 8 bytes', 'Element type: [2]', 'Index type: [1]'],
    ],
    ['a pointer', ptr(2), ['Points to: [2]']],
    ['a union forward', fwd('u', 'union'), ['Declares: a union']],
    ['a signed enum', enumeration('e', [], { signed: true }), ['Values: signed']],
    ['a variable', variable('v', 1, 2), ['Type: [1]', 'Linkage: extern']],
    ['a function of odd linkage', func('g', 3, 7), ['Prototype: [3]', 'Linkage: 7 (unknown)']],
    ['a prototype', funcProto(1), ['Returns: [1]']],
    ['a tag of a struct', declTag('t', 2), ['Target: [2]', 'Component: -1: the type itself']],
    ['a tag of a member', declTag('t', 2, 0), ['Target: [2]', 'Component: 0: member a']],
    [
      'a tag of an anonymous member',
      declTag('t', 2, 1),
      ['Target: [2]', 'Component: 1: member without a name'],
    ],
    ['a tag of no member', declTag('t', 2, 9), ['Target: [2]', 'Component: 9: no such member']],
    ['a tag of a parameter', declTag('t', 4, 0), ['Target: [4]', 'Component: 0: parameter p']],
    ['a struct', struct('x', 0, []), []],
  ])('tells %s', async (_what, record, expected) => {
    expect(await factsOf(record)).toEqual(expected);
  });

  it('escapes names that mislead', async () => {
    const types = [
      struct('s', 1, [{ name: 'a\u202eb', type: 0, bitOffset: 0 }]),
      declTag('t', 1, 0),
    ];
    const model = await openModel('facts.btf', btfBlob({ types }).bytes);
    if (model.types === null) throw new Error('no types');
    expect(typeFacts(model.types, typeId(2))[1]).toEqual({
      term: 'Component',
      text: '0: member a\\u{202e}b',
    });
  });
});
