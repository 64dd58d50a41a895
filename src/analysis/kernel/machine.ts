/**
 * Machines by the registers of their `struct pt_regs`: the machine of a kernel's BTF, and the
 * machine for whose registers an object was compiled. Source: arch/*\/include/asm/ptrace.h;
 * tools/lib/bpf/bpf_tracing.h.
 */
import type { CoreObjectRecord } from '#analysis/core/core-records.ts';
import { essentialName } from '#analysis/core/essential-name.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { innerMembers } from '#analysis/types/inner-members.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { findByNameKind, type LoadKernel } from './kernel.ts';

/** What a CO-RE record reads. */
type RecordedAccess = Pick<CoreObjectRecord, 'root' | 'accessStr' | 'kind'>;

/** Facts of a kernel that tell its machine. */
type MachineFacts = Pick<LoadKernel, 'vmlinux' | 'arch'>;

type Machine = {
  /** Name of the machine, as `x86-64`. */
  readonly name: string;
  /** Value of `__TARGET_ARCH_…` that makes bpf_tracing.h read its registers. */
  readonly targetArch: string;
  /** A member that only this machine's `struct pt_regs` has. */
  readonly sign: string;
  /** Structs with registers that bpf_tracing.h reads. */
  readonly structs: readonly string[];
  /** Members of these structs, the anonymous ones opened. */
  readonly members: ReadonlySet<string>;
  /**
   * ABIs in the names of system calls, as `x64` of `__x64_sys_read`, its own first; empty if the
   * names have none.
   */
  readonly syscallAbis: readonly string[];
};

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const MACHINES: readonly Machine[] = [
  {
    name: 'x86-64',
    targetArch: 'x86',
    sign: 'orig_ax',
    structs: ['pt_regs'],
    members: words(`r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs csx flags sp ss
      ssx rbp rbx rax rcx rdx rsi rdi orig_rax rip eflags rsp ebx ecx edx esi edi ebp eax orig_eax eip
      esp`),
    syscallAbis: ['x64', 'ia32', 'x32'],
  },
  {
    name: 'arm64',
    targetArch: 'arm64',
    sign: 'pstate',
    structs: ['user_pt_regs', 'pt_regs'],
    members: words('user_regs regs sp pc pstate orig_x0 syscallno orig_addr_limit pmr stackframe'),
    syscallAbis: ['arm64'],
  },
  {
    name: 'arm',
    targetArch: 'arm',
    sign: 'uregs',
    structs: ['pt_regs'],
    members: words('uregs'),
    syscallAbis: [],
  },
  {
    name: 's390',
    targetArch: 's390',
    sign: 'psw',
    structs: ['user_pt_regs', 'pt_regs'],
    members: words('user_regs args psw gprs orig_gpr2 int_code int_parm int_parm_long flags'),
    syscallAbis: ['s390x', 's390'],
  },
  {
    name: 'powerpc',
    targetArch: 'powerpc',
    sign: 'nip',
    structs: ['pt_regs'],
    members: words('user_regs gpr nip msr orig_gpr3 ctr link xer ccr softe trap dar dsisr result'),
    syscallAbis: [],
  },
  {
    name: 'riscv',
    targetArch: 'riscv',
    sign: 'epc',
    structs: ['user_regs_struct', 'pt_regs'],
    members:
      words(`epc pc ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9
      s10 s11 t3 t4 t5 t6 status badaddr cause orig_a0`),
    syscallAbis: ['riscv'],
  },
  {
    name: 'loongarch',
    targetArch: 'loongarch',
    sign: 'csr_era',
    structs: ['user_pt_regs', 'pt_regs'],
    members: words(`regs orig_a0 csr_era csr_badv csr_crmd csr_prmd csr_euen csr_ecfg csr_estat
      csr_badvaddr`),
    syscallAbis: [],
  },
  {
    name: 'mips',
    targetArch: 'mips',
    sign: 'cp0_epc',
    structs: ['pt_regs'],
    members: words('pad0 regs cp0_status hi lo cp0_badvaddr cp0_cause cp0_epc'),
    syscallAbis: [],
  },
  {
    name: 'sparc',
    targetArch: 'sparc',
    sign: 'u_regs',
    structs: ['pt_regs'],
    members: words('u_regs tstate tpc tnpc y magic psr pc npc'),
    syscallAbis: [],
  },
];

/** Maximum members of `struct pt_regs` that are read; a kernel has 40. */
const MAX_MEMBERS = 256;

function membersOf(t: TypeTable, id: TypeId): ReadonlySet<string> {
  const members = innerMembers(t, skipModifiers(t, id), { left: MAX_MEMBERS });
  return new Set(members.map(({ member }) => member.name));
}

