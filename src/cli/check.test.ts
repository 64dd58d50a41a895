import { describe, expect, it } from 'vitest';
import { hex } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { func, funcProto, int, ptr, struct } from '#testing/btf-types.ts';
import { elfObject } from '#testing/elf-object.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';

function check(words: readonly string[], files: Readonly<Record<string, Uint8Array>> = {}) {
  return runCommand(['check', ...words], new Map(Object.entries(files)));
}

describe('as JSON', () => {
  it("prints the verdict as compiled and as loaded, and libbpf's fix-ups", async () => {
    const { status, out } = await check(['exec_trace.bpf.o', '--json']);
    expect(status).toBe(0);
    const told: unknown = JSON.parse(out);
    expect(told).toMatchObject({
      verdict: 'refused',
      errno: 'EINVAL',
      word: 'size == 0',
      type_id: 75,
      file_offset: 0xde8,
      libbpf: 'ok',
      libbpf_message: '',
      loaded: { verdict: 'ok', errno: null, word: '', problems: [], stopped: null },
    });
    const { problems, loaded } = Object.fromEntries(new JsonRow(told).fields);
    expect(problems).toMatchObject([
      { by: 'kernel', type_id: 75, file_offset: 0xde8, length: 4, word: 'size == 0' },
      { type_id: 76 },
      { type_id: 77 },
      { type_id: 78 },
    ]);
    expect(loaded).toMatchObject({
      rewrites: expect.arrayContaining([
        expect.objectContaining({ type_id: 75, file_offset: 0xde8, before: '0', after: '72' }),
      ]),
    });
  });

  it('has the verdict of a machine of the same byte order under native', async () => {
    const told: unknown = JSON.parse((await check(['kinds.be.bpf.o', '--json'])).out);
    expect(told).toMatchObject({
      word: 'btf_header not found',
      native: { word: 'Invalid func linkage', type_id: 7 },
      loaded: { verdict: 'refused', native: { verdict: 'ok' } },
    });
  });

  it('prints rejected, and why, where libbpf aborts before the kernel', async () => {
    const bytes = sampleBytes('kinds.bpf.o');
    const at = Buffer.from(bytes).lastIndexOf('\0.data\0');
    bytes.set(Buffer.from('.xata'), at + 1);
    const told: unknown = JSON.parse((await check(['a.o', '--json'], { 'a.o': bytes })).out);
    expect(told).toMatchObject({
      loaded: { verdict: 'refused', errno: null, problems: [], stopped: expect.any(String) },
    });
  });

  it('judges split BTF on --base', async () => {
    const words = ['module.btf', '--base', 'kernel.btf', '--json'];
    expect(JSON.parse((await check(words)).out)).toMatchObject({ verdict: 'ok', on_base: true });
  });
});

describe('blobs that no reader opens', () => {
  const { bytes } = btfBlob({ types: [int('int', 4)], header: { typeOff: 2 } });

  it.each([
    ['types that are not aligned', bytes, 'Unsupported section found'],
    ['another magic number', btfBlob({ header: { magic: 0x1234 } }).bytes, 'Invalid magic'],
    ['nothing at all', new Uint8Array(0), 'hdr_len not found'],
  ])('are judged all the same: %s', async (_name, blob, word) => {
    const { status, out } = await check(['a.btf', '--json'], { 'a.btf': blob });
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'refused', word });
  });
});

