/**
 * The kernel's last step in BPF_BTF_LOAD: special fields of structs (locks, lists, trees, kptrs).
 * Only the first broken rule of a struct is reported. map-rules.ts checks timers, work queues and
 * global variables. Not known without the types of the kernel: whether it has the target of a kptr,
 * except for structs of each kernel. Source: kernel/bpf/btf.c: btf_parse_struct_metas, btf_parse_fields,
 * btf_check_and_fixup_fields.
 */
import { addTo, getOrCreate } from '#bytes/cache.ts';
import { BTF_MEMBER, BTF_VAR_SECINFO, BtfKind, memberBitOffset } from '#formats/btf/kinds.ts';
import type { BlobTypes } from './blob-types.ts';
import {
  Broken,
  type Contains,
  type Field,
  type HasStruct,
  inEveryKernel,
  mayHaveDestructor,
  Role,
  type Special,
} from './field-kinds.ts';
import { FieldSearch } from './field-search.ts';
import { FIELD_RULES, type KernelRule } from './rules.ts';
import type { Report } from './verdict.ts';

/** Finds special fields, and checks their combinations. Source: btf_parse_fields. */
export class FieldParser extends FieldSearch {
  readonly #members = new Map<number, ReadonlyMap<string, number[]>>();

  /** Returns the fields of a struct from `structsToParse`. Source: btf_parse_struct_metas. */
  parse(id: number): readonly Field[] | Broken {
    const fields = this.fieldsOf(id);
    if (fields instanceof Broken || fields.length > 0) return fields;
    const what = 'has no special field of the right size and alignment';
    return new Broken(FIELD_RULES.none, 'btf_parse_struct_metas', id, -1, what);
  }

  /** Returns the special fields of a STRUCT or DATASEC. Source: btf_parse_fields. */
  fieldsOf(id: number): readonly Field[] | Broken {
    const where = 'btf_parse_fields';
    const { fields, broken } = this.find(id);
    if (broken !== null) return broken;
    const size = this.records.sizeOrType(id);
    let end = 0;
    for (const { special, offset, owner, member, contains, target, isReferenced } of fields) {
      const at = (rule: KernelRule, what: string) => new Broken(rule, where, owner, member, what);
      if (offset + special.size > size) {
        return at(FIELD_RULES.end, `ends at byte ${offset + special.size} of ${size}`);
      }
      if (offset < end) {
        const what = `begins at byte ${offset}, the field before it ends at ${end}`;
        return at(FIELD_RULES.overlap, what);
      }
      end = offset + special.size;
      const wrong = contains === null ? null : this.#brokenNode(special, contains);
      if (wrong !== null) {
        return new Broken(wrong.rule, 'btf_parse_graph_root', owner, member, wrong.what);
      }
      const kept = isReferenced ? this.nameAt(this.records.nameOff(target)) : '';
      if (isReferenced && this.hasStruct(kept) && !mayHaveDestructor(kept)) {
        const what = `is a kptr to ${this.records.label(target)}, for which the kernel has no destructor`;
        return new Broken(FIELD_RULES.destructor, 'btf_parse_kptr', owner, member, what);
      }
    }
    return this.#brokenSet(id, fields) ?? fields;
  }

