/** Sentences of messages about a program: its target, its context, its control flow. */
import type { Sentence } from './sentence.ts';

export const ATTACH: readonly Sentence[] = [
  [
    /to __noreturn function '(\S+)' is rejected/,
    '`$1` never returns, so that no program can run at its return.',
  ],
  [
    /to __noreturn functions is rejected/,
    'The function never returns, so that no program can run at its return.',
  ],
  [
    /Attaching tracing programs to function '(\S+)' is rejected/,
    'The kernel denies tracing of `$1`, which runs while programs are entered and left.',
  ],
  [
    /ret type (\S+) not allowed for fmod_ret/,
    'The function returns a `$1`, which no fmod_ret program may change.',
  ],
  [
    /^(\S+)\(\) is not modifiable/,
    '`$1` is neither a function whose errors may be injected (ALLOW_ERROR_INJECTION) nor an LSM hook (`security_…`), so that no fmod_ret program may change its result.',
  ],
  [
    /can't modify return codes of BPF programs/,
    'The target is a BPF program, and fmod_ret programs change results of kernel functions only.',
  ],
  [
    /The function (\S+) arg(\d+) type (\S+) is unsupported/,
    'Argument $+2 of `$1` is of the kind $3, which no trampoline passes: a struct of more than 16 bytes, before Linux 6.1 any struct.',
  ],
  [
    /The function (\S+) has (\d+) arguments\. Too many/,
    '`$1` has $2 arguments; a traced function has at most 12.',
  ],
  [
    /The function (\S+) has malformed void argument/,
    'The kernel’s BTF gives `$1` an argument of the type void.',
  ],
  [
    /The function (\S+) return type (.+) is unsupported/,
    '`$1` returns a value of the kind $2; a traced function returns a number, a pointer or nothing.',
  ],
  [
    /The function (\S+) with variable args/,
    '`$1` has variable arguments (`...`), which no trampoline passes.',
  ],
  [
    /Attach to function (\S+) with a >8 byte return value/,
    '`$1` returns more than 8 bytes, which this kind of program does not get.',
  ],
  [
    /Sleepable program cannot attach to non-faultable tracepoint (\S+)/,
    'The program is sleepable, but `$1` is no tracepoint at which a program may sleep.',
  ],
  [
    /BPF_LSM_CGROUP programs cannot be sleepable/,
    'The program is an lsm_cgroup program, which may not be sleepable.',
  ],
  [
    /Only (.+) programs can be sleepable/,
    'The program is loaded as sleepable, which this kernel allows for $1 programs only.',
  ],
  [
    /Program of this type cannot be sleepable/,
    'The program is loaded as sleepable, which this kernel does not allow for its type.',
  ],
  [
    /Syscall programs can only be sleepable/,
    'Programs of the type syscall are sleepable, and this one is not loaded as such.',
    'Use `SEC("syscall")`, for which libbpf sets BPF_F_SLEEPABLE, or set this flag.',
  ],
  [
    /^(\S+) is not sleepable/,
    'The program is sleepable, but `$1` is no function or hook in which a program may sleep.',
  ],
  [
    /Subprog (\S+) doesn't exist/,
    'The BPF program that this one is to be attached to has no function `$1`.',
  ],
  [
    /The address of function (\S+) cannot be found/,
    'The BTF has `$1`, but the kernel’s symbols do not: the compiler inlined or renamed it.',
  ],
  [
    /Tracing programs must provide btf_id/,
    'The program has no attach target (attach_btf_id).',
    'Name the target in the section, for example `SEC("fentry/vfs_read")`, or call bpf_program__set_attach_target() before the load.',
  ],
  [
    /points to disabled hook (\S+)/,
    'This kernel does not offer the LSM hook `$1` to BPF programs.',
  ],
  [
    /points to wrong type name (\S+)/,
    'The target is the type `$1`; that of a tracepoint has a name that begins with `btf_trace_`.',
  ],
  [
    /Can attach to only JITed progs/,
    'The target program is not compiled by the JIT compiler, and only such programs can be attached to.',
    'Switch the JIT on before the target is loaded: `sysctl net.core.bpf_jit_enable=1`.',
  ],
  [
    /Cannot extend fentry/,
    'The program extends a function of an fentry, fexit or fsession program, which cannot be extended.',
  ],
  [
    /Cannot nest tracing program attach more than once/,
    'The target is a tracing program that is attached to a BPF program itself; only one such step is possible.',
  ],
  [
    /Cannot recursively attach/,
    'The target is a program of the same type: a tracing program cannot be attached to another one.',
  ],
  [
    /can only be attached to another program annotated with BTF/,
    'The target program was loaded without BTF, which names its functions.',
    'Compile the target with `-g` and load it with its BTF.',
  ],
  [
    /^Only (FENTRY\S*) progs are attachable/,
    'Only fentry, fexit and fsession programs can be attached to a BPF program, and this one has another attach type.',
  ],
  [
    /Target program bound device mismatch/,
    'The program and its target are bound to different network devices.',
  ],
  [
    /^(\S+)\(\) has (\d+) args while (\S+)\(\) has (\d+) args/,
    'The extension `$1` has $2 arguments, and `$3`, which it replaces, has $4.',
  ],
  [
    /^(\S+)\(\) is not a global function/,
    '`$1` is not a global function; only global functions replace others and are replaced.',
  ],
  [
    /Return type (\S+) of (\S+)\(\) doesn't match type (\S+) of (\S+)\(\)/,
    'The extension `$2` returns a $1, and `$4`, which it replaces, a $3.',
  ],
  [
    /arg(\d+) (\S+)\((.+?) \*\) doesn't match (\S+)\((.+?) \*\)/,
    'Argument $+1 is a `$3 *` in the extension `$2`, and a `$5 *` in `$4`, which it replaces.',
  ],
  [
    /arg(\d+) in (\S+)\(\) has size (\d+) while (\S+)\(\) has (\d+)/,
    'Argument $+1 has $3 bytes in the extension `$2`, and $5 bytes in `$4`, which it replaces.',
  ],
  [
    /arg(\d+) in (\S+)\(\) is (?!not )(.+) while (\S+)\(\) has (.+)/,
    'Argument $+1 is a $3 in the extension `$2`, and a $5 in `$4`, which it replaces.',
  ],
  [
    /arg(\d+) in (\S+)\(\) is not a pointer to context/,
    'Argument $+1 of `$2` is not a pointer to the context.',
  ],
  [
    /arg(\d+) in (\S+)\(\) has unrecognized type/,
    'Argument $+1 of `$2` has a type that cannot be compared with that of the replaced function.',
  ],
  [
    /Program extension requires BTF/,
    'The extension or its target was loaded without BTF, by which their prototypes are compared.',
  ],
  [
    /Cannot replace kernel functions/,
    'The extension names a function of the kernel; it replaces functions of BPF programs.',
  ],
  [
    /Cannot replace static functions/,
    'The function that the extension replaces is static; only global functions can be replaced.',
  ],
  [
    /Extension program changes packet data/,
    'The extension calls a helper that changes the packet’s data, and the function that it replaces does not.',
  ],
  [
    /Extension program may sleep/,
    'The extension may sleep, and the function that it replaces may not.',
  ],
  [/Extension programs should be JITed/, 'The extension is not compiled by the JIT compiler.'],
  [
    /attach to unsupported member (\S+) of struct (\S+)/,
    'The callback `$1` of `struct $2` cannot be a BPF program in this kernel.',
  ],
  [
    /attach to invalid member (\S+?)\(@idx (\d+)\) of struct (\S+)/,
    'Member `$1` (index $2) of `struct $3` is no callback of this kernel.',
  ],
  [
    /attach to invalid member idx (\d+) of struct (\S+)/,
    '`struct $2` of this kernel has no member with the index $1: it is not the one that the program was resolved against.',
  ],
  [
    /struct_ops module (\S+) is not found/,
    'The module `$1`, which has the struct of these callbacks, is not loaded.',
  ],
];

