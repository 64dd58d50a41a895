/** Tests of `btfscope encode` on testdata/dwarf: programs by two compilers. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '#testing/run-command.ts';

const DWARF = `${import.meta.dirname}/../../testdata/dwarf`;
const read = (name: string) => new Uint8Array(readFileSync(`${DWARF}/${name}`));
const OBJECTS = ['gcc', 'clang', 'shared', 'kfuncs', 'lines'];
const files = new Map(OBJECTS.map((name) => [`${name}.o`, read(`${name}.o`)]));
files.set('base.btf', read('gcc.default.btf'));
files.set('kernel.btf', read('gcc.kernel.btf'));

const KERNEL = 'default';
const NEWEST = '+global_var,attributes,true_signature,layout';
const SETS = [
  ['default', []],
  ['kernel', ['--btf-features', KERNEL]],
  ['newest', ['--btf-features', NEWEST]],
] as const;

async function reportOf(object: string, ...options: readonly string[]): Promise<string[]> {
  const { out } = await runCommand(['encode', object, '--report', ...options], files);
  return out.split('\n');
}

describe('btfscope encode', () => {
  it.each(
    OBJECTS.flatMap((object) => SETS.map(([set, options]) => [object, set, options] as const)),
  )('writes the bytes that pahole 1.31 writes of %s.o with the features %s', async (...each) => {
    const [object, set, options] = each;
    const words = ['encode', `${object}.o`, '-o', 'out.btf', ...options];
    const { status, saved } = await runCommand(words, files);
    expect(status).toBe(0);
    expect(Buffer.from(saved.get('out.btf') ?? []).equals(read(`${object}.${set}.btf`))).toBe(true);
  });

  it('tells why functions, variables and types are left out or merged', async () => {
    const gcc = await reportOf('gcc.o');
    expect(gcc[0]).toBe('31 types, of them 4 functions and 1 variable');
    const wanted = [
      'function always_inlined at 0x28f, first.c:15: left out: inlined into its callers, no function symbol has its name',
      'function drops at 0x2a9, first.c:14: left out: the compiler reordered the parameters',
      'function on_stack at 0x208, first.c:16: left out: a packed struct is passed on the stack',
      'function same_name at 0x530, second.c:16: left out: symbols of the name are at several addresses',
      'variable counter at 0xfa, first.c:9: left out: in section .data; feature global_var encodes it',
      'variable counter at 0x449, second.c:15: left out: only declared here',
      'variable calls at 0x16a, first.c:19: left out: declared in a function, struct or namespace',
    ];
    expect(wanted.filter((line) => !gcc.includes(line))).toEqual([]);
    expect(gcc.filter((line) => line.includes('type u64'))).toEqual([
      expect.stringMatching(
        /^type u64 at 0x\w+, second.c:2: merged with TYPEDEF \[\d+\], of the entry at 0x\w+$/,
      ),
    ]);
    const clang = await reportOf('clang.o');
    expect(clang).toContain(
      'function drops at 0x1e1, first.c:14: left out: the compiler removed parameters',
    );
  });

  it('tells the first difference of types that keep one name', async () => {
    const apart = (await reportOf('gcc.o')).filter((line) => line.includes('not merged with'));
    expect(apart).toEqual([
      expect.stringMatching(/^STRUCT differs \[\d+\] at 0x\w+: not merged with \[\d+\]: /),
    ]);
  });

  it('leaves out the types of the base', async () => {
    const words = ['encode', 'gcc.o', '--base', 'base.btf', '--json', '--report'];
    const { out } = await runCommand(words, files);
    const { types, decisions } = JSON.parse(out);
    expect(types).toBeLessThan(5);
    expect(JSON.stringify(decisions)).toContain('of the base');
  });

  it('writes the distilled base of a module as pahole does', async () => {
    const features = ['--btf-features', 'default,distilled_base'];
    const words = ['encode', 'clang.o', '--base', 'kernel.btf', '-o', 'out.btf', ...features];
    const { saved } = await runCommand(words, files);
    for (const [name, expected] of [
      ['out.btf', 'clang.distilled.btf'],
      ['out.btf.base', 'clang.distilled.base.btf'],
    ] as const) {
      expect(Buffer.from(saved.get(name) ?? []).equals(read(expected)), name).toBe(true);
    }
    const alone = await runCommand(['encode', 'clang.o', '-o', 'out.btf', ...features], files);
    expect(alone.err.join('\n')).toContain('distilled_base needs --base');
  });

  it.each([
    [
      'a feature that pahole lacks',
      ['gcc.o', '--btf-features', 'floats'],
      2,
      'no feature "floats"',
    ],
    ['a file that is not ELF', ['base.btf'], 1, 'is not an ELF file but BTF'],
  ])('refuses %s', async (_, words, status, message) => {
    const ran = await runCommand(['encode', ...words], files);
    expect(ran.status).toBe(status);
    expect(ran.err.join('\n')).toContain(message);
  });
});
