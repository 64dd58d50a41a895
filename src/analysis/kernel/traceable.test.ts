import { describe, expect, it } from 'vitest';
import { BtfKind } from '#formats/btf/kinds.ts';
import { enumeration, int, struct } from '#testing/btf-types.ts';
import { kernelOf } from '#testing/kernels.ts';
import type { FuncModel } from './func-model.ts';
import type { LoadKernel } from './kernel.ts';
import { traceFaults } from './traceable.ts';

/** Types of a kernel for x86-64 or arm64. */
const machine = (member: string) => [
  int('long', 8),
  struct('pt_regs', 8, [{ name: member, type: 1, bitOffset: 0 }]),
];
const X86 = machine('orig_ax');
const ARM64 = machine('pstate');

const INT = { kind: BtfKind.INT, size: 4 };
const POINTER = { kind: BtfKind.PTR, size: null };
const modelOf = (params: FuncModel['params']): FuncModel => ({ returns: INT, params });

type Given = { readonly params?: FuncModel['params']; readonly btfId?: number };

function faults(
  kind: string,
  name: string,
  kernel: LoadKernel,
  { params = [], btfId }: Given = {},
) {
  const func = { name, model: modelOf(params), btfId: btfId ?? null };
  return traceFaults(kind, func, kernel).map(({ rule, when, line, isSure }) => ({
    rule,
    when,
    line,
    isSure,
  }));
}

const linux = (release: string, types = X86) => kernelOf(types, { release });

describe('what a kernel has against tracing a function', () => {
  it('is nothing for a plain function', () => {
    expect(faults('fentry', 'vfs_read', linux('6.18.2'), { params: [POINTER, INT] })).toEqual([]);
    expect(faults('kprobe', 'vfs_read', linux('6.18.2'))).toEqual([]);
  });

  it.each([
    ['5.10.89', false, null],
    ['5.15.85', true, null],
    ['6.12.1', true, null],
    ['6.18.2', true, "Attaching tracing programs to function 'migrate_disable' is rejected."],
  ])('is the list of denied functions of Linux %s', (release, isSure, line) => {
    expect(faults('fentry', 'migrate_disable', linux(release))).toEqual([
      { rule: 'deny list', when: 'load', line, isSure },
    ]);
  });

  it('is that a function does not return, for fexit and fmod_ret', () => {
    const at = (release: string, kind = 'fexit') => faults(kind, 'do_exit', linux(release));
    expect(at('6.18.2', 'fentry')).toEqual([]);
    expect(at('6.1.141')).toEqual([]);
    expect(at('6.12.30')).toMatchObject([{ rule: 'noreturn', isSure: false }]);
    expect(at('6.16.1')).toMatchObject([
      { line: 'Attaching fexit/fmod_ret to __noreturn functions is rejected.', isSure: true },
    ]);
    expect(at('6.18.2')).toMatchObject([
      { line: "Attaching fexit/fmod_ret to __noreturn function 'do_exit' is rejected." },
    ]);
    expect(at('7.1.5')).toMatchObject([
      { line: "Attaching fexit/fsession/fmod_ret to __noreturn function 'do_exit' is rejected." },
    ]);
  });

  it('is not decided for fmod_ret and sleepable programs by BTF alone', () => {
    expect(faults('fmod_ret', 'vfs_read', linux('6.18.2'))).toEqual([
      { rule: 'modifiable', when: 'load', line: 'vfs_read() is not modifiable', isSure: false },
    ]);
    expect(faults('fentry.s', 'vfs_read', linux('6.18.2'))).toEqual([
      { rule: 'sleepable', when: 'load', line: 'vfs_read is not sleepable', isSure: false },
    ]);
    expect(faults('fmod_ret', 'security_file_open', linux('6.18.2'))).toEqual([]);
    const config = { text: 'CONFIG_FUNCTION_ERROR_INJECTION=y\n' };
    const kernel = kernelOf(X86, { release: '6.18.2', config });
    expect(faults('fmod_ret', '__x64_sys_getpgid', kernel)).toEqual([]);
    expect(faults('fmod_ret', '__arm64_sys_getpgid', kernel)).toHaveLength(1);
  });

  it('is a hook that no program may use, and a hook that a sleepable one may not', () => {
    expect(faults('lsm', 'bpf_lsm_getprocattr', linux('6.18.2'), { btfId: 7 })).toEqual([
      {
        rule: 'disabled hook',
        when: 'load',
        line: 'attach_btf_id 7 points to disabled hook bpf_lsm_getprocattr',
        isSure: true,
      },
    ]);
    expect(faults('lsm', 'bpf_lsm_getprocattr', linux('6.1.0'))).toEqual([]);
    expect(faults('lsm.s', 'bpf_lsm_file_open', linux('6.18.2'))).toEqual([]);
    expect(faults('lsm.s', 'bpf_lsm_file_permission', linux('6.18.2'))).toMatchObject([
      { rule: 'sleepable', isSure: false },
    ]);
  });

  it('is an attach type that the kernel lacks', () => {
    const old = enumeration('bpf_attach_type', [
      ['BPF_CGROUP_UDP6_RECVMSG', 20],
      ['BPF_TRACE_FENTRY', 24],
    ]);
    expect(faults('fsession', 'vfs_read', kernelOf([...X86, old]))).toEqual([
      { rule: 'attach type', when: 'load', line: null, isSure: true },
    ]);
    expect(faults('fentry', 'vfs_read', kernelOf([...X86, old]))).toEqual([]);
  });

  it('is an address that /proc/kallsyms lacks', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `ffffffff8100${i} T f${i}`);
    const lines = ['ffffffff81000000 T _stext', ...names, 'ffffffff82000000 t do_part.isra.0'];
    const kernel = kernelOf(X86, { release: '6.18.2', kallsyms: lines.join('\n') });
    expect(faults('fentry', 'f7', kernel)).toEqual([]);
    expect(faults('fentry', 'do_part', kernel)).toEqual([
      {
        rule: 'address',
        when: 'load',
        line: 'The address of function do_part cannot be found',
        isSure: true,
      },
    ]);
    const [text] = traceFaults('fentry', { name: 'do_part', model: null, btfId: null }, kernel);
    expect(text?.text).toBe('/proc/kallsyms has do_part only as do_part.isra.0.');
    // A part of the file tells nothing.
    const part = kernelOf(X86, { kallsyms: lines.slice(0, 5).join('\n') });
    expect(faults('fentry', 'do_part', part)).toEqual([]);
  });
});

