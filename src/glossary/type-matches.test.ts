/** Compares what the cards say about type_matches with what it compares. */
import { expect, it } from 'vitest';
import {
  array,
  enumeration,
  funcProto,
  int,
  type Member,
  ptr,
  struct,
  type TypeRecord,
} from '#testing/btf-types.ts';
import { matchCase } from '#testing/core-cases.ts';
import { cardOf } from './glossary.ts';
import type { TermId } from './term-names.ts';

type Types = readonly TypeRecord[];

const SIGNED = { encoding: 1 };
const INT = int('int', 4, SIGNED);
const LONG = int('long', 8, SIGNED);
const member = (name: string, type: number): Member => ({ name, type, bitOffset: 0 });
const s = (...members: readonly Member[]) => struct('s', 8, members);
const e = (size: number, ...names: readonly string[]) =>
  enumeration(
    'e',
    names.map((name, i) => [name, i] as const),
    { size },
  );
const proto = (result: number, ...params: readonly number[]) =>
  funcProto(
    result,
    params.map((type) => ['', type] as const),
  );

/** Phrase of a card; local and target types that differ in what the phrase names; the result. */
const PHRASES: readonly (readonly [TermId, string, Types, Types, boolean])[] = [
  [
    'type-matches',
    'each local member must be there with a matching type',
    [INT, s(member('a', 1))],
    [INT, s(member('b', 1))],
    false,
  ],
  [
    'type-matches',
    'each local member must be there with a matching type',
    [INT, s(member('a', 1))],
    [INT, s(member('b', 1), member('a', 1))],
    true,
  ],
  [
    'type-matches',
    'arrays match by number and type of elements',
    [INT, array(1, 1, 2)],
    [INT, array(1, 1, 3)],
    false,
  ],
  [
    'type-matches',
    'arrays match by number and type of elements',
    [INT, array(1, 1, 2)],
    [INT, LONG, array(2, 1, 2)],
    false,
  ],
  ['type-matches', 'pointers by their targets', [INT, ptr(1)], [LONG, ptr(1)], false],
  [
    'type-matches',
    'Of a struct or union after a pointer only name and kind count',
    [INT, s(member('a', 1)), ptr(2)],
    [INT, s(member('b', 1)), ptr(2)],
    true,
  ],
  ['type-matches', 'of integers name, size and sign', [INT], [int('long', 4, SIGNED)], false],
  ['type-matches', 'of integers name, size and sign', [LONG], [int('long', 4, SIGNED)], false],
  ['type-matches', 'of integers name, size and sign', [INT], [int('int', 4)], false],
  ['type-matches', 'of enums size and names of enumerators', [e(4, 'A')], [e(8, 'A')], false],
  ['type-matches', 'of enums size and names of enumerators', [e(4, 'A')], [e(4, 'B')], false],
  ['type-matches', 'of enums size and names of enumerators', [e(4, 'A')], [e(4, 'B', 'A')], true],
  [
    'type-matches',
    'of functions parameters and result',
    [INT, LONG, proto(1, 1)],
    [INT, LONG, proto(1, 2)],
    false,
  ],
  [
    'type-matches',
    'of functions parameters and result',
    [INT, LONG, proto(1, 1)],
    [INT, LONG, proto(2, 1)],
    false,
  ],
  [
    'errata-matches',
    'names of integers too, so that long long does not match long',
    [int('long long', 8, SIGNED)],
    [LONG],
    false,
  ],
  [
    'errata-matches',
    'and the number of elements of arrays',
    [INT, array(1, 1, 2)],
    [INT, array(1, 1, 0)],
    false,
  ],
  [
    'type-exists',
    'Members are not compared',
    [INT, s(member('a', 1))],
    [LONG, s(member('b', 1))],
    true,
  ],
];

const MATCHES = 12;
const EXISTS = 8;

it.each(PHRASES)('%s: %s', (card, phrase, local, target, isMatch) => {
  expect(cardOf(card)?.sentences.join(' ')).toContain(phrase);
  const kind = card === 'type-exists' ? EXISTS : MATCHES;
  const { outcome } = matchCase(local, target, '0', kind).verdict;
  expect(outcome).toBe(isMatch ? 'match' : 'miss');
});
