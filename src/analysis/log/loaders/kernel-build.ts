/**
 * Lines of a kernel's build about BTF, and of the kernel log about a module's BTF. Source: pahole,
 * btf_encoder.c and pahole.c; Linux, tools/bpf/resolve_btfids/main.c, link-vmlinux.sh and
 * kernel/bpf/btf.c, btf_module_notify.
 */
import { INFORMS, type LoaderRow, VERDICT } from './row.ts';

// biome-ignore format: one row a line
export const KERNEL_BUILD: readonly LoaderRow[] = [
  ['[{id}] INT DW_ATE_{name} Error emitting BTF type', 'pahole could not write type {id}, the integer DW_ATE_{name} of LLVM: BTF has integers of 1, 2, 4, 8 or 16 bytes. pahole 1.27 and later change such types; code of Rust is left out with --lang_exclude=rust.'],
  ['[{id}] {kind} (anon) Error emitting BTF type', 'pahole could not write type {id}, a {kind} without a name, where BTF needs one: the DWARF is from a compiler or language that this pahole does not know. A later pahole, or --lang_exclude for that language, helps.'],
  ['[{id}] {kind} {name} Error emitting BTF type', 'pahole could not write type {id}, {kind} {name}: BTF cannot express what the DWARF says, or libbpf refused it. A later pahole may help.'],
  ['Encountered error while encoding BTF.', 'pahole gave up: the file gets no .BTF. The line before says at which type.'],
  ["WARN: multiple IDs found for '{name}': {ids}", 'resolve_btfids found several types named {name} ({ids}), and took the first for BTF_ID. Two sources define them differently: btfscope check vmlinux shows the first difference, and who uses each.', INFORMS],
  ['WARN: resolve_btfids: unresolved symbol {name}', 'resolve_btfids: .BTF_ids names {name}, and the BTF has no such type or function, so its id is 0. Its source was not compiled, or pahole left the function out.', INFORMS],
  ['FAILED unresolved symbol {name}', 'resolve_btfids stopped: .BTF_ids names {name}, and the BTF has no such type or function. Its source was not compiled, or pahole left the function out; an old resolve_btfids fails where newer ones warn.'],
  ['FAILED: load BTF from {file}: {e}', 'resolve_btfids found no readable BTF in {file} ({e}): pahole failed before, and its lines are above.'],
  ['FAILED: load base BTF from {file}: {e}', 'resolve_btfids found no readable BTF in {file} ({e}), the base of a module’s BTF: build vmlinux with BTF first.'],
  ["FAILED: malformed BTF, can't resolve {what} for ID {id}", 'resolve_btfids found type {id} of the BTF damaged: it has no {what}.'],
  ['FAILED symbol {name} crossed the number of allowed lists', 'resolve_btfids stopped: {name} is in more lists of .BTF_ids than it can note.'],
  ["FAILED malformed data for set '{name}'", 'resolve_btfids stopped: the set {name} of .BTF_ids is damaged.'],
  ['FAILED unsupported prefix {name}', 'resolve_btfids stopped: .BTF_ids has an entry of a kind that it does not know ({name}): it is older than the kernel’s source.'],
  ['FAILED to parse {what}', 'resolve_btfids stopped: an entry of .BTF_ids has a name of another form ({what}).'],
  ['FAILED elf_update(WRITE): {e}', 'resolve_btfids could not write the file: {e}.'],
  ['FAILED cannot open {file}: {e}', 'resolve_btfids could not open {file}: {e}.'],
  ['FAILED {what}', 'resolve_btfids stopped: {what}.'],
  ['[{id}] {kind} {more} Error emitting {what}', 'pahole could not write {what} of type {id}, {kind} {more}: BTF cannot express what the DWARF says. A later pahole may help.'],
  ['Error while encoding BTF.', 'pahole gave up: the file gets no .BTF. The lines before say why.'],
  ['Error creating BTF encoder.', 'pahole could not begin to write BTF: memory or the file is the reason.'],
  ["PAHOLE: Error: Use '--btf_encode_force'", 'pahole gave up at a symbol with a name that BTF cannot have; --btf_encode_force leaves such symbols out.'],
  ["PAHOLE: Error: {e} (sym: '{name}').", 'pahole gave up at symbol {name}: {e}. --btf_encode_force leaves such symbols out.'],
  ["PAHOLE: Warning: {e}, ignored (sym: '{name}').", 'pahole leaves out symbol {name}: {e}.', INFORMS],
  ["error: failed to encode function '{name}': {what}", 'pahole could not write function {name}: {what}.'],
  ["error: found variable '{name}' in CU '{file}' that has void type", 'pahole gave up: the DWARF of {file} gives variable {name} no type. It is of an assembler, or the DWARF is damaged.'],
  ["error: failed to encode {what}", 'pahole could not write a part of the BTF: {what}.'],
  ['Unsupported DW_TAG_{tag}({n}): type: {more}', 'pahole met DW_TAG_{tag} (type {more}), which BTF cannot hold: the code is of C++, Rust or another language, or the pahole too old for the compiler.'],
  ["Feature '{name}' in '{list}' is not supported.", 'This pahole does not know the feature {name} of --btf_features: use a newer one.'],
  ["Ignoring unsupported feature '{name}'", 'This pahole does not know the feature {name} of --btf_features, and leaves it out.', INFORMS],
  ['{func}: btf__dedup failed!', 'pahole could not make the types of all files one: memory is short, or the libbpf in pahole too old.'],
  ["{func}: failed to add {sec} section to '{file}': {e}!", 'pahole could not add {sec} to {file}: llvm-objcopy or objcopy failed.'],
  ['btf__distill_base is not available, is libbpf < 1.5?', 'This pahole was built with a libbpf before 1.5, and makes no .BTF.base for modules.'],
  ['could not generate distilled base BTF: {e}', 'pahole could not make .BTF.base for a module: {e}.'],
  ["pahole: file '{file}' has no {what} type information.", 'The file {file} has no {what}: build it with debug information (CONFIG_DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT).'],
  ["Failed to parse base BTF '{file}': {e}", 'pahole could not read {file}, the base of a module’s BTF: {e}.'],
  ['WARNING: DW_TAG_skeleton_unit used', 'The DWARF is split into .dwo files, which pahole does not read: build without CONFIG_DEBUG_INFO_SPLIT.'],
  ['die__process: DW_TAG_{what}', 'pahole met DWARF that it cannot read ({what}): it is too old for the compiler.'],
  ['BTF: .tmp_vmlinux.btf: pahole (pahole) is not available', 'The kernel’s build needs pahole for CONFIG_DEBUG_INFO_BTF: install dwarves.'],
  ['Failed to generate BTF for vmlinux', 'The kernel’s build stopped: pahole failed, and its lines are before. Without CONFIG_DEBUG_INFO_BTF the kernel is built without BTF.', VERDICT],
  ['Try to disable CONFIG_DEBUG_INFO_BTF', 'The kernel’s build goes on without BTF if CONFIG_DEBUG_INFO_BTF is off.', INFORMS],
  ['Skipping BTF generation for {module} due to unavailability of vmlinux', 'Module {module} gets no BTF: the build needs the kernel’s vmlinux with BTF in the build folder (copy /sys/kernel/btf/vmlinux there). The module works; its types are unknown.', INFORMS],
];

// biome-ignore format: one row a line
export const KERNEL_LOG: readonly LoaderRow[] = [
  ['failed to register module [{module}] BTF in sysfs: {e}', 'The kernel could not show the BTF of module {module} in /sys/kernel/btf: {e}.'],
  ['missing module BTF, cannot register {what}', 'A module has kfuncs or structs of BPF and no BTF ({what}): build it with CONFIG_DEBUG_INFO_BTF_MODULES, after vmlinux was built.'],
  ['missing vmlinux BTF, cannot register {what}', 'The kernel has no BTF, so that its {what} cannot be used: CONFIG_DEBUG_INFO_BTF.'],
  ['BPF: failed to {what}', 'The kernel could not read a BTF: failed to {what}.'],
  ['ctx structure in kernel BTF does not match', 'The kernel’s BTF does not fit the kernel: pahole is too old or too new for it.'],
  ['failed to validate module [{module}] BTF: {code}', 'The kernel refuses the BTF of module {module} ({code}): the module was built against another vmlinux, so that its ids and names lead elsewhere. Build it against the running kernel; btfscope check MODULE --base vmlinux says whether both fit.'],
];
