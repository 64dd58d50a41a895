/** The rows of the function picker: each section with code, its functions under it. */

import type { InsnPlace } from '#analysis/code/selection.ts';
import { type FunctionRange, functionsOf } from '#analysis/objects/functions.ts';
import { isRest, type Steps } from '#bytes/steps.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';

export type FunctionRow =
  /** `name` is raw text. */
  | { readonly kind: 'section'; readonly section: SectionIndex; readonly name: string }
  | { readonly kind: 'function'; readonly func: FunctionRange };

/** Rows by their number: there may be a million, and each is made when it is drawn. */
export class FunctionRows {
  readonly length: number;
  /** Functions among the rows. */
  readonly functionCount: number;
  readonly #model: ObjectModel;
  readonly #functions: readonly FunctionRange[];
  /** The number of a function; `~number` for the section that this function is in. */
  readonly #rows: Int32Array;

  constructor(model: ObjectModel, rows: Int32Array, functionCount: number) {
    this.#model = model;
    this.#functions = functionsOf(model);
    this.#rows = rows;
    this.length = rows.length;
    this.functionCount = functionCount;
  }

  at(index: number): FunctionRow | undefined {
    const row = this.#rows[index];
    const func = row === undefined ? undefined : this.#functions[row < 0 ? ~row : row];
    if (row === undefined || func === undefined) return;
    if (row >= 0) return { kind: 'function', func };
    const { section } = func;
    return { kind: 'section', section, name: sectionName(this.#model.sections, section) };
  }

  /** The row of the function that holds the instruction, else that of the section; null where neither is shown. */
  rowOf(section: SectionIndex | null, place: InsnPlace | null): number | null {
    const found = place === null ? -1 : this.#rows.findIndex((row) => this.#holds(row, place));
    const row = found < 0 ? this.#rows.findIndex((each) => this.#isTitle(each, section)) : found;
    return row < 0 ? null : row;
  }

  #holds(row: number, place: InsnPlace): boolean {
    const func = this.#functions[row];
    if (func?.section !== place.section) return false;
    return func.start <= place.insnOff && place.insnOff < func.end;
  }

  #isTitle(row: number, section: SectionIndex | null): boolean {
    return row < 0 && this.#functions[~row]?.section === section;
  }
}

/** `filter` is looked for in the names of functions and sections, upper and lower case alike. */
export function* functionRowSteps(model: ObjectModel, filter: string): Steps<FunctionRows> {
  const wanted = filter.trim().toLowerCase();
  const functions = functionsOf(model);
  const rows = new Int32Array(2 * functions.length);
  let length = 0;
  let functionCount = 0;
  let section: SectionIndex | null = null;
  let isSectionWanted = false;
  let isTitled = false;
  for (let number = 0; number < functions.length; number++) {
    if (isRest(number)) yield;
    const func = functions[number];
    if (func === undefined) continue;
    // Functions come section by section.
    if (func.section !== section) {
      section = func.section;
      isSectionWanted = isNameWith(wanted, () => sectionName(model.sections, func.section));
      isTitled = false;
    }
    if (!isSectionWanted && !isNameWith(wanted, () => func.name)) continue;
    if (!isTitled) rows[length++] = ~number;
    isTitled = true;
    rows[length++] = number;
    functionCount++;
  }
  return new FunctionRows(model, rows.slice(0, length), functionCount);
}

function isNameWith(wanted: string, name: () => string): boolean {
  return wanted === '' || name().toLowerCase().includes(wanted);
}
