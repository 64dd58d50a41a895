/** Finds special fields in structs and sections. Source: kernel/bpf/btf.c: btf_find_field. */
import { append } from '#bytes/arrays.ts';
import { addTo, getOrCreate } from '#bytes/cache.ts';
import {
  BTF_ARRAY,
  BTF_MEMBER,
  BTF_VAR_SECINFO,
  BtfKind,
  memberBitOffset,
} from '#formats/btf/kinds.ts';
import { isModifier } from '#model/type-table.ts';
import type { BlobTypes } from './blob-types.ts';
import {
  ALLOCATED,
  Broken,
  type Contains,
  type Field,
  type HasStruct,
  inEveryKernel,
  KPTR,
  KPTR_TAGS,
  MAP_SPECIALS,
  REFERENCED,
  Role,
  SPECIALS,
  type Special,
  UPTR,
  type Wrong,
} from './field-kinds.ts';
import { FIELD_RULES, type KernelRule } from './rules.ts';

const MAX_DEPTH = 32;
/** Maximum number of special fields: BTF_FIELDS_MAX. */
const MAX_FIELDS = 11;
const CONTAINS = 'contains:';
/** Maximum bytes of a name that are read: a `contains:` tag has two names of at most 512 bytes. */
const MAX_NAME = 1100;

/** Special fields of a struct up to its first broken rule. `height`: levels of nested structs. */
type Found = {
  readonly fields: readonly Field[];
  readonly height: number;
  readonly broken: Broken | null;
};

export type SearchOptions = {
  /** True to search fields of map values. */
  readonly forMap?: boolean;
  /** Special types that the kernel knows. */
  readonly known?: readonly Special[];
  /** False for a kernel that searches neither nested structs nor arrays. */
  readonly isDeep?: boolean;
  readonly hasStruct?: HasStruct;
};

export class FieldSearch {
  readonly records: BlobTypes;
  readonly hasStruct: HasStruct;
  readonly #specials: readonly Special[];
  /** True to search values of maps: uptr is special only there. */
  readonly #forMap: boolean;
  readonly #isDeep: boolean;
  readonly #found = new Map<number, Found>();
  /** Lowest nesting level that is too deep for a struct; the key is the struct's id. */
  readonly #tooDeepFrom = new Map<number, number>();
  /** String offsets of `contains:` tags, by id of the struct and index of the member. */
  readonly #contains = new Map<string, number[]>();
  readonly #structs = new Map<string, number>();
  readonly #bases: Uint32Array;
  readonly #names = new Map<number, string>();

