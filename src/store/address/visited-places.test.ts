import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { type VisitedPlace, withVisit } from './navigation.ts';

const place = (id: number, view: VisitedPlace['view'] = 'types', fileId = 1): VisitedPlace => ({
  fileId,
  view,
  selection: typeSelection(typeId(id)),
});

it('keeps the latest place in front, each once, and not too many', () => {
  let places: readonly VisitedPlace[] = [];
  for (let id = 1; id <= 30; id++) places = withVisit(places, place(id));
  expect(places).toHaveLength(20);
  expect(places[0]).toEqual(place(30));
  places = withVisit(places, place(25, 'graph'));
  expect(places[0]).toEqual(place(25, 'graph'));
  expect(
    places.filter(({ selection }) => 'type' in selection && selection.type === 25),
  ).toHaveLength(1);
});

it('takes the same selection of two files for two places', () => {
  expect(withVisit([place(1)], place(1, 'types', 2))).toHaveLength(2);
});
