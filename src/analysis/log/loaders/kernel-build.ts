/**
 * Lines of a kernel's build about BTF, and of the kernel log about a module's BTF. Source: pahole,
 * btf_encoder.c and pahole.c; Linux, tools/bpf/resolve_btfids/main.c, scripts/link-vmlinux.sh and
 * kernel/bpf/btf.c, btf_module_notify.
 */
import type { LoaderRow } from './row.ts';

// biome-ignore format: one row a line
export const KERNEL_BUILD: readonly LoaderRow[] = [
  ['[{id}] INT DW_ATE_{name} Error emitting BTF type', 'pahole could not write type {id}, the integer DW_ATE_{name} of LLVM: BTF has integers of 1, 2, 4, 8 or 16 bytes. pahole 1.27 and later change such types; code of Rust is left out with --lang_exclude=rust.'],
  ['[{id}] {kind} (anon) Error emitting BTF type', 'pahole could not write type {id}, a {kind} without a name, where BTF needs one: the DWARF is from a compiler or language that this pahole does not know. A later pahole, or --lang_exclude for that language, helps.'],
  ['[{id}] {kind} {name} Error emitting BTF type', 'pahole could not write type {id}, {kind} {name}: BTF cannot express what the DWARF says, or libbpf refused it. A later pahole may help.'],
  ['Encountered error while encoding BTF.', 'pahole gave up: the file gets no .BTF. The line before says at which type.'],
  ["WARN: multiple IDs found for '{name}': {ids}", 'resolve_btfids found several types named {name} ({ids}), and took the first for BTF_ID. Two sources define them differently: btfscope check vmlinux shows the first difference, and who uses each.'],
  ['WARN: resolve_btfids: unresolved symbol {name}', 'resolve_btfids: .BTF_ids names {name}, and the BTF has no such type or function, so its id is 0. Its source was not compiled, or pahole left the function out.'],
  ['FAILED unresolved symbol {name}', 'resolve_btfids stopped: .BTF_ids names {name}, and the BTF has no such type or function. Its source was not compiled, or pahole left the function out; an old resolve_btfids fails where newer ones warn.'],
  ['FAILED: load BTF from {file}: {error}', 'resolve_btfids found no readable BTF in {file} ({error}): pahole failed before, and its lines are above.'],
];

// biome-ignore format: one row a line
export const KERNEL_LOG: readonly LoaderRow[] = [
  ['failed to validate module [{module}] BTF: {code}', 'The kernel refuses the BTF of module {module} ({code}): the module was built against another vmlinux, so that its ids and names lead elsewhere. Build it against the running kernel; btfscope check MODULE --base vmlinux says whether both fit.'],
];
