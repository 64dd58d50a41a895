/** Programs, subprograms and how much there is in each. */
import { type FunctionRange, functionsOf } from '#analysis/functions.ts';
import { programsOf } from '#analysis/programs.ts';
import { selectionInsn } from '#analysis/selection.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';

export type ProgramRow = {
  readonly func: FunctionRange;
  readonly sectionName: string;
  /** What libbpf makes of the section name; empty where it makes nothing of it. */
  readonly kind: string;
  readonly attachTo: string;
  /** Slots of eight bytes, as bpftool counts them: a ld_imm64 is two. */
  readonly insnCount: number;
  readonly coreCount: number;
};

/** A row for each program, then for each subprogram; both in the order of the file. None where the code is not BPF. */
export function programRows(model: ObjectModel): ProgramRow[] {
  const cores = coreOffsets(model);
  const row = (func: FunctionRange, name: string, kind: string, attachTo: string): ProgramRow => ({
    func,
    sectionName: name,
    kind,
    attachTo,
    insnCount: Math.floor((func.end - func.start) / 8),
    coreCount: countBetween(cores.get(func.section) ?? [], func.start, func.end),
  });
  const programs = programsOf(model).flatMap((section) =>
    section.functions.map((func) => row(func, section.sectionName, section.kind, section.attachTo)),
  );
  if (!isBpf(model)) return programs;
  const subprograms = functionsOf(model)
    .filter((func) => !func.isProgram)
    .map((func) => row(func, sectionName(model.sections, func.section), '', ''));
  return [...programs, ...subprograms];
}

/** The row whose instructions the selection is in, or -1. */
export function programOf(
  rows: readonly ProgramRow[],
  model: ObjectModel,
  selection: Selection,
): number {
  const place = selectionInsn(model, selection);
  if (place === null) return -1;
  return rows.findIndex(
    ({ func }) =>
      func.section === place.section && place.insnOff >= func.start && place.insnOff < func.end,
  );
}

/** `insn_off` of all CO-RE records by section, rising. */
function coreOffsets({ ext }: ObjectModel): Map<number, number[]> {
  const bySection = new Map<number, number[]>();
  for (let i = 0; i < ext.core.count; i++) {
    const section = ext.core.section[i] ?? -1;
    const offsets = bySection.get(section) ?? [];
    offsets.push(ext.core.insnOff[i] ?? 0);
    bySection.set(section, offsets);
  }
  for (const offsets of bySection.values()) offsets.sort((a, b) => a - b);
  return bySection;
}

function countBetween(rising: readonly number[], start: number, end: number): number {
  return lowerBound(rising, end) - lowerBound(rising, start);
}

function lowerBound(rising: readonly number[], value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
