/**
 * Failures of loaders outside of CO-RE: the loader's line and a sentence, both with the same names.
 * Source: libbpf 1.7.0, src/libbpf.c, src/btf.c and src/relo_core.c, calls of `pr_warn` in opening,
 * loading and attaching (`libbpf-part-rows.ts` has the others); aya, aya-obj/src/btf/btf.rs at
 * 01a53bc0109f, aya/src/programs/mod.rs at cef352106de2; cilium/ebpf 0.22.0, *.go, btf/ and link/.
 */

/** Line and sentence. `'{x}'` matches a quoted name; `{x}` a word, or the rest of a line. */
export type FailureRow = readonly [line: string, sentence: string];

export const LIBBPF: readonly FailureRow[] = [
  // Lines about the object file.
  ['elf: failed to open {path}: {e}', 'The object file {path} could not be opened: {e}.'],
  [
    "elf: '{path}' is not a proper ELF object",
    '{path} is no ELF object: it may be damaged, or another kind of file.',
  ],
  [
    "elf: '{path}' is not a 64-bit ELF object",
    '{path} is not a 64-bit object. clang -target bpf writes 64-bit objects.',
  ],
  ["elf: '{path}' has unknown byte order", 'The byte order of {path} is neither little nor big.'],
  [
    'elf: {path} is not a valid eBPF object file',
    '{path} is no object for BPF: its machine is not EM_BPF or its type not relocatable. Compile with -target bpf.',
  ],
  [
    'elf: multiple symbol tables in {path}',
    '{path} has two symbol tables; libbpf takes objects with one.',
  ],
  [
    "elf: couldn't find symbol table in {path}",
    '{path} has no symbol table: it was stripped too far. llvm-strip -g keeps the table.',
  ],
  [
    "elf: legacy map definitions in 'maps' section are not supported by libbpf v1.0+",
    'The object defines its maps in SEC("maps"), which libbpf 1.0 dropped. Define them in SEC(".maps") with BTF.',
  ],
  [
    'elf: symbol strings section missing or invalid in {path}',
    'The string table of the symbols of {path} is missing or damaged.',
  ],
  [
    'invalid license section in {path}',
    'The section license of {path} has no text that ends inside of it.',
  ],
  ['invalid kver section in {path}', 'The section version of {path} is not four bytes long.'],
  [
    "sec '{sec}': program '{prog}' is static and not supported",
    'Program {prog} of section {sec} is static; entry points have to be global functions.',
  ],
  [
    "sec '{sec}': corrupted program '{prog}', offset {off}, size {n}",
    'Program {prog} of section {sec} does not lie on whole instructions: the object is damaged.',
  ],
  [
    "sec '{sec}': program at offset {off} crosses section boundary",
    'A function symbol of section {sec} reaches over the end of the section: the object is damaged.',
  ],
  [
    "sec '{sec}': invalid offset {off} for relo {n}",
    'A relocation of section {sec} lies outside of it or not on an instruction: the object is damaged.',
  ],
  [
    "sec '{sec}': symbol {sym} not found for relo {n}",
    'A relocation of section {sec} names a symbol that the object does not have.',
  ],
  [
    "object '{name}': loading non-native endianness is unsupported",
    'Object {name} has another byte order than this machine. Compile it with -target bpfel or bpfeb.',
  ],
  // Lines about BTF.
  [
    'BTF is required, but is missing or corrupted.',
    'The object needs its BTF for maps, externs or struct_ops, and has none that can be read. Compile with -g.',
  ],
  [
    'Error loading .BTF into kernel: {e}',
    'The kernel refused the BTF of the object, which it needs: {e}.',
  ],
  ['Error loading ELF section {sec}: {e}', 'Section {sec} of the object could not be read: {e}'],
  [
    'BTF loading error: {e}',
    'The kernel refused the BTF of the object: {e}. The log of the check follows.',
  ],
  [
    "kernel BTF is missing at '{path}', was CONFIG_DEBUG_INFO_BTF enabled?",
    'The kernel has no BTF at {path}: it was built without CONFIG_DEBUG_INFO_BTF.',
  ],
  [
    "failed to read kernel BTF from '{path}': {e}",
    'The BTF of the kernel at {path} could not be read: {e}.',
  ],
  ['BTF types data is malformed', 'The types of a BTF are damaged: a record reaches over the end.'],
  ['BTF type [{id}] is malformed', 'Type {id} of a BTF is damaged.'],
  [
    'btf: type [{id}]: invalid {what}',
    'Type {id} of a BTF refers to something that does not exist: {what}.',
  ],
  [
    'btf: type [{id}]: referenced type [{to}] is not FUNC_PROTO',
    'Function {id} of a BTF refers to type {to}, which is no prototype.',
  ],
  [
    'btf: type [{id}]: unrecognized kind {kind}',
    'Type {id} of a BTF has kind {kind}, which this libbpf does not know: use a newer one.',
  ],
  [
    "failed to load module [{name}]'s BTF object {n}: {e}",
    'The BTF of module {name} could not be read: {e}.',
  ],
  // Lines about maps.
  [
    "map '{map}': failed to create: {e}",
    'The kernel did not create map {map}: {e}. -EPERM is a lack of rights or of locked memory, -EINVAL a map that this kernel does not know so.',
  ],
  [
    "map '{map}': failed to create inner map: {e}",
    'The inner map of map {map} could not be created: {e}.',
  ],
  [
    "map '{map}': failed to set initial contents: {e}",
    'The kernel did not take the initial values of map {map}: {e}.',
  ],
  [
    "map '{map}': failed to freeze as read-only: {e}",
    'Map {map} could not be made read-only: {e}.',
  ],
  ["map '{map}': failed to mmap arena: {e}", 'The arena of map {map} could not be mapped: {e}.'],
  [
    "map '{map}': failed to auto-pin at '{path}': {e}",
    'Map {map} could not be pinned at {path}: {e}. The path has to be on a mounted bpffs.',
  ],
  [
    "map '{map}': error reusing pinned map",
    'A pinned map stands where map {map} is to be, and is not like it.',
  ],
  [
    "couldn't reuse pinned map at '{path}': parameter mismatch",
    'The map that is pinned at {path} differs from that of the object in type, sizes or flags. Remove the pin, or change its name.',
  ],
  [
    "couldn't retrieve pinned map '{path}': {e}",
    'The map that is pinned at {path} could not be opened: {e}.',
  ],
  [
    "map '{map}': unknown field '{field}'.",
    'The definition of map {map} has the field {field}, which this libbpf does not know.',
  ],
  ["map '{map}': map type isn't specified.", 'The definition of map {map} has no type.'],
  [
    "map '{map}': conflicting key size {a} != {b}",
    'Map {map} states its key size twice, as {a} and {b} bytes.',
  ],
  [
    "map '{map}': conflicting value size {a} != {b}",
    'Map {map} states its value size twice, as {a} and {b} bytes.',
  ],
  [
    "map '{map}': invalid pinning value {n}.",
    'Map {map} asks for a kind of pinning that there is not: {n}.',
  ],
  [
    "map '{map}': unsupported map linkage {what}.",
    'Map {map} is {what}: maps have to be global, and static ones are not supported.',
  ],
  [
    "map '{map}': unexpected def kind {what}.",
    'Map {map} is defined as {what} and not as a struct.',
  ],
  [
    "map '{map}': {what} type [{id}] not found.",
    'Map {map} refers to type {id}, which the BTF of the object does not have.',
  ],
  [
    "DATASEC '{sec}' not found.",
    'The BTF of the object has no DATASEC {sec}: it was compiled without -g, or stripped.',
  ],
  [
    'Error in bpf_create_map_xattr({map}): {e}',
    'The kernel did not take map {map} with the BTF of its key and value: {e}. libbpf tries again without.',
  ],
  // Lines about externs.
  [
    "extern (kcfg) '{name}': value '{value}' {what}",
    'The kernel’s configuration says {value} for {name}, which does not fit the type that the program gives it: it {what}.',
  ],
  [
    "extern (kcfg) '{name}': type is unsupported",
    'The type of extern {name} is none that a value of the kernel’s configuration can have.',
  ],
  [
    "extern '{name}' (strong): not resolved",
    'Extern {name} is not in the kernel’s configuration or symbols. Make it __weak if the program can do without.',
  ],
  [
    "extern (var ksym) '{name}': not found in kernel BTF",
    'The kernel’s BTF has no variable {name}: per-CPU variables only are in it.',
  ],
  [
    "extern (var ksym) '{name}': incompatible types, {what}",
    'The kernel’s variable {name} has another type than the program gives it: {what}.',
  ],
  [
    "extern (func ksym) '{name}': not found in kernel or module BTFs",
    'The kernel and its loaded modules have no kfunc {name}.',
  ],
  [
    "extern (func ksym) '{name}': func_proto [{a}] incompatible with {where} [{b}]",
    'Kfunc {name} of the kernel takes or returns other types than the program declares ([{a}] and [{b}] in {where}).',
  ],
  [
    "extern (ksym) '{name}': resolution is ambiguous: {a} or {b}",
    '/proc/kallsyms has two symbols {name}, at {a} and {b}.',
  ],
  [
    'failed to open system Kconfig',
    'The configuration of the kernel was not found: /boot/config-VERSION or /proc/config.gz.',
  ],
  ['failed to open /proc/kallsyms: {e}', 'The symbols of the kernel could not be read: {e}.'],
  [
    "unrecognized extern section '{sec}'",
    'An extern is in section {sec}; libbpf knows .kconfig and .ksyms.',
  ],
  // Lines about ELF relocations.
  [
    "prog '{prog}': bad map relo against '{name}' in section '{sec}'",
    'Program {prog} uses {name} of section {sec} as a map, which it is not.',
  ],
  [
    "prog '{prog}': bad data relo against section '{sec}'",
    'Program {prog} uses data of section {sec}, which libbpf makes no map of.',
  ],
  [
    "prog '{prog}': bad call relo against '{name}' in section '{sec}'",
    'Program {prog} calls {name} of section {sec}: subprograms have to be in .text.',
  ],
  [
    "prog '{prog}': invalid relo against '{name}' in special section {sec}; forgot to initialize global var?..",
    'Program {prog} uses {name}, which is a common symbol: initialize the variable, or compile with -fno-common.',
  ],
  [
    "prog '{prog}': extern relo failed to find extern for '{name}' ({n})",
    'Program {prog} uses {name}, which the object neither defines nor declares as extern.',
  ],
  [
    "prog '{prog}': no .text section found yet sub-program call exists",
    'Program {prog} calls a subprogram, but the object has no .text.',
  ],
  [
    "prog '{prog}': failed to relocate calls: {e}",
    'The calls of program {prog} could not be resolved: {e}.',
  ],
  [
    "prog '{prog}': failed to relocate data references: {e}",
    'The maps or externs that program {prog} uses could not be resolved: {e}.',
  ],
  [
    "prog '{prog}': missing .BTF.ext function info.",
    'The .BTF.ext of the object says nothing of program {prog}.',
  ],
  [
    "prog '{prog}': relo {n}: failed to patch insn {insn}: {e}",
    'Instruction {insn} of program {prog} could not be changed: {e}. The line before says why.',
  ],
  // Lines about programs.
  [
    "prog '{prog}': no BTF-based attach target is specified, use bpf_program__set_attach_target()",
    'Program {prog} has to name what it attaches to, in its section name or by bpf_program__set_attach_target().',
  ],
  [
    "prog '{prog}': missing BPF prog type, check ELF section name '{sec}'",
    'The section name {sec} of program {prog} names no program type. The name may be misspelt, or this libbpf too old for it.',
  ],
  [
    "prog '{prog}': failed to find BPF program (FD {fd}) BTF ID for '{name}': {e}",
    'The program that {prog} attaches to has no function {name}: {e}.',
  ],
  [
    "prog '{prog}': SEC(\"struct_ops\") program isn't referenced anywhere, did you forget to use it?",
    'No struct_ops map of the object has program {prog} as a member.',
  ],
  [
    "prog '{prog}': failed to prepare load attributes: {e}",
    'The attributes to load program {prog} could not be worked out: {e}. The lines before say why.',
  ],
  ['{name} is not found in vmlinux BTF', 'The kernel’s BTF has no {name}.'],
  ['vmlinux BTF is not found', 'The kernel’s BTF was not found.'],
  // Lines about struct_ops.
  [
    'struct_ops init_kern: struct {name} is not found in kernel BTF',
    'This kernel has no struct_ops {name}: it is too old, or the module that has it is not loaded.',
  ],
  [
    'struct_ops init_kern {map}: Cannot find member {name} in kernel BTF',
    'Map {map} sets member {name}, which the kernel’s struct lacks. Set it in a second map in SEC("?.struct_ops"), or to NULL in the loader after open.',
  ],
  [
    'struct_ops init_kern {map}: Unmatched member type {name} {a} != {b}',
    'Member {name} of struct_ops map {map} is of another kind in the kernel.',
  ],
  [
    'struct_ops init_kern {map}: Error in size of member {name}: {a} != {b}',
    'Member {name} of struct_ops map {map} has {a} bytes in the object and {b} in the kernel.',
  ],
  [
    'struct_ops init_kern {map}: bitfield {name} is not supported',
    'Member {name} of struct_ops map {map} is a bit-field, which libbpf cannot set.',
  ],
  // Lines about attaching programs.
  [
    "prog '{prog}': failed to create {what} '{name}' perf event: {e}",
    'Program {prog} could not be attached: the kernel made no event for {what} {name}: {e}. -ENOENT: there is no such symbol; -EADDRNOTAVAIL: it cannot be probed there.',
  ],
  [
    "prog '{prog}': failed to create tracepoint '{name}' perf event: {e}",
    'Program {prog} could not be attached: the kernel has no tracepoint {name}: {e}.',
  ],
  [
    "prog '{prog}': failed to attach to {what} '{name}': {e}",
    'Program {prog} was loaded, but could not be attached to {what} {name}: {e}.',
  ],
  [
    "prog '{prog}': failed to attach to {what}: {e}",
    'Program {prog} was loaded, but could not be attached to {what}: {e}.',
  ],
  [
    "prog '{prog}': failed to attach: {e}",
    'Program {prog} was loaded, but could not be attached: {e}.',
  ],
  [
    "prog '{prog}': failed to auto-attach: {e}",
    'Program {prog} was loaded, but the skeleton could not attach it: {e}.',
  ],
  [
    "map '{map}': failed to auto-attach: {e}",
    'The struct_ops map {map} could not be attached: {e}.',
  ],
  [
    "prog '{prog}': failed to find a unique match for '{name}' ({n} matches)",
    '{n} kernel functions match {name}, where program {prog} needs exactly one.',
  ],
  [
    "failed to determine tracepoint '{name}' perf event ID: {e}",
    'The kernel has no tracepoint {name}, or tracefs is not mounted: {e}.',
  ],
  ['failed to determine {what} perf type: {e}', 'The kernel has no probes of kind {what}: {e}.'],
  [
    "prog '{prog}': attach program FD is not set",
    'Program {prog} attaches to another BPF program, and to which was not said: bpf_program__set_attach_target().',
  ],
  [
    "The target program doesn't have BTF",
    'The BPF program that is attached to was loaded without BTF.',
  ],
  // Lines about CO-RE from an older libbpf, or for code of another compiler.
  [
    "prog '{prog}': relo {n}: unrecognized CO-RE relocation {kind} ({number}) at insn {insn}",
    'Record {n} of program {prog} has kind {number}, which this libbpf does not know: use a newer one.',
  ],
  [
    "prog '{prog}': relo {n}: <{kind}> ({number}) relocation doesn't support anonymous types",
    'Record {n} of program {prog} asks for {kind} of a type without a name, which cannot be looked for in a kernel.',
  ],
  [
    "prog '{prog}': relo {n}: insn {insn} (LDIMM64) has unexpected form",
    'Instruction {insn} of program {prog} is no whole load of 64 bits: relocation and code do not match.',
  ],
  [
    "prog '{prog}': subprog '{name}' arg{n} is expected to be of `struct {type} *` type",
    'Argument {n} of subprogram {name} has to be a struct {type} * to be tagged as the context.',
  ],
  // Lines about rights.
  [
    "permission error while running as root; try raising 'ulimit -l'?",
    'Locked memory is limited: raise it by ulimit -l, or use a kernel from 5.11 on.',
  ],
  [
    'Failed to bump RLIMIT_MEMLOCK',
    'The limit of locked memory could not be raised: kernels before 5.11 need it for maps and programs.',
  ],
  [
    'Error in {func}(): {e}',
    'The kernel took not even a trivial program: it was built without CONFIG_BPF_SYSCALL, the process has no CAP_BPF, or locked memory is too small: {e}',
  ],
];

