import { describe, expect, it } from 'vitest';
import type { PathStep } from '#analysis/paths/describe-path.ts';
import { typeId } from '#model/ids.ts';
import { placeText, pointersText, problemText, stepNotes, summaryText } from './graph-text.ts';

const step: PathStep = {
  kind: 'access',
  root: typeId(1),
  accessStr: '0:1',
  memberPath: [1],
  field: 'a',
  endsUnnamed: false,
  bitOffset: 76n,
  byteOffset: 9n,
  bitfieldSize: 0,
  beyond: ['pointer'],
  to: typeId(2),
  throughUnion: false,
  tags: [],
  fault: null,
};

describe('the place of an access', () => {
  it('is in hex, with the bit of a bit-field, and taken off by container_of', () => {
    expect(placeText(step)).toBe('+0x9');
    expect(placeText({ ...step, bitfieldSize: 1 })).toBe('+0x9:4');
    expect(placeText({ ...step, kind: 'container' })).toBe('−0x9');
  });
});

describe('what must be known of an access', () => {
  it('is empty for a plain one', () => {
    expect(stepNotes(step, null)).toEqual([]);
  });

  it('is that a union, a tag and a refusal are met on the path', () => {
    const odd = { ...step, throughUnion: true, tags: ['rcu'], fault: 'why' };
    expect(stepNotes(odd, null)).toEqual([
      'Passes a union: other members share these bytes.',
      'The pointer is tagged rcu.',
      'libbpf rejects this access string: why.',
    ]);
  });

  it('is how much of a guess a container_of is', () => {
    const container = { ...step, kind: 'container' } as const;
    expect(stepNotes(container, 'part')[0]).toMatch(/^Valid only if the pointer points into/);
    expect(stepNotes(container, 'list')[0]).toMatch(/^A guess/);
  });
});

describe('the summary', () => {
  const path = { start: typeId(1), members: [], container: null, field: [] };
  const found = { ok: true, goal: 'type', macro: null, complete: true, paths: [path] } as const;

  it('counts the paths, and notes where there may be more', () => {
    expect(summaryText(found, 10, false)).toBe('1 path.');
    const two = { ...found, paths: [path, path] };
    expect(summaryText(two, 10, false)).toBe('2 paths, the best first.');
    expect(summaryText(two, 2, false)).toBe('Top 2 paths, the best first.');
    expect(summaryText({ ...found, complete: false }, 10, false)).toMatch(/cut short/);
  });

  it('suggests container_of only if it is off', () => {
    expect(summaryText({ ...found, paths: [] }, 10, false)).toMatch(/Try container_of/);
    expect(summaryText({ ...found, paths: [] }, 10, true)).not.toMatch(/container_of/);
  });
});

it('pointers are counted in words', () => {
  const path = { start: typeId(1), steps: [], endsAtField: false, through: null };
  const cost = { containers: 0, members: 1 };
  expect(pointersText({ ...path, cost: { ...cost, pointers: 0 } })).toBe('no pointer');
  expect(pointersText({ ...path, cost: { ...cost, pointers: 1 } })).toBe('1 pointer');
});

it.each([
  ['from', 'blank', null],
  ['from', 'unknown', 'There is no type x in this file.'],
  ['to', 'unknown', 'No type and no member named x in this file.'],
  ['to', 'no-field', 'There is no member x in that type. Did you mean y?'],
] as const)('a problem of %s, %s, is reported', (end, reason, expected) => {
  expect(problemText({ end, reason, word: 'x', near: ['y'] })).toBe(expected);
});
