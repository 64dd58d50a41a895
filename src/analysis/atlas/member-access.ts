/** Checks a program's access to a member on one kernel of each form in an atlas. */
import { type CoreObject, withoutInsns } from '#analysis/core/core-records.ts';
import { accessStringOf } from '#analysis/core/playground.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { findByNameKind, type LoadKernel, targetOfKernel } from '#analysis/kernel/kernel.ts';
import { mergedRemedies, type Remedy, recordRemedies } from '#analysis/load/remedies.ts';
import { innerMembers } from '#analysis/types/inner-members.ts';
import type { Progress } from '#bytes/long-work.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeTable } from '#model/type-table.ts';
import { itemsByName, type NameHistory } from './history.ts';

/** Result of the access on a kernel: the member is read, the member is missing, or libbpf fails. */
export type AccessOutcome = 'reads' | 'missing' | 'fails';

/** Result of the access for one form, checked on the form's first kernel. */
export type TriedForm = {
  /** Numbers of the kernels with the form. For form null: the kernels that lack the name. */
  readonly kernels: readonly number[];
  readonly outcome: AccessOutcome;
  /** Bytes from the start of the struct to the member; null unless the access reads the member. */
  readonly byteOffset: number | null;
};

export type MemberAccess = {
  /** Number of the kernel whose types the compiled program uses. */
  readonly compiledOn: number;
  readonly tried: readonly TriedForm[];
  /** Changes to the program that help on failing kernels; their counts are of checked kernels. */
  readonly remedies: readonly Remedy[];
};

/** BPF_CORE_FIELD_BYTE_OFFSET, the relocation kind that BPF_CORE_READ produces. */
const BYTE_OFFSET = 0;
/** Maximum number of members to search in anonymous structs and unions. */
const MAX_MEMBERS = 100_000;

/** Returns results for member `item`; null if no form has it. Calls `step` before each check. */
export async function memberAccess(
  { kind, name, forms }: NameHistory,
  item: string,
  kernelNames: readonly string[],
  tableOf: (kernel: number) => Promise<TypeTable>,
  step: (progress: Progress) => Promise<void>,
): Promise<MemberAccess | null> {
  if (kind !== 'struct' && kind !== 'union') return null;
  const having = forms.filter((form) => itemsByName(form).has(item));
  const compiledOn = having.reduce((most, form) => Math.max(most, form.kernels.at(-1) ?? 0), -1);
  if (compiledOn < 0) return null;
  const local = await tableOf(compiledOn);
  const program = programOf(local, kind === 'struct' ? BtfKind.STRUCT : BtfKind.UNION, name, item);
  if (program === null) return null;

  const known = new Set(forms.flatMap(({ kernels }) => kernels));
  const without = [...kernelNames.keys()].filter((kernel) => !known.has(kernel));
  const groups = [...forms.map(({ kernels }) => kernels), without].filter(
    ({ length }) => length > 0,
  );
  const tried: TriedForm[] = [];
  const remedies: (readonly Remedy[])[] = [];
  for (const kernels of groups) {
    await step({ step: 'trying kernels', done: tried.length, total: groups.length });
    const first = kernels[0] ?? 0;
    const kernel = kernelOf(kernelNames[first] ?? '', await tableOf(first));
    tried.push({ kernels, ...accessOn(program, kernel) });
    remedies.push(recordRemedies({ core: program, model: null }, [kernel], 0));
  }
  return { compiledOn, tried, remedies: mergedRemedies(remedies, groups.length) };
}

function kernelOf(name: string, vmlinux: TypeTable): LoadKernel {
  return {
    name,
    vmlinux,
    modules: null,
    config: null,
    kallsyms: null,
    release: null,
    unameVersion: null,
  };
}

function accessOn(program: CoreObject, kernel: LoadKernel): Omit<TriedForm, 'kernels'> {
  const target = targetOfKernel(kernel);
  const [result] = target === null ? [] : resolveObject(program, target);
  if (result === undefined || result.resolveErr !== 0 || result.decision === null) {
    return { outcome: 'fails', byteOffset: null };
  }
  const { poison, newVal } = result.decision;
  return poison
    ? { outcome: 'missing', byteOffset: null }
    : { outcome: 'reads', byteOffset: Number(newVal) };
}

/** Returns an object whose only record accesses the member; null if the types lack the member. */
function programOf(types: TypeTable, kind: number, name: string, item: string): CoreObject | null {
  const root = findByNameKind(types, kind, name);
  if (root === null) return null;
  const found = innerMembers(types, root, { left: MAX_MEMBERS }).find(
    ({ member }) => member.name === item,
  );
  if (found === undefined) return null;
  const asked = [{ kind: BYTE_OFFSET, accessStr: accessStringOf(types, root, found.path) }];
  return withoutInsns({ types, endian: types.endian, root, asked });
}
