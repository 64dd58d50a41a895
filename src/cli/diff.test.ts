import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct } from '#testing/btf-types.ts';
import { runCommand } from '#testing/run-command.ts';

const x = { name: 'x', type: 1, bitOffset: 0 };
const FILES = new Map([
  ['a.btf', btfBlob({ types: [int('u32', 4), struct('s', 4, [x]), struct('gone', 4, [])] }).bytes],
  [
    'b.btf',
    btfBlob({
      types: [int('u32', 4), struct('s', 8, [x, { name: 'y', type: 1, bitOffset: 32 }])],
    }).bytes,
  ],
]);
const diff = (...words: string[]) => runCommand(['diff', ...words], FILES);

describe('btfscope diff', () => {
  it('prints the differences, a type per line', async () => {
    const { status, out, err } = await diff('a.btf', 'b.btf');
    expect(err).toEqual([]);
    expect(status).toBe(0);
    expect(out).toBe(`a.btf → b.btf
3 types before, 2 after: 1 changed, 0 changed inside, 0 added, 1 removed, 1 the same
removed  struct gone  4 bytes
changed  struct s  4 → 8 bytes, 1 added
`);
  });

  it('prints one type line by line', async () => {
    const { out } = await diff('a.btf', 'b.btf', '--type', 'struct:s');
    expect(out).toBe(`changed: 1 added
  size 4 → 8
+ 0x4      u32 y  (added)
`);
  });

  it('prints a type that only one side has', async () => {
    expect((await diff('a.btf', 'b.btf', '--type', 'struct:gone')).status).toBe(0);
    expect((await diff('b.btf', 'a.btf', '--type', 'struct:gone')).status).toBe(0);
  });

  it('gives both as JSON', async () => {
    const whole = await diff('a.btf', 'b.btf', '--json');
    expect(JSON.parse(whole.out)).toMatchObject({ changed: 1, removed: 1, same: 1 });
    const one = await diff('a.btf', 'b.btf', '--json', '--type', 's');
    expect(JSON.parse(one.out)).toMatchObject({ verdict: 'direct', lines: [{ after: 'u32 y' }] });
  });

  it('reads split BTF on its base', async () => {
    const { status, out } = await diff('module.btf', 'module.btf', '--base', 'kernel.btf');
    expect(status).toBe(0);
    expect(out).toMatch(/^module.btf → module.btf\n\d+ types before, \d+ after: 0 changed, 0 /);
  });

  it('refuses a type that neither has', async () => {
    const { status, err } = await diff('a.btf', 'b.btf', '--type', 'struct:nowhere');
    expect(status).toBe(1);
    expect(err.join('')).toContain('no type is named "struct:nowhere"');
  });
});
