/**
 * Failures in parts of libbpf that few programs use, or that tell of damaged input: reading ELF,
 * BTF and Kconfig, definitions of maps, struct_ops, skeletons, jump tables, kprobes, uprobes, USDT,
 * buffers, the linker. A row that begins as another stands before it.
 *
 * Source: libbpf 1.7.0, src/*.c, calls of `pr_warn`.
 */
import type { FailureRow } from './failure-rows.ts';

export const LIBBPF_PARTS: readonly FailureRow[] = [
  // Reading files.
  [
    'elf: failed to init libelf for {path}',
    'libelf does not fit this libbpf: {path} could not be read.',
  ],
  ['elf: could not read elf from {path}: {e}', 'The file {path} could not be read as ELF: {e}.'],
  [
    'elf: could not read elf file {name} from {path}: {e}',
    'The file {name} inside of {path} could not be read as ELF: {e}.',
  ],
  [
    "elf: failed to get verdef ELF section in '{path}'",
    'The versions of the symbols of {path} could not be read.',
  ],
  [
    "elf: ambiguous match for '{a}', '{b}' in '{path}'",
    'The file {path} has several functions that the name {a} can mean. Add the version, as in name@version.',
  ],
  [
    "elf: ambiguous match found '{name}@{off}' in '{path}' previous offset {b}",
    'The file {path} has several functions {name}, at different offsets. Add the version, as in name@version.',
  ],
  [
    "elf: '{name}' is 0 in symtab for '{path}': {what}",
    'The file {path} only imports {name}: attach to the library that defines it.',
  ],
  [
    "elf: failed to find symbol '{name}' in '{path}'",
    'The file {path} has no function {name}: it is misspelt, inlined, or stripped away.',
  ],
  [
    "elf: sec '{sec}': declared ARENA map size ({size}) is too small to hold global __arena variables of size {need}",
    'The arena has {size} bytes, and its global variables need {need}: raise max_entries.',
  ],
  [
    'elf: sec \'{sec}\': to use global __arena variables the ARENA map should be explicitly declared in SEC(".maps")',
    'The object has global __arena variables, but no map of type BPF_MAP_TYPE_ARENA.',
  ],
  [
    'elf: failed to get .maps map definitions for {path}',
    'The section .maps of {path} could not be read.',
  ],
  [
    "elf: failed to get symbols for symtab section in '{path}': {e}",
    'The symbols of {path} could not be read: {e}.',
  ],
  [
    'elf: init internal error',
    'libbpf was asked to open the same object twice: a fault of libbpf.',
  ],
  [
    'elf: failed to {what}',
    'Part of an ELF file could not be read, so that it is damaged or cut off: failed to {what}.',
  ],
  ['alloc memory failed for {path}', 'There is not enough memory to open {path}.'],
  [
    'failed to get section({n}) {what}',
    'Section {n} of an ELF file with BTF could not be read: the file is damaged.',
  ],
  [
    'failed to get section({n}, {name}) data from {path}',
    'Section {name} of {path} could not be read: the file is damaged.',
  ],
  ['failed to get EHDR from {path}', 'The ELF header of {path} could not be read.'],
  [
    'failed to get section names section index for {path}',
    'The table of section names of {path} could not be found.',
  ],
  ['failed to get e_shstrndx from {path}', 'The section names of {path} could not be read.'],
  [
    'failed to get ELF class (bitness) for {path}',
    'Whether {path} has 32 or 64 bits could not be told.',
  ],
  [
    'unexpected section type ({type}) of section({n}, {name}) from {path}',
    'Section {name} of {path} has type {type}, where BTF needs SHT_PROGBITS.',
  ],
  [
    'failed to init libelf for {path}',
    'libelf does not fit this libbpf: {path} could not be read.',
  ],
  ['failed to open {path} as ELF file', 'The file {path} is no ELF file.'],
  ['failed to open {path}: {e}', 'The file {path} could not be opened: {e}.'],
  [
    "failed to find '{sec}' ELF section in {path}",
    'The file {path} has no section {sec}: it was built without BTF, or stripped.',
  ],
  ['zip: failed to open {path}: {e}', 'The archive {path} could not be opened: {e}.'],
  [
    'zip: could not find archive member {name} in {path}: {e}',
    'The archive {path} has no file {name}.',
  ],
  [
    'zip: entry {name} of {path} is compressed and cannot be handled',
    'The file {name} is compressed inside of {path}: a uprobe needs it stored as it is.',
  ],
  // BTF.
  [
    "Can't load BTF with non-native endianness due to unsupported header length {n}",
    'The BTF is in the other byte order and has a header of {n} bytes, which this libbpf cannot turn.',
  ],
  [
    'unsupported BTF_KIND:{kind}',
    'The BTF has a type of kind {kind}, which this libbpf does not know: use a newer one.',
  ],
  ['-- BEGIN BTF LOAD LOG ---', 'The kernel’s log of its check of the BTF begins here.'],
  [
    'BTF.ext header missing func_info, line_info',
    'The header of .BTF.ext is too short for func_info and line_info.',
  ],
  [
    'unexpected reference to base type[{id}] of kind [{kind}] when creating distilled base BTF.',
    'The split BTF refers to base type {id} of kind {kind}, which a distilled base cannot hold.',
  ],
  [
    "unexpected kind when adding base type '{name}'[{id}] of kind [{kind}] to distilled base BTF.",
    'Base type {name} has kind {kind}, which a distilled base cannot hold.',
  ],
  [
    'base BTF id [{a}] maps to invalid distilled base BTF id [{b}]',
    'The distilled base of a module is damaged: type {b} is not in it.',
  ],
  [
    "distilled base BTF type '{name}' [{id}], size {size} has multiple candidates of the same size (ids [{a}, {b}]) in base BTF",
    'The kernel has two types {name} of {size} bytes, so that the base type of the module is ambiguous.',
  ],
  [
    "distilled base BTF type '{name}' [{id}] is not mapped to base BTF id",
    'This kernel has no type {name} like that which the module was built with.',
  ],
  [
    'type [{id}], kind [{kind}] is invalid for distilled base BTF; it is anonymous',
    'Type {id} of the distilled base of a module has no name: the BTF is damaged.',
  ],
  [
    'type [{id}] in distilled based BTF has unexpected kind [{kind}]',
    'Type {id} of the distilled base of a module has kind {kind}, which does not belong there.',
  ],
  [
    "string '{name}' [offset {off}] is not mapped to base BTF",
    'The name {name} of a module’s BTF is not in the base: the BTF is damaged.',
  ],
  [
    'unsatisfiable type cycle, id:[{id}]',
    'Type {id} contains itself, so that it cannot be declared in C.',
  ],
  [
    'anonymous struct/union loop, id:[{id}]',
    'Anonymous type {id} contains itself, so that it cannot be declared in C.',
  ],
  ['not enough memory for decl stack: {e}', 'There is not enough memory to write a declaration.'],
  [
    'unexpected type in decl chain, kind:{kind}, id:[{id}]',
    'Type {id} of kind {kind} cannot be part of a C declaration: the BTF is damaged.',
  ],
  [
    'unexpected error skipping mods/typedefs for id [{id}]',
    'Type {id} refers to nothing: the BTF is damaged.',
  ],
  [
    'unexpected kind [{kind}] for id [{id}]',
    'Type {id} has kind {kind}, whose values libbpf cannot print.',
  ],
  [
    'unexpected size [{n}] for id [{id}]',
    'A value of type {id} cannot be printed: no integer has {n} bytes.',
  ],
  [
    'unexpected size {n} for {more}',
    'A value cannot be printed: its type has the impossible size {n}.',
  ],
  [
    'unexpected sz {n} for id [{id}]',
    'A value of type {id} cannot be printed: no float has {n} bytes.',
  ],
  [
    'unexpected elem size {n} for array type [{id}]',
    'Array {id} cannot be printed: its elements have no size.',
  ],
  ['unexpected bitfield size {n}', 'A bit-field of {n} bits cannot be printed: it has 1 to 64.'],
  // Kconfig and externs.
  [
    "extern (kcfg) '{name}': invalid string config '{value}'",
    'The kernel’s configuration has no text in quotes for {name}: {value}.',
  ],
  [
    "extern (kcfg) '{name}': long string '{value}' of ({n} bytes) truncated to {size} bytes",
    'The value of {name} has {n} bytes and the program room for {size}: the rest is cut off.',
  ],
  [
    "extern (kcfg) '{name}': failed to get kernel version",
    'The version of the kernel could not be told for {name}: uname gave no three numbers.',
  ],
  [
    "extern (kcfg) '{name}': unrecognized virtual extern",
    'libbpf knows no value {name}: names of its own begin with LINUX_, those of the configuration with CONFIG_.',
  ],
  [
    "extern '{name}': unrecognized extern kind",
    'Extern {name} is neither of the configuration nor of the kernel’s symbols.',
  ],
  [
    "extern (func ksym) '{name}': module BTF fd index {n} too big to fit in bpf_insn offset",
    'The program calls kfuncs of too many modules: {name} is one too many.',
  ],
  [
    "failed to parse '{line}': {what}",
    'A line of the kernel’s configuration could not be read: {line}.',
  ],
  [
    "failed to parse '{line}' as integer completely",
    'The kernel’s configuration has {line} where the program needs an integer.',
  ],
  [
    "error parsing system Kconfig line '{line}': {e}",
    'A line of the kernel’s configuration could not be used: {line}.',
  ],
  [
    "error parsing in-memory Kconfig line '{line}': {e}",
    'A line of the configuration that the tool gave could not be used: {line}.',
  ],
  [
    'failed to open in-memory Kconfig: {e}',
    'The configuration that the tool gave could not be read: {e}.',
  ],
  [
    "failed to find BTF for extern '{name}'{more}",
    'The BTF of the object has no extern {name}: it was compiled without -g, or stripped.',
  ],
  [
    'extern function {name} is unsupported under {sec} section',
    'Function {name} is in section {sec}: kfuncs are declared in .ksyms.',
  ],
  [
    "failed to resolve size of extern (kcfg) '{name}': {e}",
    'The type of extern {name} has no size: declare it whole.',
  ],
  [
    "failed to determine alignment of extern (kcfg) '{name}': {e}",
    'The type of extern {name} has no alignment: declare it whole.',
  ],
  [
    "failed to find extern definition for BTF {what} '{name}'",
    'The BTF declares {name}, which the symbol table does not: the object is damaged.',
  ],
  [
    'cannot create a dummy_ksym var',
    'The BTF of the object could not be extended by the variable that stands for kfuncs.',
  ],
  [
    'failed to get sym name string for var {name}',
    'The symbol of variable {name} has no name: the object is damaged.',
  ],
  ['failed to read kallsyms entry: {e}', '/proc/kallsyms could not be read to its end: {e}.'],
  [
    'BTF fd off {n} for kfunc {name} exceeds INT16_MAX, cannot process relocation',
    'The program calls kfuncs of too many modules: {name} is one too many.',
  ],
  // Definitions of maps.
  [
    "map '{map}': attr '{attr}': invalid __ulong",
    'The field {attr} of map {map} is no __ulong() of one number.',
  ],
  [
    "map '{map}': attr '{attr}': {what}",
    'The field {attr} of map {map} is not written as __uint({attr}, number): {what}',
  ],
  [
    "map '{map}': invalid field #{n}.",
    'Field {n} of the definition of map {map} has no name: the BTF is damaged.',
  ],
  [
    "map '{map}': {what} spec is not PTR: {kind}.",
    'The {what} of map {map} is not written as __type({what}, type).',
  ],
  [
    "map '{map}': can't determine {what} size for type [{id}]: {e}.",
    'The type of the {what} of map {map} has no size: declare it whole.',
  ],
  [
    "map '{map}': multi-level inner maps not supported.",
    'An inner map of map {map} holds maps itself: only one level is possible.',
  ],
  [
    "map '{map}': '{name}' member should be last.",
    'The field {name} of map {map} has to be the last of its definition.',
  ],
  [
    "map '{map}': should be map-in-map or prog-array.",
    'Map {map} has a field values, which only maps of maps and program arrays have.',
  ],
  [
    "map '{map}': {what} spec is not a zero-sized array.",
    'The field values of map {map} has to be an array without a length.',
  ],
  [
    "map '{map}': inner def can't be pinned.",
    'The inner map of map {map} has a field pinning: only the outer one can be pinned.',
  ],
  [
    "map '{map}': unexpected var kind {kind}.",
    'Map {map} is no variable in the BTF, but {kind}: the object is damaged.',
  ],
  [
    "map '{map}': invalid def size.",
    'The definition of map {map} is larger than its variable: the object is damaged.',
  ],
  [
    "map '{map}': {what} def is of unexpected kind {kind}.",
    'The field values of map {map} has a {kind} where a pointer to a definition or a function is needed.',
  ],
  [
    "map '{map}': prog-array value def is of unexpected kind {kind}.",
    'The field values of program array {map} has a {kind} where a function is needed.',
  ],
  [
    "map '{map}': map-in-map inner def is of unexpected kind {kind}.",
    'The inner map of map {map} is defined as {kind} and not as a struct.',
  ],
  ["map '{map}': failed to alloc map name.", 'There is not enough memory for map {map}.'],
  [
    "map '{map}': couldn't build pin path.",
    'The path to pin map {map} is longer than a path can be.',
  ],
  [
    "map '{map}': only single ARENA map is supported (map '{other}' is also ARENA)",
    'The object has two arenas, {map} and {other}: one is possible.',
  ],
  [
    "map '{map}' BTF data is corrupted.",
    'Map {map} reaches over the end of .maps: the object is damaged.',
  ],
  ['map #{n}: empty name.', 'Map {n} of the object has no name.'],
  [
    "failed to alloc map '{map}' content buffer: {e}",
    'There is not enough memory for the contents of map {map}: {e}.',
  ],
  [
    '.maps relo #{n}: failed to get ELF relo',
    'Relocation {n} of .maps could not be read: the object is damaged.',
  ],
  [
    '.maps relo #{n}: symbol {sym} not found',
    'Relocation {n} of .maps names a symbol that the object does not have.',
  ],
  [
    ".maps relo #{n}: cannot find map '{map}' at rel->r_offset {off}",
    'Relocation {n} of .maps, for {map}, lies in no map.',
  ],
  [
    ".maps relo #{n}: '{name}' isn't a BTF-defined map",
    'A map of maps has {name} in its values, which is no map of section .maps.',
  ],
  [
    ".maps relo #{n}: hash-of-maps '{map}' should have key size {size}.",
    'Map {map} has inner maps from its definition: then its key has {size} bytes.',
  ],
  [
    ".maps relo #{n}: '{name}' isn't {what}",
    'The field values of a map has {name}, which is not {what}.',
  ],
  // Use of maps.
  [
    'failed to get map info for map FD {fd}: {e}',
    'The kernel did not describe the map of FD {fd}: {e}.',
  ],
  [
    "map '{map}': failed to re-mmap() contents: {e}",
    'The contents of map {map} could not be mapped again: {e}.',
  ],
  [
    "map '{map}': failed to initialize slot [{n}] to {what} '{name}' fd={fd}: {e}",
    'Slot {n} of map {map} could not be set to {what} {name}: {e}.',
  ],
  [
    "map '{map}': failed to determine number of system CPUs: {e}",
    'The number of CPUs, which map {map} needs as its size, could not be told: {e}.',
  ],
  ["map '{map}': cannot find pinned map", 'The map pinned for {map} has been removed meanwhile.'],
  [
    "map '{map}': can't pin BPF map without FD (was it created?)",
    'Map {map} cannot be pinned before the object is loaded.',
  ],
  [
    "map '{map}' already has pin path '{a}' different from '{b}'",
    'Map {map} is to be pinned at {b}, but its path is set to {a}.',
  ],
  ["missing a path to pin map '{map}' at", 'Map {map} has no path to be pinned at.'],
  ["map '{map}' already pinned", 'Map {map} is already pinned.'],
  [
    'failed to pin map: {e}',
    'A map could not be pinned: {e}. The path has to be new and on a mounted bpffs.',
  ],
  ["no path to unpin map '{map}' from", 'Map {map} has no path that it is pinned at.'],
  ['invalid map pointer', 'The tool gave no map to pin or unpin: a fault of the tool.'],
  ["map '{map}': cannot be resized, {what}", 'Map {map} cannot have another size: {what}.'],
  [
    "map '{map}': failed to resize memory-mapped region: {e}",
    'The memory of map {map} could not be resized: {e}.',
  ],
  [
    "map '{map}': failed to adjust resized BTF, clearing BTF key/value info: {e}",
    'The BTF of map {map} does not fit its new size, and is left out: {e}.',
  ],
  ['error: unsupported map type', 'An inner map was given to a map that holds no maps.'],
  ['error: inner_map_fd already specified', 'A map was given its inner map twice.'],
  [
    'exclusive programs must be set before map creation',
    'The program that alone may use a map has to be set before the object is loaded.',
  ],
  [
    'excl_prog and map must be from the same bpf object',
    'The program that alone may use a map is of another object.',
  ],
  [
    "error in {func}: map handler doesn't belong to object",
    'The tool mixes maps of two objects: a fault of the tool.',
  ],
  [
    "map '{map}': unexpected {what} size {a} provided{more}",
    'The tool accesses map {map} with a {what} of {a} bytes, which is not what the map has{more}.',
  ],
  [
    "map '{map}': can't use BPF map without FD (was it created?)",
    'Map {map} is used before the object is loaded, or was not created.',
  ],
  [
    "map '{map}': BPF_F_CPU and BPF_F_ALL_CPUS are mutually exclusive",
    'The tool asks for one CPU of map {map} and for all of them at once.',
  ],
  [
    "map '.jumptables': {what}",
    'The jump tables of the object do not fit its code ({what}): use the clang that libbpf asks for, or compile without them.',
  ],
  // Programs.
  [
    "sec '{sec}': failed to allocate memory for prog '{prog}'",
    'There is not enough memory for program {prog}.',
  ],
  [
    "sec '{sec}': failed to alloc memory for new program '{prog}'",
    'There is not enough memory for program {prog}.',
  ],
  [
    "sec '{sec}': failed to get symbol name for offset {off}",
    'The program at offset {off} of section {sec} has no name: the object is damaged.',
  ],
  [
    "sec '{sec}': failed to get relo #{n}",
    'Relocation {n} of section {sec} could not be read: the object is damaged.',
  ],
  [
    "sec '{sec}': corrupted symbol #{sym} pointing to invalid section #{to} for relo #{n}",
    'Symbol {sym}, of relocation {n} of section {sec}, is in section {to}, which does not exist.',
  ],
  [
    "prog '{prog}': invalid relo against '{name}' for insns[{insn}].code {code}",
    'Program {prog} refers to {name} at instruction {insn}, which is neither a 64-bit load nor a call.',
  ],
  [
    "prog '{prog}': incorrect bpf_call opcode",
    'Program {prog} has a call with a source register that libbpf does not know.',
  ],
  [
    "prog '{prog}': bad call relo against '{name}' at offset {off}",
    'Program {prog} calls {name} at an address that is no instruction.',
  ],
  [
    "prog '{prog}': bad subprog addr relo against '{name}' at offset {off}",
    'Program {prog} takes the address of {name}, which is no subprogram of .text.',
  ],
  [
    "prog '{prog}': bad arena data relocation at insn {insn}, no arena maps defined",
    'Program {prog} uses a global __arena variable, but the object has no arena.',
  ],
  [
    "prog '{prog}': map relo failed to find map for section '{sec}', off {off}",
    'Program {prog} refers to offset {off} of section {sec}, where no map is.',
  ],
  [
    "prog '{prog}': data relo failed to find map for section '{sec}'",
    'Program {prog} uses data of section {sec}, for which there is no map.',
  ],
  [
    "prog '{prog}': relo #{n}: failed to record relocation: {e}",
    'Relocation {n} of program {prog} could not be written into the loader program: {e}.',
  ],
  [
    "prog '{prog}': relo #{n}: failed to relocate: {e}",
    'Relocation {n} of program {prog} failed: {e}. The lines before say why.',
  ],
  [
    "prog '{prog}': relo #{n}: bad insn",
    'Relocation {n} of program {prog} lies on an instruction that it does not fit.',
  ],
  [
    "prog '{prog}': relo #{n}: can't create jump table: sym_off {off}",
    'The jump table at {off} that program {prog} uses could not be created.',
  ],
  [
    "prog '{prog}': relo #{n}: bad relo type {type}",
    'Relocation {n} of program {prog} has kind {type}, which libbpf does not know: a fault of libbpf.',
  ],
  [
    "prog '{prog}': relo #{n}: insn #{insn} (LDX/ST/STX) invalid new mem size: {size}",
    'The field that instruction {insn} of program {prog} loads has {size} bytes in this kernel, which no load has.',
  ],
  [
    "prog '{prog}': relo #{n}: error matching candidate #{cand} {spec}: {e}",
    'CO-RE record {n} of program {prog} could not be compared with candidate {cand}: the BTF is damaged.',
  ],
  [
    "prog '{prog}': relo for [{id}] {what} (at idx {n}) captures type [{to}] of unexpected kind {kind}",
    'The access string of a CO-RE record of program {prog} reaches a {kind}, which has no members.',
  ],
  [
    "prog '{prog}': error relocating .BTF.ext {what} info: {e}",
    'The {what} info of program {prog} could not be moved to where its code is: {e}.',
  ],
  ["prog '{prog}': missing .BTF.ext {what}", 'The .BTF.ext of the object lacks {what}'],
  [
    "prog '{prog}': failed to realloc prog code",
    'There is not enough memory for program {prog} with its subprograms.',
  ],
  [
    "prog '{prog}': failed to add subprog offsets: {e}",
    'There is not enough memory for the subprograms of program {prog}: {e}.',
  ],
  [
    "prog '{prog}': unexpected relo for insn #{insn}, type {type}",
    'Call {insn} of program {prog} has a relocation that is not that of a call.',
  ],
  [
    "prog '{prog}': missing subprog addr relo for insn #{insn}",
    'Instruction {insn} of program {prog} takes the address of a subprogram without a relocation.',
  ],
  [
    "prog '{prog}': exception_callback:<value> decl tag not applied to the main program",
    'The tag exception_callback is on a subprogram and not on program {prog}.',
  ],
  [
    "prog '{prog}': exception_callback:<value> decl tag contains empty value",
    'The tag exception_callback of program {prog} names no function.',
  ],
  [
    "prog '{prog}': exception callback {name} must be a global non-hidden function",
    'Function {name}, the exception callback of program {prog}, has to be global and not hidden.',
  ],
  [
    "prog '{prog}': multiple subprogs with same name as exception callback '{name}'",
    'The object has several functions {name}, the exception callback of program {prog}.',
  ],
  [
    "prog '{prog}': cannot find exception callback '{name}'",
    'The object has no function {name}, the exception callback of program {prog}.',
  ],
  [
    "prog '{prog}': failed to perform .BTF.ext fix ups: {e}",
    'The .BTF.ext of program {prog} could not be fitted to its code: {e}.',
  ],
  [
    "prog '{prog}': failed to bind map '{map}': {e}",
    'Map {map} could not be bound to program {prog}: {e}.',
  ],
  [
    "prog '{prog}': failed to initialize: {e}",
    'Program {prog} could not be set up by the handler of its section: {e}.',
  ],
  [
    "prog '{prog}': can't {what} before loaded",
    'Program {prog} cannot be attached before the object is loaded.',
  ],
  [
    "prog '{prog}': can't {what} program that wasn't loaded",
    'Program {prog} is pinned or unpinned, but was not loaded.',
  ],
  [
    "prog '{prog}': can't use BPF program without FD (was it loaded?)",
    'Program {prog} is used before the object is loaded, or its autoload is off.',
  ],
  [
    "prog '{prog}': can't attach BPF program without FD (was it loaded?)",
    'Program {prog} cannot be attached: it was not loaded.',
  ],
  [
    "prog '{prog}': can't associate BPF program without FD (was it loaded?)",
    'Program {prog} cannot be associated with a map: it was not loaded.',
  ],
  [
    "prog '{prog}': can't associate struct_ops program",
    'Program {prog} is itself of struct_ops and cannot be associated with a struct_ops map.',
  ],
  [
    "prog '{prog}': failed to pin at '{path}': {e}",
    'Program {prog} could not be pinned at {path}: {e}. The path has to be new and on a mounted bpffs.',
  ],
  [
    "prog '{prog}': invalid format of section definition '{sec}'",
    'The section name {sec} of program {prog} is not written as its kind asks.',
  ],
  [
    "prog '{prog}': invalid section name '{sec}'",
    'The section name {sec} of program {prog} is not written as its kind asks.',
  ],
  [
    "prog '{prog}': section '{sec}' missing ':function[+offset]' specification",
    'The section name {sec} of program {prog} names no function: uprobe/PATH:FUNCTION.',
  ],
  [
    "prog '{prog}': uretprobes do not support offset specification",
    'Program {prog} is to run at a return, which has no offset.',
  ],
  [
    "prog '{prog}': failed to attach to raw tracepoint '{name}': {e}",
    'Program {prog} could not be attached to raw tracepoint {name}: {e}.',
  ],
  [
    "prog '{prog}': relative_fd and relative_id cannot be set at the same time",
    'The place of program {prog} among others is given twice.',
  ],
  [
    "prog '{prog}': target netdevice ifindex cannot be zero",
    'Program {prog} is given no network device.',
  ],
  [
    "prog '{prog}': supply none or both of target_fd and attach_func_name",
    'Program {prog} is given the program or the function that it replaces, and needs both.',
  ],
  [
    "prog '{prog}': only BPF_PROG_TYPE_EXT can attach as freplace",
    'Program {prog} is not of type ext, and cannot replace a function.',
  ],
  [
    "prog '{prog}': failed to attach multi-uprobe: {e}",
    'Program {prog} could not be attached to several functions: {e}. Kernels from 6.6 on can.',
  ],
  [
    "prog '{prog}': failed to resolve full path for '{path}': {e}",
    'The file {path}, which program {prog} attaches to, is not on the path of libraries or commands.',
  ],
  ['failed to iterate BTF objects: {e}', 'The kernel’s BTF objects could not be listed: {e}.'],
  [
    'failed to get BTF object #{n} {what}: {e}',
    'BTF object {n} of the kernel could not be read: {e}.',
  ],
  ["object '{name}': load can't be attempted twice", 'The tool loads the object {name} twice.'],
  [
    "object '{name}': prepare loading can't be attempted twice",
    'The tool prepares the object {name} twice.',
  ],
  ['object not yet loaded; load it first', 'The tool uses the object before it is loaded.'],
  [
    "error: program handler doesn't match object",
    'The tool mixes programs of two objects: a fault of the tool.',
  ],
  [
    'failed bpf_prog_get_info_by_fd for FD {fd}: {e}',
    'The kernel did not describe the program of FD {fd}, which is attached to: {e}.',
  ],
  [
    'Failed to get BTF {id} of the program: {e}',
    'The BTF of the program that is attached to could not be read: {e}.',
  ],
  ["{name} is not found in prog's BTF", 'The program that is attached to has no function {name}.'],
  [
    'Detection of kernel {what} support failed: {e}',
    'Whether the kernel supports {what} could not be told: {e}.',
  ],
  [
    'failed to perform CO-RE relocations: {e}',
    'The CO-RE relocations of the object failed: {e}. The lines before say why.',
  ],
  ['internal error at {n}', 'libbpf met a state that cannot be: a fault of libbpf.'],
  [
    'signatures are not supported from bpf_preload',
    'A signed loader program cannot be used from bpf_preload.',
  ],
  // struct_ops.
  [
    'struct_ops init_kern: struct {name} data is not found in struct {value}',
    'The kernel’s struct {value} does not hold struct {name}: kernel and libbpf differ.',
  ],
  [
    'struct_ops init_kern {map}: failed to resolve the size of member {member}',
    'Member {member} of struct_ops {map} has no size.',
  ],
  [
    'struct_ops init_kern {map}: member {member} is not a struct_ops program',
    'Member {member} of struct_ops {map} is set to a program of another kind.',
  ],
  [
    'struct_ops init_kern {map}: kernel member {member} is not a func ptr',
    'Member {member} of struct_ops {map} is no function in this kernel.',
  ],
  [
    'struct_ops init_kern {map} func ptr {member}: invalid reuse of prog {prog} in sec {sec} {what}',
    'Program {prog} is member {member} of struct_ops {map}, and already of another.',
  ],
  [
    'struct_ops init: var {name} is beyond the end of DATASEC {sec}',
    'Variable {name} reaches over the end of section {sec}: the object is damaged.',
  ],
  ['struct_ops init: {what}', 'A struct_ops map could not be read out of the object: {what}.'],
  [
    'struct_ops reloc {map}: invalid target program offset {off}',
    'A member of struct_ops {map} points into the middle of an instruction.',
  ],
  [
    'struct_ops reloc {map}: cannot find member at moff {off}',
    'No member of struct_ops {map} is at byte {off}, where a program is set.',
  ],
  [
    'struct_ops reloc {map}: cannot relocate non func ptr {member}',
    'Member {member} of struct_ops {map} is set to a program, but is no function.',
  ],
  [
    'struct_ops reloc {map}: cannot find prog at shdr_idx {n} to relocate func ptr {member}',
    'Member {member} of struct_ops {map} is set to no program of the object.',
  ],
  [
    'struct_ops reloc {map}: prog {prog} is not struct_ops BPF program',
    'Program {prog}, set in struct_ops {map}, has another section than SEC("struct_ops").',
  ],
  [
    'struct_ops reloc {map}: {what}',
    'A member of struct_ops {map} has to be a static function: {what}.',
  ],
  ['struct_ops reloc: {what}', 'A relocation of a struct_ops section could not be read: {what}.'],
  [
    "map '{map}': can't {what} non-struct_ops map",
    'Map {map} is no struct_ops map, and cannot be attached or associated.',
  ],
  [
    "map '{map}': can't {what} BPF map without FD (was it created?)",
    'Map {map} is attached or associated before the object is loaded.',
  ],
  // bpffs.
  ['failed to mkdir {path}: {e}', 'The folder {path} could not be made: {e}.'],
  ['failed to statfs {path}: {e}', 'The file system of {path} could not be told: {e}.'],
  [
    'specified path {path} is not on BPF FS',
    'The path {path} is not on a bpffs: mount one, or pin below /sys/fs/bpf.',
  ],
  [
    'failed to open link at {path}: {e}',
    'The link that is pinned at {path} could not be opened: {e}.',
  ],
  // Perf events, kprobes, uprobes.
  [
    "prog '{prog}': invalid perf event FD {fd}",
    'Program {prog} is given FD {fd}, which is no perf event.',
  ],
  [
    "prog '{prog}': failed to create BPF link for perf_event FD {fd}: {e}",
    'Program {prog} could not be linked to a perf event: {e}.',
  ],
  [
    "prog '{prog}': user context value is not supported",
    'This kernel knows no cookies (5.15 and later do), which program {prog} uses.',
  ],
  [
    "prog '{prog}': failed to attach to perf_event FD {fd}: {e}",
    'Program {prog} could not be attached to a perf event: {e}.',
  ],
  [
    "prog '{prog}': try add PERF_SAMPLE_CALLCHAIN to or remove exclude_callchain_[kernel|user] from pfd {fd}",
    'The perf event of program {prog} has no call chains, which the program reads.',
  ],
  [
    "prog '{prog}': failed to enable perf_event FD {fd}: {e}",
    'The perf event of program {prog} could not be switched on: {e}.',
  ],
  [
    'failed to determine {what} retprobe bit: {e}',
    'The kernel does not say how to ask for probes at returns ({what}): {e}.',
  ],
  [
    'failed to add legacy {what} event for {more}',
    'The kernel did not take a {what} through tracefs: {more}.',
  ],
  [
    'failed to determine legacy {what} event id for {more}',
    'The id of a {what} could not be read from tracefs: {more}.',
  ],
  [
    'legacy {what} perf_event_open() failed: {e}',
    'The kernel made no event for a {what} made through tracefs: {e}.',
  ],
  [
    'failed to parse available_filter_functions{more}',
    'The kernel’s list of functions that can be traced could not be read.',
  ],
  [
    'kprobe name is invalid: {name}',
    'The section of a kprobe has to be kprobe/FUNCTION or kprobe/FUNCTION+OFFSET: {name}.',
  ],
  [
    'kretprobes do not support offset specification',
    'A kretprobe runs at a return, which has no offset.',
  ],
  [
    'kprobe {kind} pattern is invalid: {name}',
    'The pattern of a kprobe.{kind} has signs other than letters, digits, * and ?: {name}.',
  ],
  [
    "tracepoint '{name}' perf_event_open() failed: {e}",
    'The kernel made no event for tracepoint {name}: {e}.',
  ],
  // USDT.
  [
    'invalid section \'{sec}\', expected SEC("usdt/<path>:<provider>:<name>")',
    'The section name {sec} is not written as usdt/PATH:PROVIDER:NAME.',
  ],
  [
    'usdt: failed to find USDT support BPF maps, did you forget to include bpf/usdt.bpf.h?',
    'The object lacks the maps of bpf/usdt.bpf.h: include it.',
  ],
  [
    "usdt: attaching to {bits} ELF binary '{path}' is not supported",
    'The file {path} is {bits}, and this tool is not.',
  ],
  ["usdt: no USDT notes section ({sec}) found in '{path}'", 'The file {path} has no USDT probes.'],
  [
    "usdt: kernel doesn't support USDT semaphore refcounting for '{probe}' in '{path}'",
    'Probe {probe} has a semaphore, which this kernel does not count (4.20 and later do).',
  ],
  [
    'usdt: attaching to shared libraries without specific PID is not supported on current kernel',
    'This kernel knows no cookies (5.15 and later do): give the PID of the process.',
  ],
  ['usdt: failed to attach uprobe {what}', 'The kernel did not attach a USDT probe: {what}.'],
  [
    "usdt: IP collision detected for spec #{n} for '{probe}' in '{path}'",
    'Two USDT probes of {path} are at one address, and this kernel cannot tell them apart.',
  ],
  [
    "usdt: too many USDT arguments (> {n}) for '{probe}' with args spec '{spec}'",
    'Probe {probe} has more than {n} arguments.',
  ],
  [
    "usdt: unrecognized register '{name}'",
    'An argument of a USDT probe is in register {name}, which libbpf does not know.',
  ],
  [
    "usdt: unrecognized arg #{n} spec '{spec}'",
    'Argument {n} of a USDT probe is written as {spec}, which libbpf cannot read.',
  ],
  [
    "usdt: unsupported arg #{n} (spec '{spec}') size: {size}",
    'Argument {n} of a USDT probe has {size} bytes: 1, 2, 4 and 8 are possible.',
  ],
  [
    "usdt: libbpf doesn't support USDTs on current architecture",
    'libbpf has no USDT for this machine.',
  ],
  ['usdt: {what}', 'A USDT probe could not be found in its file: {what}.'],
  // Buffers.
  [
    'ringbuf: map fd={fd} is not BPF_MAP_TYPE_RINGBUF',
    'The map that is to be read as a ring buffer is none.',
  ],
  [
    'user ringbuf: map fd={fd} is not BPF_MAP_TYPE_USER_RINGBUF',
    'The map that is to be written as a user ring buffer is none.',
  ],
  ['ringbuf: {what}', 'A ring buffer could not be opened: {what}.'],
  ['user ringbuf: {what}', 'A user ring buffer could not be opened: {what}.'],
  [
    'page count should be power of two, but is {n}',
    'A perf buffer has 2, 4, 8 … pages for each CPU, and not {n}.',
  ],
  [
    "map '{map}' should be BPF_MAP_TYPE_PERF_EVENT_ARRAY",
    'Map {map} is to be read as a perf buffer, and is none.',
  ],
  [
    'failed to {what} perf buffer {where} on cpu #{n}: {e}',
    'The perf buffer of CPU {n} could not be opened: {e}.',
  ],
  [
    'failed to {what} perf buffer on cpu #{n}: {e}',
    'The perf buffer of CPU {n} could not be mapped: {e}.',
  ],
  ['failed to munmap cpu_buf #{n}', 'The perf buffer of CPU {n} could not be given back.'],
  ['failed to create epoll instance: {e}', 'A perf buffer could not be waited for: {e}.'],
  [
    'failed to allocate {what}: out of memory',
    'There is not enough memory for the {what} of a perf buffer.',
  ],
  ['failed to get online CPU mask: {e}', 'Which CPUs are online could not be read: {e}.'],
  [
    'failed to set cpu #{n}, key {key} -> perf FD {fd}: {e}',
    'The perf buffer of CPU {n} could not be put into its map: {e}.',
  ],
  [
    'failed to epoll_ctl cpu #{n} perf FD {fd}: {e}',
    'The perf buffer of CPU {n} could not be waited for: {e}.',
  ],
  [
    'unknown perf sample type {n}',
    'A perf buffer has a record of type {n}, which libbpf does not know.',
  ],
  ['error while processing records: {e}', 'The tool’s own function for records failed: {e}.'],
  [
    'perf_buffer: failed to process records in buffer #{n}: {e}',
    'The tool’s own function for records of CPU {n} failed: {e}.',
  ],
  ['Failed to {what} cpu mask {more}', 'Which CPUs there are could not be read from the kernel.'],
  ['Failed to get CPU range {more}', 'Which CPUs there are could not be read from the kernel.'],
  ['Invalid CPU range {more}', 'The kernel’s list of CPUs has the range {more}.'],
  ['Empty CPU range', 'The kernel’s list of CPUs is empty.'],
  ['CPU mask is too big in file {path}', 'The list of CPUs in {path} is longer than libbpf reads.'],
  // Skeletons and loader programs.
  [
    "failed to find skeleton {what} '{name}'",
    'The skeleton has {what} {name}, which the object does not have: generate the skeleton anew.',
  ],
  [
    "failed to initialize skeleton BPF object '{name}': {e}",
    'The object {name} inside of a skeleton could not be opened: {e}.',
  ],
  ['failed to populate {what}', 'The skeleton does not fit its object: generate it anew.'],
  [
    'subskeletons require BTF at runtime (object {name})',
    'The object {name} of a subskeleton has no BTF.',
  ],
  [
    "type for map '{map}' is not a datasec: {what}",
    'Map {map} of a subskeleton is no section of variables.',
  ],
  [
    "map '{map}': BPF skeleton version is old, skipping map auto-attachment...",
    'The skeleton is too old to attach struct_ops map {map}: generate it anew.',
  ],
  [
    "map '{map}': BPF map skeleton link is uninitialized",
    'The skeleton has no place for the link of map {map}: generate it anew.',
  ],
  ['Total maps exceeds {n}', 'The object has more maps than a loader program can hold ({n}).'],
  [
    'nr_progs {a} nr_maps {b} mismatch',
    'The loader program was made for other programs or maps than the object has.',
  ],
  [
    'unsupported bswap size!',
    'The loader program cannot turn a value of this size into the other byte order.',
  ],
  [
    '{what} size ({n}) is too small',
    'The tool was built with a {what} that is older than this libbpf allows.',
  ],
  [
    '{what} has non-zero extra bytes',
    'The tool was built with a newer libbpf and uses options of {what} that this one does not have.',
  ],
  ['failed to dup FD {fd} to FD > 2: {e}', 'The process has too many open files: {e}.'],
  // The linker (bpftool gen object).
  [
    "global '{name}': incompatible {what}",
    'Two of the linked objects declare {name} differently: {what}.',
  ],
  [
    "global '{name}': section mismatch {a} vs {b}",
    'Two of the linked objects have {name} in different sections.',
  ],
  [
    "global '{name}': failed to resolve size of underlying type: {e}",
    'The type of {name} has no size: declare it whole.',
  ],
  ["global '{name}': {what}", 'Two of the linked objects define {name} differently: {what}.'],
  [
    "conflicting non-weak symbol #{n} ({name}) definition in '{path}'",
    'Two of the linked objects define {name}: make one __weak or static.',
  ],
  [
    "global/extern '{name}' BTF is ambiguous: both types #{a} and #{b} match",
    'The BTF of a linked object has {name} twice.',
  ],
  [
    "failed to find BTF info for global/extern symbol '{name}'",
    'The BTF of a linked object has no {name}: compile with -g.',
  ],
  [
    "BTF info is missing for global symbol '{name}'",
    'The BTF of a linked object has no {name}: compile with -g.',
  ],
  ["failed to find BTF info for object '{path}'", 'The object {path} has no BTF: compile with -g.'],
  [
    "only extern variables and functions are supported, but got '{kind}' for '{name}'",
    'Extern {name} is a {kind}: variables and functions can be extern.',
  ],
  [
    'externs without BTF info are not supported',
    'A linked object has externs and no BTF: compile with -g.',
  ],
  [
    'byte order mismatch with ELF file {path}',
    'The object {path} has another byte order than those before.',
  ],
  ['unknown byte order of ELF file {path}', 'The byte order of {path} is neither little nor big.'],
  [
    'sections {name} are not compatible',
    'The sections {name} of two linked objects differ in type or flags.',
  ],
  [
    'ELF sections {name} are incompatible',
    'The sections {name} of two linked objects differ in type or flags.',
  ],
  ['sec {sec} {what} mismatch', 'The sections {sec} of two linked objects differ in their {what}.'],
  [
    "non-identical contents of section '{sec}' are not supported",
    'Section {sec}, such as license, has to be the same in all linked objects.',
  ],
  [
    'relocation against STT_SECTION in non-exec section is not supported!',
    'A linked object refers from data to a section as a whole, which the linker cannot do.',
  ],
  [
    "incompatible .BTF.ext record sizes for section '{sec}'",
    'The linked objects have .BTF.ext of different versions: compile them with one clang.',
  ],
  [
    'mismatch in {what} record size {a} != {b}',
    'The linked objects have .BTF.ext of different versions: compile them with one clang.',
  ],
  ['multiple SYMTAB sections found, not supported', 'A linked object has two symbol tables.'],
  [
    'unrecognized section #{n} ({name}) in {path}',
    'Section {name} of {path} is of a kind that the linker does not take over.',
  ],
  ['ELF {what}', 'A linked object is damaged, or not of clang: {what}.'],
  [
    "failed to find symbol for variable '{name}' in section '{sec}'",
    'A linked object has variable {name} of section {sec} in its BTF and not in its symbols.',
  ],
  [
    "failed to append BTF type #{id} from file '{path}'",
    'Type {id} of {path} could not be taken over: the BTF is damaged.',
  ],
  [
    'failed to find new ID mapping for original BTF type ID {id}',
    'A linked object refers to type {id}, which it does not have.',
  ],
  [
    "failed to add consolidated BTF type for datasec '{sec}': {e}",
    'The BTF of section {sec} of the linked object could not be written: {e}.',
  ],
  [
    'failed to write out {sec} ELF section: {e}',
    'Section {sec} of the linked object could not be written: {e}.',
  ],
  [
    'failed to parse final .BTF.ext data: {e}',
    'The .BTF.ext of the linked object could not be read back: {e}.',
  ],
  [
    'failed to parse .BTF from {path}: {e}',
    'The BTF of the linked object {path} could not be read: {e}.',
  ],
  [
    "failed to parse .BTF.ext from '{path}': {e}",
    'The .BTF.ext of the linked object {path} could not be read: {e}.',
  ],
  [
    "failed to create '{path}': {e}",
    'The file {path} of the linked object could not be made: {e}.',
  ],
  ["failed to open file '{path}': {e}", 'The object {path} could not be opened: {e}.'],
  [
    "failed to create memfd '{name}': {e}",
    'There is not enough memory for the object {name}: {e}.',
  ],
  ["failed to write '{name}': {e}", 'There is not enough memory for the object {name}: {e}.'],
  ["failed to init section '{sec}'", 'Section {sec} of the linked object could not be made.'],
  [
    "failed to find matching ELF sec '{sec}'",
    'A linked object has section {sec} in its BTF and not in the file.',
  ],
  [
    "can't fetch symbol name for symbol #{n} in '{path}'",
    'Symbol {n} of {path} has no name that can be read.',
  ],
  [
    "can't find section '{sec}' referenced from .BTF.ext",
    'The .BTF.ext of a linked object speaks of section {sec}, which the object does not have.',
  ],
  [
    '.BTF.ext generation failed: {e}',
    'The .BTF.ext of the linked object could not be written: {e}.',
  ],
  ['BTF dedup failed: {e}', 'The BTF of the linked objects could not be made one: {e}.'],
  // Netlink.
  [
    'Netlink error reporting not supported',
    'The kernel does not say why it refused to attach to a network device.',
  ],
  ['Kernel error message: {e}', 'The kernel refused to attach to a network device: {e}.'],
  [
    'Invalid message or trailing data in Netlink response: {more}',
    'The kernel’s answer about a network device could not be read.',
  ],
  [
    'Attribute of type {type} found multiple times in message, previous attribute is being ignored.',
    'The kernel’s answer about a network device has an attribute twice.',
  ],
  [
    'Failed to parse extended error attributes',
    'The kernel’s reason for refusing a network device could not be read.',
  ],
];
