/** Enumerators of a header of needs. */
import type { TextOut } from '#analysis/types/text-out.ts';
import type { TypeId } from '#model/ids.ts';
import { type Enumerator, enumeratorsOf } from '#model/type-items.ts';
import { nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import type { HeaderTypes } from './needs-header-order.ts';
import { indent, isSpellable, valueWord } from './needs-header-words.ts';

/**
 * The enumerators that are needed, and the lowest and the highest: they decide
 * the size, which loads are checked by.
 */
export function writeEnumerators(
  header: HeaderTypes,
  id: TypeId,
  out: TextOut,
  level: number,
): void {
  const all = enumeratorsOf(header.types, id);
  const wanted = header.enumerators.get(id);
  const [low, high] = extremes(all);
  const named = nameOf(header.types, id) !== '' || wanted !== undefined;
  let written = 0;
  for (const one of all) {
    if (!(wanted?.has(one.index) ?? false) && one !== low && one !== high) continue;
    // Where only the size counts, the name need not be the real one.
    const name = named ? one.name : `__anon_${id}_${one.index}_${header.spelled.size}`;
    if (!isSpellable(name) || header.spelled.has(name)) {
      header.leftOut += 1;
      continue;
    }
    header.spelled.add(name);
    indent(out, level);
    out.write(`${name} = ${valueWord(one.value)},\n`);
    written += 1;
  }
  if (written > 0) return;
  const filler = `__enum_${id}_${header.spelled.size}`;
  header.spelled.add(filler);
  indent(out, level);
  out.write(`${filler},\n`);
}

function extremes(all: readonly Enumerator[]): [Enumerator | null, Enumerator | null] {
  let low: Enumerator | null = null;
  let high: Enumerator | null = null;
  for (const one of all) {
    if (low === null || one.value < low.value) low = one;
    if (high === null || one.value > high.value) high = one;
  }
  return [low, high];
}

/** What makes an enum as small as it is: nothing for one of the usual size. */
export function packed(t: TypeTable, id: TypeId): string {
  return sizeOrTypeOf(t, id) < 4 ? ' __attribute__((packed))' : '';
}
