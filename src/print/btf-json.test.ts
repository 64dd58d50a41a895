import { expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  datasec,
  declTag,
  enum64,
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
import { tableOf } from '#testing/type-table.ts';
import { writeJson } from './btf-json.ts';
import { gathered } from './byte-text.ts';

function jsonText(types: readonly TypeRecord[]): string {
  const t = tableOf(btfBlob({ types }).bytes);
  const bytes = gathered((out) => {
    for (const _ of writeJson(t, out));
  });
  return new TextDecoder().decode(bytes);
}

it('is a list of objects on one line', () => {
  const members = [
    { name: 'a', type: 1, bitOffset: 3, bitfieldSize: 2 },
    { name: '', type: 2, bitOffset: 8, bitfieldSize: 0 },
  ];
  const text = jsonText([int('int', 4, { encoding: 1 }), ptr(1), struct('s', 4, members)]);
  expect(text).toMatch(/^\{"types":\[.*\]\}\n$/);
  expect(JSON.parse(text)).toEqual({
    types: [
      { id: 1, kind: 'INT', name: 'int', size: 4, bits_offset: 0, nr_bits: 32, encoding: 'SIGNED' },
      { id: 2, kind: 'PTR', name: '(anon)', type_id: 1 },
      {
        ...{ id: 3, kind: 'STRUCT', name: 's', size: 4, vlen: 2 },
        members: [
          { name: 'a', type_id: 1, bits_offset: 3, bitfield_size: 2 },
          { name: '(anon)', type_id: 2, bits_offset: 8 },
        ],
      },
    ],
  });
  expect(jsonText([])).toBe('{"types":[]}\n');
});

it.each([
  ['an ENUM without sign, widened', enumeration('', [['A', -1]]), '"val":18446744073709551615'],
  ['an ENUM with sign', enumeration('', [['A', -1]], { signed: true }), '"val":-1}'],
  ['an ENUM64 without sign', enum64('', [['A', -1n]]), '"val":18446744073709551615}'],
  ['an ENUM64 with sign', enum64('', [['A', -1n]], { signed: true }), '"val":-1}'],
  ['no pointee of a DATASEC', datasec('', 4, [[1, 0, 4]]), '[{"type_id":1,"offset":0,"size":4}]'],
  ['a VAR', variable('v', 1, 9), '"type_id":1,"linkage":"(unknown)"}'],
  ['a FUNC', func('f', 1, 2), '"type_id":1,"linkage":"extern"}'],
  ['no parameters', funcProto(3), '"ret_type_id":3,"vlen":0,"params":[]}'],
  ['a FWD', fwd('u', 'union'), '"fwd_kind":"union"}'],
  ['a DECL_TAG', declTag('t', 1), '"component_idx":-1}'],
  ['a name outside all strings', fwd(9999), '"name":"(invalid)"'],
  ['escapes', fwd('\t\n\f\r\b"\\/\'\x01é'), `"name":"\\t\\n\\f\\r\\b\\"\\n/'\x01é"`],
])('spells %s as bpftool does', (_what, type, expected) => {
  expect(jsonText([type])).toContain(expected);
});
