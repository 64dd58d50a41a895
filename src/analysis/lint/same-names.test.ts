import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { RESOLVED_NAMES, sameNames } from './same-names.ts';

const STATIC = 0;

function found(
  types: readonly TypeRecord[],
  base: readonly TypeRecord[] | null = null,
  most?: number,
) {
  const below = base === null ? null : btfBlob({ types: base });
  const baseTable = below === null ? null : tableOf(below.bytes);
  const strings = baseTable === null ? 0 : baseTable.strEnd - baseTable.strStart;
  const t = tableOf(btfBlob({ types, baseStringLength: strings }).bytes, baseTable);
  const work = sameNames(t, '.BTF', RESOLVED_NAMES, most);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

const line = ({ severity, message, found: difference }: Issue) =>
  `${severity}: ${message} (${difference ?? ''})`;

const holding = (name: string, member: string, type: number, size = 8) =>
  struct(name, size, [{ name: member, type, bitOffset: 0 }]);

describe('structs of one name', () => {
  it('are notes with the first differences', () => {
    const types = [int('int', 4), holding('s', 'x', 1), holding('s', 'y', 1, 16)];
    expect(found(types).issues.map(line)).toEqual([
      'note: 2 STRUCTs named s differ: [2], [3] ([3] size 8 → 16, y in the place of x)',
    ]);
  });

  it('are warnings if the build of the kernel looks the name up', () => {
    const types = [
      int('int', 4),
      holding('task_struct', 'x', 1),
      holding('task_struct', 'x', 1, 16),
    ];
    const [issue] = found(types).issues;
    expect(issue).toMatchObject({ severity: 'warning', code: 'btf.same-name-resolved' });
    expect(issue?.advice).toContain('resolve_btfids takes the first, [2], for BTF_ID.');
  });

  it('name the types that contain each, through pointers, and those that contain all', () => {
    const types = [
      int('int', 4),
      holding('s', 'x', 1),
      holding('s', 'y', 1),
      ptr(2),
      holding('one', 'p', 4),
      struct('both', 16, [
        { name: 'p', type: 4, bitOffset: 0 },
        { name: 'q', type: 3, bitOffset: 64 },
      ]),
    ];
    expect(found(types).issues[0]?.advice).toContain(
      '[2] is used by struct one, struct both; [3] is used by struct both; all of them by struct both.',
    );
  });

  it('are used by types behind many without a name', () => {
    const types = [
      int('int', 4),
      holding('s', 'x', 1),
      holding('s', 'y', 1),
      ...Array.from({ length: 600 }, () => ptr(2)),
      holding('one', 'p', 4),
    ];
    expect(found(types).issues[0]?.advice).toContain(
      '[2] is used by struct one; [3] is used by no named type.',
    );
  });

  it('are listed by the ids of the first, with the number of the others', () => {
    const types = [
      int('int', 4),
      ...Array.from({ length: 12 }, (_, i) => holding('s', `member_${i}`, 1)),
    ];
    const [issue] = found(types).issues;
    expect(issue?.message).toMatch(/^12 STRUCTs named s differ: \[2\], .*\[10\] and 3 more$/);
  });

  it('are not deduplicated if they are identical', () => {
    const types = [int('int', 4), holding('s', 'x', 1), holding('s', 'x', 1)];
    expect(found(types).issues.map(line)).toEqual([
      'note: 2 STRUCTs named s are identical: [2], [3] ()',
    ]);
  });

  it('are not grouped without a name', () => {
    const types = [enumeration('', [['A', 1]]), enumeration('', [['A', 2]])];
    expect(found(types).issues).toEqual([]);
  });
});

describe('functions of one name', () => {
  it('are counted and shown with their prototypes', () => {
    const types = [
      int('int', 4),
      funcProto(1, [['a', 1]]),
      funcProto(0, []),
      func('f', 2, STATIC),
      func('f', 3, STATIC),
    ];
    const { issues, mixedFuncs } = found(types);
    expect(mixedFuncs).toBe(1);
    expect(issues.map(line)).toEqual([
      'note: 2 FUNCs named f have different prototypes: [4], [5] ([4] int f(int a); [5] void f(void); first difference: result int → void)',
    ]);
  });
});

describe('functions of one name and of equal types', () => {
  const named = (first: string, second: string, type = 1) => [
    int('int', 4),
    holding('s', 'x', 1),
    ptr(2),
    funcProto(1, [[first, 3]]),
    funcProto(1, [[second, type]]),
    func('f', 4, STATIC),
    func('f', 5, STATIC),
  ];

  it('are no finding if only their parameters are named otherwise', () => {
    expect(found(named('regs', '__unused', 3)).issues).toEqual([]);
  });

  it('are a note if a parameter has another type as well', () => {
    expect(found(named('regs', '__unused')).issues).toHaveLength(1);
  });

  /** Two functions with one parameter: of type 3 and of the type that is last in `types`. */
  const ofTypes = (...types: TypeRecord[]) => {
    const last = types.length;
    const protos = [funcProto(1, [['a', 3]]), funcProto(1, [['b', last]])];
    const funcs = [func('f', last + 1, STATIC), func('f', last + 2, STATIC)];
    return found([...types, ...protos, ...funcs]).issues.filter(({ code }) => code === FUNCS);
  };
  const FUNCS = 'btf.same-name.FUNC';
  const START = [int('int', 4), typedef('number', 1)];

  it.each<[string, readonly TypeRecord[]]>([
    ['a typedef behind a pointer', [...START, ptr(1), ptr(2)]],
    ['const behind a pointer', [...START, ptr(1), modifier('const', 1), ptr(4)]],
    ['a declared struct', [...START, ptr(4), holding('s', 'x', 1), fwd('s'), ptr(5)]],
    ['a struct', [...START, ptr(4), holding('s', 'x', 1), holding('s', 'x', 1, 16), ptr(5)]],
    ['an array of a typedef', [...START, array(1, 1, 4), array(2, 1, 4)]],
    ['prototypes', [...START, ptr(4), funcProto(1, [['x', 2]]), funcProto(2, [['y', 1]]), ptr(5)]],
  ])('are no finding if they differ in %s', (_what, types) => {
    expect(ofTypes(...types)).toEqual([]);
  });

  it.each<[string, readonly TypeRecord[]]>([
    ['parameter 1 int * → const int', [...START, ptr(1), modifier('const', 1)]],
    ['parameter 1 int [4] → int [5]', [...START, array(1, 1, 4), array(1, 1, 5)]],
    ['parameter 1 int * → struct s *', [...START, ptr(1), holding('s', 'x', 1), ptr(4)]],
  ])('are a note with the difference %s', (difference, types) => {
    const [issue] = ofTypes(...types);
    expect(issue?.found).toContain(`first difference: ${difference}`);
  });
});

describe('types of a module', () => {
  const BASE = [int('int', 4), holding('s', 'x', 1), enumeration('e', [['A', 1]])];

  it('are compared with those of the base', () => {
    const own = [holding('s', 'x', 1, 16), enumeration('e', [['A', 1]]), holding('own', 'x', 1)];
    expect(found(own, BASE).issues.map(line)).toEqual([
      'note: STRUCT s [4] differs from [2] of the base ([4] size 8 → 16)',
    ]);
  });
});

it('ends after a bounded number of comparisons', () => {
  const types = ['a', 'b', 'c'].flatMap((name) => [holding(name, 'x', 1), holding(name, 'y', 1)]);
  const codes = (most: number) =>
    found([int('int', 4), ...types], null, most).issues.map(({ code }) => code);
  expect(codes(1000)).toEqual(new Array(3).fill('btf.same-name.STRUCT'));
  expect(codes(1)).toEqual(['btf.same-name.STRUCT', 'btf.same-name-more']);
});