  /** Returns the rule that the combination of `fields` breaks, or null. */
  #brokenSet(id: number, fields: readonly Field[]): Broken | null {
    const has = (name: string) => fields.some(({ special }) => special.name === name);
    const broken = (rule: KernelRule, what: string) =>
      new Broken(rule, 'btf_parse_fields', id, -1, what);
    if (has('bpf_spin_lock') && has('bpf_res_spin_lock')) {
      return broken(FIELD_RULES.bothLocks, 'has both kinds of lock');
    }
    const isLocked = has('bpf_spin_lock') || has('bpf_res_spin_lock');
    if (!isLocked && fields.some(({ special }) => special.role === Role.root)) {
      return broken(FIELD_RULES.noLock, 'has a list or tree and no lock');
    }
    if (has('bpf_list_node') && has('bpf_rb_node') && !has('bpf_refcount')) {
      const what = 'has nodes of a list and of a tree, and no bpf_refcount';
      return broken(FIELD_RULES.noRefcount, what);
    }
    return null;
  }

  /** Returns the rule that a list or tree node breaks, or null. Source: btf_parse_graph_root. */
  #brokenNode(
    root: Special,
    { valueId, nodeName }: Contains,
  ): { rule: KernelRule; what: string } | null {
    const r = this.records;
    const wanted = root.name === 'bpf_list_head' ? 'bpf_list_node' : 'bpf_rb_node';
    const [first, second] = this.#membersOf(valueId).get(nodeName) ?? [];
    const value = r.label(valueId);
    if (first === undefined) {
      const what = `contains ${value}, which has no member of the name in its tag`;
      return { rule: FIELD_RULES.nodeMissing, what };
    }
    const type = r.item(valueId, first, BTF_MEMBER.at.type);
    const isNode = r.kind(type) === BtfKind.STRUCT && this.nameAt(r.nameOff(type)) === wanted;
    // The kind_flag of the node's struct decides how the kernel reads the offset of the node.
    const bits = isNode
      ? memberBitOffset(r.item(valueId, first, BTF_MEMBER.at.offset), r.kindFlag(type))
      : 0;
    if (isNode && bits % 64 === 0 && second === undefined) return null;
    const what = !isNode
      ? `is no ${wanted}`
      : second === undefined
        ? `begins at bit ${bits}`
        : 'is there twice';
    return { rule: FIELD_RULES.node, what: `contains ${value}, whose node ${what}` };
  }

  #membersOf(id: number): ReadonlyMap<string, readonly number[]> {
    return getOrCreate(this.#members, id, () => {
      const byName = new Map<string, number[]>();
      for (let index = 0; index < this.records.vlen(id); index++) {
        addTo(byName, this.nameAt(this.records.item(id, index, BTF_MEMBER.at.name_off)), index);
      }
      return byName;
    });
  }
}

/** Checks the special fields of all structs. The types must have passed all other rules. */
export function checkSpecialFields(
  records: BlobTypes,
  report: Report,
  hasStruct: HasStruct = inEveryKernel,
): void {
  const search = new FieldParser(records, { hasStruct });
  const parsed = new Map<number, readonly Field[]>();
  let isSound = true;
  for (const id of search.structsToParse()) {
    const fields = search.parse(id);
    if (fields instanceof Broken) {
      isSound = false;
      reportBroken(records, report, fields);
    } else parsed.set(id, fields);
  }
  if (!isSound) return;
  for (const [id, fields] of parsed) {
    const fault = brokenOwnership(records, parsed, id, fields);
    if (fault !== null) reportBroken(records, report, fault);
  }
}

function reportBroken(records: BlobTypes, report: Report, broken: Broken): void {
  const { rule, where, owner, member } = broken;
  const place =
    member < 0 ? records.place(owner, 0, 12) : records.itemPlace(owner, member, BTF_MEMBER.at.type);
  const sentence = () => brokenSentence(records, broken);
  report.kernel(rule, where, { ...place, typeId: owner }, sentence);
}

/** Returns a sentence about a broken rule. Names in the sentence are raw text. */
export function brokenSentence(r: BlobTypes, { owner, member, what }: Broken): string {
  if (member < 0) return `${r.label(owner)} ${what}.`;
  if (r.kind(owner) === BtfKind.DATASEC) {
    const variable = r.item(owner, member, BTF_VAR_SECINFO.at.type);
    return `${r.label(variable)} in ${r.label(owner)} ${what}.`;
  }
  const name = r.nameText(r.item(owner, member, BTF_MEMBER.at.name_off));
  return `Member ${name} of ${r.label(owner)} ${what}.`;
}

/** Returns the rule that structs in lists and trees break. Source: btf_check_and_fixup_fields. */
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
      const what = `contains ${label}, which has none`;
      return new Broken(FIELD_RULES.owned, where, owner, member, what);
    }
    if (isNode && value.some(({ special }) => special.role === Role.root)) {
      const what = `contains ${label}, which has a list or tree, while ${records.label(id)} is in one`;
      return new Broken(FIELD_RULES.cycle, where, owner, member, what);
    }
  }
  return null;
}