  constructor(
    records: BlobTypes,
    {
      forMap = false,
      known = forMap ? MAP_SPECIALS : SPECIALS,
      isDeep = true,
      hasStruct = inEveryKernel,
    }: SearchOptions = {},
  ) {
    this.records = records;
    this.hasStruct = hasStruct;
    this.#specials = known;
    this.#forMap = forMap;
    this.#isDeep = isDeep;
    this.#bases = new Uint32Array(records.endId);
    for (let id = records.firstId; id < records.endId; id++) {
      const kind = records.kind(id);
      if (kind === BtfKind.STRUCT) {
        const name = this.nameAt(records.nameOff(id));
        if (!this.#structs.has(name)) this.#structs.set(name, id);
      } else if (kind === BtfKind.DECL_TAG && this.#startsWithContains(records.nameOff(id))) {
        const key = `${records.sizeOrType(id)} ${records.fixed(id) | 0}`;
        addTo(this.#contains, key, records.nameOff(id));
      }
    }
  }

  /** Yields the structs that have a member of a special type or a kptr, in the order of ids. */
  *structsToParse(): Generator<number> {
    const { firstId, endId } = this.records;
    const special = new Set<number>();
    for (const { name } of ALLOCATED) {
      const id = this.#structs.get(name);
      if (id !== undefined) special.add(id);
    }
    for (let id = firstId; id < endId; id++) {
      if (this.#kptrAt(id) === KPTR) special.add(id);
    }
    if (special.size === 0) return;
    for (let id = firstId; id < endId; id++) {
      if (this.records.kind(id) === BtfKind.STRUCT && this.#hasMemberOf(id, special)) yield id;
    }
  }

  #hasMemberOf(id: number, types: ReadonlySet<number>): boolean {
    const vlen = this.records.vlen(id);
    for (let index = 0; index < vlen; index++) {
      if (types.has(this.records.item(id, index, BTF_MEMBER.at.type))) return true;
    }
    return false;
  }

  /**
   * Returns the special fields of a STRUCT or DATASEC that is nested in `level` structs. The level
   * is at most 31, which bounds the recursion. Source: btf_find_struct_field.
   */
  find(id: number, level = 0): Found {
    const known = this.#found.get(id);
    const tooDeep =
      level >= (this.#tooDeepFrom.get(id) ?? MAX_DEPTH) ||
      (known !== undefined && level + known.height >= MAX_DEPTH);
    if (tooDeep) {
      const what = `is inside more than ${MAX_DEPTH - 1} structs`;
      return brokenAt(new Broken(FIELD_RULES.depth, 'btf_find_nested_struct', id, -1, what));
    }
    if (known !== undefined) return known;
    const fields = this.#collect(id, this.partsOf(id), level);
    if (fields.broken?.rule === FIELD_RULES.depth) this.#tooDeepFrom.set(id, level);
    else this.#found.set(id, fields);
    return fields;
  }

  /** Returns the members of a STRUCT, or the variables of a DATASEC. */
  partsOf(id: number): Iterable<Part> {
    const isSection = this.records.kind(id) === BtfKind.DATASEC;
    return isSection ? this.#variables(id) : this.#memberPlaces(id);
  }

  *#memberPlaces(id: number): Generator<Part> {
    const r = this.records;
    const vlen = r.vlen(id);
    for (let member = 0; member < vlen; member++) {
      const bitOffset = memberBitOffset(r.item(id, member, BTF_MEMBER.at.offset), r.kindFlag(id));
      const type = r.item(id, member, BTF_MEMBER.at.type);
      yield { id, member, bitOffset, type, byteSize: 0, tagged: id, component: member };
    }
  }

  /** Yields the variables of a DATASEC. Source: btf_find_datasec_var. */
  *#variables(id: number): Generator<Part> {
    const r = this.records;
    const vlen = r.vlen(id);
    const { at } = BTF_VAR_SECINFO;
    for (let member = 0; member < vlen; member++) {
      const tagged = r.item(id, member, at.type);
      const bitOffset = r.item(id, member, at.offset) * 8;
      const byteSize = r.item(id, member, at.size);
      const type = r.sizeOrType(tagged);
      yield { id, member, bitOffset, type, byteSize, tagged, component: -1 };
    }
  }

  #collect(id: number, parts: Iterable<Part>, level: number): Found {
    const fields: Field[] = [];
    const seen = new Set<Special>();
    let height = 0;
    for (const part of parts) {
      const { member, bitOffset } = part;
      if (bitOffset % 8 !== 0) {
        const what = `begins at bit ${bitOffset}`;
        const broken = new Broken(FIELD_RULES.bits, 'btf_find_struct_field', id, member, what);
        return { fields, height, broken };
      }
      const nested = this.#fieldsAt(part, level, seen);
      height = Math.max(height, nested.height);
      // The kernel counts the fields before it reports an error of the nested struct.
      if (fields.length + nested.fields.length > MAX_FIELDS) {
        const what = `makes more than ${MAX_FIELDS} special fields`;
        const broken = new Broken(FIELD_RULES.count, 'btf_find_field_one', id, member, what);
        return { fields, height, broken };
      }
      append(fields, nested.fields);
      if (nested.broken !== null) return { fields, height, broken: nested.broken };
    }
    return { fields, height, broken: null };
  }

  /** Returns the special fields of a member or variable. Source: btf_find_field_one. */
  #fieldsAt(part: Part, level: number, seen: Set<Special>): Found {
    const r = this.records;
    const { id, member, byteSize } = part;
    const offset = part.bitOffset / 8;
    // The kernel ignores a variable whose size in the section differs from the size of its type.
    const isOtherSize = (size: number) => byteSize !== 0 && byteSize !== size >>> 0;
    const broken = (rule: KernelRule, where: string, what: string) =>
      brokenAt(new Broken(rule, where, id, member, what));
    let { type } = part;
    let nelems = 1;
    let arrays = 0;
    for (; this.#isDeep && arrays < MAX_DEPTH && r.kind(type) === BtfKind.ARRAY; arrays++) {
      nelems = Math.imul(nelems, r.fixed(type, BTF_ARRAY.at.nelems)) >>> 0;
      type = r.fixed(type, BTF_ARRAY.at.type);
    }
    if (arrays === MAX_DEPTH) {
      const what = `is an array of ${MAX_DEPTH} or more dimensions`;
      return broken(FIELD_RULES.depth, 'btf_find_field_one', what);
    }
    if (nelems === 0) return NO_FIELDS;
    const isStruct = r.kind(type) === BtfKind.STRUCT;
    const name = this.nameAt(r.nameOff(type));
    const named = this.#specials.find((candidate) => candidate.name === name);
    const special = named ?? (isStruct ? null : KPTR);
    if (special === null) {
      if (!this.#isDeep) return NO_FIELDS;
      if (isOtherSize(r.sizeOrType(type) * nelems)) return NO_FIELDS;
      const inner = this.find(type, level + 1);
      const moved = inner.fields.map((field) => ({ ...field, offset: field.offset + offset }));
      const shifted = { ...inner, fields: moved, height: inner.height + 1 };
      return inner.broken === null
        ? this.#repeated(shifted, nelems, r.sizeOrType(type), broken)
        : shifted;
    }
    if (special.role === Role.lock || special.role === Role.timer) {
      if (seen.has(special)) {
        return broken(FIELD_RULES.unique, 'btf_get_field_type', `is a second ${special.name}`);
      }
      seen.add(special);
    }
    if (isOtherSize(special.size * nelems) || offset % special.align !== 0) return NO_FIELDS;
    const made = special === KPTR ? this.#kptrAt(type) : this.#sizedAt(special, type, part);
    if (made === false) return NO_FIELDS;
    if (made !== true && 'rule' in made) return broken(made.rule, made.where, made.what);
    const field = {
      special: made !== true && 'role' in made ? made : special,
      offset,
      owner: id,
      member,
      contains: made !== true && 'valueId' in made ? made : null,
      target: special === KPTR ? this.baseOf(r.sizeOrType(this.#pointer(type))) : 0,
      isReferenced: special === KPTR && this.#kptrTag(type) === REFERENCED,
    };
    const found = { fields: [field], height: 0, broken: null };
    return this.#repeated(found, nelems, special.size, broken);
  }

  /** Returns the fields of all elements of an array. Source: btf_repeat_fields. */
  #repeated(
    result: Found,
    nelems: number,
    step: number,
    broken: (rule: KernelRule, where: string, what: string) => Found,
  ): Found {
    const { fields } = result;
    if (nelems === 1 || fields.length === 0) return result;
    const where = 'btf_repeat_fields';
    const single = fields.find(({ special: { role } }) => role !== Role.kptr && role !== Role.root);
    if (single !== undefined) {
      const what = `is an array with ${single.special.name} in it`;
      return { ...broken(FIELD_RULES.repeated, where, what), fields, height: result.height };
    }
    if (fields.length * nelems > MAX_FIELDS) {
      const what = `makes ${fields.length * nelems} special fields`;
      return broken(FIELD_RULES.count, where, what);
    }
    const all = Array.from({ length: nelems }, (_, i) =>
      fields.map((field) => ({ ...field, offset: field.offset + i * step })),
    );
    return { ...result, fields: all.flat() };
  }

  /** Returns false if the size is not that of the special type. Source: btf_find_struct. */
  #sizedAt(special: Special, type: number, part: Part): Contains | Wrong | boolean {
    const r = this.records;
    if (r.kind(type) !== BtfKind.STRUCT || r.sizeOrType(type) !== special.size) return false;
    if (special.role !== Role.root) return true;
    const where = 'btf_find_graph_root';
    const tags = this.#contains.get(`${part.tagged} ${part.component}`) ?? [];
    const [tag] = tags;
    if (tag === undefined || tags.length > 1) {
      const what = tag === undefined ? 'has no tag contains:' : 'has more than one tag contains:';
      return { rule: FIELD_RULES.contains, where, what };
    }
    const value = this.nameAt(tag).slice(CONTAINS.length);
    const colon = value.indexOf(':');
    const withoutNode = 'has a tag contains: without a node';
    if (colon < 0) return { rule: FIELD_RULES.contains, where, what: withoutNode };
    const valueId = this.#structs.get(value.slice(0, colon));
    if (valueId === undefined) {
      const what = 'contains a struct that does not exist';
      return { rule: FIELD_RULES.containsType, where, what };
    }
    const nodeName = value.slice(colon + 1);
    if (nodeName === '') return { rule: FIELD_RULES.contains, where, what: withoutNode };
    return { valueId, nodeName };
  }

  /** Returns KPTR, UPTR or a broken rule; false for any other type. Source: btf_find_kptr. */
  #kptrAt(id: number): Special | Wrong | false {
    const r = this.records;
    const pointer = this.#pointer(id);
    if (r.kind(pointer) !== BtfKind.PTR) return false;
    const tag = r.sizeOrType(pointer);
    if (r.kind(tag) !== BtfKind.TYPE_TAG || r.kindFlag(tag)) return false;
    const where = 'btf_find_kptr';
    const target = r.sizeOrType(tag);
    if (r.kind(target) === BtfKind.TYPE_TAG) {
      return { rule: FIELD_RULES.tags, where, what: 'is a pointer with more than one TYPE_TAG' };
    }
    const name = this.nameAt(r.nameOff(tag));
    if (name === 'uptr' && !this.#forMap) return false;
    if (name !== 'uptr' && !KPTR_TAGS.includes(name)) {
      return { rule: FIELD_RULES.tagName, where, what: `is a pointer with ${r.label(tag)}` };
    }
    const base = this.baseOf(target);
    if (r.kind(base) === BtfKind.STRUCT) return name === 'uptr' ? UPTR : KPTR;
    return { rule: FIELD_RULES.kptrTarget, where, what: `is a kptr to ${r.label(base)}` };
  }

  #pointer(id: number): number {
    return this.records.kind(id) === BtfKind.VOLATILE ? this.records.sizeOrType(id) : id;
  }

