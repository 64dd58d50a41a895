/**
 * What the sections of programs ask of the kernel's BTF before the verifier.
 *
 * Source: libbpf 1.8, libbpf.c: libbpf_prepare_prog_load, libbpf_find_attach_btf_id,
 * find_kernel_btf_id, btf_get_kernel_prefix_kind.
 */

import { findByNameKind, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Failure, failed } from './failure.ts';

/** What a program is attached to by BTF: the words in front of the name, and the kind that is looked for. */
type Search = { readonly prefix: string; readonly kind: number };

const FUNCTION: Search = { prefix: '', kind: BtfKind.FUNC };
const SEARCHES: ReadonlyMap<string, Search> = new Map([
  ...['fentry', 'fexit', 'fmod_ret', 'fsession'].flatMap((name): [string, Search][] => [
    [name, FUNCTION],
    [`${name}.s`, FUNCTION],
  ]),
  ...['lsm', 'lsm.s', 'lsm_cgroup'].map((name): [string, Search] => [
    name,
    { prefix: 'bpf_lsm_', kind: BtfKind.FUNC },
  ]),
  ...['iter', 'iter.s'].map((name): [string, Search] => [
    name,
    { prefix: 'bpf_iter_', kind: BtfKind.FUNC },
  ]),
  ['tp_btf', { prefix: 'btf_trace_', kind: BtfKind.TYPEDEF }],
]);

/** Attached to many functions, which are looked up later; a module that is named must be loaded. */
const MULTI = /^f(?:entry|exit|session)\.multi(?:\.s)?$/;

/** Does libbpf read the kernel's BTF for a program of this kind? Source: prog_needs_vmlinux_btf. */
export function needsKernelBtf(kind: string): boolean {
  return SEARCHES.has(kind) || isStructOps(kind) || MULTI.test(kind);
}

/** Is a module of a program all that is looked for before it is loaded? */
export function namesModule({ kind }: Program): boolean {
  return MULTI.test(kind);
}

export function isStructOps(kind: string): boolean {
  return kind === 'struct_ops' || kind === 'struct_ops.s';
}

export type AttachTarget = { readonly btfId: TypeId; readonly module: string | null };

export type Program = {
  /** Raw text. */
  readonly name: string;
  /** The section, without a `?` in front. Raw text. */
  readonly section: string;
  /** What libbpf makes of it: `fentry`; empty where it knows no such name. */
  readonly kind: string;
};

/** The target of a program that is attached by BTF; null where none is looked for before attaching. */
export function findTarget(
  { name, section, kind }: Program,
  kernel: LoadKernel,
): AttachTarget | Failure | null {
  const search = SEARCHES.get(kind);
  if (MULTI.test(kind)) return missingModule(name, section, kernel);
  const isExtension = kind === 'freplace';
  if (search === undefined && !isExtension) return null;
  const prepared = (errno: string, line: string) =>
    failed(
      errno,
      `prog '${name}': ${line}`,
      `prog '${name}': failed to prepare load attributes: -${errno}`,
    );
  const slash = section.indexOf('/');
  if (slash < 0) {
    return prepared(
      'EINVAL',
      'no BTF-based attach target is specified, use bpf_program__set_attach_target()',
    );
  }
  if (search === undefined) return prepared('EINVAL', 'attach program FD is not set');
  const asked = section.slice(slash + 1);
  const found = findNamed(asked, search, kernel);
  return found ?? prepared('ESRCH', `failed to find kernel BTF type ID of '${asked}': -ESRCH`);
}

function missingModule(name: string, section: string, { modules }: LoadKernel): Failure | null {
  const [module, functions] = section.slice(section.indexOf('/') + 1).split(':');
  const isLoaded =
    functions === undefined ||
    ['vmlinux', ...(modules ?? []).map((one) => one.name)].includes(`${module}`);
  return isLoaded
    ? null
    : failed('EINVAL', `prog '${name}': failed to prepare load attributes: -EINVAL`);
}

function findNamed(asked: string, search: Search, kernel: LoadKernel): AttachTarget | null {
  const colon = asked.indexOf(':');
  // Compared as far as it is written: `nf_conn:f` means nf_conntrack.
  const modulePart = colon < 0 ? null : asked.slice(0, colon);
  const wanted = search.prefix + asked.slice(colon + 1);
  const find = (types: TypeTable) => findByNameKind(types, search.kind, wanted);
  if (kernel.vmlinux !== null && (modulePart === null || 'vmlinux'.startsWith(modulePart))) {
    const btfId = find(kernel.vmlinux);
    if (btfId !== null) return { btfId, module: null };
  }
  for (const { name, types } of kernel.modules ?? []) {
    if (modulePart !== null && !name.startsWith(modulePart)) continue;
    const btfId = find(types);
    if (btfId !== null) return { btfId, module: name };
  }
  return null;
}
