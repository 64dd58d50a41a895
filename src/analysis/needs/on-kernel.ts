/** Decides which needs of an object a kernel meets, by its BTF and its version. */
import { type CoreResult, resolveObject } from '#analysis/core/resolve.ts';
import { findInKernel, type LoadKernel, targetOfKernel } from '#analysis/kernel/kernel.ts';
import { isExact } from '#analysis/kernel/kernel-features.ts';
import { hasEnumerator, isSince } from '#analysis/kernel/version.ts';
import type { LoadObject } from '#analysis/libbpf/open.ts';
import { findTarget } from '#analysis/libbpf/program-types.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { membersOf } from '#model/type-items.ts';
import { EXISTENCE_KINDS } from './guarded-code.ts';
import type { Need } from './need.ts';
import type { Needs } from './needs.ts';

export type NeedsOnKernel = {
  /** Name of the kernel. */
  readonly kernel: string;
  /** Needs that the kernel does not meet. */
  readonly lacks: readonly Need[];
  /** Needs for which a fact about the kernel is missing: its modules, version or symbols. */
  readonly unknown: readonly Need[];
};

/** Returns which needs of an object a kernel lacks. */
export function needsOnKernel(
  object: LoadObject,
  { required, never, undecided }: Needs,
  kernel: LoadKernel,
): NeedsOnKernel {
  const target = targetOfKernel(kernel);
  const results = object.core === null || target === null ? [] : resolveObject(object.core, target);
  const byRow = new Map(results.map((result) => [result.record.index, result]));
  const lacks: Need[] = [...never];
  const unknown: Need[] = [];
  for (const need of [...undecided, ...required]) {
    const met = isMet(need, kernel, byRow);
    if (met === false) lacks.push(need);
    if (met === null) unknown.push(need);
  }
  return { kernel: kernel.name, lacks, unknown };
}

/** Returns true if the kernel meets a need, false if it does not, null if that is unknown. */
function isMet(
  need: Need,
  kernel: LoadKernel,
  results: ReadonlyMap<number, CoreResult>,
): boolean | null {
  const { kind, name, by, since, records } = need;
  const isOlder = since !== null && isSince(kernel, since.version) === false;
  const isIn = (btfKind: number, wanted: string) => {
    if (findInKernel(kernel, btfKind, wanted) !== null) return true;
    return isOlder && isExact(since) ? false : ifAllModules(kernel);
  };
  switch (kind) {
    case 'helper':
    case 'map-type':
    case 'program-type':
    case 'attach-type': {
      const has = kernel.vmlinux === null ? null : hasEnumerator(kernel.vmlinux, kind, name);
      return has ?? (since === null ? null : isSince(kernel, since.version));
    }
    case 'instruction':
    case 'map-flag':
    case 'program-flag':
      return since === null ? null : isSince(kernel, since.version);
    case 'kfunc':
      return isIn(BtfKind.FUNC, name);
    case 'variable':
      return isIn(BtfKind.VAR, name);
    case 'iterator':
      return isIn(BtfKind.FUNC, `bpf_iter_${name}`);
    case 'struct_ops':
      return isIn(BtfKind.STRUCT, `bpf_struct_ops_${name}`);
    case 'option':
      return hasOption(kernel, name);
    case 'symbol':
      return hasSymbol(kernel, name);
    case 'callback':
      return hasCallback(kernel, name);
    case 'target': {
      const target = findTarget({ name: '', section: `${by}/${name}`, kind: by }, kernel);
      return target !== null && 'errno' in target ? ifAllModules(kernel) : true;
    }
    case 'type':
    case 'member':
    case 'enumerator':
      return records
        .flatMap((row) => results.get(row) ?? [])
        .every(({ status, record }) => status === 'ok' || EXISTENCE_KINDS.has(record.kind));
  }
}

function hasOption({ config }: LoadKernel, name: string): boolean | null {
  if (config === null) return null;
  return config !== 'none' && config.text.split('\n').some((line) => line.startsWith(`${name}=`));
}

function hasSymbol({ kallsyms }: LoadKernel, name: string): boolean | null {
  if (kallsyms === null) return null;
  return kallsyms.split('\n').some((line) => line.split(/\s/)[2] === name);
}

/** Returns false if all modules are known: what vmlinux lacks, another module may have. */
function ifAllModules({ modules }: LoadKernel): boolean | null {
  return modules === null ? null : false;
}

function hasCallback(kernel: LoadKernel, name: string): boolean | null {
  const [struct = '', member = ''] = name.split('.');
  const found = findInKernel(kernel, BtfKind.STRUCT, struct);
  if (found === null) return ifAllModules(kernel);
  return membersOf(found.types, found.id).some((one) => one.name === member);
}
