/**
 * All that a person may want to know of one entry beside its meaning: its stored
 * fields, what each authority makes of it, its neighbours, and the steps of its
 * expression. Formats that have no such thing leave it empty; views draw what is
 * there and ask for no format.
 */
import { ecoffDetail } from '#analysis/ecoff/detail.ts';
import {
  type EntryField,
  NO_DETAIL,
  type RelocationDetail,
} from '#analysis/objects/relocation-facts.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { RelocationLayout } from './layout.ts';

/** What is known of the entry under `layout`, which is the stored one or null where layouts change nothing. */
export function relocationDetail(
  model: ObjectModel,
  reloc: RelocIndex,
  layout: RelocationLayout | null,
): RelocationDetail {
  return model.ecoff === null || layout === null
    ? { ...NO_DETAIL, fields: elfFields(model, reloc) }
    : ecoffDetail(model, model.ecoff, reloc, layout);
}

function elfFields({ relocations }: ObjectModel, reloc: RelocIndex): readonly EntryField[] {
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  return [
    { name: 'r_offset', value: hex(relocations.offset[reloc] ?? 0n), meaning: '' },
    { name: 'r_info', value: hex(relocations.info[reloc] ?? 0n), meaning: '' },
  ];
}
