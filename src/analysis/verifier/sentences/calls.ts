/** Sentences of messages about calls and the objects that calls take and give. */
import type { Sentence } from './sentence.ts';

export const OBJECTS: readonly Sentence[] = [
  [
    /cannot release unowned const bpf_dynptr/,
    '{I} passes {f} a dynptr that the program got as an argument and does not own{from}.',
    'Leave the dynptr to the helper that called the function; only submit or discard what the program reserved itself.',
  ],
  [
    /cannot pass in dynptr at an offset/,
    '{I} passes {f} an address inside of a dynptr, not its start.',
  ],
  [
    /Unsupported reg type (\S+) for bpf_dynptr_from_mem data/,
    '{I} passes bpf_dynptr_from_mem $k1 in {R}; it takes a pointer to a map value{from}.',
    'Keep the bytes in the value of a map (or a global variable), and pass their address.',
  ],
  [
    /Expected a dynptr of type (\S+) as (?:arg #|R)\d/,
    '{I} passes {f} a dynptr of another kind than `$1` in {R}.',
  ],
  [
    /cannot pass pointer to const bpf_dynptr, the helper mutates it/,
    '{I} passes {f}, which changes its dynptr, one that the program may only read{from}.',
    'Make a dynptr of your own on the stack (bpf_dynptr_clone) and pass that.',
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
    /BPF_ATOMIC (?:loads from|stores into) (R\d+) (\S+) is not allowed/,
    '{I} is an atomic operation through $1, which holds $k2, where none is possible{from}.',
  ],
  [
    /(?:BPF_XADD|BPF_ST) stores into (R\d+) (\S+) is not allowed/,
    '{I} stores through $1, which holds $k2, with an instruction that is not possible there{from}.',
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
    '{I} passes {f} a string in {R} without a terminating zero{from}.',
    'Define the string by a literal, whose array has a place for the zero: `static const char text[] = "…";`.',
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
    '{I} passes {f} a pointer into the packet in {R}, which this helper does not take from programs of this type{from}.',
    'Copy the bytes to the stack first, for example with `bpf_xdp_load_bytes` or `bpf_skb_load_bytes`, and pass the copy.',
  ],
  [
    /get_local_storage\(\) doesn't support non-zero flags/,
    '{I} passes {f} flags in {R} that are not 0, and it has none{from}.',
    'Pass 0.',
  ],
  [
    /Unknown type ID (\d+) passed to kfunc bpf_rdonly_cast/,
    '{I} casts to the type [$1], which the kernel’s BTF does not have{from}.',
    'Take the id by `bpf_core_type_id_kernel(struct name)`, which libbpf resolves on the kernel that loads the program.',
  ],
  [
    /bpf_rdonly_cast type ID argument must be of a struct or void/,
    '{I} casts to a type that is neither a struct nor void; the id of the type is in {R}{from}.',
    'Cast to a struct of the kernel, or read a number through a pointer that was cast to void (id 0).',
  ],
  [
    /(?:obj_new) requires prog BTF/,
    '{I} allocates an object, but the program was loaded without BTF, which has its type.',
  ],
  [
    /type ID argument must be of a struct of scalars/,
    '{I} allocates a per-CPU object of a type that is not a struct of numbers; the id of the type is in {R}{from}.',
    'Keep only numbers in the struct of a per-CPU object.',
  ],
  [
    /obj_new type ID argument must be of a struct/,
    '{I} allocates an object of a type that is not a struct; the id of the type is in {R}{from}.',
  ],
  [
    /local type ID argument must be in range/,
    '{I} passes {f} a number in {R} that is too large for the id of a type{from}.',
  ],
  [
    /type ID argument must not contain special fields/,
    '{I} allocates a per-CPU object with special fields (locks, lists, kptrs), of the type whose id is in {R}{from}.',
    'Keep only numbers in the struct of a per-CPU object.',
  ],
  [
    /bpf_percpu_obj_new type size \((\d+)\) is greater than (\d+)/,
    '{I} allocates a per-CPU object of $1 bytes; at most $2 are possible. The id of its type is in {R}{from}.',
    'Make the struct smaller, or keep the data in a per-CPU map.',
  ],
  [
    /bpf_obj_drop|expected pointer to allocated object/,
    '{I} passes {f} a pointer in {R} that is not to an object of bpf_obj_new which the program owns{taken}.',
  ],
  [
    /doesn't point to a type with bpf_refcount field/,
    '{I} passes {f} an object in {R} whose struct has no `bpf_refcount`{from}.',
    'Put a member `struct bpf_refcount ref;` into the struct.',
  ],
  [
    /allocated object must be referenced/,
    '{I} passes {f} an object that the program does not own, or does not own any more.',
  ],
  [
    /arg#\d offset=(-?\d+), but expected (\S+) at offset=(\d+) in struct (\S+)/,
    '{I} passes {f} an address at offset $1 of the object in {R}; the `$2` of `struct $4` is at offset $3{from}.',
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
    '{I} restores the interrupt state in {R} with $2 functions, but it was saved with $1 functions{from}.',
    'Restore it with the function that belongs to the one that saved it.',
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
    'Use the conversions %c, %d, %i, %u, %x, %s, %p and their forms with l and ll, one argument for each.',
  ],
  [
    /can only take non-owning or refcounted bpf_rb_node pointer|is neither owning or non-owning ref|node input must be non-owning ref/,
    '{I} passes {f} a pointer in {R} that is neither a node that the program owns, nor one that the lock of its tree or list protects{from}.',
  ],
  [
    /^(timer|bpf_task_work|workqueue) pointer in (R\d) map_uid=\d+ doesn't match map pointer in (R\d)/,
    '{I} passes {f} a $1 in $2 that is in a value of another map than the one in $3{from}.',
    'Pass the map that the value was looked up in; for an inner map the pointer that the lookup in the outer map returned.',
  ],
  [
    /store to referenced kptr disallowed/,
    '{I} stores to a kptr that owns its object (`__kptr`), which only bpf_kptr_xchg() changes.',
    'Write `old = bpf_kptr_xchg(&value->member, new);`, and release `old` if it is not NULL.',
  ],
  [
    /store to uptr disallowed/,
    '{I} stores to a pointer to user memory (`__uptr`), which only user space sets.',
  ],
];

export const CALLS: readonly Sentence[] = [
  [
    /arg#(\d+) reference type\('UNKNOWN ?'\) size cannot be determined/,
    '{C}Argument $+1 of {g} is a pointer without a type (`void *`), so that the size of its memory is not known.',
    'Declare the parameter as a pointer to a struct or number, or make the function static.',
  ],
  [
    /arg#(\d+) reference type\('(?:STRUCT |UNION )?(.*?) ?'\) is ambiguous/,
    '{C}Argument $+1 of {g} is a trusted pointer to `$2`, of which the kernel and its modules have several types.',
  ],
  [
    /arg#(\d+) reference type\('(?:STRUCT |UNION )?(.*?) ?'\) has no matches/,
    '{C}Argument $+1 of {g} is a trusted pointer to `$2`, which the kernel’s BTF does not have.',
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
    '{C}Argument $+1 of {g} is the context, but of another type than this program has; it should be `$2`.',
  ],
  [
    /arg#(\d+) should be void pointer/,
    '{C}Argument $+1 of {g}, its context, should be a `void *`.',
  ],
  [
    /Arg#(\d+) type (\S+) in (\S+)\(\) is not supported yet/,
    '{C}Argument $+1 of the global function `$3` is of the kind $2, and arguments are numbers, pointers to structs or numbers, or the context; before Linux 5.12 only numbers and the context.',
    'Pass a pointer to the value, or make the function static.',
  ],
  [
    /(?:Global f|F)unction (\S+?)(?:\(\) with| has) (\d+) > (\d+) args/,
    '`$1` has $2 arguments; a function has at most $3.',
  ],
  [
    /arg#(\d+) reference type\('(.*?) ?'\) size cannot be determined/,
    '{C}Argument $+1 of {g} points to `$2`, whose size is not known.',
  ],
  [
    /arg#(\d+) reference type\('(.*?) ?'\) points to kernel module type/,
    '{C}Argument $+1 of {g} is a trusted pointer to `$2`, which is a type of a module.',
  ],
  [
    /arg#(\d+) has type (\S+) '(\S*)', but only struct or primitive types are allowed/,
    '{C}Argument $+1 of {g} is a $2, and only numbers and structs are possible here.',
  ],
  [
    /Global functions need valid BTF/,
    'The program has a global function, but no BTF with its prototype.',
  ],
  [
    /Global function (\S+)\(\) (?:doesn't return scalar|return value not void or scalar)/,
    '{C}The global function `$1` returns neither a number nor nothing.',
    'Return a number, for example an error code, and pass the address of what is returned as an argument; or make the function static.',
  ],
  [
    /arg#(\d+) pointer type (\S+) (\S*) must point to (.*)scalar, or struct with scalar/,
    '{I} passes {f} {v} in {R} for its argument $+1, which must be a pointer to $2 `$3` as the kernel gives it{from}.',
    'Pass the pointer that the function expects, as the kernel gave it.',
  ],
  [
    /2 or more rdonly\/rdwr_buf_size parameters for kfunc/,
    '{I} calls {f}, whose prototype has two sizes of a buffer.',
  ],
  [
    /kernel function (\S+) (?:args#\d+|R\d) expected pointer to (\S+) (\S+) but (R\d+) has a pointer to (\S+) (\S+)/,
    '{I} passes `$1` a pointer to $5 `$6` in $4; it expects one to $2 `$3`{from}.',
    'Pass a pointer to the type that the function expects; its declaration is in the `vmlinux.h` of the kernel.',
  ],
  [
    /kernel function (\S+) args#\d+ expected pointer to (\S+) (\S+) but (R\d+) is not a pointer to btf_id/,
    '{I} passes `$1` a value in $4 that is not a pointer to a kernel object; it expects one to $2 `$3`{from}.',
  ],
  [
    /arg#(\d+) expected pointer to ctx, but got (\S+)/,
    '{I} passes {f} $k2 in {R} as argument $+1, which must be the context of the program{from}.',
  ],
  [
    /^(R\d+) is not a scalar/,
    '{I} passes {f} {v} in $1, where it expects a number{from}.',
    'Pass a number.',
  ],
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
    '{I} calls a global function, which is verified alone, while a lock is held{since}.',
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
    '{C}Argument $+1 of {g} has the tag `__arg_$2` beside another one; it must be alone.',
  ],
  [
    /arg#(\d+) has pointer tag, but is not a pointer type/,
    '{C}Argument $+1 of {g} has a tag for pointers, and is not a pointer.',
  ],
  [
    /arg#(\d+) type tag is not supported in static functions/,
    'Argument $+1 of a static function has a tag; only those of global functions may.',
  ],
  [
    /arg#(\d+) has (?:invalid combination|unsupported set) of tags/,
    '{C}Argument $+1 of {g} has tags that exclude one another.',
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
    '{I} passes `$1` a value in {R} that is not a pointer to $2 `$3`{from}.',
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
    '{I} passes {f} a value in {R} that is not a function of the program.',
  ],
  [
    /pointer in (R\d+) isn't map pointer/,
    '{I} passes {f} a pointer in $1 that is not the address of a map{from}.',
  ],
  [/cannot find function (\S+) in BTF/, 'The kernel’s BTF has no function `$1`.'],
  [
    /too many different (kernel function calls|module BTFs)/,
    'The program calls more different kfuncs, or kfuncs of more modules, than this kernel allows (256).',
  ],
  [
    /kernel function (\S+) returns pointer type (\S+) (\S*) is not supported/,
    '{I} calls `$1`, which returns a pointer to $2 `$3`; programs cannot use such a pointer.',
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
