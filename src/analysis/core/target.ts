/**
 * What an object is relocated against: the types of a kernel, and of its modules.
 *
 * Which types are candidates is libbpf's `bpf_core_find_cands`: vmlinux first, the
 * modules only where vmlinux has none, and then those of all modules, joined in
 * the order in which they were loaded.
 */
import type { TypeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import { kindOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { essentialNameIndex, findByEssentialName } from './essential-name-index.ts';
import type { Candidate } from './trace.ts';

export type TargetTable = {
  /** As libbpf's log names it: `vmlinux`, or the name of the module. */
  readonly name: string;
  /** A module's table is split, with that of vmlinux as its base. */
  readonly types: TypeTable;
};

export type CoreTarget = {
  /** For people: which kernel this is. */
  readonly name: string;
  /** vmlinux (or whatever is in its place), then modules in load order. */
  readonly tables: readonly TargetTable[];
};

/** A target of one table, as libbpf has it with `btf_custom_path`. */
export function targetOf(name: string, types: TypeTable): CoreTarget {
  return { name, tables: [{ name: 'vmlinux', types }] };
}

/** All candidates for a local type, in the order in which libbpf tries them. None for a type without a name. */
export function findCandidates(
  { tables }: CoreTarget,
  localTypes: TypeTable,
  local: TypeId,
): Candidate[] {
  const name = nameBytes(localTypes, nameOffOf(localTypes, local));
  const kind = kindOf(localTypes, local);
  const found: Candidate[] = [];
  for (const [table, { types }] of tables.entries()) {
    if (table > 0 && found[0]?.table === 0) break;
    for (const id of findByEssentialName(essentialNameIndex(types), name, kind)) {
      found.push({ table, id });
    }
  }
  return found;
}
