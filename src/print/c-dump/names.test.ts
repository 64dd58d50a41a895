import { describe, expect, it } from 'vitest';
import { areWords, spelledIdentifier, spelledString } from './names.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('an identifier', () => {
  it.each(['a', '_', 'task_struct', 'x86', '__proto__', 'gr\u00f6\u00dfe', ''])(
    '%j stands as it is',
    (name) => {
      expect(spelledIdentifier(bytes(name))).toBeNull();
    },
  );

  it.each([
    ['a b', 'a_x20b'],
    ['a;\n}', 'a_x3b_x0a_x7d'],
    ['0x18', '_0x18'],
    ['int', 'int_'],
    ['7-zip', '_7_x2dzip'],
    ['Vec<u8>', 'Vec_x3cu8_x3e'],
    ['a\u202eb', 'a_xe2_x80_xaeb'],
    // An invisible letter, and a letter that is not in Unicode's normal form.
    ['a\u3164', 'a_xe3_x85_xa4'],
    ['o\u0308', 'o_xcc_x88'],
  ])('%j is %s', (name, spelled) => {
    expect(spelledIdentifier(bytes(name))).toBe(spelled);
  });

  it('has each byte if it is not UTF-8', () => {
    expect(spelledIdentifier(Uint8Array.of(0x61, 0xff, 0x5c))).toBe('a_xff_x5c');
  });
});

describe('the name of a base type', () => {
  it.each([
    ['long unsigned int', true],
    ['_Bool', true],
    ['int; x', false],
    ['int  x', false],
    ['int\nx', false],
    ['', false],
  ])('%j: %s', (name, are) => {
    expect(areWords(bytes(name))).toBe(are);
  });
});

describe('a string', () => {
  it.each(['rcu', 'a b', "it's", 'a?b', 'gr\u00f6\u00dfe'])('%j is unchanged', (name) => {
    expect(spelledString(bytes(name))).toBeNull();
  });

  it.each([
    ['a"b', 'a\\"b'],
    ['a\\', 'a\\\\'],
    ['a\nb', 'a\\\\x0ab'],
    ['???/', '?\\?\\?/'],
  ])('%j is %s', (name, spelled) => {
    expect(spelledString(bytes(name))).toBe(spelled);
  });
});
