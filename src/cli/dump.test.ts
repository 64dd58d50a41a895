/** Tests of `btfscope raw`, `json` and `c` on several files. */
import { describe, expect, it } from 'vitest';
import { append } from '#bytes/arrays.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct, typedef } from '#testing/btf-types.ts';
import { runCommand } from '#testing/run-command.ts';

const base = btfBlob({ types: [int('int', 4, { encoding: 1 }), typedef('u32', 1)] });
const baseStringLength = base.bytes.length - base.stringsOffset;
const split = (name: string, member: string) =>
  btfBlob({
    types: [struct(name, 4, [{ name: member, type: 2, bitOffset: 0 }]), ptr(3), typedef('id', 1)],
    baseStringLength,
  }).bytes;
const files = new Map([
  ['base', base.bytes],
  ['a', split('a', 'x')],
  ['b', split('b', 'y')],
  ['text', Buffer.from('Hello, io\n')],
  ['cut', split('b', 'y').subarray(0, -1)],
  ['circle', btfBlob({ types: [ptr(4), ptr(3)], baseStringLength }).bytes],
]);

const btfscope = (line: string) => runCommand(line.split(' '), files);
const merged = async (line: string) => (await btfscope(`${line} --base base`)).out;

describe('several files on one base', () => {
  it('are one list of types without duplicates, with one file after the other', async () => {
    expect(await merged('raw a b a')).toBe(
      [
        "[3] STRUCT 'a' size=4 vlen=1",
        "\t'x' type_id=2 bits_offset=0",
        "[4] PTR '(anon)' type_id=3",
        "[5] TYPEDEF 'id' type_id=1",
        "[6] STRUCT 'b' size=4 vlen=1",
        "\t'y' type_id=2 bits_offset=0",
        "[7] PTR '(anon)' type_id=6",
        '',
      ].join('\n'),
    );
  });

  it('are one JSON array, and one header with the types of the base', async () => {
    const ids: unknown[] = [];
    append(
      ids,
      JSON.parse(await merged('json a b')).types.map(({ id }: { id: number }) => id),
    );
    expect(ids).toEqual([3, 4, 5, 6, 7]);
    const header = await merged('c a b');
    for (const line of ['typedef int u32;', 'struct a {', 'struct b {', 'typedef int id;']) {
      expect(header.split(line)).toHaveLength(2);
    }
  });

  it('are asked for single types by their new ids', async () => {
    expect(await merged('raw a b --root-id 7 --root-id 1')).toBe(
      "[7] PTR '(anon)' type_id=6\n[1] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED\n",
    );
    expect(await merged('c a b --type struct:b')).toContain('y;');
  });

  it.each([
    ['raw a b', 2, 'several files need the --base that they are split on'],
    [
      `raw ${Array(65).fill('a').join(' ')} --base base`,
      2,
      'too many files: at most 64 can be merged',
    ],
    ['raw a b --base base --bpftool 7.1', 2, 'bpftool 7.1 merges no files'],
    ['pahole a b --base base', 2, '"b" is an extra argument'],
    ['raw a base --base base', 1, 'base is not split BTF: it cannot be merged'],
    ['raw a missing --base base', 1, 'cannot read missing'],
    ['raw a text --base base', 1, 'btfscope: text: unsupported file type'],
    ['raw a cut --base base', 1, 'cut: The string section runs past the end'],
    ['raw a circle --base base', 1, 'cannot be merged: a PTR refers to itself'],
    ['raw a b --base base --root-id 8', 1, 'invalid root id 8: no such type'],
  ])('end with one clear line: %s', async (line, status, message) => {
    const result = await btfscope(line);
    expect({ status: result.status, out: result.out, lines: result.err.length }).toEqual({
      status,
      out: '',
      lines: 1,
    });
    expect(result.err[0]).toContain(message);
  });
});
