import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import {
  array,
  enumeration,
  fwd,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
} from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { corpusKernels, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import {
  accessPathOf,
  accessStringOf,
  bitfieldReadOf,
  coreReadOf,
  declarationOf,
  expressionOf,
  goInto,
  indexPlace,
  kindsOf,
  kindTexts,
  onward,
} from './playground.ts';

/** Ids: 1 int, 2 int[4], 3 anonymous union, 4 inner, 5 inner *, 6 s, 7 enum, 8 fwd *, 10 s_t. */
const types = typesOfBlob([
  int('int', 4),
  array(1, 1, 4),
  union('', 4, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 1, bitOffset: 0 },
  ]),
  struct('inner', 8, [{ name: 'x', type: 1, bitOffset: 32 }]),
  ptr(4),
  struct('s', 48, [
    { name: '', type: 3, bitOffset: 0 },
    { name: 'm', type: 2, bitOffset: 32 },
    { name: 'p', type: 5, bitOffset: 192 },
    { name: 'f', type: 8, bitOffset: 256 },
    { name: 'in', type: 4, bitOffset: 320 },
  ]),
  enumeration('e', [
    ['ONE', 1],
    ['TWO', 2],
  ]),
  ptr(9),
  fwd('hidden'),
  typedef('s_t', 6),
]);
const S = typeId(6);
const E = typeId(7);

const at = (accessStr: string, root = S) => onward(types, accessPathOf(types, { root, accessStr }));

describe('where a path continues', () => {
  it.each([
    ['the struct itself', '0', { kind: 'members', container: 6, count: 5 }],
    ['an anonymous member', '0:0', { kind: 'members', container: 3, count: 2 }],
    ['an array', '0:1', { kind: 'elements', elemType: 1, count: 4 }],
    ['a pointer', '0:2', { kind: 'pointer', to: 4 }],
  ])('%s', (_, accessStr, expected) => {
    expect(at(accessStr)).toEqual(expected);
  });

  it('ends in a number, in a fault, and before a type that is only declared', () => {
    expect([at('0:0:1'), at('0:9'), at('0:3')]).toEqual([null, null, null]);
  });

  it('skips typedefs, and searches enums', () => {
    expect(at('0', typeId(10))).toMatchObject({ kind: 'members', container: 6 });
    expect(at('', E)).toEqual({ kind: 'enumerators', container: 7, count: 2 });
  });
});

it('writes access strings from numbers, of enums without the pointer', () => {
  expect(accessStringOf(types, S, [])).toBe('0');
  expect(accessStringOf(types, S, [0, 1])).toBe('0:0:1');
  expect(accessStringOf(types, E, [1])).toBe('1');
  expect(accessStringOf(types, E, [])).toBe('');
});

it('continues from an access, and drops those after it', () => {
  const accesses = [
    { root: S, accessStr: '0:2' },
    { root: typeId(4), accessStr: '0:0' },
  ];
  expect(goInto(accesses, 1, 3)).toEqual([accesses[0], { root: typeId(4), accessStr: '0:0:3' }]);
  expect(goInto(accesses, 0, 1)).toEqual([{ root: S, accessStr: '0:2:1' }]);
  expect(goInto(accesses, 2, 1)).toEqual(accesses);
});

it.each([
  ['1:2:0:5', 3, { start: 6, length: 1 }],
  ['1:200:0', 1, { start: 2, length: 3 }],
  ['0:', 1, { start: 2, length: 1 }],
  ['', 0, { start: 0, length: 1 }],
  ['0:1', 7, { start: 3, length: 1 }],
])('finds the index of %s that is meant by %i', (accessStr, step, place) => {
  expect(indexPlace(accessStr, step)).toEqual(place);
});

