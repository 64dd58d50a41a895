import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  fwd,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { askPaths, type PathsAnswer } from './ask-paths.ts';
import { buildFieldNames, suggestFields } from './field-names.ts';
import { endingsAround, membersNamed } from './path-goal.ts';
import { buildPathIndex } from './path-index.ts';

const indexOf = (...types: TypeRecord[]) => buildPathIndex(tableOf(btfBlob({ types }).bytes));

const ask = (index: ReturnType<typeof indexOf>, from: string, to: string, around = false) =>
  askPaths(index, { from, to, limit: 10, around });

/** Returns the members of each path as `type.index`; members of the wanted field follow a colon. */
const brief = (answer: PathsAnswer) =>
  answer.ok
    ? answer.paths.map(({ members, field }) =>
        [members, field]
          .map((part) => part.map((m) => `${m.type}.${m.index}`).join(' '))
          .join(': '),
      )
    : answer.problem.reason;

const network = indexOf(
  /* 1 */ int('int', 4),
  /* 2 */ struct('sock_common', 8, [
    { name: 'skc_family', type: 1, bitOffset: 0 },
    { name: 'skc_reuse', type: 1, bitOffset: 32 },
  ]),
  /* 3 */ struct('sock', 32, [
    { name: '__sk_common', type: 2, bitOffset: 0 },
    { name: 'sk_state', type: 1, bitOffset: 64 },
    { name: 'sk_all', type: 8, bitOffset: 128 },
  ]),
  /* 4 */ ptr(3),
  /* 5 */ struct('sk_buff', 8, [{ name: 'sk', type: 4, bitOffset: 0 }]),
  /* 6 */ typedef('pid_t', 1),
  /* 7 */ struct('pid', 8, [{ name: 'nr', type: 6, bitOffset: 0 }]),
  /* 8 */ array(7, 1, 2),
);

describe('the query', () => {
  it('is a field where no type has the name, and a type where one has', () => {
    expect(brief(ask(network, 'sk_buff', 'skc_reuse'))).toEqual(['5.0 3.0: 2.1']);
    expect(ask(network, 'sk_buff', 'pid')).toMatchObject({ goal: 'type' });
    expect(ask(network, 'sk_buff', '*.nr')).toMatchObject({ goal: 'field' });
  });

  it('is any member of a scalar type', () => {
    expect(brief(ask(network, 'sk_buff', 'pid_t'))).toEqual(['5.0 3.2: 7.0']);
  });

  it('is a field of a type, with its contents', () => {
    expect(brief(ask(network, 'sk_buff', 'sock.__sk_common.skc_reuse'))).toEqual(['5.0: 3.0 2.1']);
    expect(brief(ask(network, 'sock', 'sock.sk_state'))).toEqual([': 3.1']);
  });

  it('is the expansion of a kernel macro, unless there is such a member', () => {
    expect(ask(network, 'sk_buff', 'sk_family')).toMatchObject({ macro: 'skc_family' });
    expect(brief(ask(network, 'sk_buff', 'sk_family'))).toEqual(['5.0 3.0: 2.0']);
    expect(ask(network, 'sk_buff', 'sock.sk_family')).toMatchObject({
      macro: '__sk_common.skc_family',
    });
    expect(ask(network, 'sk_buff', 'sk_state')).toMatchObject({ macro: null });
  });

  it.each([
    ['', 'sock', 'from', 'blank'],
    ['sock', ' ', 'to', 'blank'],
    ['nothing', 'sock', 'from', 'unknown'],
    ['sock', 'nothing', 'to', 'unknown'],
    ['sock.sk_state', 'sock', 'from', 'unknown'],
    ['pid_t', 'sock', 'from', 'no-members'],
    ['sock', 'pid_t.nr', 'to', 'no-members'],
    ['sock', 'sock.sk_stat', 'to', 'no-field'],
    ['sock', 'sock.sk_state.x', 'to', 'pointer'],
    ['sock', 'sock.sk_all[1].nr', 'to', 'element'],
    ['sock', 'struct nothing', 'to', 'unknown'],
  ])('from %j to %j is a problem of %s: %s', (from, to, end, reason) => {
    expect(ask(network, from, to)).toMatchObject({ ok: false, problem: { end, reason } });
  });

  it('suggests similar names of a missing field', () => {
    expect(ask(network, 'sock', 'sock.sk_stat')).toMatchObject({ problem: { near: ['sk_state'] } });
  });
});

