/**
 * The special fields of structs and sections, and the rules for their combinations.
 *
 * Source: kernel/bpf/btf.c: btf_parse_fields.
 */
import { BTF_MEMBER, BtfKind, memberBitOffset } from '#formats/btf/kinds.ts';
import type { BlobTypes } from './blob-types.ts';
import {
  Broken,
  type Contains,
  type Field,
  IN_EVERY_KERNEL,
  Role,
  type Special,
} from './field-kinds.ts';
import { FieldSearch } from './field-search.ts';
import { FIELD_RULES, type KernelRule } from './kernel-rules.ts';

export class FieldParser {
  readonly #records: BlobTypes;
  readonly #search: FieldSearch;
  readonly #members = new Map<number, ReadonlyMap<string, readonly number[]>>();

  /** `forMap`: the fields may be in the value of a map. */
  constructor(records: BlobTypes, forMap = false) {
    this.#records = records;
    this.#search = new FieldSearch(records, forMap);
  }

  /** Structs with a member of a special type or a kptr, in the order of ids. */
  structsToParse(): Iterable<number> {
    return this.#search.structsToParse();
  }

  /** Returns the type without modifiers. */
  baseOf(id: number): number {
    return this.#search.baseOf(id);
  }

  /** The fields of a struct that has some. Source: btf_parse_struct_metas. */
  parse(id: number): readonly Field[] | Broken {
    const fields = this.fieldsOf(id);
    if (fields instanceof Broken || fields.length > 0) return fields;
    const what = 'has no special field of the right size and alignment';
    return new Broken(FIELD_RULES.none, 'btf_parse_struct_metas', id, -1, what);
  }

  /** The fields of a STRUCT or DATASEC, which may have none. Source: btf_parse_fields. */
  fieldsOf(id: number): readonly Field[] | Broken {
    const where = 'btf_parse_fields';
    const { fields, broken } = this.#search.found(id);
    if (broken !== null) return broken;
    const size = this.#records.sizeOrType(id);
    let end = 0;
    for (const { special, offset, owner, member, contains, target, isReferenced } of fields) {
      const at = (rule: KernelRule, what: string) => new Broken(rule, where, owner, member, what);
      if (offset + special.size > size) {
        return at(FIELD_RULES.end, `ends at byte ${offset + special.size} of ${size}`);
      }
      if (offset < end) {
        return at(
          FIELD_RULES.overlap,
          `begins at byte ${offset}, the field before it ends at ${end}`,
        );
      }
      end = offset + special.size;
      const wrong = contains === null ? null : this.#brokenNode(special, contains);
      if (wrong !== null) {
        return new Broken(wrong.rule, 'btf_parse_graph_root', owner, member, wrong.what);
      }
      if (isReferenced && IN_EVERY_KERNEL.has(this.#search.nameAt(this.#records.nameOff(target)))) {
        const what = `is a kptr to ${this.#records.label(target)}, for which the kernel has no destructor`;
        return new Broken(FIELD_RULES.destructor, 'btf_parse_kptr', owner, member, what);
      }
    }
    return this.#brokenSet(id, fields) ?? fields;
  }

  /** Returns the broken rule for the combination of fields, or null. */
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
      return broken(
        FIELD_RULES.noRefcount,
        'has nodes of a list and of a tree, and no bpf_refcount',
      );
    }
    return null;
  }

  /** Source: btf_parse_graph_root. */
  #brokenNode(
    root: Special,
    { valueId, nodeName }: Contains,
  ): { rule: KernelRule; what: string } | null {
    const r = this.#records;
    const wanted = root.name === 'bpf_list_head' ? 'bpf_list_node' : 'bpf_rb_node';
    const [first, second] = this.#membersOf(valueId).get(nodeName) ?? [];
    const value = r.label(valueId);
    if (first === undefined) {
      const what = `contains ${value}, which has no member of the name in its tag`;
      return { rule: FIELD_RULES.nodeMissing, what };
    }
    const type = r.item(valueId, first, BTF_MEMBER.at.type);
    const isNode =
      r.kind(type) === BtfKind.STRUCT && this.#search.nameAt(r.nameOff(type)) === wanted;
    // The kernel reads the offset by kind_flag of the node's struct.
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
    const known = this.#members.get(id);
    if (known !== undefined) return known;
    const byName = new Map<string, number[]>();
    const vlen = this.#records.vlen(id);
    for (let index = 0; index < vlen; index++) {
      const name = this.#search.nameAt(this.#records.item(id, index, BTF_MEMBER.at.name_off));
      const same = byName.get(name);
      if (same === undefined) byName.set(name, [index]);
      else if (same.length < 2) same.push(index);
    }
    this.#members.set(id, byName);
    return byName;
  }
}