/** Follows one member or element per choice. Returns the indices and the path at the end. */
function wander(t: TypeTable, root: number, choices: readonly number[]) {
  const path: number[] = [];
  let walked = accessPathOf(t, { root: typeId(root), accessStr: '0' });
  for (const choice of choices) {
    const next = onward(t, walked);
    if (next === null || next.kind === 'pointer' || next.kind === 'enumerators') break;
    const index = choice % (next.count ?? 1);
    const further = accessPathOf(t, {
      root: typeId(root),
      accessStr: accessStringOf(t, typeId(root), [...path, index]),
    });
    // An index fails in a flexible array before the final member, or in elements without a size.
    if (further.error !== null && next.kind === 'elements') break;
    expect(further.error).toBeNull();
    path.push(index);
    walked = further;
  }
  return { path, walked };
}

const anyName = fc.constantFrom('', 'a', 'b', 'c');
const anyMembers = fc.array(
  fc.record({ name: anyName, type: fc.nat(9), bitOffset: fc.nat(200).map((n) => 8 * n) }),
  { maxLength: 4 },
);
const anyRecord: fc.Arbitrary<TypeRecord> = fc.oneof(
  fc.tuple(anyName, fc.nat(40), anyMembers).map(([name, size, list]) => struct(name, size, list)),
  fc.tuple(anyName, fc.nat(40), anyMembers).map(([name, size, list]) => union(name, size, list)),
  fc.tuple(fc.nat(9), fc.nat(3)).map(([type, nelems]) => array(type, type, nelems)),
  fc.tuple(anyName, fc.nat(9)).map(([name, type]) => typedef(name, type)),
  fc.nat(9).map(ptr),
  anyName.map((name) => int(name, 4)),
);

describe('round trip', () => {
  it('a walked path has the access string that walks it, in any types', () => {
    let steps = 0;
    fc.assert(
      fc.property(
        fc.array(anyRecord, { minLength: 1, maxLength: 9 }),
        fc.array(fc.nat(7), { maxLength: 6 }),
        (list, choices) => {
          const t = typesOfBlob(list);
          for (let root = 1; root <= list.length; root++) {
            const { path, walked } = wander(t, root, choices);
            if (walked.error !== null) continue;
            expect(walked.steps.slice(1).map((step) => step.index)).toEqual(path);
            expect(accessStringOf(t, typeId(root), path)).toBe(walked.accessStr);
            steps += path.length;
          }
        },
      ),
    );
    expect(steps).toBeGreaterThan(100);
  });

  it.skipIf(!isLargeCorpus)('the same in a kernel', async () => {
    const [kernel] = corpusKernels();
    if (kernel === undefined) throw new Error('the corpus has no kernel');
    const { types: t } = await openModel(kernel.name, readCorpusFile(kernel));
    if (t === null) throw new Error('a kernel has types');
    let ways = 0;
    for (let id = 1; id <= t.count; id += 7) {
      if (!isComposite(kindOf(t, typeId(id)))) continue;
      const { path, walked } = wander(t, id, [id, id * 3, id * 5, 1, 0]);
      expect(walked.steps.slice(1).map((step) => step.index)).toEqual(path);
      ways += 1;
    }
    expect(ways).toBeGreaterThan(1_000);
  });
});

/** [1] int, [2] int[4], [3] anonymous union, [4] inner, [5] inner *, [6] s, [7] e. */
const namedTypes = typesOfBlob([
  int('int', 4),
  array(1, 1, 4),
  union('', 4, [{ name: 'a', type: 1, bitOffset: 0 }]),
  struct('inner', 8, [
    { name: 'flag', type: 1, bitOffset: 3, bitfieldSize: 2 },
    { name: 'x', type: 1, bitOffset: 32 },
  ]),
  ptr(4),
  struct('s', 48, [
    { name: '', type: 3, bitOffset: 0 },
    { name: 'm', type: 2, bitOffset: 32 },
    { name: 'p', type: 5, bitOffset: 192 },
  ]),
  enumeration('e', [
    ['ONE', 1],
    ['TWO', 2],
  ]),
]);
const walk = (root: number, accessStr: string) =>
  accessPathOf(namedTypes, { root: typeId(root), accessStr });
const paths = (...accesses: readonly (readonly [number, string])[]) =>
  accesses.map(([root, accessStr]) => walk(root, accessStr));

