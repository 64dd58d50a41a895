/**
 * The maps that an object defines, stated once for whoever lists them: in `.maps` by
 * BTF, in `maps` by bytes, and where BTF was stripped by symbols alone.
 */
import type { ObjectModel } from '#model/object-model.ts';
import { legacyMaps } from './legacy-maps.ts';
import { btfMaps, type MapDefinition, noAttributes } from './map-definitions.ts';
import { mapSymbols } from './map-symbols.ts';
import type { SectionBytes } from './object-data.ts';

/**
 * The maps that the object defines: those of `.maps` in the order of BTF, those of
 * the old section `maps`, then symbols of `.maps` that BTF says nothing of. Only the
 * bytes of `maps` are asked for; maps there say what they are once they are at hand.
 */
export function definedMaps(model: ObjectModel, sectionBytes: SectionBytes): MapDefinition[] {
  const typed = btfMaps(model);
  return [...typed, ...legacyMaps(model, sectionBytes), ...untypedMaps(model, typed)];
}

function untypedMaps(model: ObjectModel, typed: readonly MapDefinition[]): MapDefinition[] {
  const place = (at: Pick<MapDefinition, 'sectionIndex' | 'byteOffset'>) =>
    `${at.sectionIndex} ${at.byteOffset}`;
  const known = new Set(typed.map(place));
  return mapSymbols(model, '.maps')
    .filter((symbol) => !known.has(place(symbol)))
    .map((symbol) => ({
      ...noAttributes(),
      ...symbol,
      section: '.maps',
      varId: null,
      type: null,
      slots: [],
      faults: ['the file has no BTF that says what this map is'],
    }));
}
