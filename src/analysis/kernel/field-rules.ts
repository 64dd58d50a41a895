/**
 * The kernel's last step in BPF_BTF_LOAD: special fields of structs (locks, lists, trees, kptrs).
 * Only the first broken rule of a struct is reported.
 *
 * Only structs with a member of a special type or a kptr are parsed; timers, work queues and global
 * variables follow when a map is created (map-rules.ts). Not judged: whether the target of a
 * referenced kptr is a type of the kernel without a destructor (btf_parse_kptr), which only the
 * running kernel knows. The special types themselves are in every kernel, and have none.
 *
 * Source: kernel/bpf/btf.c: btf_parse_struct_metas, btf_parse_fields, btf_check_and_fixup_fields.
 */
import { BTF_MEMBER, BTF_VAR_SECINFO, BtfKind } from '#formats/btf/kinds.ts';

import type { BlobTypes } from './blob-types.ts';
import { Broken, type Field, Role } from './field-kinds.ts';
import { FieldParser } from './field-parser.ts';
import { FIELD_RULES } from './kernel-rules.ts';
import type { Report } from './verdict.ts';

/** Parses the special fields of all structs that have some. Types must have passed all other rules. */
export function checkSpecialFields(records: BlobTypes, report: Report): void {
  const search = new FieldParser(records);
  const parsed = new Map<number, readonly Field[]>();
  let sound = true;
  for (const id of search.structsToParse()) {
    const fields = search.parse(id);
    if (fields instanceof Broken) tell(records, report, fields);
    else parsed.set(id, fields);
    sound &&= !(fields instanceof Broken);
  }
  if (!sound) return;
  for (const [id, fields] of parsed) {
    const broken = brokenOwnership(records, parsed, id, fields);
    if (broken !== null) tell(records, report, broken);
  }
}

function tell(records: BlobTypes, report: Report, broken: Broken): void {
  const { rule, where, owner, member } = broken;
  const place =
    member < 0 ? records.place(owner, 0, 12) : records.itemPlace(owner, member, BTF_MEMBER.at.type);
  const sentence = () => brokenSentence(records, broken);
  report.kernel(rule, where, { ...place, typeId: owner }, sentence);
}

/** Returns the broken rule as a sentence. Names in it are raw text. */
export function brokenSentence(r: BlobTypes, { owner, member, what }: Broken): string {
  if (member < 0) return `${r.label(owner)} ${what}.`;
  if (r.kind(owner) === BtfKind.DATASEC) {
    const variable = r.item(owner, member, BTF_VAR_SECINFO.at.type);
    return `${r.label(variable)} in ${r.label(owner)} ${what}.`;
  }
  const name = r.nameText(r.item(owner, member, BTF_MEMBER.at.name_off));
  return `Member ${name} of ${r.label(owner)} ${what}.`;
}

/** Source: btf_check_and_fixup_fields. */
export function brokenOwnership(
  records: BlobTypes,
  parsed: ReadonlyMap<number, readonly Field[]>,
  id: number,
  fields: readonly Field[],
): Broken | null {
  const where = 'btf_check_and_fixup_fields';
  const isNode = fields.some(({ special }) => special.role === Role.node);
  for (const { contains, owner, member } of fields) {
    if (contains === null) continue;
    const value = parsed.get(contains.valueId);
    const label = records.label(contains.valueId);
    if (value === undefined) {
      return new Broken(
        FIELD_RULES.owned,
        where,
        owner,
        member,
        `contains ${label}, which has none`,
      );
    }
    if (isNode && value.some(({ special }) => special.role === Role.root)) {
      const what = `contains ${label}, which has a list or tree, while ${records.label(id)} is in one`;
      return new Broken(FIELD_RULES.cycle, where, owner, member, what);
    }
  }
  return null;
}