describe('in C', () => {
  it.each([
    ['a field behind an anonymous member', paths([6, '0:0:0']), 'p->a', 'BPF_CORE_READ(p, a)'],
    ['an element', paths([6, '0:1:3']), 'p->m[3]', 'BPF_CORE_READ(p, m[3])'],
    ['an element of the pointer', paths([6, '2:1:3']), 'p[2].m[3]', 'BPF_CORE_READ(p + 2, m[3])'],
    ['two accesses', paths([6, '0:2'], [4, '0:1']), 'p->p->x', 'BPF_CORE_READ(p, p, x)'],
    ['a bit-field', paths([4, '0:0']), 'p->flag', null],
    ['the struct itself', paths([6, '0']), '*p', null],
    ['one struct on', paths([6, '3']), 'p[3]', null],
    ['an array as root', paths([2, '0:1']), '(*p)[1]', null],
    ['an anonymous member', paths([6, '0:0']), null, null],
    ['an element behind an access', paths([6, '0:2'], [4, '1:1']), 'p->p[1].x', null],
  ])('%s', (_, list, expression, read) => {
    expect(expressionOf(list)).toBe(expression);
    expect(coreReadOf(list)).toBe(read);
  });

  it('declares the variable, and reads bit-fields by their own macro', () => {
    expect(declarationOf(namedTypes, typeId(6))).toBe('struct s *p;');
    expect(bitfieldReadOf(walk(4, '0:0'))).toBe('BPF_CORE_READ_BITFIELD_PROBED(p, flag)');
    expect(bitfieldReadOf(walk(4, '1:0'))).toBe('BPF_CORE_READ_BITFIELD_PROBED((p + 1), flag)');
    expect(bitfieldReadOf(walk(4, '0:1'))).toBeNull();
  });
});

describe('questions by kind', () => {
  it('has a text for every kind of relocation', () => {
    const all = [...kindsOf('field'), ...kindsOf('type'), ...kindsOf('enum')];
    expect(all.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('of a field', () => {
    const texts = kindTexts(namedTypes, walk(6, '0:1:3'), 'field');
    expect(texts.map((text) => text.kind)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(texts[0]).toEqual({
      kind: 0,
      macro: 'bpf_core_field_offset(p->m[3])',
      builtin: '__builtin_preserve_field_info(p->m[3], BPF_FIELD_BYTE_OFFSET)',
    });
    expect(texts[5]).toEqual({
      kind: 5,
      macro: null,
      builtin: '__builtin_preserve_field_info(p->m[3], BPF_FIELD_RSHIFT_U64)',
    });
    expect(kindTexts(namedTypes, walk(6, '0'), 'field')).toEqual([]);
  });

  it('of a type', () => {
    expect(kindTexts(namedTypes, walk(6, '0:1'), 'type').map(({ macro }) => macro)).toEqual([
      'bpf_core_type_id_local(struct s)',
      'bpf_core_type_id_kernel(struct s)',
      'bpf_core_type_exists(struct s)',
      'bpf_core_type_size(struct s)',
      'bpf_core_type_matches(struct s)',
    ]);
    expect(kindTexts(namedTypes, walk(6, '0'), 'type')[1]?.builtin).toBe(
      '__builtin_btf_type_id(*(struct s *)0, BPF_TYPE_ID_TARGET)',
    );
    expect(kindTexts(namedTypes, walk(3, '0'), 'type')).toEqual([]);
  });

  it('of an enumerator', () => {
    expect(kindTexts(namedTypes, walk(7, '1'), 'enum')).toEqual([
      {
        kind: 10,
        macro: 'bpf_core_enum_value_exists(enum e, TWO)',
        builtin: '__builtin_preserve_enum_value(*(enum e *)TWO, BPF_ENUMVAL_EXISTS)',
      },
      {
        kind: 11,
        macro: 'bpf_core_enum_value(enum e, TWO)',
        builtin: '__builtin_preserve_enum_value(*(enum e *)TWO, BPF_ENUMVAL_VALUE)',
      },
    ]);
    expect(kindTexts(namedTypes, walk(7, '2'), 'enum')).toEqual([]);
  });
});