describe('as text', () => {
  it('is a few lines from the compiler to the kernel', async () => {
    const { out } = await check(['exec_trace.bpf.o']);
    const lines = out.split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'exec_trace.bpf.o: BTF of 4872 bytes',
      'as loaded: Linux 6.18 accepts it',
      'as loaded: libbpf 1.8 accepts it',
      'libbpf applies 7 fix-ups:',
    ]);
    expect(lines).toContain('as loaded: Linux 6.18 accepts it');
    expect(lines).toContain('4 problems as compiled:');
  });

  it('is a name, two lines and the origin where all is well', async () => {
    const { out } = await check(['kernel.btf']);
    expect(out.split('\n')).toEqual([
      'kernel.btf: BTF of 3647 bytes',
      'Linux 6.18 accepts it',
      'libbpf 1.8 accepts it',
      'encoder: Probably pahole 1.16 or later',
      '  11 FUNCs, all static: pahole 1.16 or later',
      '  BTF does not tell whether optimized_func and true_signature were used.',
      'readers, by the first version that opens what the BTF contains:',
      '                  Linux  libbpf  bpftool  pahole  cilium/ebpf  aya',
      '  11 FUNCs        5.0    0.0.3   5.2      1.16    0.1          0.10',
      '  11 FUNC_PROTOs  5.0    0.0.3   5.2      1.16    0.1          0.10',
      '  all             5.0    0.0.3   5.2      1.16    0.1          0.10',
      '',
    ]);
  });

  it('lists findings with what was expected, and what to do', async () => {
    const types = [
      int('int', 4),
      struct('bpf_prog_aux', 4, []),
      ptr(2),
      funcProto(1, [
        ['cpu', 1],
        ['aux', 3],
      ]),
      func('scx_bpf_kick_cpu', 4, 0),
    ];
    const { out } = await check(['a.btf'], { 'a.btf': btfBlob({ types }).bytes });
    expect(out).toContain(`1 finding:
  warning: 0x5c kfunc scx_bpf_kick_cpu [5] still has its implicit argument aux
    expected: int scx_bpf_kick_cpu(int cpu); and a FUNC scx_bpf_kick_cpu_impl with all arguments
    found: int scx_bpf_kick_cpu(int cpu, struct bpf_prog_aux *aux)
    A program that declares 1 argument, as documented, does not load: "extern (func ksym)`);
  });

  it('refuses a base that the file was not built against, as raw does', async () => {
    const words = ['module.btf', '--base', 'network.btf'];
    const { status, err } = await check(words);
    expect(status).toBe(1);
    expect(err.join('\n')).toContain('network.btf does not fit: the file needs');
    expect(err).toEqual((await runCommand(['raw', ...words])).err);
  });

  it('says which tool makes BTF of DWARF', async () => {
    const sections = [
      // A unit of DWARF 4 whose only attribute is DW_AT_language: DW_LANG_C99.
      { name: '.debug_info', data: [hex('09 00 00 00 04 00 00 00 00 00 08 01 0c')] },
      { name: '.debug_abbrev', data: [hex('01 11 01 13 0b 00 00 00')] },
    ];
    const { bytes } = elfObject({ header: { machine: 62 }, sections });
    const { err } = await check(['a.o'], { 'a.o': bytes });
    expect(err.join('\n')).toContain(
      'No BTF, but DWARF 4 of C. pahole -J FILE adds a section .BTF',
    );
  });

  it('begins with the ELF file where libbpf does not open it as a BPF object', async () => {
    const bytes = sampleBytes('kinds.bpf.o');
    bytes[16] = 2;
    const { out } = await check(['a.o'], { 'a.o': bytes });
    expect(out.split('\n').slice(1, 4)).toEqual([
      'libbpf 1.8 does not open the file as a BPF object: LIBBPF_ERRNO__FORMAT: elf: a.o is not a valid eBPF object file (e_type is ET_REL, and e_machine is EM_BPF or EM_NONE. libbpf.c: bpf_object__elf_init)',
      'its BTF alone: Linux 6.18 rejects it: EINVAL, Invalid func linkage, type [7] (at offset 0x23c)',
      'its BTF alone: libbpf 1.8 accepts it',
    ]);
    expect(out).not.toContain('fix-up');
    expect(JSON.parse((await check(['a.o', '--json'], { 'a.o': bytes })).out)).toMatchObject({
      elf: { verdict: 'refused', errno: 'LIBBPF_ERRNO__FORMAT' },
      loaded: null,
    });
  });

  it('lists what BPF_PROG_LOAD rejects in func_info and line_info', async () => {
    const bytes = sampleBytes('xdp_counter.bpf.o');
    const { ext, endian } = await sampleModel('xdp_counter.bpf.o');
    new DataView(bytes.buffer).setUint32(ext.func.recordOffset[0] ?? 0, 8, endian === 'little');
    const { out } = await check(['a.o'], { 'a.o': bytes });
    expect(out).toContain('1 finding in func_info and line_info:\n  warning: 0x');
    expect(out).toContain('(BPF_PROG_LOAD fails with EINVAL: ');
    const told: unknown = JSON.parse((await check(['a.o', '--json'], { 'a.o': bytes })).out);
    expect(told).toMatchObject({
      loaded: { verdict: 'ok' },
      program_info: [{ code: 'ext.function-start', expected: '0', found: '8' }],
    });
  });

  it('reports the other byte order', async () => {
    const { out } = await check(['kinds.be.bpf.o']);
    expect(out).toContain('as loaded: Linux 6.18 on a big-endian machine accepts it');
  });
});

it.each([
  [['missing.o'], { 'a.o': new Uint8Array(0) }, 'cannot read missing.o'],
  [['a.o'], { 'a.o': elfObject().bytes }, 'a.o has no BTF to check; libbpf 1.8 does not open'],
  [['a.o'], { 'a.o': Buffer.from('\x7fELF') }, 'ELF'],
])('ends with 1 and one clear line on %j', async (words, files, message) => {
  const { status, out, err } = await check(words, files);
  expect({ status, out, lines: err.length }).toEqual({ status: 1, out: '', lines: 1 });
  expect(err[0]).toContain(message);
});
