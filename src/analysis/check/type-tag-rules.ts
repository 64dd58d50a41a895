/**
 * The kernel's third pass: type tags stand before all other modifiers.
 *
 * Source: kernel/bpf/btf.c: btf_check_type_tags.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { isModifier, sizeOrTypeOf } from '#model/type-table.ts';
import type { BlobTypes } from './blob-types.ts';
import { REFERENCE_RULES } from './kernel-rules.ts';
import type { Report } from './report.ts';

const CHAIN_LIMIT = 32;
const WHERE = 'btf_check_type_tags';

/** Walks the chain of each modifier, as far as the ones before it were not walked already. */
export function checkTypeTags(records: BlobTypes, report: Report): void {
  let good = records.firstId - 1;
  for (let id = records.firstId; id < records.endId; id++) {
    if (!isModifier(records.kind(id))) continue;
    checkChain(records, report, id, good);
    good = id;
  }
}

function checkChain(records: BlobTypes, report: Report, first: number, good: number): void {
  let id = first;
  let inTags = records.kind(id) === BtfKind.TYPE_TAG;
  for (let steps = 0; isModifier(records.kind(id)); steps++) {
    if (steps === CHAIN_LIMIT) {
      const sentence = () =>
        `More than ${CHAIN_LIMIT} modifiers stand behind ${records.label(first)}.`;
      report.kernel(REFERENCE_RULES.tagChain, WHERE, records.place(first, 0, 12), sentence);
      return;
    }
    if (records.kind(id) !== BtfKind.TYPE_TAG) inTags = false;
    else if (!inTags) {
      const sentence = () =>
        `${records.label(id)} stands behind other modifiers, from ${records.label(first)} on.`;
      report.kernel(REFERENCE_RULES.tagOrder, WHERE, records.place(first, 8), sentence);
      return;
    }
    if (id <= good) return;
    id = nextOf(records, id);
  }
}

function nextOf(records: BlobTypes, id: number): number {
  if (id >= records.firstId) return records.sizeOrType(id);
  return records.base === null ? 0 : sizeOrTypeOf(records.base, typeId(id));
}