// biome-ignore format: one row a line
export const AYA: readonly FailureRow[] = [
  ['the BPF_PROG_LOAD syscall failed', 'The kernel did not load the program. The verifier’s output, which follows, says why.'],
  ['the BPF_PROG_LOAD syscall returned {e}', 'The kernel did not load the program: {e}'],
  ['the BPF_BTF_LOAD syscall returned {e}', 'The kernel refused the BTF of the object: {e}'],
  ['error parsing BTF header', 'The header of a BTF is damaged.'],
  ['invalid BTF type info segment', 'The types of a BTF reach over the end of its data.'],
  ['invalid BTF relocation info segment', 'The CO-RE records of the object are damaged.'],
  ['invalid BTF type kind `{kind}`', 'A type has kind {kind}, which this aya does not know: use a newer one.'],
  ['invalid BTF relocation kind `{kind}`', 'A CO-RE record has kind {kind}, which this aya does not know.'],
  ['invalid BTF string offset: {off}', 'A name begins at {off}, outside of the strings of the BTF.'],
  ['unknown BTF type id `{id}`', 'The BTF has no type {id}.'],
  ['unexpected BTF type id `{id}`', 'Type {id} has no size, where one is needed.'],
  ['unknown BTF type `{name}`', 'The kernel’s BTF has no {name}, which the program attaches to or uses.'],
  ['maximum depth reached resolving BTF type', 'A type refers through more than 32 others, or to itself.'],
  ['Offset not found for symbol `{name}`', 'The symbol table of the object has no {name}, which its BTF places in a section.'],
  ['Unable to determine the size of section `{sec}`', 'The BTF has section {sec}, which the object does not have.'],
  ['Invalid extern symbol `{name}`', 'Extern {name} has no value in the symbol table.'],
  ['Extern symbol not found `{name}`', 'The object does not declare extern {name}.'],
  ['unknown network interface {name}', 'This machine has no network interface {name}.'],
  ['the program is already loaded', 'The program is loaded twice.'],
  ['the program is not loaded', 'The program is attached or pinned before it is loaded: call load() first.'],
  ['the program was already attached', 'The program is attached twice.'],
  ['the program is not attached', 'The program is detached, but was not attached.'],
  ['the program cannot be auto attached', 'The section of the program does not say what it attaches to: give it to attach().'],
  ['unexpected program type', 'The program is of another type than the code that loads it takes it for.'],
  ['the program name `{name}` is invalid', 'The name {name} has a NUL in it, which the kernel cannot take.'],
  ['`{call}` failed', 'The kernel refused the system call {call}: the next line of the chain says why.'],
];

