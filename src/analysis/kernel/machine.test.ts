import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { func, funcProto, int, struct, type TypeRecord, union } from '#testing/btf-types.ts';
import { kernelOf } from '#testing/kernels.ts';
import { isSyscallName, machineOf, nameOfOtherMachine, otherMachine } from './machine.ts';

const member = (name: string, bitOffset: number) => ({ name, type: 1, bitOffset });

/** Returns types with a struct of `long` members, number 2. */
const registers = (name: string, ...members: readonly string[]): TypeRecord[] => [
  int('long', 8),
  struct(
    name,
    8 * members.length,
    members.map((one, at) => member(one, 64 * at)),
  ),
];

const kernel = (...members: readonly string[]) => kernelOf(registers('pt_regs', ...members));
const X86 = kernel('di', 'orig_ax');
const RISCV = kernel('epc', 'ra');
const LOONGARCH = kernel('regs', 'csr_era');
/** The members of arm64 are in an anonymous union. */
const ARM64 = kernelOf([
  int('long', 8),
  struct('', 24, [member('regs', 0), member('sp', 64), member('pstate', 128)]),
  union('', 24, [{ name: '', type: 2, bitOffset: 0 }]),
  struct('pt_regs', 24, [{ name: '', type: 3, bitOffset: 0 }]),
]);

/** Returns what is told of an object that reads member number `at` of a struct. */
function told(object: readonly TypeRecord[], at: number, on = ARM64): string | null {
  const types = kernelOf(object).vmlinux as TypeTable;
  return otherMachine(types, { root: typeId(2), accessStr: `0:${at}`, kind: 0 }, on);
}

describe('the machine of a kernel', () => {
  it.each([
    [X86, 'x86-64'],
    [ARM64, 'arm64'],
    [RISCV, 'riscv'],
    [LOONGARCH, 'loongarch'],
    [kernel('psw', 'gprs'), 's390'],
    [kernel('gpr', 'nip'), 'powerpc'],
    [kernel('regs', 'cp0_epc'), 'mips'],
    [kernel('uregs'), 'arm'],
    [kernelOf([funcProto(0), func('__s390x_sys_read', 1)]), 's390'],
  ])('is told by its registers or system calls: %#', (given, name) => {
    expect(machineOf(given)?.name).toBe(name);
  });

  it('is not guessed', () => {
    expect(machineOf(kernelOf([int('long', 8)]))).toBeNull();
    expect(machineOf(kernel('orig_ax', 'pstate'))).toBeNull();
    expect(machineOf({ vmlinux: null })).toBeNull();
  });
});

describe('an object that reads registers', () => {
  it.each([
    [registers('pt_regs', 'di'), 'Compiled for x86-64 (-D__TARGET_ARCH_x86): reads pt_regs.di'],
    [
      registers('user_regs_struct', 'a0'),
      'Compiled for riscv (-D__TARGET_ARCH_riscv): reads user_regs_struct.a0',
    ],
    [
      registers('pt_regs', 'gpr'),
      'Compiled for powerpc (-D__TARGET_ARCH_powerpc): reads pt_regs.gpr',
    ],
    [
      registers('pt_regs___x86', 'di'),
      'Compiled for x86-64 (-D__TARGET_ARCH_x86): reads pt_regs.di',
    ],
  ])('of another machine is told so: %#', (object, text) => {
    expect(told(object, 0)).toBe(`${text}; this kernel is arm64.`);
  });

  it('of a struct that two machines have is told apart by its members', () => {
    const arm64 = 'Compiled for arm64 (-D__TARGET_ARCH_arm64): reads user_pt_regs.regs';
    expect(told(registers('user_pt_regs', 'regs', 'pstate'), 0, X86)).toBe(
      `${arm64}; this kernel is x86-64.`,
    );
    expect(told(registers('user_pt_regs', 'regs'), 0, X86)).toBe(
      'Compiled for arm64 (-D__TARGET_ARCH_arm64) or loongarch (-D__TARGET_ARCH_loongarch): reads user_pt_regs.regs; this kernel is x86-64.',
    );
    expect(told(registers('user_pt_regs', 'regs'), 0, LOONGARCH)).toBeNull();
  });

  it('of this machine, or of none, is not', () => {
    expect(told(registers('pt_regs', 'di'), 0, X86)).toBeNull();
    expect(told(registers('pt_regs', 'something'), 0)).toBeNull();
    expect(told(registers('task_struct', 'di'), 0)).toBeNull();
    expect(told(registers('pt_regs', 'di'), 0, kernelOf([int('long', 8)]))).toBeNull();
  });
});

describe('a name of a system call', () => {
  it('is of one machine', () => {
    expect(isSyscallName('__x64_sys_read', X86)).toBe(true);
    expect(isSyscallName('__x64_sys_read', ARM64)).toBe(false);
    expect(isSyscallName('vfs_read', X86)).toBe(false);
    expect(nameOfOtherMachine('__x64_sys_read', ARM64)).toBe(
      '__x64_sys_read is a name of x86-64; this kernel is arm64. Its name there is __arm64_sys_read.',
    );
    expect(nameOfOtherMachine('__x64_sys_read', LOONGARCH)).toBe(
      '__x64_sys_read is a name of x86-64; this kernel is loongarch.',
    );
    expect(nameOfOtherMachine('__x64_sys_read', X86)).toBeNull();
  });
});
