/** Counts of a file that an `ask count` can name. */
import { ProgramRows } from '#analysis/libbpf/programs.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kindOf, lastId } from '#model/type-table.ts';
import { type Answer, checkNumber } from './check-answer.ts';

const COUNTS = {
  sections: { means: 'the number of ELF sections', of: ({ sections }) => sections.count },
  symbols: { means: 'the number of symbols', of: ({ symbols }) => symbols.count },
  programs: { means: 'the number of programs', of: (model) => new ProgramRows(model).programCount },
  types: { means: 'the number of types', of: ({ types }) => types?.count ?? 0 },
  variables: { means: 'the number of variables', of: variableCount },
  relocations: {
    means: 'the number of ELF relocations',
    of: ({ relocations }) => relocations.count,
  },
  core: { means: 'the number of CO-RE relocations', of: ({ ext }) => ext.core.count },
} as const satisfies Readonly<
  Record<string, { readonly means: string; readonly of: (model: ObjectModel) => number }>
>;

export type Counted = keyof typeof COUNTS;

export const COUNTED = Object.keys(COUNTS) as readonly Counted[];

function variableCount({ types }: ObjectModel): number {
  let count = 0;
  if (types === null) return count;
  for (let id = types.firstId; id <= lastId(types); id++) {
    if (kindOf(types, typeId(id)) === BtfKind.VAR) count++;
  }
  return count;
}

/** Returns a count of a file. */
export function countIn(model: ObjectModel, what: Counted): number {
  return COUNTS[what].of(model);
}

/** Checks a typed count. The explanation of a wrong number names another count of the file with that value. */
export function checkCount(typed: string, model: ObjectModel, what: Counted): Answer {
  const misses = COUNTED.filter((counted) => counted !== what).map((counted) => ({
    value: BigInt(countIn(model, counted)),
    means: COUNTS[counted].means,
  }));
  const right = countIn(model, what);
  return checkNumber(typed, BigInt(right), {
    unit: null,
    why: right === 0 ? 'This file has none.' : '',
    nearMisses: misses.filter(({ value }) => value !== 0n),
  });
}