/** A row matches the start of any part of a line: parts follow `: ` or ` (`. Causes come first. */
// biome-ignore format: one row a line
export const CILIUM: readonly FailureRow[] = [
  ['MEMLOCK may be too low, consider rlimit.RemoveMemlock)', 'Locked memory is limited: call rlimit.RemoveMemlock() first, or use a kernel from 5.11 on.'],
  ['requires >= {v})', 'The kernel is too old: this needs Linux {v} or later.'],
  ['BPF_F_NO_PREALLOC flag may {what} map type {type})', 'The kernel did not create the map: maps of type {type} need or forbid BPF_F_NO_PREALLOC.'],
  ['MaxEntries may be incorrectly set to zero)', 'The map has no max_entries.'],
  ['ring map size {n} not a multiple of page size {size})', 'The ring buffer has {n} bytes, which is no multiple of a page of {size} bytes.'],
  ['missing kernel symbol or prog', 'The kernel has none of the functions of kprobe.multi, or the program was loaded for another way of attaching.'],
  ['invalid pid, missing symbol or prog', 'The process does not run, the file has no such function, or the program was loaded for another way of attaching.'],
  ['specified pid not found?)', 'The process that is to be traced does not run.'],
  ['map spec is incompatible with existing map', 'The pinned map differs from that of the object in type, sizes or flags. Remove the pin, or change its name.'],
  ['config option {name} does not exist on this kernel', 'The kernel’s configuration has no {name}. Make the extern __weak if the program can do without.'],
  ['cannot find a kconfig file', 'The configuration of the kernel was not found: /boot/config-VERSION or /proc/config.gz.'],
  ['cannot parse kconfig file', 'The configuration of the kernel could not be read.'],
  ['kernel is missing symbol: {name}', 'The kernel has no symbol {name}. Make the extern __weak if the program can do without.'],
  ['kfunc {name}: {e}', 'The kernel and its loaded modules have no kfunc {name} like that which the program calls.'],
  ['find target in vmlinux', 'The kernel’s BTF has no function or hook that the program attaches to.'],
  ['find target in modules', 'Neither the kernel nor a loaded module has the function that the program attaches to.'],
  ['missing {what} "{name}"', 'The Go code names {what} {name}, which the object does not have: run go generate anew.'],
  ['pin by name: missing MapOptions.PinPath', 'A map is pinned by name: set MapOptions.PinPath.'],
  ['ProgramArray {name} must be assigned to prevent missed tail calls', 'Program array {name} would be closed, and its tail calls lost: assign it to a field.'],
  ['cannot load program {prog}: program type is unspecified', 'The section name of program {prog} names no program type: it may be misspelt, or the library too old for it.'],
  ['unrecognized field {name} in BTF map definition', 'The definition of a map has the field {name}, which this library does not know.'],
  ["'values' must be the last member in a BTF map definition", 'The field values has to be the last of a map’s definition.'],
  ['possible erroneous static qualifier on map definition: found reference to {name}', 'Map {name} is static: maps have to be global.'],
  ['both {what} and {more} given', 'A map states the size of its {what} twice.'],
  ['direct access requires Linux 5.5 or later', 'A kernel before 5.5 cannot map the variables of a program: use the map.'],
  ["symbol '{name}' must be a valid symbol in /proc/kallsyms", 'The kernel has no function {name}.'],
  ['attaching to ambiguous kernel symbol is not supported', 'The kernel has several functions of this name, and the probe needs one.'],
  ['token {name}: not found', 'The kernel or file has no function {name}: it is misspelt, inlined, or in a module that is not loaded.'],
  ["token {name}: older kernels don't accept dots", 'This kernel takes no probe on {name}, which has a dot in its name.'],
  ['token {name}: bad insn boundary', 'The offset in {name} is not the start of an instruction.'],
  ['the given file is not an executable or a shared object', 'A uprobe attaches to an executable or a library, and the file is neither.'],
  ['use pinned map {path}: {e}', 'The pinned map at {path} could not be used: {e}'],
  ['pin map to {path}: {e}', 'The map could not be pinned at {path}: {e} The path has to be on a mounted bpffs.'],
  ['failed to set memlock rlimit', 'The limit of locked memory could not be raised: that needs CAP_SYS_RESOURCE.'],
  ['hit verifier bug, increase LogSizeStart', 'The kernel gave no log of the verifier: raise ProgramOptions.LogSizeStart.'],
  ['duplicate program name {prog}', 'The object has two programs {prog}.'],
  ['unexpected machine type for BPF ELF: {name}', 'The object is for {name} and not for BPF: compile with -target bpf.'],
  ['BTF byte order {a} does not match ELF byte order {b}', 'The BTF of the object is {a} and the object {b}: it is damaged.'],
  ['struct_ops requires BTF', 'The object has struct_ops and no BTF: compile with -g.'],
  ['member {name} not found in {type}', 'The kernel’s {type} has no member {name}, which the struct_ops of the object sets.'],
  ['map create: {e}', 'The kernel did not create the map: {e}'],
  ["can't load {a} program on {b}", 'The object is {a} and this machine {b}: compile it with bpf2go -target bpfel or bpfeb.'],
  ['detecting kernel version: {e}', 'The version of the kernel could not be told: {e}.'],
  ['load BTF: {e}', 'The kernel refused the BTF of the object: {e}'],
  ['load target BTF: {e}', 'The BTF that the program attaches to could not be read: {e}'],
  ['load program: {e}', 'The kernel did not load the program: {e}'],
  ['load program without BTF: {e}', 'The kernel has no BTF support and did not load the program either: {e}'],
  ['cannot load program without loading its whole collection: {e}', 'The program uses maps of its object: load the collection and not the program alone.'],
];
