import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  enumeration,
  func,
  funcProto,
  int,
  locsec,
  ptr,
  struct,
  type TypeRecord,
  typedef,
} from '#testing/btf-types.ts';
import { runCommand } from '#testing/run-command.ts';

const REGISTERS = [
  int('long', 8), // 1
  struct('pt_regs', 8, [{ name: 'orig_ax', type: 1, bitOffset: 0 }]), // 2
];
const TYPES = enumeration('bpf_attach_type', [
  ['BPF_CGROUP_UDP6_RECVMSG', 20],
  ['BPF_TRACE_FENTRY', 24],
  ['BPF_TRACE_FEXIT', 25],
  ['BPF_MODIFY_RETURN', 26],
  ['BPF_LSM_MAC', 27],
]);
const OLD: readonly TypeRecord[] = [
  ...REGISTERS,
  funcProto(1, [['dfd', 1]]), // 3
  func('do_unlink', 3), // 4
  funcProto(0, [
    ['data', 1],
    ['', 0],
  ]), // 5
  func('printk', 5), // 6
  ptr(3), // 7
  typedef('btf_trace_sched_switch', 7), // 8
  func('bpf_lsm_file_open', 3), // 9
  TYPES, // 10
];
const NEW: readonly TypeRecord[] = [
  ...REGISTERS,
  funcProto(1, [
    ['dfd', 1],
    ['flags', 1],
  ]), // 3
  func('do_unlink', 3), // 4
  TYPES, // 5
];

const files = new Map(
  [['old.btf', OLD] as const, ['new.btf', NEW] as const].map(([name, types]) => [
    name,
    btfBlob({ types }).bytes,
  ]),
);

const KERNELS = ['--kernel', 'old.btf', '--kernel', 'new.btf'];
const lines = async (...words: readonly string[]) =>
  (await runCommand(['attach', ...words], files)).out.split('\n').slice(0, -1);

describe('btfscope attach', () => {
  it('prints the prototype of each kernel, and the kinds of programs with reasons', async () => {
    const out = await lines('do_unlink', ...KERNELS, '--release', '6.18.2');
    expect(out).toEqual([
      'do_unlink:',
      '  long do_unlink(long dfd) on old.btf',
      '  long do_unlink(long dfd, long flags) on new.btf',
      '  fentry: traceable on all 2 kernels',
      '  fentry.s: undecided on all 2 kernels',
      '    A sleepable program needs a function of the error injection list, or of a set of the kernel. BTF has neither.',
      '      kernel: do_unlink is not sleepable',
      '  fexit: traceable on all 2 kernels',
      '  fmod_ret: undecided on all 2 kernels',
      '    fmod_ret needs a function of the error injection list, or of a set of the kernel. BTF has neither.',
      '      kernel: do_unlink() is not modifiable',
      '  fsession: refused on all 2 kernels',
      '    The kernel has no attach type BPF_TRACE_FSESSION.',
      '  kprobe: undecided on all 2 kernels',
      '    It needs an address of do_unlink in /proc/kallsyms, which is not known.',
      '  kprobe.multi: refused on all 2 kernels',
      '    The kernel has no attach type BPF_TRACE_KPROBE_MULTI.',
      '    It needs an address of do_unlink in /proc/kallsyms, which is not known.',
    ]);
  });

  it("prints the kernel's line", async () => {
    const out = await lines('printk', '--kernel', 'old.btf', '--module', 'none');
    expect(out.slice(0, 5)).toEqual([
      'printk:',
      '  void printk(long data, ...) on old.btf',
      '  fentry: refused on old.btf',
      '    printk has variable arguments.',
      '      kernel: The function printk with variable args is unsupported.',
    ]);
  });

  it('tells hooks, tracepoints and names that a kernel lacks', async () => {
    const out = await lines('file_open', 'sched_switch', 'gone', ...KERNELS);
    const missing = (name: string) =>
      `    The BTF of the kernel has no ${name}. A module that is loaded may have it.`;
    expect(out.slice(0, 12)).toEqual([
      'file_open:',
      '  long bpf_lsm_file_open(long dfd) on old.btf',
      '  no prototype on new.btf',
      '  lsm: traceable on old.btf',
      '  lsm: undecided on new.btf',
      missing('bpf_lsm_file_open'),
      '  lsm.s: traceable on old.btf',
      '  lsm.s: undecided on new.btf',
      missing('bpf_lsm_file_open'),
      'sched_switch:',
      '  long btf_trace_sched_switch(long dfd) on old.btf',
      '  no prototype on new.btf',
    ]);
    expect(out).toContain('gone:');
    expect(out).toContain(missing('gone'));
  });

  it('tells how many calls are inlined', async () => {
    const types = [
      ...OLD,
      locsec('.text', [
        [4, 0, 0],
        [4, 0, 8],
      ]),
    ];
    const more = new Map([['inlined.btf', btfBlob({ types }).bytes]]);
    const { out } = await runCommand(['attach', 'do_unlink', '--kernel', 'inlined.btf'], more);
    expect(out).toContain('  2 calls inlined on inlined.btf, for which no program runs\n');
  });

  it('prints JSON', async () => {
    const { out } = await runCommand(
      ['attach', 'printk', '--kernel', 'old.btf', '--module', 'none', '--json'],
      files,
    );
    const [row] = JSON.parse(out) as [{ points: unknown[] }];
    expect(row).toMatchObject({
      function: 'printk',
      kernel: 'old.btf',
      prototype: 'void printk(long data, ...)',
      module: null,
      inlined: 0,
    });
    expect(row.points[0]).toEqual({
      kind: 'fentry',
      answer: 'refused',
      reasons: [
        {
          rule: 'variadic',
          when: 'load',
          sure: true,
          depends_on: null,
          text: 'printk has variable arguments.',
          line: 'The function printk with variable args is unsupported.',
        },
      ],
    });
  });

  it('needs a kernel', async () => {
    const { status, err } = await runCommand(['attach', 'printk'], files);
    expect([status, err[0]]).toEqual([2, expect.stringContaining('name a kernel')]);
  });
});
