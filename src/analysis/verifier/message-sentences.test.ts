import { describe, expect, test } from 'vitest';
import { explainLog } from '#testing/explain-log.ts';

const WALKED = `0: R1=ctx() R10=fp0
; int p(void *ctx) @ a.bpf.c:3
0: (b7) r2 = 0                        ; R2=0
; return my_func(ctx, 0); @ a.bpf.c:5
1: (85) call my_func#777
`;
const END =
  'processed 2 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0';

const told = (message: string) => explainLog(`${WALKED}${message}\n${END}\n`, 'p', null);

const CALL = 'Instruction 1 (a.bpf.c:5)';

describe('sentences of messages', () => {
  test.each([
    [
      'The function vfs_x arg2 type STRUCT is unsupported.',
      'Argument 3 of `vfs_x` is of the kind STRUCT, which no trampoline passes: a struct of more than 16 bytes, before Linux 6.1 any struct.',
    ],
    [
      'Only fentry/fexit/fmod_ret and lsm programs can be sleepable',
      'The program is loaded as sleepable, which this kernel allows for fentry/fexit/fmod_ret and lsm programs only.',
    ],
    [
      'access beyond the end of member comm (mend:48) in struct task_struct with off 40 size 16',
      `${CALL} accesses 16 bytes at offset 40 of \`struct task_struct\`, but its member \`comm\` ends at offset 48.`,
    ],
    [
      'kernel function f args#0 expected pointer to STRUCT a but R1 has a pointer to STRUCT b',
      `${CALL} passes \`f\` a pointer to STRUCT \`b\` in R1; it expects one to STRUCT \`a\`.`,
    ],
    [
      'LSM programs must have a GPL compatible license',
      'The program is an LSM program, and its licence is not compatible with the GPL.',
    ],
    [
      "arg#0 reference type('STRUCT task_struct ') is ambiguous",
      'Argument 1 of a function of the program is a trusted pointer to `task_struct`, of which the kernel and its modules have several types.',
    ],
    [
      'Invalid core_relo[2].insn_off:168 prog->len:20',
      'CO-RE record 2 belongs to byte 168 of the code, where no instruction of the program begins: it has 20 instructions of 8 bytes.',
    ],
    [
      'same or smaller insn offset (5) than previous func info record (7)',
      'The function records (func_info) are not in order: the one for instruction 5 comes after the one for 7.',
    ],
    [
      'Invalid line_info[4].insn_off:9 (prev_offset:9 prog->len:20)',
      'Line record 4 (line_info) belongs to instruction 9; it must come after 9, the instruction of the record before, and the program has 20.',
    ],
    [
      'Possibly NULL pointer passed to trusted arg1',
      `R2 is NULL on this path where instruction 1 (a.bpf.c:5) passes it to my_func: it comes from instruction 0 (\`r2 = 0\`, a.bpf.c:3), and this argument may not be NULL.`,
    ],
    [
      "R2 unbounded memory access, use 'var &= const' or 'if (var < const)'",
      'The size in R2 that instruction 1 (a.bpf.c:5) passes to my_func is too large (0): it comes from instruction 0 (`r2 = 0`, a.bpf.c:3).',
    ],
    [
      'R2 is not a scalar',
      `${CALL} passes my_func the number 0 in R2, where it expects a number: the value comes from instruction 0 (\`r2 = 0\`, a.bpf.c:3).`,
    ],
    [
      'R2 type=scalar expected=ptr_, trusted_ptr_, rcu_ptr_',
      `${CALL} passes a number in R2 to my_func, which expects a pointer to a kernel object or a trusted pointer to a kernel object or an RCU pointer to a kernel object. The value comes from instruction 0 (\`r2 = 0\`, a.bpf.c:3).`,
    ],
    [
      'R2 must be a known constant',
      `${CALL} passes my_func a number in R2 that is not constant on this path: the value comes from instruction 0 (\`r2 = 0\`, a.bpf.c:3).`,
    ],
  ])('%s', async (message, cause) => {
    expect((await told(message)).cause).toBe(cause);
  });

  test('have the operator of arithmetic with a pointer', async () => {
    const log = WALKED.replace('(85) call my_func#777', '(4f) r2 |= r1');
    const message = 'math between ctx pointer and register with unbounded min value is not allowed';
    const { cause } = await explainLog(`${log}${message}\n${END}\n`, 'p', null);
    expect(cause).toContain('calculates `|=` with the context and the number in R2');
  });

  test('name no program where an instruction is meant', async () => {
    const { cause } = await explainLog(`BPF_STX uses reserved fields\n${END}\n`, 'p', null);
    expect(cause).toMatch(/^An instruction is a BPF_STX instruction/);
  });

  test('have the repair of the rule, or one of their own', async () => {
    expect((await told('R2 must be a known constant')).fix).not.toBe('');
    expect((await told('Syscall programs can only be sleepable')).fix).toContain('SEC("syscall")');
  });

  test('have a repair for the instruction whose field is not 0', async () => {
    const fixOf = async (name: string) => (await told(`${name} uses reserved fields`)).fix;
    expect(await fixOf('BPF_MOV')).toMatch(/^Compile with `-mcpu=v3`: version 4/);
    expect(await fixOf('BPF_EXIT')).toMatch(/^Write 0 to the field/);
    expect(await fixOf('BPF_CALL')).toContain('Linux 5.13');
    expect(await fixOf('BPF_STX')).toContain('result of an atomic addition');
    expect((await told('invalid may_goto imm 1')).fix).toContain('can_loop');
    const cast = 'addr_space_cast insn can only convert between address space 1 and 0';
    expect((await told(cast)).fix).toContain('__arena');
  });

  test('are of the lock, or of preemption, that forbids the call', async () => {
    const rule = 'global function calls are not allowed';
    expect((await told(`${rule} with preemption disabled,`)).cause).toContain('preemption');
    expect((await told(`${rule} while holding a lock,`)).cause).toContain('a lock is held');
  });
});
