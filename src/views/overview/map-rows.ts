/** Maps with their definitions, ready for a table. */
import { type BpfMap, mapsOf } from '#analysis/programs.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';

export type MapRow = {
  readonly map: BpfMap;
  /** Without `BPF_MAP_TYPE_`, which all have. */
  readonly type: string;
  readonly key: string;
  readonly value: string;
  readonly maxEntries: string;
  /** What else the definition says: `map_flags 0x1, pinning 1`. */
  readonly more: string;
};

const OWN_COLUMNS = ['type', 'key', 'key_size', 'value', 'value_size', 'max_entries'];

/** A row for each map, in the order of the file. */
export function mapRows(model: ObjectModel): MapRow[] {
  return mapsOf(model).map((map) => {
    const said = (label: string) =>
      map.definition.find((entry) => entry.label === label)?.value ?? '';
    const sized = (label: string) =>
      said(label) || (said(`${label}_size`) === '' ? '' : `${said(`${label}_size`)} bytes`);
    return {
      map,
      type: said('type').replace(/^BPF_MAP_TYPE_/, ''),
      key: sized('key'),
      value: sized('value'),
      maxEntries: said('max_entries'),
      more: map.definition
        .filter(({ label }) => !OWN_COLUMNS.includes(label))
        .map(({ label, value }) => `${label} ${value}`)
        .join(', '),
    };
  });
}

/** What is selected when a map is: its symbol, or the section of variables that becomes the map. */
export function selectionOfMap({ map }: MapRow): Selection | null {
  if (map.symbol !== null) return { kind: 'symbol', symbol: map.symbol };
  return map.sectionIndex === null ? null : { kind: 'section', section: map.sectionIndex };
}
