import { expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeField } from './type-field.ts';

it.each([
  ['name_off', BtfKind.STRUCT, 0, { name: 'name_off', item: null }],
  ['info', BtfKind.PTR, 7, { name: 'info', item: null }],
  ['size of a struct', BtfKind.STRUCT, 8, { name: 'size', item: null }],
  ['type of a pointer', BtfKind.PTR, 11, { name: 'type', item: null }],
  [
    'second member: type',
    BtfKind.STRUCT,
    12 + 12 + 5,
    { name: 'type', item: { word: 'member', index: 1 } },
  ],
  [
    'third enumerator: val',
    BtfKind.ENUM,
    12 + 16 + 4,
    { name: 'val', item: { word: 'enumerator', index: 2 } },
  ],
  [
    'high half of an enum64',
    BtfKind.ENUM64,
    12 + 8,
    { name: 'val_hi32', item: { word: 'enumerator', index: 0 } },
  ],
  [
    'size in a DATASEC',
    BtfKind.DATASEC,
    12 + 11,
    { name: 'size', item: { word: 'variable', index: 0 } },
  ],
  ['elements of an array', BtfKind.ARRAY, 20, { name: 'nelems', item: null }],
  ['what a typedef does not have', BtfKind.TYPEDEF, 12, { name: '', item: null }],
  ['a kind that is not known', 25, 16, { name: '', item: null }],
])('%s', (_what, kind, offset, field) => {
  expect(typeField(kind, offset)).toEqual(field);
});
