import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BY_NEWLINE, BY_OBJECT, lineStartsOf } from './text-lines.ts';

const encode = (text: string) => new TextEncoder().encode(text);

const cut = (text: string, starts: Uint32Array) =>
  [...starts].map((start, i) => text.slice(start, starts[i + 1]));

it('begins a line behind each line end', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', '\n')), (letters) => {
      const text = letters.join('');
      const lines = cut(text, lineStartsOf(encode(text), BY_NEWLINE, 1000));
      expect(lines).toEqual(text.match(/[^\n]*\n|[^\n]+/g) ?? []);
    }),
  );
});

it('begins a line at each type and item of bpftool’s JSON', () => {
  const text =
    '{"types":[{"id":1,"name":"a,{","size":4},{"id":2,"members":[{"name":"[{\\"x"},{"name":"}"}]}]}\n';
  expect(cut(text, lineStartsOf(encode(text), BY_OBJECT, 1000))).toEqual([
    '{"types":[',
    '{"id":1,"name":"a,{","size":4},',
    '{"id":2,"members":[',
    '{"name":"[{\\"x"},',
    '{"name":"}"}]}]}\n',
  ]);
});

it('gives no more lines than it may', () => {
  expect([...lineStartsOf(encode('\n\n\n\n'), BY_NEWLINE, 3)]).toEqual([0, 1, 2]);
  expect([...lineStartsOf(encode(''), BY_NEWLINE, 3)]).toEqual([]);
});
