import { describe, expect, it } from 'vitest';
import { type CoreResult, resolveObject } from '#analysis/core/resolve.ts';
import { int, struct, union } from '#testing/btf-types.ts';
import { type CoreCase, coreObject, targetOfBlob, typesOfBlob } from '#testing/core-cases.ts';
import { guardsOf } from './guards.ts';

const I = int('int', 4);
const field = (name: string, type: number) => ({ name, type, bitOffset: 0 });
const local = [I, union('inner', 4, [field('b', 1)]), struct('s', 4, [field('a', 2)])];

const READ: CoreCase = { kind: 0, root: 3, accessStr: '0:0:0' };
const EXISTS = 2;
const TYPE_EXISTS = 8;

/** A read of `p->a.b` that finds nothing, with these questions before it. */
function guards(questions: readonly CoreCase[], target = [I, struct('s', 4, [field('z', 1)])]) {
  const value = 1n;
  const cases = [...questions.map((asked) => ({ value, ...asked })), READ];
  const object = coreObject(typesOfBlob(local), cases);
  const results = resolveObject(object, targetOfBlob(target));
  const read = results.at(-1);
  if (read === undefined) throw new Error('there is a read');
  expect(read.status).toBe('poisoned');
  return { results, read, rows: rowsOf(guardsOf(results, read)) };
}

const rowsOf = (results: readonly CoreResult[]) => results.map(({ record }) => record.index);

describe('guardsOf', () => {
  it('finds questions for the field, and for what it is in', () => {
    const asked = [
      { kind: EXISTS, root: 3, accessStr: '0:0:0' },
      { kind: EXISTS, root: 3, accessStr: '0:0' },
    ];
    expect(guards(asked).rows).toEqual([0, 1]);
  });

  it('finds questions for the type, where it is not there', () => {
    const asked = [{ kind: TYPE_EXISTS, root: 3, accessStr: '0' }];
    expect(guards(asked, [I]).rows).toEqual([0]);
  });

  it('leaves out other fields, other types, and questions with another answer', () => {
    const asked = [
      { kind: TYPE_EXISTS, root: 3, accessStr: '0' },
      { kind: EXISTS, root: 2, accessStr: '0:0' },
    ];
    expect(guards(asked).rows).toEqual([]);
    // `0:01` begins with the same characters as `0:0` and is no part of it.
    const other = { kind: EXISTS, root: 3, accessStr: '0:0' };
    const { results, read } = guards([other]);
    const far = { ...read, record: { ...read.record, accessStr: '0:00' } };
    expect(guardsOf(results, far)).toEqual([]);
  });

  it('leaves out other functions', () => {
    const { results, read } = guards([{ kind: EXISTS, root: 3, accessStr: '0:0' }]);
    const away = { ...read.record, func: { name: 'prog', insnIndex: 0 } };
    expect(guardsOf(results, { ...read, record: away })).toEqual([]);
    expect(guardsOf(results, { ...read, record: { ...away, func: null } })).toEqual([]);
  });
});
