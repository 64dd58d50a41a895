/** Checks the answers on files that are made like those of public reports: `reports/`. */
import { describe, expect, it } from 'vitest';
import { isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

function bytesOf(file: string): Uint8Array {
  const name = file.replace(/^.*\//, '');
  return readCorpusFile({ id: file, name: name.replace(/\.zst$/, ''), file });
}

const KERNELS = {
  '5.10': '5.10.0-46-cloud-amd64',
  '6.1': '6.1.0-56-amd64',
  '6.12 arm64': '6.12.117-arm64',
  '6.18': '6.18-amd64',
  '7.3': '7.3.4+deb13-amd64',
} as const;

type Loaded = {
  readonly outcome: string;
  readonly texts: readonly string[];
  readonly lines: readonly string[];
  readonly maps: readonly unknown[];
};

async function load(object: string, kernel: string, ...words: readonly string[]): Promise<Loaded> {
  const version = Object.entries(KERNELS).find(([name]) => name === kernel)?.[1];
  const btf = version === undefined ? `reports/${kernel}` : `kernels/vmlinux-${version}.btf.zst`;
  const files = new Map([[object, bytesOf(`reports/${object}`)]]);
  if (kernel !== 'none') files.set('k.btf', bytesOf(btf));
  const on = kernel === 'none' ? 'none' : 'k.btf';
  const modules = kernel === 'none' ? [] : ['--module', 'none'];
  const args = ['load', object, '--kernel', on, ...modules, ...words, '--json'];
  const row = JsonRow.parse((await runCommand(args, files)).out);
  const reasons = [row.rows('reasons'), ...row.rows('programs').map((one) => one.rows('reasons'))];
  const all = reasons.flat();
  return {
    outcome: row.text('outcome'),
    texts: all.map((reason) => reason.text('text')),
    lines: all.map((reason) => (reason.has('line') ? reason.text('line') : '')),
    maps: row.list('maps_at_open'),
  };
}

describe.skipIf(!isLargeCorpus)('a report', () => {
  it.each([
    ['map_static_map', "map 'm': unsupported map linkage static."],
    ['map_inner_pinned', "map 'm.inner': inner def can't be pinned."],
    ['map_value_size_conflict', "map 'm': conflicting value size 4 != 8."],
    ['prog_array_of_text', ".maps relo #0: 'sub' isn't a valid program reference"],
    ['extern_libc', "failed to find BTF for extern 'clock_gettime' [12] section: -2"],
    ['ext_IMPLICIT', "failed to find BTF for extern 'bpf_no_such_helper' [9] section: -2"],
    [
      'struct_ops_newer_callback',
      'struct_ops init_kern my_cc: Cannot find member not_in_any_kernel in kernel BTF',
    ],
    [
      'so_SAMESEC',
      'struct_ops init_kern my_cc: Cannot find member not_in_any_kernel in kernel BTF',
    ],
  ])('%s: libbpf refuses the object with its line', async (object, line) => {
    const { outcome, lines } = await load(`${object}.bpf.o`, '6.18');
    expect([outcome, lines[0]]).toEqual(['fails', line]);
  });

  it.each(['map_extra_ulong', 'text_only', 'tcpops_two', 'arena_linked'])(
    '%s: the object loads',
    async (object) => {
      const { outcome, maps } = await load(`${object}.bpf.o`, '6.18', '--release', '6.18.2');
      expect(outcome).toBe('loads');
      if (object === 'map_extra_ulong') expect(JSON.stringify(maps)).toContain('17592186044416');
    },
  );

  it.each([
    ['spin_SIZES', '6.18', '6.18.2', "map 'stats' has to have BTF in order to use bpf_spin_lock"],
    ['spin_LRU', '6.18', '6.18.2', "map 'stats' has to have BTF in order to use bpf_spin_lock"],
    ['isa_FETCH', 'none', '5.10.0', 'BPF_STX uses reserved fields'],
    ['isa_V4', 'none', '5.10.0', 'BPF_MOV uses reserved fields'],
  ])('%s: the kernel refuses the program with its line', async (object, on, release, line) => {
    const { outcome, lines } = await load(`${object}.bpf.o`, on, '--release', release);
    expect([outcome, lines[0]]).toEqual(['rejected', line]);
  });

  it('dsq: the implicit argument is named, where the kernel has it left in its BTF', async () => {
    expect((await load('dsq.bpf.o', 'kfunc_good_kernel.btf')).outcome).toBe('loads');
    const { outcome, texts } = await load('dsq.bpf.o', 'kfunc_implicit_arg_kernel.btf');
    expect(outcome).toBe('fails');
    expect(texts[0]).toMatch(
      /The object declares .* the kernel has .* First difference: .*implicit/s,
    );
  });

  it('dsq: a weak extern, which hides the fault of the kernel, is no fix', async () => {
    const files = new Map(
      ['dsq.bpf.o', 'kfunc_implicit_arg_kernel.btf'].map((name) => [
        name,
        bytesOf(`reports/${name}`),
      ]),
    );
    const words = ['load', 'dsq.bpf.o', '--kernel', 'kfunc_implicit_arg_kernel.btf'];
    const { out } = await runCommand([...words, '--module', 'none'], files);
    expect(out).toContain('incompatible with vmlinux');
    expect(out).not.toContain('fix:');
  });

  it('x86_regs: the object was compiled for another machine', async () => {
    const { outcome, texts } = await load('x86_regs.bpf.o', '6.12 arm64');
    expect([outcome, texts[0]]).toEqual([
      'rejected',
      'Compiled for x86-64 (-D__TARGET_ARCH_x86): reads pt_regs.di; this kernel is arm64.',
    ]);
  });

  it.each(['5.10', '6.1', '6.18', '7.3'] as const)(
    'near: no function with other arguments is a fix on %s',
    async (kernel) => {
      const files = new Map([
        ['near.bpf.o', bytesOf('reports/near.bpf.o')],
        ['k.btf', bytesOf(`kernels/vmlinux-${KERNELS[kernel]}.btf.zst`)],
      ]);
      const { out } = await runCommand(['load', 'near.bpf.o', '--kernel', 'k.btf'], files);
      const fixes = out.split('\n').filter((line) => line.includes('fix: attach'));
      expect(fixes.join('\n')).not.toMatch(/sys_execve|blk_account_io_merge_bio/);
      expect(out).not.toContain('__x64_sys_execve');
    },
  );

  it('structarg: the kernel passes no struct by value to programs before 6.1', async () => {
    const { lines } = await load('structarg.bpf.o', '5.10', '--release', '5.10.0');
    expect(lines).toContain('The function udp_setsockopt arg3 type STRUCT is unsupported.');
    const newer = await load('structarg.bpf.o', '6.18', '--release', '6.18.2');
    expect(newer.lines.join('\n')).not.toContain('udp_setsockopt');
  });

  it.each([
    ['two_task_structs.btf', /task_struct/],
    ['datasec_overlap.btf', /overlap/i],
    ['kfunc_implicit_arg_kernel.btf', /implicit/],
    ['arena_linked.bpf.o', /Invalid offset|overlap/i],
  ])('%s: check finds what is wrong', async (file, text) => {
    const { out } = await runCommand(
      ['check', file],
      new Map([[file, bytesOf(`reports/${file}`)]]),
    );
    expect(out).toMatch(text);
  });
});