describe('a program that loads and cannot be attached', () => {
  it('is any program on arm64 before 6.4', () => {
    expect(faults('fentry', 'vfs_read', linux('6.1.141', ARM64))).toEqual([
      { rule: 'trampoline', when: 'attach', line: null, isSure: true },
    ]);
    expect(faults('fentry', 'vfs_read', linux('6.6.87', ARM64))).toEqual([]);
  });

  it('is one on a function with more registers of arguments than the machine passes', () => {
    const params = Array.from({ length: 7 }, () => INT);
    expect(faults('fentry', 'f', linux('6.1.141'), { params })).toMatchObject([
      { rule: 'trampoline', isSure: true },
    ]);
    expect(faults('fentry', 'f', linux('6.6.87'), { params })).toEqual([]);
    const pairs = Array.from({ length: 5 }, () => ({ kind: BtfKind.STRUCT, size: 16 }));
    expect(faults('fentry', 'f', linux('6.6.87', ARM64), { params: pairs })).toMatchObject([
      { rule: 'trampoline', isSure: true },
    ]);
    expect(faults('fentry', 'f', linux('6.18.2', ARM64), { params: pairs })).toEqual([]);
  });

  it('is told so in a sentence', () => {
    const kernel = linux('6.1.141', ARM64);
    const [fault] = traceFaults('fentry', { name: 'f', model: modelOf([]), btfId: null }, kernel);
    expect(fault?.text).toBe(
      'Loads, but cannot be attached: arm64 has no direct calls of ftrace before 6.4.',
    );
  });
});