describe('types that are odd', () => {
  it('resolves a declaration to the full type of its name and keyword', () => {
    const index = indexOf(
      fwd('b'),
      fwd('b', 'union'),
      ptr(1),
      ptr(2),
      struct('a', 16, [
        { name: 'u', type: 4, bitOffset: 0 },
        { name: 's', type: 3, bitOffset: 64 },
      ]),
      struct('b', 4, [{ name: 'x', type: 7, bitOffset: 0 }]),
      int('int', 4),
    );
    expect(brief(ask(index, 'a', 'x'))).toEqual(['5.1: 6.0']);
    expect(brief(ask(index, 'a', 'union b'))).toEqual(['5.0: ', '5.1: ']);
  });

  it('an array of no elements is gone into only as the last named member', () => {
    const index = indexOf(
      int('int', 4),
      struct('e', 4, [{ name: 'x', type: 1, bitOffset: 0 }]),
      array(2, 1, 0),
      struct('a', 8, [
        { name: 'none', type: 3, bitOffset: 0 },
        { name: 'n', type: 1, bitOffset: 0 },
        { name: 'all', type: 3, bitOffset: 32 },
      ]),
      ptr(3),
      struct('b', 8, [{ name: 'p', type: 5, bitOffset: 0 }]),
    );
    expect(brief(ask(index, 'a', 'e'))).toEqual(['4.2: ']);
    expect(brief(ask(index, 'b', 'e'))).toEqual([]);
  });

  it('circles of typedefs, pointers to themselves and wrong ids end a path', () => {
    const index = indexOf(
      typedef('t', 2),
      typedef('u', 1),
      ptr(3),
      struct('a', 8, [
        { name: 't', type: 1, bitOffset: 0 },
        { name: 'p', type: 3, bitOffset: 0 },
        { name: 'q', type: 99, bitOffset: 0 },
        { name: 'me', type: 4, bitOffset: 0 },
      ]),
    );
    expect(index.to).toHaveLength(1);
    expect(brief(ask(index, 'a', 'a'))).toEqual(['4.3: ']);
    expect(brief(ask(index, 'a', 't'))).toEqual([': 4.0']);
  });

  it('any types are answered for', () => {
    const anyType = fc.nat(12);
    const anyName = fc.constantFrom('', 'a', 'b', 'c');
    const members = fc.array(fc.record({ name: anyName, type: anyType, bitOffset: fc.nat(64) }), {
      maxLength: 4,
    });
    const anyRecord: fc.Arbitrary<TypeRecord> = fc.oneof(
      anyType.map((type) => ptr(type)),
      fc.tuple(anyName, anyType).map(([name, type]) => typedef(name, type)),
      fc.tuple(anyType, fc.nat(2)).map(([type, count]) => array(type, 1, count)),
      fc.tuple(anyName, members).map(([name, all]) => struct(name, 8, all)),
      fc.tuple(anyName, members).map(([name, all]) => union(name, 8, all)),
      anyName.map((name) => fwd(name)),
      anyName.map((name) => int(name, 4)),
    );
    fc.assert(
      fc.property(
        fc.array(anyRecord, { maxLength: 10 }),
        fc.constantFrom('a', 'b', 'struct a', 'typedef:~0'),
        fc.constantFrom('a', '*.b', 'b.c', 'c', 'union b', 'a.b.c'),
        fc.boolean(),
        (records, from, to, around) => {
          const answer = askPaths(indexOf(...records), { from, to, limit: 20, around });
          if (answer.ok) expect(answer.paths.length).toBeLessThanOrEqual(20);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe('paths by container_of into hostile types', () => {
  const part = (i: number) => struct(`p${i}`, 4, [{ name: 'x', type: 1, bitOffset: 0 }]);

  it('end at no more than 65,536 pairs of a part and a field', () => {
    const indices = Array.from({ length: 400 }, (_, i) => i);
    const index = indexOf(
      int('int', 4),
      ...indices.map(part),
      struct('s', 3200, [
        ...indices.map((i) => ({ name: 'm', type: 1, bitOffset: 32 * i })),
        ...indices.map((i) => ({ name: 'part', type: 2 + i, bitOffset: 32 * i })),
      ]),
    );
    expect(endingsAround(index, membersNamed(index, 'm'))).toHaveLength(65_536);
  });

  it.each([
    [511, 1],
    [512, 0],
  ])('start at parts up to 512 members deep: %i anonymous members', (levels, count) => {
    const index = indexOf(
      int('int', 4),
      part(0),
      ...Array.from({ length: levels }, (_, i) =>
        struct('', 4, [{ name: '', type: 2 + i, bitOffset: 0 }]),
      ),
      struct('s', 8, [
        { name: '', type: 2 + levels, bitOffset: 0 },
        { name: 'm', type: 1, bitOffset: 32 },
      ]),
    );
    const around = endingsAround(index, membersNamed(index, 'm'));
    expect(around.map((ending) => ending.container?.members.length)).toEqual(
      Array(count).fill(levels + 1),
    );
  });
});

describe('names that are suggested', () => {
  const fields = buildFieldNames(network);
  const names = (typed: string) => suggestFields(network, fields, typed, 4).map(({ name }) => name);

  it('are those of members, the whole name first, and macros that expand to some', () => {
    expect(names('sk_fam')).toEqual(['sk_family']);
    expect(names('*.skc_f')).toEqual(['skc_family']);
    expect(names('nr')).toEqual(['nr']);
    expect(names('sk')).toHaveLength(4);
    expect(names('sk')[0]).toBe('sk');
  });

  it('are the members of a type behind its dot', () => {
    expect(names('sock.sk')).toEqual(['sk_all', 'sk_state', '__sk_common']);
    expect(names('nothing.sk')).toEqual([]);
  });

  it('are none for an empty query', () => {
    expect(names('')).toEqual([]);
  });
});
