/**
 * Registers in which functions get their arguments, by machine.
 *
 * Source: pahole 1.31, dwarf_loader.c, `arch__nr_register_params`, `arch__set_register_params`,
 * `arch__agg_use_two_regs`. The names of the machines: gABI, `e_machine`.
 */

/** Calling convention of a machine. */
export type ArgumentRegisters = {
  /** Number of registers for arguments; 0 if pahole does not know the machine. */
  readonly count: number;
  /** Numbers of the registers in DWARF, by argument; empty if pahole knows only how many. */
  readonly numbers: readonly number[];
  /** True if a struct may be in two registers. */
  readonly usesPairs: boolean;
};

const EM = {
  sparc: 2,
  mips: 8,
  ppc: 20,
  ppc64: 21,
  s390: 22,
  arm: 40,
  sparcV9: 43,
  arc: 45,
  x86_64: 62,
  aarch64: 183,
  riscv: 243,
} as const;

const COUNTS: ReadonlyMap<number, number> = new Map([
  [EM.s390, 5],
  ...[EM.sparc, EM.sparcV9, EM.x86_64].map((machine) => [machine, 6] as const),
  ...[EM.aarch64, EM.arc, EM.arm, EM.mips, EM.ppc, EM.ppc64, EM.riscv].map(
    (machine) => [machine, 8] as const,
  ),
]);

const NUMBERS: ReadonlyMap<number, readonly number[]> = new Map([
  [EM.s390, [2, 3, 4, 5, 6]],
  [EM.x86_64, [5, 4, 1, 2, 8, 9]],
  [EM.arm, [0, 1, 2, 3, 4, 5, 6, 7]],
  [EM.aarch64, [0, 1, 2, 3, 4, 5, 6, 7]],
]);

/** Returns the calling convention of a machine (`e_machine`). */
export function argumentRegisters(machine: number): ArgumentRegisters {
  return {
    count: COUNTS.get(machine) ?? 0,
    numbers: NUMBERS.get(machine) ?? [],
    usesPairs: machine !== EM.s390,
  };
}
