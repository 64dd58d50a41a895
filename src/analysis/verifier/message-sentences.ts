/**
 * Sentences of single messages: names and numbers of the message in the words of its reader, where
 * the sentences of its rule are about the rule only. Source: the conditions under which
 * kernel/bpf/verifier.c, btf.c and their neighbours print each message.
 */
import type { Fault } from './fault.ts';
import { fromOrigin, type Told, upper } from './told.ts';

/**
 * A message, its cause, and a repair if that of the card does not fit. In a text `$1` is a captured
 * part, `$+1` a captured index counted from 1, `{I}` and `{i}` the failing instruction, `{R}` its
 * register, `{f}` the called function, `{from}` the origin of the value.
 */
type Sentence = readonly [message: RegExp, cause: string, fix?: string];

const ATTACH: readonly Sentence[] = [
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

const CONTEXT: readonly Sentence[] = [
  [
    /func '(\S+)' doesn't have (\d+)-th argument/,
    '{I} reads argument $2 of `$1`, which has fewer.',
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
  [
    /func_info BTF section doesn't match subprog layout/,
    'The function records (func_info) do not begin where the functions of the program do: code was moved, joined or removed after the BTF was made.',
  ],
  [
    /number of funcs in func_info doesn't match number of subprogs/,
    'The program has another number of functions than of function records (func_info). Kernels before 5.13 do not count callbacks, which they do not know.',
  ],
  [
    /missing bpf_line_info for (\d+ funcs starting from )?func#(\d+)/,
    'Function $2 of the program has no line record (line_info) at its first instruction.',
  ],
];

const FLOW: readonly Sentence[] = [
  [
    /recursive call from (\S+?)(?:\(\))? to (\S+?)(?:\(\))?$/,
    '`$1` calls `$2`, by which it would run again: functions of a program may not be recursive.',
    'Write the recursion as a loop, with a stack in a map.',
  ],
  [
    /the call stack of (\d+) frames is too deep/,
    'The call at {i} is the ninth of a chain; functions call one another at most 8 deep.',
  ],
  [
    /callback function cannot be the main program/,
    '{I} passes the main program to {f} as a callback.',
  ],
  [
    /callback function not static/,
    '{I} passes a global function to {f} as a callback, which must be static.',
  ],
  [
    /tail_call is only allowed in functions that return 'int'/,
    '{I} makes a tail call in a function that does not return an int.',
  ],
  [
    /tail_call is not allowed in subprogs without BTF/,
    '{I} makes a tail call in a function of a program that was loaded without BTF.',
  ],
  [
    /mixing of tail_calls and bpf-to-bpf calls|tail_calls are not allowed in (?:non-JITed )?programs with bpf-to-bpf calls/,
    'The program makes tail calls and calls functions of its own, which this kernel, or its JIT compiler, does not support together.',
  ],
  [
    /unexpected __bpf_trap\(\)/,
    '{I} is a trap (`__bpf_trap`), which the compiler puts in place of undefined behaviour: usually a variable is read that has no value.',
  ],
  [/^R(\d+) is invalid/, '{I} names R$1; the registers are R0 to R10.'],
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
    'Instruction $1 calls bpf_throw in a callback, which may throw no exception.',
  ],
  [
    /insn (\d+) cannot call exception cb directly/,
    'Instruction $1 calls the exception callback, which only bpf_throw() calls.',
  ],
  [
    /exception cb (cannot return void|only supports single integer argument)/,
    'The exception callback has another prototype than `int callback(u64 cookie)`.',
  ],
  [/invalid may_goto/, '{I} is a may_goto with a value in a field that must be 0.'],
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

const OBJECTS: readonly Sentence[] = [
  [
    /cannot release unowned const bpf_dynptr/,
    '{I} passes {f} a dynptr that the program got as an argument and does not own.',
  ],
  [
    /cannot pass in dynptr at an offset/,
    '{I} passes {f} an address inside of a dynptr, not its start.',
  ],
  [
    /Unsupported reg type (\S+) for bpf_dynptr_from_mem data/,
    '{I} passes bpf_dynptr_from_mem memory of the kind `$1`; it takes memory of a map value.',
  ],
  [
    /Expected a dynptr of type (\S+) as (?:arg #|R)\d/,
    '{I} passes {f} a dynptr of another kind than `$1` in {R}.',
  ],
  [
    /cannot pass pointer to const bpf_dynptr, the helper mutates it/,
    '{I} passes {f}, which changes its dynptr, one that the program may only read.',
  ],
  [
    /potential write to dynptr at off=(-?\d+) disallowed/,
    '{I} lets {f} write to bytes of the stack (fp$1) that hold a dynptr.',
  ],
  [
    /^(\S+) has to be at a constant offset/,
    '{I} passes {f} a $1 at an offset of the stack that is known only at run time.',
  ],
  [
    /cannot pass in (\S+) at an offset=(-?\d+)/,
    '{I} passes {f} the address fp$2, which is not the start of a $1.',
  ],
  [
    /BPF_ATOMIC (?:loads from|stores into) (R\d+) (\S+) is not allowed/,
    '{I} is an atomic operation on memory of the kind `$2` through $1, where none is possible{from}.',
  ],
  [
    /(?:BPF_XADD|BPF_ST) stores into (R\d+) (\S+) is not allowed/,
    '{I} stores to memory of the kind `$2` through $1 with an instruction that is not possible there{from}.',
  ],
  [
    /invalid atomic operand size/,
    '{I} is an atomic operation of a size that this kernel does not have.',
  ],
  [
    /is not a (?:known )?const(?:ant'?)?$|must be a known constant/,
    '{I} passes {f} a number in {R} that is not constant on this path{from}.',
  ],
  [
    /does not point to a readonly map/,
    '{I} passes {f} a string in {R} that can change: it must be in read-only data (`const`, .rodata){from}.',
  ],
  [
    /string is not zero-terminated/,
    '{I} passes {f} a string without a terminating zero in its map.',
  ],
  [
    /(R\d+) is a pointer to in-kernel struct with non-zero offset/,
    '{I} passes {f} a pointer into a kernel struct in $1, where its start is needed{from}.',
  ],
  [
    /(R\d+) is of type (\S+) but (\S+) is expected/,
    '{I} passes {f} a pointer to `$2` in $1; {f} expects one to `$3`{from}.',
  ],
  [
    /helper access to the packet is not allowed/,
    '{I} passes {f} a pointer into the packet, which this helper does not take from programs of this type.',
  ],
  [
    /(?:obj_new) requires prog BTF/,
    '{I} allocates an object, but the program was loaded without BTF, which has its type.',
  ],
  [
    /type ID argument must be of a struct of scalars/,
    '{I} allocates a per-CPU object of a type that is no struct of numbers.',
  ],
  [
    /obj_new type ID argument must be of a struct/,
    '{I} allocates an object of a type that is no struct.',
  ],
  [
    /type ID argument must not contain special fields/,
    '{I} allocates a per-CPU object with special fields (locks, lists, kptrs).',
  ],
  [
    /bpf_percpu_obj_new type size \((\d+)\) is greater than (\d+)/,
    '{I} allocates a per-CPU object of $1 bytes; at most $2 are possible.',
  ],
  [
    /bpf_obj_drop|expected pointer to allocated object/,
    '{I} passes {f} a pointer in {R} that is no object of bpf_obj_new{from}.',
  ],
  [
    /doesn't point to a type with bpf_refcount field/,
    '{I} passes {f} an object in {R} whose struct has no `bpf_refcount`.',
  ],
  [
    /allocated object must be referenced/,
    '{I} passes {f} an object that the program does not own, or does not own any more.',
  ],
  [
    /arg#\d offset=(-?\d+), but expected (\S+) at offset=(\d+) in struct (\S+)/,
    '{I} passes {f} an address at offset $1 of the object; the `$2` of `struct $4` is at offset $3.',
  ],
  [
    /operation on (\S+) expects arg#\d (\S+) at offset=(\d+) in struct (\S+), but arg is at offset=(\d+) in struct (\S+)/,
    '{I} adds the node at offset $5 of `struct $6`; this $1 holds the `$2` at offset $3 of `struct $4`.',
  ],
  [
    /held lock and object are not in the same allocation/,
    '{I} calls {f} on a list or tree, but the lock that is held belongs to another object.',
    'Hold the lock that is in the same struct, or in the same data section, as the list or tree.',
  ],
  [
    /irq flag acquired by (.+) kfuncs cannot be restored with (.+) kfuncs/,
    '{I} restores the interrupt state with $2 functions, but it was saved by $1 functions.',
  ],
  [
    /^(\S+) progs cannot use (\S+) yet|^(socket filter) progs cannot use (\S+) yet/,
    'The program is one of the $1$3 programs, which may not use a map whose values have a $2$4.',
  ],
  [
    /is not a constant address/,
    '{I} passes {f} a string at an address in {R} that is known only at run time{from}.',
  ],
  [
    /no direct value access support for this map type/,
    '{I} passes {f} a string in a map whose values have no fixed address; it must be in read-only data.',
  ],
  [
    /Invalid format string/,
    '{I} passes {f} a format with a conversion that it does not have, or with more conversions than arguments.',
  ],
  [
    /can only take non-owning or refcounted bpf_rb_node pointer|is neither owning or non-owning ref|node input must be non-owning ref/,
    '{I} passes {f} a pointer in {R} that is neither a node that the program owns, nor one that the lock of its tree or list protects{from}.',
  ],
  [
    /^(timer|bpf_task_work|workqueue) pointer in (R\d) map_uid=\d+ doesn't match map pointer in (R\d)/,
    '{I} passes {f} a $1 in $2 that is in a value of another map than the one in $3.',
  ],
  [
    /store to referenced kptr disallowed/,
    '{I} stores to a kptr that owns its object (`__kptr`), which only bpf_kptr_xchg() changes.',
  ],
  [
    /store to uptr disallowed/,
    '{I} stores to a pointer to user memory (`__uptr`), which only user space sets.',
  ],
];

const CALLS: readonly Sentence[] = [
  [
    /arg#(\d+) reference type\('UNKNOWN ?'\) size cannot be determined/,
    'Argument $+1 of a function of the program is a pointer without a type (`void *`), so that the size of its memory is not known.',
  ],
  [
    /arg#(\d+) reference type\('(?:STRUCT |UNION )?(.*?) ?'\) is ambiguous/,
    'Argument $+1 of a function of the program is a trusted pointer to `$2`, of which the kernel and its modules have several types.',
  ],
  [
    /arg#(\d+) reference type\('(?:STRUCT |UNION )?(.*?) ?'\) has no matches/,
    'Argument $+1 of a function of the program is a trusted pointer to `$2`, which the kernel’s BTF does not have.',
  ],
  [
    /arg#(\d+) expects pointer to ctx/,
    '{I} calls a global function whose argument $+1 is the context with another value.',
  ],
  [
    /arg#(\d+) is expected to be non-NULL/,
    '{I} calls a global function whose argument $+1 may not be NULL with a value that may be.',
  ],
  [
    /arg#(\d+) should be `(.+)`/,
    'Argument $+1 of a function of the program is declared as the context of another program type; it should be `$2`.',
  ],
  [
    /arg#(\d+) should be void pointer/,
    'Argument $+1 of a function of the program, its context, should be a `void *`.',
  ],
  [
    /Arg#(\d+) type (\S+) in (\S+)\(\) is not supported yet/,
    'Argument $+1 of the global function `$3` is of the kind $2, which this kernel does not verify: before Linux 5.12 arguments are numbers or the context.',
  ],
  [
    /(?:Global f|F)unction (\S+?)(?:\(\) with| has) (\d+) > (\d+) args/,
    '`$1` has $2 arguments; a function has at most $3.',
  ],
  [
    /arg#(\d+) reference type\('(.*?) ?'\) size cannot be determined/,
    'Argument $+1 of a function of the program points to `$2`, whose size is not known.',
  ],
  [
    /arg#(\d+) reference type\('(.*?) ?'\) points to kernel module type/,
    'Argument $+1 of a function of the program is a trusted pointer to `$2`, which is a type of a module.',
  ],
  [
    /arg#(\d+) has type (\S+) '(\S*)', but only struct or primitive types are allowed/,
    'Argument $+1 is a $2, and only numbers and structs are possible here.',
  ],
  [
    /Global functions need valid BTF/,
    'The program has a global function, but no BTF with its prototype.',
  ],
  [
    /Global function (\S+)\(\) (?:doesn't return scalar|return value not void or scalar)/,
    'The global function `$1` returns neither a number nor nothing.',
  ],
  [
    /arg#(\d+) pointer type (\S+) (\S*) must point to (.*)scalar, or struct with scalar/,
    '{I} passes {f} memory for its argument $+1, which is a pointer to $2 `$3`: memory is possible only for numbers and for structs of numbers.',
    'Pass the pointer that the function expects, as the kernel gave it.',
  ],
  [
    /2 or more rdonly\/rdwr_buf_size parameters for kfunc/,
    '{I} calls {f}, whose prototype has two sizes of a buffer.',
  ],
  [
    /kernel function (\S+) (?:args#\d+|R\d) expected pointer to (\S+) (\S+) but (R\d+) has a pointer to (\S+) (\S+)/,
    '{I} passes `$1` a pointer to $5 `$6` in $4; it expects one to $2 `$3`{from}.',
  ],
  [
    /kernel function (\S+) args#\d+ expected pointer to (\S+) (\S+) but (R\d+) is not a pointer to btf_id/,
    '{I} passes `$1` a value in $4 that is no pointer to a kernel object; it expects one to $2 `$3`{from}.',
  ],
  [
    /arg#(\d+) expected pointer to ctx, but got (\S+)/,
    '{I} passes {f} a `$2` as argument $+1, which must be the context of the program.',
  ],
  [/^(R\d+) is not a scalar/, '{I} passes {f} a pointer in $1, where it expects a number{from}.'],
  [
    /arg#(\d+) (?:doesn't point to|expected pointer to) (?:a )?map value(?: or allocated object)?/,
    '{I} passes {f} a pointer in {R} that is not into a map value{from}.',
  ],
  [
    /function calls to other bpf functions are allowed for/,
    'The program calls functions of its own, and the process that loads it does not have CAP_BPF.',
  ],
  [
    /loading\/calling other bpf or kernel functions are allowed for/,
    'The program calls functions, and the process that loads it does not have CAP_BPF.',
  ],
  [
    /destructive kfunc calls require CAP_SYS_BOOT/,
    '{I} calls a function that can stop the machine, and the process that loads the program does not have CAP_SYS_BOOT.',
  ],
  [
    /kernel btf_id (\d+) is not a function|invalid kernel function btf_id (\d+)/,
    'The type [$1$2] that a call names is no function in the BTF of this kernel: the call was resolved against another kernel’s.',
  ],
  [
    /kernel function btf_id (\d+) does not have a valid func_proto/,
    'The kernel’s function [$1] that a call names has no prototype that a program can call.',
  ],
  [
    /cannot find address for kernel function (\S+)/,
    'The kernel’s BTF has the kfunc `$1`, but its symbols do not.',
  ],
  [
    /address of kernel function (\S+) is out of range/,
    'The kfunc `$1` is too far from the kernel’s code for a call of the JIT compiler.',
  ],
  [
    /(?:invalid module BTF|BTF fd for kfunc is not a module BTF|without fd_array is invalid)/,
    'A call names a kfunc of a module, but the loader did not pass the BTF of that module.',
  ],
  [
    /find the address for kernel symbol '(\S+)'/,
    '{I} loads the address of `$1`, which the kernel’s BTF has, but its symbols (kallsyms) do not.',
  ],
  [
    /global function calls are not allowed with preemption disabled/,
    '{I} calls a global function while preemption is disabled, where it could sleep.',
    'Make the function static, or call it after bpf_preempt_enable().',
  ],
  [
    /global function calls are not allowed while holding a lock/,
    '{I} calls a global function while a lock is held{from}: such a function is verified alone.',
    'Make the function static, or call it without the lock.',
  ],
  [
    /css_task_iter is only allowed in/,
    '{I} makes an iterator over the tasks of a cgroup, which is possible in sleepable, LSM and iterator programs only.',
  ],
  [
    /acquire kernel function does not return PTR_TO_BTF_ID/,
    '{I} calls {f}, which is marked to acquire a reference, but returns no pointer to a struct.',
  ],
  [
    /more than one arg with ref_obj_id/,
    '{I} passes {f} two pointers that own a reference; one is possible.',
  ],
  [
    /arg#(\d+) (arena|untrusted) cannot be combined with any other tags/,
    'Argument $+1 of a function has the tag `__arg_$2` beside another one; it must be alone.',
  ],
  [
    /arg#(\d+) has pointer tag, but is not a pointer type/,
    'Argument $+1 of a function has a tag for pointers, and is no pointer.',
  ],
  [
    /arg#(\d+) type tag is not supported in static functions/,
    'Argument $+1 of a static function has a tag; only those of global functions may.',
  ],
  [
    /arg#(\d+) has (?:invalid combination|unsupported set) of tags/,
    'Argument $+1 of a function has tags that exclude one another.',
  ],
  [
    /arg#(\d+) pointer type \S+ (\S*) must be valid and initialized/,
    '{I} passes {f} a `$2` in {R} that nothing on this path initialised.',
  ],
  [
    /arg#(\d+) pointer type \S+ (\S*) not to stack/,
    '{I} passes {f} a `$2` in {R} that is not on the stack.',
  ],
  [
    /kernel function (\S+) args#\d+ expected pointer to (\S+) (\S+)$/,
    '{I} passes `$1` a value in {R} that is no pointer to $2 `$3`{from}.',
  ],
  [
    /reg type unsupported for arg#(\d+) (?:.*?)function/,
    '{I} passes {f} a value of a kind in {R} that it does not take as argument $+1{from}.',
  ],
  [
    /arg#(\d+) doesn't point to a const string/,
    '{I} passes {f} as argument $+1 a string that can change; it must be in read-only data.',
  ],
  [
    /arg(\d+) expected pointer to func/,
    '{I} passes {f} a value in {R} that is no function of the program.',
  ],
  [
    /pointer in (R\d+) isn't map pointer/,
    '{I} passes {f} a pointer in $1 that is none to a map{from}.',
  ],
  [/cannot find function (\S+) in BTF/, 'The kernel’s BTF has no function `$1`.'],
  [
    /too many different (kernel function calls|module BTFs)/,
    'The program calls more different kfuncs, or kfuncs of more modules, than this kernel allows (256).',
  ],
  [
    /kernel function (\S+) returns pointer type (\S+) (\S*) is not supported/,
    '{I} calls `$1`, which returns a pointer to $2 `$3`: no program can have it.',
  ],
  [
    /metadata kfuncs require device-bound program/,
    '{I} calls a kfunc for metadata of packets, but the program is not bound to a network device.',
    'Set the interface before the load: bpf_program__set_ifindex(), and the flag BPF_F_XDP_DEV_BOUND_ONLY.',
  ],
  [
    /ldimm64 insn specifies invalid btf_id (\d+)|pseudo btf_id (\d+) in ldimm64 isn't/,
    '{I} loads the address of a kernel symbol by the type [$1$2], which is no variable or function in the BTF of this kernel.',
  ],
];

const MEMORY: readonly Sentence[] = [
  [/BPF_ST imm must be 0 when storing to kptr/, '{I} stores a constant other than 0 in a kptr.'],
  [
    /(?:R\d+|map '(\S+)') has no valid kptr/,
    '{I} passes {f} a pointer into a map value that has no kptr.',
  ],
  [
    /off=(\d+) doesn't point to kptr/,
    '{I} passes {f} a pointer to offset $1 of the value, where no kptr is.',
  ],
  [
    /off=(\d+) kptr isn't referenced kptr|no referenced kptr at map value offset=(\d+)/,
    '{I} passes {f} the kptr at offset $1$2 of the value, which owns no object (`__kptr_untrusted`).',
  ],
  [
    /bpf_struct_ops map cannot be used in prog/,
    'The program refers to a struct_ops map, which no program can use.',
  ],
  [
    /offload device mismatch between prog and map/,
    'The program and its map are for different network devices.',
  ],
  [
    /only one cgroup storage of each type is allowed/,
    'The program uses two maps of cgroup storage of one type.',
  ],
  [
    /cannot update sockmap in this context/,
    '{I} updates a sockmap, which programs of this type may not do.',
  ],
  [
    /Sleepable programs can only use (.+)/,
    'The program is sleepable and uses a map of a type that this kernel does not allow there: it allows $1.',
  ],
  [
    /direct value offset of (\d+) is not allowed/,
    '{I} takes the address at offset $1 of a map value, which is too large.',
  ],
  [
    /^(\S+) cannot be accessed indirectly by helper/,
    '{I} passes {f} memory of a map value that includes a $1, which helpers may not read or write.',
    'Pass memory before or behind the special field only.',
  ],
  [
    /^(\S+) access misaligned expected=(\d+) off=(-?\d+)/,
    '{I} accesses a $1 at offset $3, not at its start, offset $2.',
  ],
  [
    /^(\S+) access cannot have variable offset/,
    '{I} accesses a $1 at an offset that is known only at run time.',
  ],
  [/^(\S+) access size must be BPF_DW/, '{I} accesses a $1 with a size other than 8 bytes.'],
  [
    /^'?(.+?)'? access is allowed only to CAP_PERFMON/,
    '{I} reads the kernel’s `$1` directly, and the process that loads the program does not have CAP_PERFMON.',
  ],
  [
    /^(R\d+) is ptr_(\S+) access percpu memory/,
    '{I} follows $1, which points to a per-CPU `struct $2`: the address is none of a CPU yet{from}.',
  ],
  [
    /^(R\d+) is ptr_(\S+) access user memory/,
    '{I} follows $1, which points to a `struct $2` in user memory{from}.',
  ],
  [
    /access beyond struct (\S+) at off (\d+) size (\d+)/,
    '{I} accesses $3 bytes at offset $2 of `struct $1`, beyond its end.',
  ],
  [
    /access beyond the end of member (\S+) \(mend:(\d+)\) in struct (\S+) with off (\d+) size (\d+)/,
    '{I} accesses $5 bytes at offset $4 of `struct $3`, beyond the end of its member `$1` at offset $2.',
  ],
  [
    /cannot access ptr member (\S+) with moff (\d+) in struct (\S+) with off (\d+) size (\d+)/,
    '{I} accesses $5 bytes at offset $4 of `struct $3`, a part of the pointer `$1` at offset $2: a pointer is read whole.',
  ],
  [
    /struct (\S+) doesn't have field at offset (\d+)/,
    '{I} accesses offset $2 of `struct $1`, where it has no member.',
  ],
  [/Type '(\S+)' is not a struct/, '{I} follows a pointer to `$1`, which is no struct.'],
  [
    /(R\d+) invalid negative (\S+) buffer offset: off=(-?\d+)/,
    '{I} accesses the $2 buffer through $1 at offset $3, before its start.',
  ],
  [
    /(R\d+) invalid variable buffer offset/,
    '{I} accesses a buffer through $1 at an offset that is known only at run time.',
  ],
  [
    /(R\d+) invalid (\S+) buffer access: off=(-?\d+), size=(\d+)/,
    '{I} accesses $4 bytes at offset $3 of the $2 buffer through $1, outside of it.',
  ],
  [
    /invalid size of register fill/,
    '{I} reads only a part of a pointer that was saved on the stack.',
  ],
  [/invalid size of register spill/, '{I} saves only a part of a pointer on the stack.'],
  [
    /spilled ptr in range of var-offset stack write/,
    '{I} writes to the stack at an offset that is known only at run time, in whose range a pointer is saved.',
  ],
  [
    /invalid access to flow keys off=(-?\d+) size=(\d+)/,
    '{I} accesses $2 bytes at offset $1 of the flow keys, outside of them.',
  ],
  [
    /write to change key (R\d+) not allowed/,
    '{I} writes through $1 to the key of a map element, which a callback may only read{from}.',
  ],
  [
    /^(R\d+) cannot write into (?!.*at off)(\S+)/,
    '{I} writes through $1 to memory of the kind `$2`, which may only be read{from}.',
  ],
  [
    /cannot write into packet|does not allow writes to packet data/,
    '{I} writes to the packet, which programs of this type may only read.',
  ],
  [
    /^(\S+)\(\) may write into memory pointed by (R\d+) type=(\S+)/,
    '{I} passes `$1` memory in $2 that may only be read (`$3`), and it may write there.',
  ],
  [
    /only read from (\S+) is supported/,
    '{I} writes to `$1`, which programs of this type may only read.',
  ],
  [
    /^(R\d+) invalid (\S+) access off=(-?\d+) size=(\d+)/,
    '{I} accesses $4 bytes at offset $3 of the `$2` in $1, where programs may not.',
  ],
  [
    /sign extending loads from arena/,
    '{I} loads from the arena with sign extension, which this kernel does not have.',
    'Load the number unsigned and extend it after, or compile with `-mcpu=v3`.',
  ],
  [
    /addr_space_cast insn can only be used in a program that has an associated arena/,
    '{I} converts an arena pointer, but the program refers to no arena map.',
  ],
  [
    /addr_space_cast insn can only convert/,
    '{I} converts a pointer between address spaces other than 0 and 1.',
  ],
  [
    /CAP_BPF and CAP_PERFMON are required to use arena/,
    'The program uses an arena, and the process that loads it does not have CAP_BPF and CAP_PERFMON.',
  ],
  [/Only one arena per program/, 'The program refers to two arenas; one is possible.'],
  [
    /arena's user address must be set/,
    'The arena has no address in user space yet.',
    'Set `map_extra` of the map to the address, or map the arena with mmap() before the load.',
  ],
  [/callback function not allowed for map/, '{I} passes {f} a map whose elements it cannot visit.'],
  [
    /fd (-?\d+) is not pointing to valid bpf_map/,
    'An instruction names a map by the file descriptor $1, which is that of no map.',
  ],
  [
    /map_ptr access not supported for map type (\d+)/,
    '{I} reads fields of a map of the type $1, which this kernel does not let programs read.',
  ],
  [
    /programs can only use preallocated (inner )?hash map/,
    'The program refers to a hash map that is not preallocated (BPF_F_NO_PREALLOC), which this kernel does not allow for its type.',
  ],
  [
    /total number of maps per program has reached the limit of (\d+)/,
    'The program refers to more than $1 maps.',
  ],
  [
    /^(R\d+) must point to kernel BTF/,
    '{I} stores a pointer in a kptr that is none to a kernel object ($1){from}.',
  ],
];

const SENTENCES: readonly Sentence[] = [ATTACH, CONTEXT, FLOW, OBJECTS, CALLS, MEMORY].flat();

/** Longest message that is read. */
const MAX_MESSAGE = 1000;

/** Returns the sentences of a message of a fault; null if it has none. `repair`: that of its rule. */
export function messageTold(f: Fault, line: string, repair: () => string): Told | null {
  const text = line.trim();
  if (text.length > MAX_MESSAGE) return null;
  for (const [message, cause, fix] of SENTENCES) {
    const found = message.exec(text);
    if (found !== null) return { cause: filled(cause, found, f), fix: fix ?? repair() };
  }
  return null;
}

function filled(template: string, found: RegExpExecArray, f: Fault): string {
  return template.replaceAll(/\$\+(\d)|\$(\d)|\{(\w+)\}/g, (_all, index, part, name) => {
    if (index !== undefined) return `${Number(found[Number(index)]) + 1}`;
    if (part !== undefined) return found[Number(part)] ?? '';
    switch (name) {
      case 'I':
        return f.insn === null ? 'An instruction' : upper(f.where);
      case 'i':
        return f.insn === null ? 'an instruction' : f.where;
      case 'R':
        return f.register ?? 'a register';
      case 'f':
        return f.callee ?? 'the function';
      default:
        return fromOrigin(f, ': the value comes from ');
    }
  });
}
