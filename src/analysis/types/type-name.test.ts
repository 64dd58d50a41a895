import { expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enumeration,
  float,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  typedef,
  typeTag,
  union,
  variable,
} from '#testing/btf-types.ts';
import { tableOf } from '#testing/type-table.ts';
import { typeExpression, typeTitle } from './type-name.ts';

const t = tableOf(
  btfBlob({
    types: [
      int('int', 4), // 1
      struct('foo', 4, []),
      modifier('const', 2),
      ptr(3),
      array(1, 1, 16), // 5
      funcProto(1, [
        ['p', 7],
        ['n', 1],
      ]),
      ptr(0),
      ptr(6),
      ptr(10),
      int('char', 1), // 10
      array(9, 1, 4),
      array(5, 1, 2),
      ptr(5),
      struct('', 4, []),
      modifier('volatile', 14), // 15
      union('', 4, []),
      enumeration('', []),
      ptr(17),
      fwd('u', 'union'),
      typedef('foo_t', 2), // 20
      func('run', 6),
      variable('counter', 1),
      datasec('.bss', 4, []),
      typeTag('user', 2),
      ptr(24), // 25
      declTag('mark', 2),
      float('double', 8),
      ptr(28),
      funcProto(0, [['', 0]]),
      funcProto(8, [
        ['fmt', 9],
        ['', 0],
      ]), // 30
      ptr(99),
      enumeration('color', [['RED', 0]]),
      struct('x'.repeat(300), 0, []),
      modifier('restrict', 4),
      ptr(21), // 35
      modifier('const', 9),
    ],
  }).bytes,
);

it.each([
  [0, 'void', 'void'],
  [1, 'int', 'int'],
  [2, 'struct foo', 'foo'],
  [4, 'const struct foo *', 'const struct foo *'],
  [5, 'int [16]', 'int [16]'],
  [6, 'int (void *, int)', 'int (void *, int)'],
  [8, 'int (*)(void *, int)', 'int (*)(void *, int)'],
  [11, 'char *[4]', 'char *[4]'],
  [12, 'int [2][16]', 'int [2][16]'],
  [13, 'int (*)[16]', 'int (*)[16]'],
  [14, 'struct {…}', '(anon)'],
  [15, 'volatile struct {…}', 'volatile struct {…}'],
  [16, 'union {…}', '(anon)'],
  [18, 'enum {…} *', 'enum {…} *'],
  [19, 'union u', 'u'],
  [20, 'foo_t', 'foo_t'],
  [21, 'run()', 'run'],
  [22, 'counter', 'counter'],
  [23, '.bss', '.bss'],
  [25, 'struct foo __attribute__((btf_type_tag("user"))) *', undefined],
  [26, '__attribute__((btf_decl_tag("mark")))', 'mark'],
  [27, 'double', 'double'],
  [28, '/* loop at [28] */ *', undefined],
  [29, 'void (void)', undefined],
  [30, 'int (*(char *, ...))(void *, int)', undefined],
  [31, '/* no type [99] */ *', undefined],
  [32, 'enum color', 'color'],
  [34, 'const struct foo * restrict', undefined],
  [35, '/* FUNC run */ *', undefined],
  [36, 'char * const', undefined],
  [99, '/* no type [99] */', '[99]'],
])('[%i] is %s', (id, expression, title) => {
  expect(typeExpression(t, typeId(id))).toBe(expression);
  expect(typeTitle(t, typeId(id))).toBe(title ?? expression);
});

it('spells a tag with kind_flag as the attribute that it is', () => {
  const tagged = tableOf(
    btfBlob({
      types: [
        struct('foo', 0, []),
        { ...declTag('aligned(4)', 1), kindFlag: true },
        { ...typeTag('address_space(1)', 1), kindFlag: true },
        ptr(3),
      ],
    }).bytes,
  );
  expect(typeExpression(tagged, typeId(2))).toBe('__attribute__((aligned(4)))');
  expect(typeExpression(tagged, typeId(4))).toBe('struct foo __attribute__((address_space(1))) *');
});

it('cuts at 200 characters', () => {
  expect(typeExpression(t, typeId(33))).toBe(`struct ${'x'.repeat(193)}…`);
  expect(typeTitle(t, typeId(33))).toBe(`${'x'.repeat(200)}…`);
});
