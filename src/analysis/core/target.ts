/** The target of relocations: the types of a kernel, and of its modules. */
import type { TypeTable } from '#model/type-table.ts';

export type TargetTable = {
  /** The name in libbpf's log: `vmlinux`, or that of the module. */
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