export const CONTEXT: readonly Sentence[] = [
  [
    /func '(\S+)' doesn't have (\d+)-th argument/,
    '{I} reads the context beyond the last argument of `$1`.',
  ],
  [
    /func '(\S+)' offset (\d+) is not multiple of 8/,
    '{I} reads the context at offset $2, but the arguments of `$1` are at multiples of 8 bytes.',
  ],
  [
    /func '(\S+)' size (\d+) must be 8/,
    '{I} reads $2 bytes of an argument of `$1`; an argument is read with 8 bytes.',
  ],
  [
    /func '(\S+)' arg(\d+) '(\S*)' has type (\S+)\. Only pointer access/,
    '{I} reads argument $+2 of `$1`, which is a $4; only numbers and pointers can be read.',
  ],
  [
    /func '(\S+)' arg(\d+) type (\S+) is not a struct/,
    '{I} reads argument $+2 of `$1`, which points to a $3, not to a struct.',
  ],
  [
    /invalid btf_id for context argument offset (\d+)/,
    '{I} reads the context at offset $1, whose type the kernel does not know.',
  ],
  [
    /kern ctx type id (\d+) is not a struct/,
    'The kernel’s BTF has no struct for the context of this program type.',
  ],
  [
    /LSM programs must have a GPL compatible license/,
    'The program is an LSM program, and its licence is not compatible with the GPL.',
  ],
  [
    /struct ops programs must have a GPL compatible license/,
    'The program is a struct_ops program, and its licence is not compatible with the GPL.',
  ],
  [
    /Cannot access kernel 'struct (\S+)' from non-GPL/,
    '{I} reads the kernel’s `struct $1`, which is only for programs with a GPL-compatible licence.',
  ],
];

