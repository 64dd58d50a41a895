import { expect, it } from 'vitest';
import { btfDifference, compiledTypes, layoutDifference } from './first-difference.ts';
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

it('compares structs that have unnamed structs twice, and these others twice', () => {
  const chain = Array.from(
    { length: 40 },
    (_, i) => `struct { typeof(v${i}); typeof(v${i}); } v${i + 1};`,
  ).join('');
  const typesOf = (first: string) => {
    const text = `struct { ${first} } v0; ${chain} struct s { typeof(v40); };`;
    return compiledTypes(compileDeclarations(text, 'little').btf);
  };
  const key = { kind: 'struct', name: 's', ordinal: 0 };
  const asked = typesOf('int a[0];');
  expect(layoutDifference(asked, asked, key)).toBeNull();
  expect(layoutDifference(typesOf('int b[0];'), asked, key)).toBe('`struct s` has no member `a`.');
});

it('finds sections and members of tags once', () => {
  const count = 6000;
  const list = (part: (i: number) => string) => Array.from({ length: count }, (_, i) => part(i));
  const tag = '__attribute__((btf_decl_tag("x")))';
  const members = list((i) => `int m${i} ${tag};`).join('');
  const text = `${list((i) => `int a${i};`).join('')} struct s { ${members} };`;
  const types = compiledTypes(compileDeclarations(text, 'little').btf);
  const { user } = process.cpuUsage();
  expect(btfDifference(types, types)).toBeNull();
  expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
});
