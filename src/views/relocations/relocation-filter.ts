/** Which entries pass what a person types: by type, symbol, target, section. */
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { symbolLine } from '#views/parts/relocation-look.ts';

const searched = new WeakMap<ObjectModel, Map<number, string>>();

/**
 * The rows whose text holds every word of `query`, upper and lower case alike.
 * The text of an entry is made once and kept. An empty query passes all.
 */
export function filterRelocations(
  model: ObjectModel,
  rows: Uint32Array,
  query: string,
): Uint32Array {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  let texts = searched.get(model);
  if (texts === undefined) {
    texts = new Map();
    searched.set(model, texts);
  }
  const kept = texts;
  return rows.filter((row) => {
    let text = kept.get(row);
    if (text === undefined) {
      text = searchText(model, row);
      kept.set(row, text);
    }
    return words.every((word) => text.includes(word));
  });
}

function searchText(model: ObjectModel, row: number): string {
  const { relSection, targetSection } = model.relocations;
  const meaning = relocationMeaning(model, relocIndex(row));
  const target = targetSection[row] ?? -1;
  const sections = [relSection[row] ?? 0, Math.max(0, target)].map((index) =>
    sectionName(model.sections, sectionIndex(index)),
  );
  return [meaning.typeName, symbolLine(meaning), ...sections].join(' ').toLowerCase();
}
