/** Sentences of messages about memory and maps. */
import type { Sentence } from './sentence.ts';

export const MEMORY: readonly Sentence[] = [
  [
    /BPF_ST imm must be 0 when storing to kptr/,
    '{I} stores a constant other than 0 in a kptr.',
    'Store NULL only, or a pointer of the type of the kptr.',
  ],
  [
    /^direct access to (\S+) is disallowed/,
    '{I} accesses a `$1` of an object directly, which only the functions for it may{from}.',
    'Use the functions of lists, trees and locks for the field, and access other members only.',
  ],
  [
    /(?:R\d+|map '(\S+)') has no valid kptr/,
    '{I} passes {f} a pointer in {R} into a map value that has no kptr.',
  ],
  [
    /off=(\d+) doesn't point to kptr/,
    '{I} passes {f} the address of offset $1 of the value in {R}, where no kptr is{from}.',
  ],
  [
    /off=(\d+) kptr isn't referenced kptr|no referenced kptr at map value offset=(\d+)/,
    '{I} passes {f} the kptr at offset $1$2 of the value in {R}, which owns no object (`__kptr_untrusted`).',
    'Declare the member with `__kptr` instead of `__kptr_untrusted`.',
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
    'Keep both values in one struct, in one map of the type.',
  ],
  [
    /cannot update sockmap in this context/,
    '{I} updates a sockmap, which programs of this type may not do.',
    'Update it from user space, in a `sockops` program with `bpf_sock_map_update`, or in an iterator.',
  ],
  [
    /Sleepable programs can only use (.+)/,
    'The program is sleepable and uses a map of a type that this kernel does not allow in such programs; it allows $1.',
  ],
  [
    /invalid access to map value pointer, value_size=(\d+) off=(\d+)/,
    'The program takes the address at offset $2 of the value of a map, which has $1 bytes.',
    'Address the variable within its array. If the map was pinned by another version of the object, or resized, load with a map of this version.',
  ],
  [
    /direct value offset of (\d+) is not allowed/,
    '{I} takes the address at offset $1 of a map value, which is too large.',
  ],
  [
    /^(\S+) cannot be accessed indirectly by helper/,
    '{I} passes {f} memory of a map value that includes a $1, which helpers may not read or write.',
    'Pass memory before or after the special field only.',
  ],
  [
    /^(\S+) access misaligned expected=(\d+) off=(-?\d+)/,
    '{I} accesses a $1 at offset $3, not at its start, offset $2.',
    'Read or write the whole member.',
  ],
  [
    /^(\S+) access cannot have variable offset/,
    '{I} accesses a $1 at an offset that is known only at run time{from}.',
    'Access the member at a constant offset, for example in a `switch`, and add numbers only to the address of other members.',
  ],
  [
    /^(\S+) access size must be BPF_DW/,
    '{I} accesses a $1 with a size other than 8 bytes.',
    'Read or write the whole pointer, 8 bytes.',
  ],
  [
    /^'?(.+?)'? access is allowed only to CAP_PERFMON/,
    '{I} reads the kernel’s `$1` directly, and the process that loads the program does not have CAP_PERFMON.',
  ],
  [
    /^(R\d+) is ptr_(\S+) access percpu memory/,
    '{I} follows $1, which points to a per-CPU `struct $2` and has no CPU yet{from}.',
    'Get the object of a CPU with bpf_this_cpu_ptr() or bpf_per_cpu_ptr(). One of bpf_percpu_obj_new() must be read from a map for that, into which bpf_kptr_xchg() puts it.',
  ],
  [
    /^(R\d+) is ptr_(\S+) access user memory/,
    '{I} follows $1, which points to a `struct $2` in user memory{from}.',
  ],
  [
    /access beyond struct (\S+) at off (\d+) size (\d+)/,
    '{I} accesses $3 bytes at offset $2 of `struct $1`, beyond its end{from}.',
    'Stay within the struct; read whole members of the type as `vmlinux.h`, or the program, declares it.',
  ],
  [
    /access beyond the end of member (\S+) \(mend:(\d+)\) in struct (\S+) with off (\d+) size (\d+)/,
    '{I} accesses $5 bytes at offset $4 of `struct $3`, but its member `$1` ends at offset $2.',
    'Read the member with its own size, and an array element by element.',
  ],
  [
    /cannot access ptr member (\S+) with moff (\d+) in struct (\S+) with off (\d+) size (\d+)/,
    '{I} accesses $5 bytes at offset $4 of `struct $3`, a part of the pointer `$1` at offset $2: a pointer is read whole.',
    'Read all 8 bytes of the pointer.',
  ],
  [
    /struct (\S+) doesn't have field at offset (\d+)/,
    '{I} accesses offset $2 of `struct $1`, where it has no member.',
  ],
  [/Type '(\S+)' is not a struct/, '{I} follows a pointer to `$1`, which is not a struct.'],
  [
    /(R\d+) invalid negative (\S+) buffer offset: off=(-?\d+)/,
    '{I} accesses the $2 buffer through $1 at offset $3, before its start{from}.',
  ],
  [
    /(R\d+) invalid variable buffer offset/,
    '{I} accesses a buffer through $1 at an offset that is known only at run time{from}.',
  ],
  [
    /(R\d+) invalid (\S+) buffer access: off=(-?\d+), size=(\d+)/,
    '{I} accesses the $2 buffer through $1 at offset $3 with size $4, outside of it{from}.',
    'Stay within the buffer: its first byte is at offset 0.',
  ],
  [
    /invalid size of register fill/,
    '{I} reads only a part of the pointer in {slot}, which was saved there{by}.',
    'Read all 8 bytes of the slot.',
  ],
  [
    /invalid size of register spill/,
    '{I} saves only a part of a pointer in {slot}.',
    'Save the whole pointer, 8 bytes.',
  ],
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
    /^(R\d+) cannot write into ((?:sock|tcp_sock|xdp_sock)\S*)/,
    '{I} writes through $1, which holds $k2 that may only be read{from}.',
    'Set options of the socket with bpf_setsockopt(), in a program type that has it.',
  ],
  [
    /^(R\d+) cannot write into (?!.*at off)(\S+)/,
    '{I} writes through $1, which holds $k2 that may only be read{from}.',
  ],
  [
    /does not allow writes to packet data/,
    '{I} calls {f} for memory of the packet that can be written; programs of this type may only read the packet.',
    'Call bpf_dynptr_slice(), whose memory is read only, or use a program type that may write (`tc`, `xdp`).',
  ],
  [
    /cannot write into packet/,
    '{I} writes to the packet, which programs of this type may only read.',
  ],
  [
    /^(\S+)\(\) may write into memory pointed by (R\d+) type=(\S+)/,
    '{I} passes `$1` memory in $2 that may only be read (`$3`), and it may write there.',
  ],
  [
    /only read from (\S+) is supported/,
    '{I} writes to `$1`, which programs of this type may only read{from}.',
    'Change a map by its helpers (bpf_map_update_elem), and objects of the kernel by functions that change them.',
  ],
  [
    /^(R\d+) invalid (\S+) access off=(-?\d+) size=(\d+)/,
    '{I} accesses $4 bytes at offset $3 of $k2 in $1, where programs may not{from}.',
  ],
  [
    /sign extending loads from arena/,
    '{I} loads from the arena with sign extension, which this kernel does not have.',
    'Load the number unsigned and extend it after, or compile with `-mcpu=v3`.',
  ],
  [
    /addr_space_cast insn can only be used in a program that has an associated arena/,
    '{I} converts an arena pointer, but the program refers to no arena map.',
    'Refer to the arena in each program that uses it, for example `asm volatile("" :: "r"(&arena));`.',
  ],
  [
    /addr_space_cast insn can only convert/,
    '{I} converts a pointer between address spaces other than 0 and 1.',
    'Mark pointers into the arena, and nothing else, with `__arena`: it is `__attribute__((address_space(1)))`.',
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
    '{I} stores $1 in a kptr, and it does not point to a kernel object{from}.',
  ],
];