export const FLOW: readonly Sentence[] = [
  [
    /recursive call from (\S+?)(?:\(\))? to (\S+?)(?:\(\))?$/,
    '`$1` calls `$2`, by which it would run again: functions of a program may not be recursive.',
    'Write the recursion as a loop, with a stack in a map.',
  ],
  [
    /callback function cannot be the main program/,
    '{I} passes the main program to {f} as a callback.',
  ],
  [
    /callback function not static/,
    '{I} takes the address of a global function for a callback, which must be static.',
  ],
  [
    /tail_call is only allowed in functions that return 'int'/,
    '{I} makes a tail call in {o}, which does not return a number: a tail call that succeeds ends the program with the result of another.',
    'Let the function return an int, or call `bpf_tail_call` from the program itself.',
  ],
  [
    /LD_ABS is only allowed in functions that return 'int'/,
    '{I} is a legacy packet load in {o}, which does not return a number: a load beyond the packet ends the function with 0.',
    'Let the function return an int, or use `bpf_skb_load_bytes`, which returns an error instead.',
  ],
  [
    /LD_ABS is not allowed in subprogs without BTF/,
    '{I} is a legacy packet load in {o}, of a program that was loaded without BTF.',
    'Load the object with its BTF (compile with `-g`), or use `bpf_skb_load_bytes`, which returns an error instead.',
  ],
  [/too many subprograms/, 'The program has more than 256 functions, callbacks included.'],
  [
    /tail_call is not allowed in subprogs without BTF/,
    '{I} makes a tail call in a function of a program that was loaded without BTF.',
  ],
  [
    /mixing of tail_calls and bpf-to-bpf calls|tail_calls are not allowed in (?:non-JITed )?programs with bpf-to-bpf calls/,
    'The program makes tail calls and calls functions of its own, which this kernel, or its JIT compiler, does not support together.',
  ],
  [
    /BPF_LD_\[ABS\|IND\] instructions not allowed/,
    '{I} is a legacy packet load, which programs of this type do not have.',
  ],
  [
    /unexpected __bpf_trap\(\)/,
    '{I} is a trap (`__bpf_trap`), which the compiler puts in place of undefined behaviour: usually a variable is read that has no value.',
  ],
  [/^R(\d+) is invalid/, '{I} names R$1; the registers are R0 to R10.'],
  [
    /(BPF_(?:MOV|ALU|END|LDX|JA)) uses reserved fields/,
    '{I} is a $1 instruction with a value in a field that must be 0 in this kernel. On newer kernels the value may have a meaning.',
    'Compile with `-mcpu=v3`: version 4 has such instructions, from Linux 6.6 on. In hand-written code write 0 to the field.',
  ],
  [
    /BPF_CALL uses reserved fields/,
    '{I} is a call with a value in a field that must be 0 in this kernel. On newer kernels the value may have a meaning.',
    'Load on Linux 5.13 or newer if it is a call of a kernel function. In hand-written code write 0 to the field.',
  ],
  [
    /(BPF_(?:EXIT|NEG|ST|JMP\/JMP32|LD_IMM64|LD_\[ABS\|IND\])) uses reserved fields/,
    '{I} is a $1 instruction with a value in a field that must be 0.',
    'Write 0 to the field in hand-written or generated code; compilers do.',
  ],
  [
    /(BPF_\S+) uses reserved fields/,
    '{I} is a $1 instruction with a value in a field that must be 0 in this kernel. On newer kernels the value may have a meaning.',
  ],
  [
    /insn (\d+) cannot access two stack slots fp(-?\d+) and fp(-?\d+)/,
    'Instruction $1 accesses two slots of the stack, fp$2 and fp$3, of which this kernel can follow only one.',
  ],
  [
    /program with __ref argument cannot tail call/,
    'The program owns an argument (`__ref`), so that it may not make a tail call.',
    'Release the argument and return, or do the work in functions of the program.',
  ],
  [
    /BPF_LD_\[ABS\|IND\] cannot be mixed with socket references/,
    '{I} is a legacy packet load, which can end the program, and a reference is held there{from}.',
    'Release the reference first, or read the packet with bpf_skb_load_bytes().',
  ],
  [
    /jump table for insn (\d+) points outside of the subprog \[(\d+),\s?(\d+)\]/,
    'The table of the jump at instruction $1 has an entry outside of its function.',
  ],
  [
    /no jump tables found for subprog starting at (\d+)/,
    'The function that begins at instruction $1 jumps through a table, and the program has no map with one (insn_array).',
  ],
  [
    /(R\d+) has type (\S+), expected PTR_TO_INSN/,
    '{I} jumps to the address in $1, which holds a `$2`, not an entry of a jump table{from}.',
  ],
  [
    /(R\d+) points to outside of jump table: \[(\d+),\s?(\d+)\] max_entries (\d+)/,
    '{I} jumps to one of the entries $2 to $3 of a table that has $4.',
  ],
  [
    /(R\d+) doesn't point to any offset in map id=(\d+)/,
    '{I} jumps by $1, which points to no entry of its jump table.',
  ],
  [
    /exception callback '(\S+)' could not be found in BTF/,
    'The exception callback `$1` is not in the BTF of the program.',
  ],
  [
    /exception callback '(\S+)' must have global linkage/,
    'The exception callback `$1` is static, and must be global.',
  ],
  [
    /bpf_throw kfunc \(insn (\d+)\) cannot be called from callback/,
    '{I} calls bpf_throw in a callback, which may throw no exception.',
  ],
  [
    /insn (\d+) cannot call exception cb directly/,
    'Instruction $1 calls the exception callback, which only bpf_throw() calls.',
  ],
  [
    /exception cb (cannot return void|only supports single integer argument)/,
    'The exception callback has another prototype than `int callback(u64 cookie)`.',
    'Declare it as `__noinline int callback(u64 cookie)`.',
  ],
  [
    /invalid may_goto/,
    '{I} is a may_goto with a value in a field that must be 0.',
    'Write 0 to the field in hand-written or generated code: in C use the macro `can_loop`.',
  ],
  [
    /slot poisoned by dead code elimination/,
    '{I} reads a slot of the stack of which the verifier had concluded that nothing reads it.',
  ],
  [
    /same insn cannot be used with different pointers/,
    '{I} follows a pointer of one kind on one path, and of another kind on another path.',
  ],
  [
    /^(\S+) not allowed in rbtree cb/,
    '{I} calls `$1` in the comparison function of a tree, which may only compare.',
  ],
  [
    /can't spin_\{lock,unlock\} in rbtree cb/,
    '{I} takes or releases a lock in the comparison function of a tree, which runs under the lock of the tree.',
  ],
];
