import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import type { Pin } from '#store/session/pins.ts';
import { memberPins } from './use-members.ts';

const pin = (number: number, selection: Selection): Pin => ({
  number,
  text: '',
  selection,
  span: null,
  isLit: false,
});

it('finds the pins on the members of a struct, also through its typedef', () => {
  const found = memberPins(
    [
      pin(1, typeSelection(typeId(5), [1, 0])),
      pin(2, typeSelection(typeId(7), [1, 0])),
      pin(3, typeSelection(typeId(5))),
      pin(4, typeSelection(typeId(6), [1, 0])),
      pin(5, { kind: 'bytes', start: 0, end: 1 }),
    ],
    typeId(7),
    typeId(5),
  );
  expect([...found].map(([path, pins]) => [path, pins.map(({ number }) => number)])).toEqual([
    ['1/0', [1, 2]],
  ]);
});
