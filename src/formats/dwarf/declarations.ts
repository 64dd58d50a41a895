/** Where the source declares what an entry describes. Source: DWARF 5, section 2.14. */
import { attempt } from '#bytes/issue.ts';
import { DW_AT } from './constants.ts';
import { type LineTable, lineTableOf } from './line.ts';
import type { Die, DwarfUnit } from './reader.ts';

/** Number of a file in the line table of a unit, and a line from 1; null and 0 if not stated. */
export type Declaration = {
  readonly unit: DwarfUnit;
  readonly file: number | null;
  readonly line: number;
};

/** Returns the declaration of an entry; of its origin if the entry states none. Throws `Malformed`. */
export function declarationOf(die: Die): Declaration {
  const origin = die.reference(DW_AT.abstract_origin) ?? die.reference(DW_AT.specification);
  const stating = die.has(DW_AT.decl_line) || origin === null ? die : die.unit.reader.dieAt(origin);
  return {
    unit: stating.unit,
    file: stating.number(DW_AT.decl_file),
    line: stating.number(DW_AT.decl_line) ?? 0,
  };
}

/** Returns the line table of a unit; null if it has none, or if it is damaged. */
export function linesOf(unit: DwarfUnit): LineTable | null {
  return attempt([], () => lineTableOf(unit));
}
