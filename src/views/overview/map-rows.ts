/** Maps with their definitions, ready for a table. */

import { typeExpression } from '#analysis/types/type-name.ts';
import { definedMaps } from '#analysis/values/defined-maps.ts';
import { impliedMaps } from '#analysis/values/implied-maps.ts';
import type { MapAttributes, MapPart } from '#analysis/values/map-definitions.ts';
import { shortMapType } from '#analysis/values/map-types.ts';
import type { SectionBytes } from '#analysis/values/object-data.ts';
import { selectionOfVariable } from '#analysis/values/variables.ts';
import type { SymbolIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { type Selection, sameSelection } from '#model/selection.ts';
import { mapFlagsText } from '#views/parts/map-flags.ts';
import { hexText } from '#views/parts/number-text.ts';

/** Texts have raw names in them: escape them when drawn. */
export type MapRow = {
  readonly name: string;
  /** What is selected when the map is: its VAR or symbol, or the section or DATASEC that becomes the map. */
  readonly selection: Selection | null;
  readonly symbol: SymbolIndex | null;
  /** Without `BPF_MAP_TYPE_`, which all have. */
  readonly type: string;
  readonly key: string;
  readonly value: string;
  readonly maxEntries: bigint | null;
  /** What else the definition says: `BPF_F_MMAPABLE, pinning 1`. */
  readonly more: string;
};

/**
 * A row for each map that libbpf would create of a BPF object, defined ones first. Of
 * `sectionBytes` only the old section `maps` is asked for.
 */
export function mapRows(model: ObjectModel, sectionBytes: SectionBytes): MapRow[] {
  if (!isBpf(model)) return [];
  return [
    ...definedMaps(model, sectionBytes).map((map) => ({
      ...attributeTexts(model, map),
      name: map.name,
      selection: selectionOfVariable(map),
      symbol: map.symbol,
    })),
    ...impliedMaps(model).map((map) => ({
      ...attributeTexts(model, map),
      name: map.name,
      selection: map.selection,
      symbol: null,
    })),
  ];
}

function attributeTexts(model: ObjectModel, map: MapAttributes) {
  return {
    type: shortMapType(map.mapTypeName),
    key: partText(model, map.key),
    value: partText(model, map.value),
    maxEntries: map.maxEntries,
    more: moreText(map),
  };
}

function partText({ types }: ObjectModel, { type, byteSize }: MapPart): string {
  // Not grouped: what is drawn as raw text shows the narrow space as an escape.
  const size = byteSize === null ? '' : `${byteSize} ${byteSize === 1 ? 'byte' : 'bytes'}`;
  return types === null || type === null ? size : `${typeExpression(types, type)}, ${size}`;
}

function moreText({ mapFlags, mapExtra, numaNode, pinning, inner, faults }: MapAttributes): string {
  const words: string[] = [];
  if (mapFlags !== null) words.push(mapFlagsText(mapFlags));
  if (mapExtra !== null) words.push(`map_extra ${hexText(mapExtra)}`);
  if (numaNode !== null) words.push(`numa_node ${numaNode}`);
  if (pinning !== null) words.push(`pinning ${pinning}`);
  if (inner !== null) words.push(inner === 'program' ? 'holds programs' : 'holds maps');
  return [...words, ...faults].join(', ');
}

/** The row of the map that is selected, by its VAR, symbol or section; -1 for none. */
export function mapOfSelection(rows: readonly MapRow[], selection: Selection): number {
  return rows.findIndex(
    (row) =>
      (row.selection !== null && sameSelection(row.selection, selection)) ||
      (selection.kind === 'symbol' && selection.symbol === row.symbol),
  );
}
