import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { essentialLength, essentialName } from './essential-name.ts';

describe('essentialName', () => {
  it.each([
    ['task_struct', 'task_struct'],
    ['task_struct___v5', 'task_struct'],
    ['a___b___c', 'a___b'],
    ['a____b', 'a____b'],
    ['a_____b', 'a_____b'],
    ['___a', '___a'],
    ['a___', 'a___'],
    ['a____', 'a____'],
    ['a____b___c', 'a____b'],
    ['a___b', 'a'],
    ['a__b', 'a__b'],
    ['__a___b', '__a'],
    ['a____b', 'a____b'],
    ['', ''],
  ])('of %j is %j', (name, essential) => {
    expect(essentialName(name)).toBe(essential);
  });

  it('removes the last flavour, whatever precedes it', () => {
    const part = fc.stringMatching(/^([a-z0-9](_{0,4}[a-z0-9]){0,4})$/);
    fc.assert(
      fc.property(part, fc.stringMatching(/^[a-z](_{0,2}[a-z]){0,3}$/), (name, flavour) => {
        expect(essentialName(`${name}___${flavour}`)).toBe(name);
      }),
    );
  });

  it('is the same for bytes in the middle of others', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ab_]{0,12}$/),
        fc.nat(9),
        fc.nat(9),
        (name, before, after) => {
          const bytes = new TextEncoder().encode('_'.repeat(before) + name + '_'.repeat(after));
          const length = essentialLength(bytes, before, before + name.length);
          expect(length).toBe(essentialName(name).length);
        },
      ),
    );
  });
});
