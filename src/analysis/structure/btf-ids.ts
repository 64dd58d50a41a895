/** Shows `.BTF_ids` as fields. Source: "BTF Type Format", section 4.3; struct btf_id_set8. */
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  paddingField,
  type StructureField,
  sequence,
} from '#analysis/fields/field.ts';
import { BTF_IDS_SOURCE } from '#analysis/fields/sources.ts';
import { type StructPlace, structFields, u32 } from '#analysis/fields/struct-fields.ts';
import { placeOf } from '#analysis/fields/table.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import { BtfIdGroupType, type BtfIdTable, btfIdGroupName, btfIdName } from '#model/btf-ids.ts';
import { typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { type Placed, partition, partitionFields } from './partition.ts';

const known = new WeakMap<BtfIdTable, ReturnType<typeof groupRows>>();

/** Returns the groups of the section at `span`, or null if it is not the model's `.BTF_ids`. */
export function btfIdParts(structure: FileStructure, span: Span): FieldList | null {
  const ids = structure.model.btfIds;
  if (ids.count === 0 || ids.fileOffset !== span.start) return null;
  const { firstRows, cut } = getOrCreate(known, ids, () => groupRows(ids, span));
  return partitionFields(
    cut,
    (group, at) => groupField(structure, group, firstRows, at),
    (at) => paddingField(at, 'In no list and no set'),
  );
}

/** Returns the first row and the file offset of each group. A group consists of adjacent rows. */
function groupRows(ids: BtfIdTable, span: Span) {
  const { groups } = ids;
  const firstRows = new Uint32Array(groups.count + 1).fill(ids.count);
  for (let row = ids.count - 1; row >= 0; row--) firstRows[ids.group[row] ?? 0] = row;
  // An empty set has no rows, so it begins where the next set begins.
  for (let group = groups.count - 1; group >= 0; group--) {
    const next = firstRows[group + 1] ?? ids.count;
    if ((ids.group[firstRows[group] ?? 0] ?? -1) !== group) firstRows[group] = next;
  }
  const placed: Placed[] = [];
  for (let group = 0; group < groups.count; group++) {
    const count = (firstRows[group + 1] ?? 0) - (firstRows[group] ?? 0);
    const start = span.start + (groups.byteOffset[group] ?? 0);
    const end = start + headSize(ids, group) + count * entrySize(ids, group);
    placed.push({ row: group, start, end });
  }
  return { firstRows, cut: partition(span, placed) };
}

function headSize({ groups }: BtfIdTable, group: number): number {
  const type = groups.type[group];
  if (type === BtfIdGroupType.set8) return 8;
  return type === BtfIdGroupType.set ? 4 : 0;
}

function entrySize({ groups }: BtfIdTable, group: number): number {
  return groups.type[group] === BtfIdGroupType.set8 ? 8 : 4;
}

const WORDS = ['ids', 'list', 'set', 'set8'];

function groupField(
  structure: FileStructure,
  group: number,
  firstRows: Uint32Array,
  span: Span,
): StructureField {
  const ids = structure.model.btfIds;
  const first = firstRows[group] ?? 0;
  const count = (firstRows[group + 1] ?? 0) - first;
  const word = WORDS[ids.groups.type[group] ?? 0] ?? 'ids';
  const name = count === 0 ? '' : btfIdGroupName(ids, first);
  const head = headSize(ids, group);
  const place = placeOf(structure, span, BTF_IDS_SOURCE);
  const fields = [countField, flagsField].slice(0, head / 4);
  const heads = structFields({ ...place, span: spanOf(span.start, head) }, fields);
  const size = entrySize(ids, group);
  const startOf = (i: number) =>
    i < fields.length ? span.start + 4 * i : span.start + head + (i - fields.length) * size;
  return makeField('part', name === '' ? word : `${word} ${name}`, span, {
    cType: word === 'set8' || word === 'set' ? `struct btf_id_${word}` : '',
    meaning: counted(count, 'id'),
    source: BTF_IDS_SOURCE,
    parts: () =>
      sequence(
        fields.length + count,
        startOf,
        (i) =>
          heads.at(i) ??
          idField(structure, first + i - fields.length, {
            ...place,
            span: spanOf(startOf(i), size),
          }),
      ),
  });
}

const countField = u32('cnt', 0, { meaning: () => 'ids that follow' });
const flagsField = u32('flags', 4, { notation: 'hex' });

function idField(structure: FileStructure, row: number, place: StructPlace): StructureField {
  const { btfIds, types } = structure.model;
  const isOwn = types !== null && types.fileOffset !== null;
  const wanted = btfIdName(btfIds, row);
  const idSpec = u32('id', 0, {
    meaning: (value) => (value === 0n || !isOwn ? wanted : typeTitle(types, typeId(Number(value)))),
    selection: (value) => (value === 0n || !isOwn ? null : typeSelection(typeId(Number(value)))),
  });
  const isWide = place.span.end - place.span.start === 8;
  const made = structFields(place, isWide ? [idSpec, flagsField] : [idSpec]);
  const single = isWide ? null : made.at(0);
  return (
    single ??
    makeField('entry', wanted === '' ? 'id' : `id of ${wanted}`, place.span, {
      source: BTF_IDS_SOURCE,
      parts: () => made,
    })
  );
}
