/** The rows of the function picker: each section with code, its functions under it. */
import { type FunctionRange, functionsOf } from '#analysis/functions.ts';
import type { InsnPlace } from '#analysis/selection.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';

export type FunctionRow =
  /** `name` is raw text; `count` functions of it pass the filter. */
  | {
      readonly kind: 'section';
      readonly section: SectionIndex;
      readonly name: string;
      readonly count: number;
    }
  | { readonly kind: 'function'; readonly func: FunctionRange };

/** `filter` is looked for in the names of functions and sections, upper and lower case alike. */
export function functionRows(model: ObjectModel, filter: string): FunctionRow[] {
  const wanted = filter.trim().toLowerCase();
  const bySection = new Map<SectionIndex, FunctionRange[]>();
  for (const func of functionsOf(model)) {
    const list = bySection.get(func.section);
    if (list === undefined) bySection.set(func.section, [func]);
    else list.push(func);
  }
  const rows: FunctionRow[] = [];
  for (const [section, functions] of bySection) {
    const name = sectionName(model.sections, section);
    const passing = name.toLowerCase().includes(wanted)
      ? functions
      : functions.filter((func) => func.name.toLowerCase().includes(wanted));
    if (passing.length === 0) continue;
    rows.push({ kind: 'section', section, name, count: passing.length });
    for (const func of passing) rows.push({ kind: 'function', func });
  }
  return rows;
}

/** Number of functions among the rows. */
export function functionCount(rows: readonly FunctionRow[]): number {
  return rows.reduce((sum, row) => sum + (row.kind === 'function' ? 1 : 0), 0);
}

/** The row of the function that holds the instruction, else that of the section; -1 where neither is shown. */
export function functionRowOf(
  rows: readonly FunctionRow[],
  section: SectionIndex | null,
  place: InsnPlace | null,
): number {
  const holds = ({ section: at, start, end }: FunctionRange) =>
    place !== null && at === place.section && start <= place.insnOff && place.insnOff < end;
  const found = rows.findIndex((row) => row.kind === 'function' && holds(row.func));
  if (found >= 0) return found;
  return rows.findIndex((row) => row.kind === 'section' && row.section === section);
}
