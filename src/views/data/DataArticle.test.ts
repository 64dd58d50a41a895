import { expect, it } from 'vitest';
import { partAt } from '#analysis/values/decode.ts';
import { variableValue } from '#analysis/values/variables.ts';
import { mapCalled, openData, variableCalled } from '#testing/sample-data.ts';
import { insnPlaceText, usesOfName, usesOfPlace } from './DataArticle.tsx';
import { placeOfPointer } from './selected-data.ts';

it('finds the instructions that refer to a map or a variable', async () => {
  const { model, groups } = await openData('xdp_counter.bpf.o');
  for (const [place, func] of [
    [mapCalled(groups, 'next'), 'count_packets'],
    [variableCalled(groups, 'udp_limit'), 'count_udp'],
  ] as const) {
    const { sectionIndex, byteOffset, byteSize } = place;
    if (sectionIndex === null || byteOffset === null) throw new Error('nowhere');
    const uses = usesOfPlace(model, sectionIndex, byteOffset, byteSize);
    expect(uses.map((use) => [use.isCode, use.into])).toEqual([[true, 0]]);
    expect(uses.map((use) => insnPlaceText(model, use))).toEqual([
      expect.stringMatching(new RegExp(`^${func} \\+ \\d+$`)),
    ]);
  }
});

it('finds data that points into the middle', async () => {
  const { model, groups } = await openData('data_relocs.bpf.o');
  const { sectionIndex, byteOffset, byteSize } = variableCalled(groups, 'hidden');
  if (sectionIndex === null || byteOffset === null) throw new Error('nowhere');
  const [use, ...more] = usesOfPlace(model, sectionIndex, byteOffset, byteSize);
  expect(more).toEqual([]);
  expect(use).toMatchObject({ isCode: false, byteOffset: 8, into: 8 });
});

it('finds what refers to an extern by its name', async () => {
  const { model } = await openData('externs.bpf.o');
  expect(usesOfName(model, 'CONFIG_HZ').length).toBeGreaterThan(0);
  expect(usesOfName(model, 'no such name')).toEqual([]);
});

it.each([
  ['middle', { kind: 'bytes' }, 'data'],
  ['cursor', { kind: 'type' }, 'data'],
])('follows the pointer %s', async (name, selection, view) => {
  const { model, groups, sectionBytes } = await openData('data_relocs.bpf.o');
  const value = variableValue(model, sectionBytes, variableCalled(groups, name));
  if (value?.content.kind !== 'pointer' || value.content.target === null) throw new Error('none');
  const place = placeOfPointer(model, groups, value.content.target);
  expect(place).toMatchObject({ selection, view });
});

it('follows pointers to functions under Code and to strings here', async () => {
  const { model, groups, sectionBytes } = await openData('data_relocs.bpf.o');
  const begin = variableValue(model, sectionBytes, variableCalled(groups, 'begin'));
  if (begin === null) throw new Error('no value');
  const places = [0, 1, 2].map((index) => {
    const content = partAt(begin, index)?.content;
    const target = content?.kind === 'pointer' ? content.target : null;
    return target === null ? null : placeOfPointer(model, groups, target);
  });
  expect(places.map((place) => [place?.selection.kind, place?.view])).toEqual([
    ['bytes', 'data'],
    ['insn', 'code'],
    ['type', 'data'],
  ]);
});
