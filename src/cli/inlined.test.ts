import { describe, expect, it } from 'vitest';
import { u32 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { func, funcProto, int, record } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { runCommand } from '#testing/run-command.ts';

const SAMPLE = 'kinds_2026.btf';

describe('btfscope inlined', () => {
  it('prints each site with the locations of the parameters', async () => {
    const { out } = await runCommand(['inlined', SAMPLE]);
    expect(out).toBe(
      '.text+0x40  add(to [reg5], from [*(fbreg - 0x20)])\n.text+0x90  add(to [const -0x1], from [<unavailable>])\n',
    );
  });

  it('prints those of a function, of an address, with the registers of a machine', async () => {
    const { out } = await runCommand([
      'inlined',
      SAMPLE,
      '--at',
      '.text+0x40',
      '--machine',
      'x86-64',
    ]);
    expect(out).toBe('.text+0x40  add(to [rdi], from [*(fbreg - 0x20)])\n');
    expect((await runCommand(['inlined', SAMPLE, '--at', '.text+65'])).out).toBe('');
    expect((await runCommand(['inlined', SAMPLE, '--func', 'subtract'])).out).toBe('');
    const { out: json } = await runCommand(['inlined', SAMPLE, '--func', 'add', '--json']);
    expect(JSON.parse(json)).toMatchObject([
      { section: '.text', offset: 64, function: 'add', parameters: [{ location: 'reg5' }, {}] },
      { offset: 144 },
    ]);
  });

  it('rejects an address or a machine that it does not know', async () => {
    expect(await runCommand(['inlined', SAMPLE, '--at', '0x40'])).toMatchObject({ status: 2 });
    expect(await runCommand(['inlined', SAMPLE, '--machine', 'vax'])).toMatchObject({ status: 2 });
  });

  it('reads .BTF.inline on the .BTF of the same file, and chains of bases', async () => {
    const vmlinux = btfBlob({ types: [int('int', 4, { encoding: 1 }), funcProto(1, [['a', 1]])] });
    const length = (blob: typeof vmlinux) => blob.bytes.length - blob.stringsOffset;
    const module = btfBlob({ types: [func('f', 2)], baseStringLength: length(vmlinux) });
    const locations = btfBlob({
      types: [
        record(20, { vlen: 1, sizeOrType: 4, tail: () => [u32(8), u32(5)] }),
        record(21, { vlen: 1, tail: () => [u32(4)] }),
        record(22, { name: 'inline.text', vlen: 1, tail: () => [3, 5, 0x40].map((n) => u32(n)) }),
      ],
      baseStringLength: length(vmlinux) + length(module),
    });
    const sections = [
      { name: '.BTF', data: module.bytes },
      { name: '.BTF.inline', data: locations.bytes },
    ];
    const files = new Map([
      ['vmlinux', vmlinux.bytes],
      ['m.ko', elfObject({ sections, symbols: [] }).bytes],
    ]);
    const bases = ['--base', 'vmlinux', '--base', 'm.ko'];
    const { out, err } = await runCommand(['inlined', 'm.ko(.BTF.inline)', ...bases], files);
    expect(err).toEqual([]);
    expect(out).toBe('.text+0x40  f(a [reg5])\n');
  });
});
