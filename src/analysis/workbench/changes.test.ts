import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeTitle } from '#analysis/types/type-name.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { randomDeclarations } from '#testing/random-declarations.ts';
import { runs } from '#testing/runs.ts';
import {
  type Changes,
  changeOfItem,
  changesBetween,
  isUnchanged,
  storedStrings,
} from './changes.ts';
import { compileDeclarations } from './workbench.ts';

async function typesOf(text: string, endian: 'little' | 'big' = 'little'): Promise<TypeTable> {
  const { btf, problems } = compileDeclarations(text, endian);
  expect(problems, text).toEqual([]);
  const { types } = await openModel('a.btf', btf);
  if (types === null) throw new Error('no types');
  return types;
}

async function changed(before: string, after: string) {
  const [from, to] = [await typesOf(before), await typesOf(after)];
  const changes = changesBetween(from, to);
  return { changes, to, said: said(to, changes) };
}

/** Returns the changed types by name, and the changed strings by text. */
function said(to: TypeTable, { types, strings, goneTypes }: Changes) {
  return {
    types: Object.fromEntries(
      [...types].map(([id, change]) => [typeTitle(to, typeId(id)), change]),
    ),
    strings: storedStrings(to)
      .filter(({ offset }) => strings.has(offset))
      .map(({ text }) => text),
    gone: goneTypes,
  };
}

const idOf = (types: TypeTable, name: string) =>
  Array.from({ length: types.count }, (_, i) => typeId(i + 1)).find(
    (id) => typeTitle(types, id) === name,
  ) ?? typeId(0);

const bytesOf = ({ bytes }: Changes) => bytes.reduce((sum, { start, end }) => sum + end - start, 0);

describe('what has changed', () => {
  it('is a member that was put in between, and those behind it that moved', async () => {
    const {
      said: told,
      changes,
      to,
    } = await changed('struct s { int a; int b; };', 'struct s { int a; char x; int b; };');
    expect(told).toEqual({
      types: { s: 'changed', char: 'new' },
      strings: ['x', 'char'],
      gone: [],
    });
    const items = [0, 1, 2].map((i) => changeOfItem(changes, idOf(to, 's'), i));
    expect(items).toEqual([null, 'new', 'changed']);
  });

  it('is not what got another id or another offset of its name', async () => {
    const { said: told } = await changed(
      'struct b { long x; struct b *next; };',
      'struct a { char c; }; struct b { long x; struct b *next; };',
    );
    expect(told.types).toEqual({ a: 'new', char: 'new' });
    expect(told.gone).toEqual([]);
  });

  it('is the name that a struct has now, and the one that it had', async () => {
    const { said: told } = await changed('struct foo { int a; };', 'struct bar { int a; };');
    expect(told).toEqual({ types: { bar: 'new' }, strings: ['bar'], gone: ['foo'] });
  });

  it('is the value of an enumerator, the width of a bit-field, the target of a typedef', async () => {
    const {
      said: told,
      changes,
      to,
    } = await changed(
      'enum e { A, B }; struct s { int f : 3; }; typedef int t;',
      'enum e { A, B = 7 }; struct s { int f : 4; }; typedef unsigned t;',
    );
    expect(told.types).toMatchObject({ e: 'changed', s: 'changed', t: 'changed' });
    expect(changeOfItem(changes, idOf(to, 'e'), 0)).toBeNull();
    expect(changeOfItem(changes, idOf(to, 'e'), 1)).toBe('changed');
    expect(changeOfItem(changes, idOf(to, 's'), 0)).toBe('changed');
  });

  it('marks a member that is gone on its struct', async () => {
    const { said: told } = await changed('struct s { int a; int b; };', 'struct s { int a; };');
    expect(told.types).toEqual({ s: 'changed' });
  });

  it('marks a new struct with all of its members', async () => {
    const { changes, to } = await changed('int x;', 'int x; struct s { int a; };');
    expect(changeOfItem(changes, idOf(to, 's'), 0)).toBe('new');
  });
});

describe('the bytes that have changed', () => {
  it('are those of the value alone', async () => {
    const { changes } = await changed('enum e { A = 1 };', 'enum e { A = 2 };');
    expect(bytesOf(changes)).toBe(1);
  });

  it('are all numbers where the byte order is another', async () => {
    const text = 'struct s { int a; int b; };';
    const changes = changesBetween(await typesOf(text), await typesOf(text, 'big'));
    expect([changes.types.size, changes.strings.size]).toEqual([0, 0]);
    expect(bytesOf(changes)).toBeGreaterThan(20);
  });
});

it('has no change where the text is the same', async () => {
  const { changes } = await changed('struct s { int a; };', '// said\nstruct s {\n\tint a;\n};');
  expect(isUnchanged(changes)).toBe(true);
});

it('holds for any two texts: no change against itself, and marks inside the blob', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5000), fc.nat(5000), async (one, two) => {
      const [a, b] = [
        await typesOf(randomDeclarations(one)),
        await typesOf(randomDeclarations(two)),
      ];
      expect(isUnchanged(changesBetween(a, a))).toBe(true);
      const { bytes, types } = changesBetween(a, b);
      let behind = -1;
      for (const { start, end } of bytes) {
        expect(start).toBeGreaterThan(behind);
        expect(end).toBeGreaterThan(start);
        behind = end;
      }
      expect(behind).toBeLessThanOrEqual(b.blob.length);
      for (const id of types.keys()) expect(id).toBeLessThanOrEqual(b.count);
      // If all records are marked, so are some bytes. Blobs without types have equal bytes.
      if (b.count > 0 && types.size === b.count) expect(bytes.length).toBeGreaterThan(0);
      if (a.count + b.count === 0) expect(bytes).toEqual([]);
    }),
    { numRuns: runs(60) },
  );
});
