/**
 * All that a person may want to know of one entry beside its meaning: its stored
 * fields, what each authority makes of it, its neighbours, and the steps of its
 * expression. Formats that have no such thing leave it empty; views draw what is
 * there and ask for no format.
 */
import { formatModule } from '#analysis/formats/registry.ts';
import {
  type EntryField,
  NO_DETAIL,
  type RelocationDetail,
  type RelocationLayout,
} from '#analysis/objects/relocation-facts.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** What is known of the entry under `layout`, which is the stored one or null where layouts change nothing. */
export function relocationDetail(
  model: ObjectModel,
  reloc: RelocIndex,
  layout: RelocationLayout | null,
): RelocationDetail {
  const own = layout && formatModule(model)?.relocations.detail(model, reloc, layout);
  return own ?? { ...NO_DETAIL, fields: elfFields(model, reloc) };
}

function elfFields({ relocations }: ObjectModel, reloc: RelocIndex): readonly EntryField[] {
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  return [
    { name: 'r_offset', value: hex(relocations.offset[reloc] ?? 0n), meaning: '' },
    { name: 'r_info', value: hex(relocations.info[reloc] ?? 0n), meaning: '' },
  ];
}
