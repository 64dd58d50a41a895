import { describe, expect, it } from 'vitest';
import {
  array,
  enumeration,
  int,
  type Member,
  ptr,
  struct,
  type TypeRecord,
} from '#testing/btf-types.ts';
import { type CoreCase, coreObject, targetOfBlob, typesOfBlob } from '#testing/core-cases.ts';
import { resolveObject } from './resolve.ts';
import { traceLines } from './trace-text.ts';

const I = int('int', 4, { encoding: 1 });
const member = (name: string, type: number, bitOffset = 0): Member => ({ name, type, bitOffset });

function traced(
  local: readonly TypeRecord[],
  target: readonly TypeRecord[],
  given: Partial<CoreCase> = {},
) {
  const types = typesOfBlob(local);
  const object = coreObject(types, [{ kind: 0, root: local.length, accessStr: '0:0', ...given }]);
  const kernel = targetOfBlob(target);
  const [result] = resolveObject(object, kernel, { trace: () => true });
  if (result === undefined) throw new Error('there is one record');
  const lines = traceLines(result, types, kernel);
  return {
    reason: result.reason,
    lines: lines.map(({ depth, text }) => '  '.repeat(depth) + text),
  };
}

describe('a trace as text', () => {
  it('records where the field was searched and what was written', () => {
    const local = [I, array(1, 1, 4), struct('s', 16, [member('a', 2)])];
    const target = [
      I,
      array(1, 1, 8),
      struct('', 40, [member('x', 1), member('a', 2, 64)]),
      struct('s', 48, [member('', 3, 32)]),
    ];
    expect(traced(local, target, { accessStr: '0:0:3', value: 12n }).lines).toEqual([
      'Searched vmlinux for this name and kind: 1 candidate.',
      'Candidate: [4] struct s in vmlinux.',
      'In this file: <byte_off> [3] struct s.a[3] (0:0:3 @ offset 12).',
      'Candidate 0: [4] struct s.',
      '  Element 0 of struct s, 48 bytes each: byte 0.',
      '  Member a is looked up in [4] struct s.',
      '      Member 0 of [4] has no name: its members, of [3], are searched in place.',
      '  a is member 1 of [3] struct {…}, at byte 8. The types are compatible.',
      '  [2] int [8] has 8 elements: element 3 is inside.',
      '  Element 3 of int, 4 bytes each: byte 12.',
      'Candidate 0 matches. Reached: <byte_off> [4] struct s.a[3] (0:0:1:3 @ offset 24).',
      'By the types of this file the number is 12, and 4 bytes are accessed.',
      'By the types of the target the number is 24, and 4 bytes are accessed.',
      'The instruction (LDIMM64) held 12 and now holds 24.',
      'Result: ok.',
    ]);
  });

  it('records the member at which two types differ', () => {
    const of = (leaf: TypeRecord) => [
      leaf,
      struct('i', 4, [member('x', 1)]),
      struct('s', 8, [member('m', 2)]),
    ];
    const { lines, reason } = traced(of(I), of(int('int', 8, { encoding: 1 })), {
      kind: 12,
      accessStr: '0',
      value: 1n,
    });
    expect(lines.slice(3)).toEqual([
      'Candidate 0: [3] struct s.',
      '    [3] STRUCT struct s here, [3] STRUCT struct s there.',
      '      Member m: [2] STRUCT struct i here, [2] STRUCT struct i there.',
      '        Member x: [1] INT int here, [1] INT int there.',
      '        They do not match: int has 4 bytes here, and int has 8 there.',
      'Candidate 0 does not match: at the member m.x, int has 4 bytes here, and int has 8 there. Reached: <type_matches> [3] struct s.',
      'No candidate matches: the result is 0.',
      'By the types of this file the number is 1.',
      'The instruction (LDIMM64) held 1 and now holds 0.',
      'Result: ok.',
    ]);
    expect(reason).toBe(
      'In the target at the member m.x, int has 4 bytes here, and int has 8 there: the answer is 0.',
    );
  });

  const one = [I, struct('s', 4, [member('a', 1)])];
  it.each([
    [
      'no type',
      one,
      [I],
      {},
      'The target has no type that matches struct s: the instruction becomes a call that no kernel accepts.',
    ],
    [
      'no member',
      one,
      [I, struct('s', 4, [member('b', 1)])],
      { kind: 2, value: 1n },
      'In the target struct s has no member a: the answer is 0.',
    ],
    [
      'no member in any of two',
      one,
      [struct('s', 4, []), struct('s___2', 4, [])],
      { kind: 2, value: 1n },
      'In the target struct s has no member a, nor does the other candidate fit: the answer is 0.',
    ],
    [
      'a member of another sort',
      one,
      [ptr(0), struct('s', 8, [member('a', 1)])],
      { kind: 2, value: 1n },
      'In the target the member a of struct s has a different kind: int is an int here, and void * is a pointer there: the answer is 0.',
    ],
    [
      'an element outside',
      [I, array(1, 1, 4), struct('s', 16, [member('a', 2)])],
      [I, array(1, 1, 2), struct('s', 16, [member('a', 2)])],
      { kind: 2, accessStr: '0:0:3', value: 1n },
      'In the target int [2] has 2 elements, and none with the number 3: the answer is 0.',
    ],
    [
      'no enumerator',
      [enumeration('e', [['A', 1]])],
      [enumeration('e', [['B', 1]])],
      { kind: 10, accessStr: '0', value: 1n },
      'In the target enum e has no enumerator A: the answer is 0.',
    ],
    [
      'another size of a load',
      one,
      [int('long', 8, { encoding: 1 }), struct('s', 8, [member('a', 1)])],
      { insn: Uint8Array.of(0x61, 0x11, 0, 0, 0, 0, 0, 0) },
      'The field has 4 bytes in this file and 8 in the target, and only pointers and unsigned integers may change size: the instruction becomes a call that no kernel accepts.',
    ],
    [
      'two places',
      one,
      [I, struct('s', 4, [member('a', 1)]), struct('s___2', 4, [member('a', 1, 32)])],
      {},
      'Two candidates match, and the field is at bit 0 of the first and at bit 32 of the next.',
    ],
    [
      'several that agree',
      one,
      [I, struct('s', 4, [member('a', 1)]), struct('s___2', 4, [member('a', 1)])],
      {},
      'The byte_off of struct s [2] and 1 more candidate that agree is 0, as in this file.',
    ],
    [
      'a wrong number',
      one,
      one,
      { value: 3n },
      'The instruction holds 3 where the types of this file say 0.',
    ],
    [
      'a wrong access string',
      one,
      one,
      { accessStr: '0:4' },
      'The access string cannot be followed: there is no member 4: struct s has 1 member.',
    ],
    [
      'a local id',
      one,
      [],
      { kind: 6, accessStr: '0' },
      'The id of the type in this file is 2; the target is not consulted.',
    ],
  ])('gives the reason: %s', (_what, local, target, given, reason) => {
    expect(traced(local, target, given).reason).toBe(reason);
  });
});