const machineOfTypes = memoized((t: TypeTable): Machine | null => {
  const registers = findByNameKind(t, BtfKind.STRUCT, 'pt_regs');
  const members = registers === null ? new Set<string>() : membersOf(t, registers);
  const [first, second] = MACHINES.filter(({ sign }) => members.has(sign));
  if (first !== undefined) return second === undefined ? first : null;
  const hasCalls = ({ syscallAbis: [abi] }: Machine) =>
    abi !== undefined && findByNameKind(t, BtfKind.FUNC, `__${abi}_sys_read`) !== null;
  return MACHINES.find(hasCalls) ?? null;
});

/** Architectures in the names of kernels, by the name of their machine. */
const ARCHITECTURES: readonly (readonly [pattern: RegExp, machine: string])[] = [
  [/^(?:amd64|x86_64)$/, 'x86-64'],
  [/^(?:arm64|aarch64)$/, 'arm64'],
  [/^arm/, 'arm'],
  [/^s390/, 's390'],
  [/^(?:ppc|powerpc)/, 'powerpc'],
  [/^riscv/, 'riscv'],
  [/^loong/, 'loongarch'],
  [/^mips/, 'mips'],
  [/^sparc/, 'sparc'],
];

/** Returns the machine of a kernel by its BTF, or without BTF by its name; null if unknown. */
export function machineOf({ vmlinux, arch = '' }: MachineFacts): Machine | null {
  if (vmlinux !== null) return machineOfTypes(vmlinux);
  const [, name] = ARCHITECTURES.find(([pattern]) => pattern.test(arch)) ?? [];
  return MACHINES.find((machine) => machine.name === name) ?? null;
}

/**
 * Returns the machines whose registers a CO-RE record reads; none for other records. A struct that
 * several machines have is told apart by its members in the object.
 */
function machinesRead(t: TypeTable, record: RecordedAccess): readonly Machine[] {
  const name = essentialName(nameOf(t, record.root));
  const known = MACHINES.filter(({ structs }) => structs.includes(name));
  if (known.length === 0) return [];
  const member = firstMember(t, record);
  const reading = known.filter(({ members }) => members.has(member));
  const local = [...membersOf(t, record.root)];
  const shared = ({ members }: Machine) => local.filter((one) => members.has(one)).length;
  const most = reading.reduce((max, machine) => Math.max(max, shared(machine)), 0);
  return reading.filter((machine) => shared(machine) === most);
}

function firstMember(t: TypeTable, record: RecordedAccess): string {
  const { steps } = walkAccess(t, record.root, record.accessStr, record.kind);
  return steps.slice(1).find((step) => step.name !== '')?.name ?? '';
}

/**
 * Returns a sentence if a CO-RE record reads registers of another machine than the kernel's; null if
 * it does not, or if the machine is not known.
 */
export function otherMachine(
  t: TypeTable,
  record: RecordedAccess,
  kernel: MachineFacts,
): string | null {
  const own = machineOf(kernel);
  const read = own === null ? [] : machinesRead(t, record);
  if (own === null || read.length === 0 || read.includes(own)) return null;
  const compiled = read.map(({ name, targetArch }) => `${name} (-D__TARGET_ARCH_${targetArch})`);
  const access = `${essentialName(nameOf(t, record.root))}.${firstMember(t, record)}`;
  return `Compiled for ${compiled.join(' or ')}: reads ${access}; this kernel is ${own.name}.`;
}

/** Matches functions of system calls: `__x64_sys_read`, `__ia32_compat_sys_read`, `__do_sys_read`. */
const SYSCALL = /^__([a-z0-9]+)_(compat_)?sys_/;

/** Returns true for the name of a system call's function on any machine. */
export function isSyscall(name: string): boolean {
  return SYSCALL.test(name);
}

/** Returns true for the name of a system call on the kernel's machine, as `__x64_sys_read`. */
export function isSyscallName(name: string, kernel: MachineFacts): boolean {
  const [, abi = ''] = SYSCALL.exec(name) ?? [];
  return machineOf(kernel)?.syscallAbis.includes(abi) === true;
}

/** Returns a sentence if a function has a name that only another machine's kernels have, or null. */
export function nameOfOtherMachine(name: string, kernel: MachineFacts): string | null {
  const own = machineOf(kernel);
  const [start = '', abi, compat] = SYSCALL.exec(name) ?? [];
  if (own === null || abi === undefined || compat !== undefined) return null;
  const other = MACHINES.find(({ syscallAbis }) => syscallAbis[0] === abi);
  if (other === undefined || other === own) return null;
  const [ownAbi] = own.syscallAbis;
  const rest = name.slice(start.length);
  const here = ownAbi === undefined ? '' : ` Its name there is __${ownAbi}_sys_${rest}.`;
  return `${name} is a name of ${other.name}; this kernel is ${own.name}.${here}`;
}
