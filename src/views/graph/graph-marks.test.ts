import { expect, it } from 'vitest';
import { litByMembers } from '#analysis/graph/lit.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { smallScene, smallTypes } from '#testing/small-graph.ts';
import { pinsByType } from '#views/parts/PinMark.tsx';
import { focusOf, marksOf, matchesIn, pinsIn } from './graph-marks.ts';

it('lights each step of a path, and the current one the most', async () => {
  const scene = await smallScene();
  const steps = litByMembers(await smallTypes(), typeId(4), [1, 0]);
  const marks = marksOf(scene, { type: 4, steps, step: 1 });
  const mid = scene.indexOf(5);
  expect(Object.fromEntries(marks.rows)).toEqual({ '0:1': 'lit', [`${mid}:0`]: 'strong' });
  const lit = [...marks.links].map(([link, { strength, order }]) => {
    const { from, to } = scene.link(link);
    return `${order} ${strength}: ${scene.box(from).text.name} > ${scene.box(to).text.name}`;
  });
  expect(lit).toEqual(['0 lit: root > mid']);
  expect([marks.selected, marks.near.size]).toEqual([0, 0]);
});

it('marks the edges of the selected box, and none of hidden types', async () => {
  const scene = await smallScene();
  expect(marksOf(scene, { type: 2, steps: [], step: null }).near.size).toBe(1);
  const steps = [{ type: typeId(99), path: [0], to: typeId(2), first: 0, last: 0 }];
  const marks = marksOf(scene, { type: 99, steps, step: 0 });
  expect([marks.selected, marks.rows.size, marks.links.size, marks.near.size]).toEqual([
    null,
    0,
    0,
    0,
  ]);
});

it('keeps of all boxes those at the other end of an edge of the one that is pointed at', async () => {
  const scene = await smallScene();
  const mid = scene.indexOf(5) ?? -1;
  const { box, boxes, links } = focusOf(scene, mid);
  expect(box).toBe(mid);
  expect(links.size).toBe(scene.linksFrom(mid).length + scene.linksTo(mid).length);
  for (const index of links) {
    const { from, to } = scene.link(index);
    expect([from, to]).toContain(mid);
    expect([boxes.has(from), boxes.has(to)]).toEqual([true, true]);
  }
  expect(boxes.size).toBeLessThan(scene.boxCount);
});

it('keeps of a row that leads somewhere its own edges', async () => {
  const scene = await smallScene();
  const [first] = scene.linksFrom(0);
  if (first === undefined) throw new Error('the root leads nowhere');
  const { row, to } = scene.link(first);
  const { links, boxes } = focusOf(scene, 0, row);
  expect([...links].every((link) => scene.link(link).row === row)).toBe(true);
  expect([boxes.has(0), boxes.has(to)]).toEqual([true, true]);
  expect(links.size).toBeLessThan(focusOf(scene, 0).links.size);
  expect(focusOf(scene, 0, 99)).toEqual(focusOf(scene, 0));
});

it('finds boxes by their name, then those by a member', async () => {
  const scene = await smallScene();
  const names = (text: string) => matchesIn(scene, text).map((index) => scene.box(index).text.name);
  expect(names('MID')).toContain('mid');
  expect(names('mid')[0]).toBe('mid');
  expect(names(' ')).toEqual([]);
  expect(names('no such name')).toEqual([]);
});

it('marks the box of the highlighted type and the rows that have it, below what is selected', async () => {
  const scene = await smallScene();
  const types = await smallTypes();
  const steps = litByMembers(types, typeId(4), [1, 0]);
  const used = (written: readonly number[]) =>
    marksOf(scene, { type: 4, steps, step: 1 }, new Set(written)).rows;
  const mid = scene.indexOf(5) ?? -1;
  const midType = scene.box(0).text.rows[1]?.of ?? 0;
  expect(used([5]).get(`${mid}:-1`)).toBe('use');
  expect(used([midType]).get('0:1')).toBe('lit');
  const ofInt = scene.box(mid).text.rows.flatMap(({ of }, row) => (of === 1 ? [row] : []));
  for (const row of ofInt) expect(used([1]).get(`${mid}:${row}`)).toMatch(/use|strong/);
});

it('puts the pins of a type on its box, those of a member on its row', async () => {
  const scene = await smallScene();
  const pin = (number: number, type: number, path: readonly number[]) => ({
    number,
    text: '',
    selection: typeSelection(typeId(type), path),
    span: null,
    isLit: false,
  });
  const pins = pinsByType(await smallTypes(), [pin(1, 4, []), pin(2, 4, [1]), pin(3, 99, [])]);
  const found = [...pinsIn(scene, pins)].map(([box, own]) => [
    box,
    own.map(({ pin: { number }, row }) => [number, row]),
  ]);
  expect(found).toEqual([
    [
      0,
      [
        [1, -1],
        [2, 1],
      ],
    ],
  ]);
});
