import { expect, it } from 'vitest';
import { declared, pointedFunction, prototypeText } from './prototype.ts';

it.each([
  ['int', 'int x'],
  ['char *', 'char *x'],
  ['const char * const', 'const char * const x'],
  ['char [16]', 'char x[16]'],
  ['struct page *[2]', 'struct page *x[2]'],
  ['const char (* const)[32]', 'const char (* const x)[32]'],
  ['void (*)(int)', 'void (*x)(int)'],
  ['int (*[3])(void)', 'int (*x[3])(void)'],
  ['void (*(*)(int))(long int)', 'void (*(*x)(int))(long int)'],
  ['int (int)', 'int x(int)'],
  ['struct {...} *', 'struct {...} *x'],
])('declares a name as %s', (type, text) => {
  expect(declared(type, 'x')).toBe(text);
});

it('writes functions that return pointers to functions', () => {
  const params = [{ name: 'sig', type: 'int' }];
  expect(prototypeText('void (*)(int)', 'signal', params)).toBe('void (*signal(int sig))(int)');
});

it.each([
  ['void (*)(void *, bool)', 'void', ['void *', 'bool']],
  ['int (*)(void (*)(int, char), char [4])', 'int', ['void (*)(int, char)', 'char [4]']],
  ['struct x *(*)(void)', 'struct x *', []],
])('tells the parameters of %s apart', (type, returns, params) => {
  expect(pointedFunction(type)).toEqual({ returns, params });
});

it.each(['int', 'int (int)', 'void (*(*)(int))(char)', 'void (*)(int))(', 'int (* const)(int)'])(
  'takes %s as no pointer to a function',
  (type) => {
    expect(pointedFunction(type)).toBeNull();
  },
);
