import { expect, it } from 'vitest';
import { btfDifference, compiledTypes } from './first-difference.ts';
import { compileDeclarations } from './workbench.ts';

function difference(typed: string, asked: string): string | null {
  const [a, b] = [typed, asked].map((text) => {
    const { btf, problems } = compileDeclarations(text, 'little');
    expect(problems).toEqual([]);
    return compiledTypes(btf);
  });
  return a === undefined || b === undefined ? null : btfDifference(a, b);
}

const ASKED = 'typedef int id_t;\nstruct session {\n\tid_t id;\n\tlong when;\n};';

it('tells the member that has another type before the typedef that is not there', () => {
  expect(difference('struct session { int id; long when; };', ASKED)).toBe(
    '`id` of `struct session` is `int`; it must be `id_t`.',
  );
  expect(difference('struct session { int when; };', ASKED)).toBe(
    'In `struct session` the first is `when`; it must be `id`.',
  );
});

it('tells a typedef that nothing uses, and a struct that is not there', () => {
  expect(difference('int n;', 'typedef long spare;\nint n;')).toBe('There is no TYPEDEF `spare`.');
  expect(difference('typedef int id_t;', ASKED)).toBe('There is no STRUCT `session`.');
});
