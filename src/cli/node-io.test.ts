import { describe, expect, it } from 'vitest';
import { expandedWords } from './node-io.ts';

const FOLDERS = new Map([
  ['.', ['b.o', 'A.O', 'a(1).o', 'ab', '.hidden.o', 'x.btf']],
  ['kernels\\', ['6.1.btf', '6x1.btf']],
]);
const expanded = (...words: string[]) =>
  expandedWords(words, (folder) => FOLDERS.get(folder) ?? []);

describe('patterns, on shells that leave them', () => {
  it.each([
    [
      ['load', '*.o'],
      ['load', 'A.O', 'a(1).o', 'b.o'],
    ],
    [['?.o'], ['A.O', 'b.o']],
    [['a(?).o'], ['a(1).o']],
    [['.h*'], ['.hidden.o']],
    [['kernels\\6.?.btf'], ['kernels\\6.1.btf']],
    [
      ['type', 'x.btf', '*.pid'],
      ['type', 'x.btf', '*.pid'],
    ],
    [
      ['none/*.o', '--member=*'],
      ['none/*.o', '--member=*'],
    ],
    [['plain.o'], ['plain.o']],
  ])('%j is %j', (words, names) => {
    expect(expanded(...words)).toEqual(names);
  });
});
