import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { array, enumeration, int, ptr, struct, union } from '#testing/btf-types.ts';
import { typesOfBlob } from '#testing/core-cases.ts';
import { accessPathOf } from './playground.ts';
import {
  bitfieldReadOf,
  coreReadOf,
  declarationOf,
  expressionOf,
  kindsOf,
  kindTexts,
} from './playground-text.ts';

/** [1] int, [2] int[4], [3] anonymous union, [4] inner, [5] inner *, [6] s, [7] e. */
const types = typesOfBlob([
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
  accessPathOf(types, { root: typeId(root), accessStr });
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
    expect(declarationOf(types, typeId(6))).toBe('struct s *p;');
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
    const texts = kindTexts(types, walk(6, '0:1:3'), 'field');
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
    expect(kindTexts(types, walk(6, '0'), 'field')).toEqual([]);
  });

  it('of a type', () => {
    expect(kindTexts(types, walk(6, '0:1'), 'type').map(({ macro }) => macro)).toEqual([
      'bpf_core_type_id_local(struct s)',
      'bpf_core_type_id_kernel(struct s)',
      'bpf_core_type_exists(struct s)',
      'bpf_core_type_size(struct s)',
      'bpf_core_type_matches(struct s)',
    ]);
    expect(kindTexts(types, walk(6, '0'), 'type')[1]?.builtin).toBe(
      '__builtin_btf_type_id(*(struct s *)0, BPF_TYPE_ID_TARGET)',
    );
    expect(kindTexts(types, walk(3, '0'), 'type')).toEqual([]);
  });

  it('of an enumerator', () => {
    expect(kindTexts(types, walk(7, '1'), 'enum')).toEqual([
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
    expect(kindTexts(types, walk(7, '2'), 'enum')).toEqual([]);
  });
});