  #kptrTag(id: number): string {
    return this.nameAt(this.records.nameOff(this.records.sizeOrType(this.#pointer(id))));
  }

  /** Returns the type without modifiers. There are no cycles: earlier rules reject them. */
  baseOf(id: number): number {
    const r = this.records;
    const chain: number[] = [];
    let end = id;
    while (isModifier(r.kind(end))) {
      const known = this.#bases[end] ?? 0;
      if (known !== 0) {
        end = known;
        break;
      }
      chain.push(end);
      end = r.sizeOrType(end);
    }
    for (const modifier of chain) this.#bases[modifier] = end;
    return end;
  }

  #startsWithContains(nameOff: number): boolean {
    return this.records.text(nameOff, CONTAINS.length) === CONTAINS;
  }

  /** Returns the string at `nameOff`; each byte becomes one character. */
  nameAt(nameOff: number): string {
    return getOrCreate(this.#names, nameOff, () => this.records.text(nameOff, MAX_NAME));
  }
}

/** A member of a struct, or a variable of a section. */
type Part = {
  readonly id: number;
  readonly member: number;
  readonly bitOffset: number;
  readonly type: number;
  /** Size of the variable in its section; 0 for members. */
  readonly byteSize: number;
  /** What a tag `contains:` must refer to: a struct and a member index, or a variable and -1. */
  readonly tagged: number;
  readonly component: number;
};

const NO_FIELDS: Found = { fields: [], height: 0, broken: null };

function brokenAt(broken: Broken): Found {
  return { ...NO_FIELDS, broken };
}

/** Returns true if a record is a type tag of a referenced kptr. */
export function hasKptr(r: BlobTypes): boolean {
  for (let id = r.firstId; id < r.endId; id++) {
    if (r.kind(id) === BtfKind.TYPE_TAG && r.text(r.nameOff(id), MAX_NAME) === REFERENCED)
      return true;
  }
  return false;
}
