/** Relocation types by machine. A new machine is a file of its own and a line here. */
import { AARCH64 } from './aarch64.ts';
import { ALPHA } from './alpha.ts';
import { ARM } from './arm.ts';
import { I386 } from './i386.ts';
import { LOONGARCH } from './loongarch.ts';
import { M68K } from './m68k.ts';
import { MIPS } from './mips.ts';
import { POWERPC } from './powerpc.ts';
import { POWERPC64 } from './powerpc64.ts';
import { type MachineRelocations, parseTypes, type RelocationType } from './relocation-type.ts';
import { RISCV } from './riscv.ts';
import { S390 } from './s390.ts';
import { SPARC } from './sparc.ts';
import { SUPERH } from './superh.ts';
import { X86_64 } from './x86-64.ts';

export const MACHINES: readonly MachineRelocations[] = [
  X86_64,
  I386,
  AARCH64,
  ARM,
  RISCV,
  POWERPC64,
  POWERPC,
  S390,
  SPARC,
  MIPS,
  LOONGARCH,
  ALPHA,
  M68K,
  SUPERH,
];

const BY_MACHINE = new Map(
  MACHINES.flatMap((table) => table.machines.map((machine) => [machine, table] as const)),
);

const parsed = new Map<MachineRelocations, ReadonlyMap<number, RelocationType>>();

/** Returns the table of a machine (`e_machine`), or null. */
export function machineRelocations(machine: number): MachineRelocations | null {
  return BY_MACHINE.get(machine) ?? null;
}

/** Returns the relocation types of a machine by number; empty for machines without a table. */
export function relocationTypes(machine: number): ReadonlyMap<number, RelocationType> {
  const table = BY_MACHINE.get(machine);
  if (table === undefined) return NO_TYPES;
  const types = parsed.get(table) ?? parseTypes(table);
  parsed.set(table, types);
  return types;
}

const NO_TYPES: ReadonlyMap<number, RelocationType> = new Map();

/** Returns what linkers may do instead of the formula of a type, in words; empty if nothing. */
export function relaxationOf(machine: number, type: RelocationType): string {
  const table = BY_MACHINE.get(machine);
  if (table === undefined) return '';
  const bare = type.name.startsWith(table.prefix)
    ? type.name.slice(table.prefix.length)
    : type.name;
  return table.relaxations.find(([types]) => types.test(bare))?.[1] ?? '';
}
