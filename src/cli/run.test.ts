/** Tests of command lines on fake files: without a process, without a disk. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { arFile, tarFile } from '#testing/archives.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, struct, typedef } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { runCommand } from '#testing/run-command.ts';
import { sampleBytes } from '#testing/samples.ts';

const btfscope = (words: readonly string[], files: Readonly<Record<string, Uint8Array>> = {}) =>
  runCommand(words, new Map(Object.entries(files)));

describe('btfscope', () => {
  it('prints its commands, and the options of each', async () => {
    const all = await btfscope(['--help']);
    expect(all.status).toBe(0);
    expect(all.out).toContain('usage: btfscope FILE\n       btfscope COMMAND FILE');
    const one = await btfscope(['disasm', '--help']);
    expect(one.status).toBe(0);
    expect(one.out).toContain('usage: btfscope disasm FILE [--no-raw] [--lines] [--decimal]');
    expect((await btfscope([])).status).toBe(2);
  });

  const long = 'x'.repeat(50_000);
  it.each([
    [[long]],
    [['info', long]],
    [['info', 'kinds.btf', `--${long}`]],
    [['type', 'kinds.btf', long]],
    [['type', 'kinds.btf', `point.${long}`]],
    [['query', 'kinds.btf', `SELECT ${long} FROM types`]],
    [['query', 'kinds.btf', `SELECT ${long.slice(0, 15_000)} FROM types`]],
    [['raw', `kinds.btf(${long})`]],
  ])('cuts a long argument in its errors: %.40j', async (words) => {
    const { status, err } = await btfscope(words);
    expect(status).toBeGreaterThan(0);
    expect(Math.max(0, ...err.map(({ length }) => length))).toBeLessThanOrEqual(2001);
  });

  it.each([
    [['frobnicate', 'kinds.btf']],
    [['info']],
    [['info', 'kinds.btf', 'kinds.btf']],
    [['info', 'kinds.btf', '--frobnicate']],
    [['info', 'kinds.btf', '--base']],
    [['c', 'kinds.btf', '--type', 'struct:wire', '--type', 'struct:wire']],
    [['c', 'kinds.btf', '--type', 'struct:wire', '--root-id', '1']],
  ])('ends with 2 and one line on %j', async (words) => {
    const { status, out, err } = await btfscope(words);
    expect({ status, out, lines: err.length }).toEqual({ status: 2, out: '', lines: 1 });
  });

  it.each([
    [['info', 'missing.o'], 'cannot read missing.o: there is no such file'],
    [['info', 'text'], 'text: unsupported file type; it looks like'],
    [['disasm', 'kinds.btf'], 'kinds.btf has no BPF code'],
  ])('ends with 1 and one clear line on %j', async (words, message) => {
    const { status, out, err } = await btfscope(words, { text: Buffer.from('Hello, io\n') });
    expect({ status, out, lines: err.length }).toEqual({ status: 1, out: '', lines: 1 });
    expect(err[0]).toContain(message);
  });

  it.each(['c', 'c --bpftool 7.1'])('cuts what doubles with each level: %s', async (command) => {
    // Returns a struct with two members of type `next`.
    const level = (next: number) =>
      struct('', 8, [
        { name: '', type: next, bitOffset: 0 },
        { name: '', type: next, bitOffset: 32 },
      ]);
    const types = [...Array.from({ length: 40 }, (_, i) => level(i + 2)), int('int', 4)];
    const { bytes } = btfBlob({ types: [...types, typedef('top', 1)] });
    const { status, out, err } = await btfscope([...command.split(' '), 'doubling'], {
      doubling: bytes,
    });
    expect(status).toBe(1);
    expect(out.length).toBeGreaterThan(8e6);
    expect(out.length).toBeLessThan(9e6);
    expect(err.at(-1)).toMatch(/^btfscope: the text is cut after [\d,]+ bytes/);
  });

  it('prints the system calls that libbpf makes, also as JSON', async () => {
    const { out } = await btfscope(['load-calls', 'xdp_counter.bpf.o']);
    expect(out.split('\n')[0]).toMatch(/^BPF_BTF_LOAD {2}btf_size \d+$/);
    expect(out).toContain('btf_key_type_id 13, btf_value_type_id 24');
    expect(out).toContain('func_info_rec_size 8, func_info_cnt 3');
    const json = JSON.parse((await btfscope(['load-calls', 'xdp_counter.bpf.o', '--json'])).out);
    expect(json.prog_load[1].func_info[0]).toEqual({
      insn_off: 0,
      type_id: expect.any(Number),
      name: 'count_packets',
    });
    const refused = await btfscope(['load-calls', 'kinds.btf']);
    expect(refused).toMatchObject({ status: 1, err: [expect.stringContaining('no BPF object')] });
  });

  it('prints a summary of the file, also as JSON', async () => {
    const text = await btfscope(['info', 'kinds.bpf.o']);
    expect(text.out).toContain('kinds.bpf.o: ELF, EM_BPF, little-endian, 64-bit');
    const info = JSON.parse((await btfscope(['info', 'kinds.bpf.o', '--json'])).out);
    expect(info).toMatchObject({ format: 'elf', endian: 'little', types: { first_id: 1 } });
    expect(info.sections.map((s: { name: string }) => s.name)).toContain('.BTF');
  });

  it('lists programs and maps in the summary', async () => {
    const { out } = await btfscope(['info', 'xdp_counter.bpf.o']);
    expect(out).toContain('\n2 programs, 2 subprograms\n  count_udp: xdp in xdp, 11 slots\n');
    expect(out).toContain('\n  protocols: PERCPU_ARRAY, key __u32, value struct counter, max_');
    const { programs, maps } = JSON.parse(
      (await btfscope(['info', 'xdp_counter.bpf.o', '--json'])).out,
    );
    expect(programs[0]).toEqual({
      name: 'count_udp',
      section: 'xdp',
      is_program: true,
      type: 'xdp',
      attach_to: null,
      slots: 11,
      core_relocations: 0,
    });
    expect(maps.map(({ name }: { name: string }) => name)).toEqual([
      'next',
      'protocols',
      'last_seen',
      'verdict',
      '.rodata',
      '.data',
      '.bss',
    ]);
    expect((await btfscope(['info', 'kernel.btf'])).out).not.toContain('program');
  });

  it('suggests commands with similar names', async () => {
    const { err } = await btfscope(['inf', 'kinds.btf']);
    expect(err.join()).toContain('"inf"; did you mean: info; see btfscope --help');
  });

  it('prints the parts of an ELF file that readelf is asked for, or all', async () => {
    const all = (await btfscope(['readelf', 'kinds.bpf.o'])).out;
    expect(all).toMatch(/^ELF Header:\n/);
    expect((await btfscope(['readelf', '-hSrs', 'kinds.bpf.o'])).out).toBe(all);
    const header = (await btfscope(['readelf', '-h', 'kinds.bpf.o'])).out;
    const sections = (await btfscope(['readelf', '--sections', 'kinds.bpf.o'])).out;
    const both = (await btfscope(['readelf', '-s', '-r', 'kinds.bpf.o'])).out;
    expect(both).toMatch(/\nRelocation section .*\nSymbol table /s);
    expect(`${header}${sections}${both}`).toBe(all);
    expect((await btfscope(['readelf', '--help'])).out).toContain('-S, --sections');
    expect(await btfscope(['readelf', 'kinds.btf'])).toMatchObject({
      status: 1,
      err: ['btfscope: kinds.btf is not an ELF file but BTF'],
    });
  });

  it('unpacks compressed files, and opens members of an archive', async () => {
    const files = {
      'kinds.btf.gz': new Uint8Array(gzipSync(sampleBytes('kinds.btf'))),
      'lib.a': arFile({
        'one.o': sampleBytes('kinds.bpf.o'),
        'two.o': sampleBytes('externs.bpf.o'),
      }),
    };
    expect((await btfscope(['info', 'kinds.btf.gz'], files)).out).toContain('unpacked from gzip');
    expect((await btfscope(['info', 'lib.a'], files)).err[0]).toContain('one.o, two.o');
    const member = await btfscope(['info', 'lib.a(two.o)'], files);
    expect(member.out).toContain('two.o: ELF');
    expect((await btfscope(['info', 'lib.a(three.o)'], files)).err[0]).toContain('no such member');
  });

  it('opens members of members, whose names may have parentheses', async () => {
    const inner = arFile({ '(1).o': sampleBytes('kinds.bpf.o') });
    const files = {
      'a (1).deb': arFile({
        'data.tar.gz': gzipSync(tarFile({ './lib (2).a': inner, notes: inner })),
      }),
    };
    const opened = await btfscope(['info', 'a (1).deb(data.tar.gz)(./lib (2).a)((1).o)'], files);
    expect(opened.out).toContain('(1).o: ELF, EM_BPF');
    const wrong = await btfscope(['info', 'a (1).deb(data.tar.gz)(lib)'], files);
    expect(wrong.err).toEqual([
      'btfscope: a (1).deb(data.tar.gz)(lib): there is no such member; a (1).deb(data.tar.gz) has ./lib (2).a, notes',
    ]);
    const missing = await btfscope(['info', 'b.deb(data.tar.gz)'], files);
    expect(missing.err[0]).toContain('cannot read b.deb: there is no such file');
  });

  it('lists the members of members, however deep, as they are opened', async () => {
    const inner = arFile({ 'deep.o': sampleBytes('kinds.bpf.o') });
    const files = {
      'a.deb': arFile({
        'bad.tar.gz': gzipSync(new TextEncoder().encode('no tar')).slice(0, 12),
        'data.tar.gz': gzipSync(
          tarFile({ './lib.a': inner, './one.o': sampleBytes('kinds.bpf.o') }),
        ),
      }),
    };
    const { out, err, status } = await btfscope(['members', 'a.deb', '--json'], files);
    expect(status).toBe(0);
    const paths = JSON.parse(out).map(({ path }: { path: readonly string[] }) => path.join(' '));
    expect(paths).toEqual([
      'bad.tar.gz',
      'data.tar.gz',
      'data.tar.gz ./one.o',
      'data.tar.gz ./lib.a',
      'data.tar.gz ./lib.a deep.o',
    ]);
    expect(err).toHaveLength(1);
    const text = (await btfscope(['members', 'a.deb'], files)).out.trimEnd().split('\n');
    const last = text.find((line) => line.endsWith('(deep.o)'))?.replace(/^.* {2}\(/, '(') ?? '';
    expect(last).toBe('(data.tar.gz)(./lib.a)(deep.o)');
    expect((await btfscope(['info', `a.deb${last}`], files)).out).toContain('deep.o: ELF');
  });

  it('lists and opens the BPF objects inside of a program', async () => {
    const data = sampleBytes('kinds.bpf.o');
    const program = elfObject({
      header: { machine: 62 },
      sections: [{ name: '.data', flags: 3, data }],
      symbols: [{ name: 'embedded', size: data.length, type: 1, shndx: '.data' }],
    }).bytes;
    const files = { program };
    expect((await btfscope(['members', 'program'], files)).out).toMatch(
      /^BPF object {5,}0x40 {2,}6184 {2}embedded\n$/,
    );
    const [row] = JSON.parse((await btfscope(['members', 'program', '--json'], files)).out);
    expect(row).toEqual({
      name: 'embedded',
      path: ['embedded'],
      kind: 'BPF object',
      file_offset: 64,
      size: 6184,
    });
    expect((await btfscope(['info', 'program'], files)).out).toContain(
      'program: ELF, Advanced Micro',
    );
    expect((await btfscope(['raw', 'program'], files)).err[0]).toContain(
      'has no readable BTF; name a BPF object inside, as in program(embedded): embedded',
    );
    const { out } = await btfscope(['raw', 'program(embedded)'], files);
    expect(out).toBe((await btfscope(['raw', 'kinds.bpf.o'])).out);
    expect((await btfscope(['members', 'kinds.bpf.o'])).out).toBe('');
  });

  it('gives 64-bit values of relocations with all their digits', async () => {
    const { out } = await btfscope(['relocs', 'doc_call.bpf.o', '--json']);
    const rows = JSON.parse(out);
    expect(rows.slice(0, 2)).toMatchObject([
      { section: '.text', type_name: 'R_BPF_64_32', symbol: 'gfunc', result: -1, site_bits: 32 },
      { symbol: 'sec1', addend: 24, implicit: true, result: 2, target: 'lfunc' },
    ]);
  });

  it('lists the symbols of ELF and eCOFF files', async () => {
    const { out } = await btfscope(['symbols', 'doc_ld_imm64.bpf.o']);
    const [title, heading, , section] = out.split('\n');
    expect(title).toBe('.symtab:');
    expect(heading).toMatch(/^ +Num +Value +Size +Type +Bind +Vis +Section +Name$/);
    expect(section).toMatch(/^ +1 {2}0{16} +0 {2}SECTION +LOCAL +DEFAULT +\.text +\.text$/);
    const rows = JSON.parse((await btfscope(['symbols', 'doc_ld_imm64.bpf.o', '--json'])).out);
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...{ table: '.symtab', name: 'g2', value: 4, size: 4, type: 'OBJECT' },
        ...{ binding: 'GLOBAL', visibility: 'DEFAULT', section: 'sec' },
      }),
    );
    const alpha = JSON.parse((await btfscope(['symbols', 'alpha_expression.ecoff', '--json'])).out);
    expect(alpha[0]).toMatchObject({ table: null, index: 0, binding: null, visibility: null });
    expect(alpha.map(({ name }: { name: string }) => name)).toContain('_fpdata');
  });

  it('lists relocations with r_info, the value of the symbol and the addend', async () => {
    const { out } = await btfscope(['relocs', 'doc_call.bpf.o']);
    const [title, heading, first, second] = out.split('\n');
    expect(title).toBe('.rel.text:');
    expect(heading).toMatch(/^ {2}Offset +Info +Type +S +A +A is +Symbol and effect$/);
    expect(first).toMatch(
      /^ {2}0{14}10 {2}0{7}40{7}a {2}R_BPF_64_32 +0x0 +0x0 +implicit {2}gfunc {2}/,
    );
    expect(second).toMatch(/ R_BPF_64_32 +0x0 +0x18 +implicit {2}sec1 {2}/);
    const [row] = JSON.parse((await btfscope(['relocs', 'doc_call.bpf.o', '--json'])).out);
    expect(first?.slice(20, 36)).toBe(BigInt(row.info).toString(16).padStart(16, '0'));
  });

  it('prints source lines above their instructions when asked', async () => {
    const plain = (await btfscope(['disasm', 'xdp_counter.bpf.o', '--no-raw'])).out;
    const lines = (await btfscope(['disasm', 'xdp_counter.bpf.o', '--no-raw', '--lines'])).out;
    expect(plain).not.toContain('\n; ');
    expect(lines).toMatch(/\n; .* @ .*xdp_counter\.bpf\.c:\d+\n +\d+:\t/);
    expect(lines.replace(/^; .*\n/gm, '')).toBe(plain);
  });

  it('dumps all types as text', async () => {
    const { out } = await btfscope(['raw', 'kinds.btf']);
    expect(out.match(/^\[\d+\] /gm)).toHaveLength(95);
    expect(JSON.parse((await btfscope(['json', 'kinds.btf'])).out).types).toHaveLength(95);
    expect((await btfscope(['c', 'kinds.btf'])).out).toMatch(/^#ifndef __VMLINUX_H__\n/);
    expect((await btfscope(['pahole', 'kinds.btf'])).out).toContain('/* size: ');
  });

  it('dumps as a version of bpftool, sorted or not, and only some types', async () => {
    const dump = async (...words: string[]) => (await btfscope(words)).out;
    const sorted = await dump('c', 'kinds.btf');
    const unsorted = await dump('c', 'kinds.btf', '--unsorted');
    expect(unsorted).toHaveLength(sorted.length);
    expect(unsorted).not.toBe(sorted);
    expect(await dump('c', 'kinds.btf', '--bpftool', '7.8')).toBe(sorted);
    expect(sorted).toContain('/* BPF kfuncs */');
    expect(await dump('c', 'kinds.btf', '--bpftool', '7.1')).not.toContain('kfuncs');
    const roots = await dump('raw', 'kinds.btf', '--root-id', '0x3', '--root-id', '1');
    expect(roots.match(/^\[\d+\] /gm)).toEqual(['[3] ', '[1] ']);
  });

  it('dumps as a version of pahole', async () => {
    const dump = async (...words: string[]) => (await btfscope(['pahole', ...words])).out;
    const newer = await dump('layout.bpf.o');
    expect(await dump('layout.bpf.o', '--pahole', '1.31')).toBe(newer);
    const older = await dump('layout.bpf.o', '--pahole', '1.24');
    expect(older).not.toBe(newer);
    const type = ['kinds.btf', '--type', 'struct:all'];
    expect(await dump(...type)).toContain('/* member types with ');
    expect(await dump(...type, '--pahole', '1.24')).not.toContain('/* member types with ');
    const refused = await btfscope(['pahole', 'layout.bpf.o', '--pahole', '1.25']);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err[0]).toContain('unknown version "1.25" of pahole');
  });

  it.each([
    [2, '"x" is not a type id', ['--root-id', 'x']],
    [2, '--root-id 1 is given twice', ['--root-id', '1', '--root-id', '0x1']],
    [2, 'at most 16', Array.from({ length: 17 }, (_, i) => ['--root-id', `${i}`]).flat()],
    [1, 'invalid root id 99999', ['--root-id', '99999']],
    [2, 'unknown version "7.2"', ['--bpftool', '7.2']],
    [2, 'bpftool 7.1 has no --root-id', ['--bpftool', '7.1', '--root-id', '1']],
    [2, 'bpftool 7.1 has no --unsorted', ['--bpftool', '7.1', '--unsorted']],
  ])('ends with %i and "%s" on %j', async (status, message, words) => {
    const result = await btfscope(['c', 'kinds.btf', ...words]);
    expect({ status: result.status, out: result.out }).toEqual({ status, out: '' });
    expect(result.err[0]).toContain(message);
  });

  it('reads split BTF on its base, and ends with 1 on a base that does not fit', async () => {
    const alone = (await btfscope(['raw', 'module.btf'])).out;
    const based = (await btfscope(['raw', 'module.btf', '--base', 'kernel.btf'])).out;
    expect(based.match(/^\[\d+\] /gm)).toEqual(alone.match(/^\[\d+\] /gm));
    expect(alone).toContain("'(invalid)'");
    expect(based).not.toContain("'(invalid)'");
    const refused = await btfscope(['raw', 'module.btf', '--base', 'kinds.btf']);
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.err[0]).toContain('kinds.btf does not fit');
  });

  it('prints one type with all that it needs, or only some members of it', async () => {
    const whole = await btfscope(['c', 'kernel.btf', '--type', 'struct:task_struct']);
    expect(whole.out).toMatch(/\tpid_t pid;\n[^}]*\n\};/);
    const chosen = ['--type', 'task_struct', '--member', 'pid', '--core'];
    const some = await btfscope(['c', 'kernel.btf', ...chosen]);
    expect(some.out).toContain('preserve_access_index');
    expect(some.out.length).toBeLessThan(whole.out.length);
    const layout = await btfscope(['pahole', 'kernel.btf', '--type', 'struct:task_struct']);
    expect(layout.out).toContain('/* size: ');
    const none = await btfscope(['c', 'kernel.btf', '--type', 'struct:no_such']);
    expect(none).toMatchObject({ status: 1, err: ['btfscope: no type is named "struct:no_such"'] });
  });
});
