/**
 * Reads the types, functions and variables of units as records. What BTF has no kind for takes the
 * closest shape: a reference is a pointer, a class a struct whose base classes are members without
 * a name, a variant part a union of its variants, a namespace a part of the name.
 */
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { attempt, type Issue, type IssueCollector } from '#bytes/issue.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_AT, DW_ATE, DW_INL, DW_LANG, DW_TAG } from '#formats/dwarf/constants.ts';
import type { Die, DwarfUnit } from '#formats/dwarf/reader.ts';
import { type PartBudget, readParts } from './class-parts.ts';
import {
  C_LANGUAGES,
  COMPOSITES,
  hasScopes,
  isCpp,
  MODIFIERS,
  SCOPES,
  TYPE_TAGS,
} from './entry-kinds.ts';
import { addressOf, countOf, enumeratorValue, sizeOf } from './entry-values.ts';
import { entryAt, paramFlags } from './item-entries.ts';
import { TemplateNames } from './template-names.ts';
import {
  ALIAS,
  type DwarfVariable,
  type NamePool,
  type PartRecord,
  TypeRecords,
} from './type-records.ts';
import { MemberReader } from './unit-members.ts';
import { childrenOf, dieOf, rowAt, sourceLanguage, type UnitRows } from './unit-rows.ts';

const ENCODING = { none: 0, signed: 1, bool: 4 } as const;

/** Size in bytes of an enumeration that states none. */
const ENUM_SIZE = 4;
/** Scopes of a name, and length of their names together. Deeper ones are left out. */
const MAX_SCOPES = 32;
const MAX_SCOPE_LENGTH = 2000;
/** Longest chain of types that is followed for a size, and of entries for a name. */
const MAX_CHAIN = 64;

/** Types of the units that were added, as records of one batch. */
export class UnitTypes {
  readonly records = new TypeRecords();
  readonly variables: DwarfVariable[] = [];
  /** Number of references that lead to no type of the batch. */
  lostReferences = 0;
  readonly #names: NamePool;
  readonly #faults: IssueCollector;
  readonly #members: MemberReader;
  readonly #templates: TemplateNames;
  readonly #units: UnitRows[] = [];
  /** Ids of the types by row; 0 for entries that are no types. */
  #typeOfRow = new Uint32Array(0);

  /** Takes names into `names` and the issues of damaged units into `faults`. */
  constructor(names: NamePool, faults: IssueCollector) {
    this.#names = names;
    this.#faults = faults;
    this.#templates = new TemplateNames(names, (die) => this.#nameAt(die));
    this.#members = new MemberReader(this.records, names, {
      typeOf: (die) => this.#typeOf(die),
      sizeOfType: (id) => this.#sizeOfType(id),
    });
  }

  /**
   * Reads `units`, which may refer to each other's entries. A damaged unit becomes an issue. Yields
   * how far it is, as an offset in the units, of which each of the two passes takes half.
   */
  *read(units: readonly DwarfUnit[]): Generator<number, void> {
    const begin = units[0]?.offset ?? 0;
    const half = ((units.at(-1)?.endOffset ?? begin) - begin) / 2;
    let rows = 0;
    for (const unit of units) {
      yield begin + (unit.offset - begin) / 2;
      this.#attempt(() => {
        const tree = unit.tree();
        this.#units.push({ unit, tree, firstRow: rows, language: sourceLanguage(unit) });
        rows += tree.count;
      });
    }
    this.#typeOfRow = new Uint32Array(rows);
    for (const { unit, tree, firstRow } of this.#units) {
      for (let row = 0; row < tree.count; row++) {
        if (!TYPE_TAGS.has(tree.tag[row] ?? 0)) continue;
        const die = unit.offset + (tree.offset[row] ?? 0);
        this.#typeOfRow[firstRow + row] = this.records.reserve(die);
      }
    }
    for (const rowsOfUnit of this.#units) {
      const { tree, unit } = rowsOfUnit;
      yield begin + half + (unit.offset - begin) / 2;
      for (let row = 0; row < tree.count; row++) {
        const tag = tree.tag[row] ?? 0;
        if (this.#typeOfRow[rowsOfUnit.firstRow + row] !== 0) {
          this.#attempt(() => this.#readType(rowsOfUnit, row, tag));
        } else if (tag === DW_TAG.subprogram) {
          this.#attempt(() => this.#readFunction(rowsOfUnit, row));
        } else if (tag === DW_TAG.variable) {
          this.#attempt(() => this.#readVariable(rowsOfUnit, row));
        }
      }
    }
  }

  /** Returns the parts of a class of C++, from its entry `die`; none for other types. */
  partsAt(die: number, budget: PartBudget): readonly PartRecord[] {
    const rows = this.rowsAt(die);
    const row = rows === null || !isCpp(rows.language) ? -1 : rowAt(rows, die);
    if (rows === null || !COMPOSITES.has(rows.tree.tag[row] ?? 0)) return [];
    let parts: readonly PartRecord[] = [];
    this.#attempt(() => {
      const types = {
        typeOf: (at: Die) => this.#typeOf(at),
        sizeOfType: (id: number) => this.#sizeOfType(id),
        isSigned: (id: number) => this.#isSigned(id),
      };
      parts = readParts(rows, row, this.#names, types, budget);
    });
    return parts;
  }

  #attempt(read: () => void): void {
    const issues: Issue[] = [];
    attempt(issues, read);
    for (const issue of issues) this.#faults.add(issue.code, () => issue);
  }

  #readType(rows: UnitRows, row: number, tag: number): void {
    const id = this.#typeOfRow[rows.firstRow + row] ?? 0;
    const die = dieOf(rows, row);
    const { records } = this;
    const modifier = MODIFIERS.get(tag);
    if (modifier !== undefined) {
      this.#readModifier(rows, row, die, id, modifier);
      return;
    }
    const composite = COMPOSITES.get(tag);
    if (composite !== undefined) {
      this.#readComposite(rows, row, die, id, composite);
      return;
    }
    switch (tag) {
      case DW_TAG.base_type:
        this.#readBase(die, id);
        return;
      case DW_TAG.enumeration_type:
        this.#readEnum(rows, row, die, id);
        return;
      case DW_TAG.array_type:
        this.#readArray(rows, row, die, id);
        return;
      case DW_TAG.typedef:
      case DW_TAG.template_alias:
        records.set(id, {
          kind: BtfKind.TYPEDEF,
          name: this.#nameOf(rows, row, die),
          ref: this.#typeOf(die),
        });
        return;
      case DW_TAG.subroutine_type:
        this.#readPrototype(rows, row, die, id);
        return;
      default:
        // A string of Fortran or a set of Pascal: bytes whose size is known.
        this.#setInt(id, this.#simpleName(die), sizeOf(die), ENCODING.none);
    }
  }

  #readModifier(rows: UnitRows, row: number, die: Die, id: number, kind: number): void {
    const ref = this.#tagged(rows, row, die, this.#typeOf(die));
    if (kind !== BtfKind.PTR || C_LANGUAGES.has(rows.language)) {
      this.records.set(id, { kind, ref });
      return;
    }
    // A reference is not the pointer with its target, and `&T` of Rust is not `*const T`.
    const tag = rows.tree.tag[row] ?? 0;
    const value = tag === DW_TAG.pointer_type ? 0 : tag;
    this.records.set(id, { kind, name: this.#simpleName(die), value, ref });
    const owner = die.reference(DW_AT.containing_type);
    if (owner !== null) this.records.addItem(id, 0, this.#typeAt(owner), 0, 0);
  }

  /** Returns `ref`, or the last of the type tags (btf_type_tag) between a pointer and `ref`. */
  #tagged(rows: UnitRows, row: number, die: Die, ref: number): number {
    let tagged = ref;
    for (const child of childrenOf(rows, row)) {
      const tag = rows.tree.tag[child];
      if (tag !== DW_TAG.LLVM_annotation && tag !== DW_TAG.GNU_annotation) continue;
      const annotation = dieOf(rows, child);
      const value = annotation.string(DW_AT.const_value);
      if (value === null || annotation.string(DW_AT.name) !== 'btf_type_tag') continue;
      const name = this.#names.numberOf(value);
      tagged = this.records.add(die.offset, { kind: BtfKind.TYPE_TAG, name, ref: tagged });
    }
    return tagged;
  }

  #setInt(id: number, name: number, size: number, encoding: number, bits = size * 8): void {
    this.records.set(id, { kind: BtfKind.INT, name, value: size });
    this.records.addItem(id, 0, 0, encoding, bits);
  }

  #readBase(die: Die, id: number): void {
    const name = this.#simpleName(die);
    const bitSize = die.number(DW_AT.bit_size);
    const size = sizeOf(die);
    const encoding = die.number(DW_AT.encoding) ?? 0;
    switch (encoding) {
      case DW_ATE.float:
      case DW_ATE.complex_float:
      case DW_ATE.imaginary_float:
      case DW_ATE.decimal_float:
        this.records.set(id, { kind: BtfKind.FLOAT, name, value: size });
        return;
      case DW_ATE.boolean:
        this.#setInt(id, name, size, ENCODING.bool);
        return;
      case DW_ATE.signed:
      case DW_ATE.signed_char:
      case DW_ATE.signed_fixed:
        this.#setInt(id, name, size, ENCODING.signed, bitSize ?? size * 8);
        return;
      default:
        this.#setInt(id, name, size, ENCODING.none, bitSize ?? size * 8);
    }
  }

  #readEnum(rows: UnitRows, row: number, die: Die, id: number): void {
    const type = this.#typeOf(die);
    // A declaration has no size: an ENUM without values and of 4 bytes is one in BTF.
    const size = sizeOf(die) || this.#sizeOfType(type) || ENUM_SIZE;
    const values: EnumeratorFields[] = [];
    const isSignedBase = this.#isSigned(type);
    let lowest: bigint | number = 0;
    let highest: bigint | number = 0;
    for (const child of childrenOf(rows, row, DW_TAG.enumerator)) {
      const own = dieOf(rows, child);
      const value = enumeratorValue(own, size, isSignedBase);
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
      values.push({ name: this.#simpleName(own), value, entry: entryAt(rows, child, 0) });
    }
    const isSigned = lowest < 0;
    const fits = lowest >= -0x8000_0000 && highest <= (isSigned ? 0x7fff_ffff : MAX_U32);
    this.records.set(id, {
      kind: size > 4 || !fits ? BtfKind.ENUM64 : BtfKind.ENUM,
      name: this.#nameOf(rows, row, die),
      flag: isSigned,
      value: size,
      ref: C_LANGUAGES.has(rows.language) ? 0 : type,
    });
    for (const { name, value, entry } of values) {
      if (typeof value === 'number' && value >= 0 && value <= MAX_U32) {
        this.records.addItem(id, name, 0, value, 0, entry);
        continue;
      }
      const bits = BigInt.asUintN(64, BigInt(value));
      this.records.addItem(id, name, 0, Number(bits & 0xffff_ffffn), Number(bits >> 32n), entry);
    }
  }

  /** One ARRAY for each dimension, the first outermost. */
  #readArray(rows: UnitRows, row: number, die: Die, id: number): void {
    const counts: number[] = [];
    for (const child of childrenOf(rows, row)) {
      const tag = rows.tree.tag[child] ?? 0;
      if (tag === DW_TAG.subrange_type || tag === DW_TAG.generic_subrange) {
        counts.push(countOf(dieOf(rows, child), rows.language));
      } else if (tag === DW_TAG.enumeration_type) {
        counts.push([...childrenOf(rows, child, DW_TAG.enumerator)].length);
      }
    }
    let ref = this.#typeOf(die);
    for (let dimension = counts.length - 1; dimension > 0; dimension--) {
      const value = counts[dimension] ?? 0;
      ref = this.records.add(die.offset, { kind: BtfKind.ARRAY, value, ref });
    }
    this.records.set(id, { kind: BtfKind.ARRAY, value: counts[0] ?? 0, ref });
  }

  /** Sets `proto` to the parameters of the entry at `row` and the type that `die` returns. */
  #readParameters(rows: UnitRows, row: number, die: Die, proto: number, spelling = 0): void {
    const params: { readonly name: number; readonly type: number; readonly entry: number }[] = [];
    for (const child of childrenOf(rows, row)) {
      const tag = rows.tree.tag[child];
      if (tag === DW_TAG.formal_parameter) {
        const param = dieOf(rows, child);
        const own = this.#specified(param, DW_AT.type);
        const entry = entryAt(rows, child, paramFlags(own));
        params.push({ name: this.#simpleName(own), type: this.#typeOf(own), entry });
      } else if (tag === DW_TAG.unspecified_parameters) params.push({ name: 0, type: 0, entry: 0 });
    }
    this.records.set(proto, { kind: BtfKind.FUNC_PROTO, name: spelling, ref: this.#typeOf(die) });
    for (const { name, type, entry } of params)
      this.records.addItem(proto, name, type, 0, 0, entry);
  }

  /** Sets `id` to a prototype; in Go, where a value of a function type is a pointer, to that. */
  #readPrototype(rows: UnitRows, row: number, die: Die, id: number): void {
    let proto = id;
    if (rows.language === DW_LANG.Go) {
      proto = this.records.reserve(die.offset);
      this.records.set(id, { kind: BtfKind.PTR, ref: proto });
    }
    const isC = C_LANGUAGES.has(rows.language);
    this.#readParameters(rows, row, die, proto, isC ? 0 : this.#simpleName(die));
  }

  #readComposite(rows: UnitRows, row: number, die: Die, id: number, kind: number): void {
    const { records } = this;
    const signature = die.reference(DW_AT.signature);
    const isDeclaration = die.flag(DW_AT.declaration);
    if (isDeclaration && signature !== null) {
      records.set(id, { kind: ALIAS, ref: this.#typeAt(signature) });
      return;
    }
    const name = this.#nameOf(rows, row, die);
    if (isDeclaration) {
      // Without a name no declaration can be told from another.
      if (name === 0) records.set(id, { kind: ALIAS });
      else records.set(id, { kind: BtfKind.FWD, name, flag: kind === BtfKind.UNION });
      return;
    }
    const size = sizeOf(die);
    const members = this.#members.of(rows, row, size);
    const hasBitfields = members.some(({ bitSize }) => bitSize > 0);
    records.set(id, { kind, name, value: size, flag: hasBitfields });
    for (const each of members) {
      records.addItem(id, each.name, each.type, each.bitOffset, each.bitSize, each.entry);
    }
  }

  /** Adds a FUNC for a function with code, or one of which copies are inlined. */
  #readFunction(rows: UnitRows, row: number): void {
    const die = dieOf(rows, row);
    if (die.flag(DW_AT.declaration) || die.has(DW_AT.abstract_origin)) return;
    const inline = die.number(DW_AT.inline) ?? DW_INL.not_inlined;
    const isInlined = inline === DW_INL.inlined || inline === DW_INL.declared_inlined;
    if (!isInlined && !die.has(DW_AT.low_pc) && !die.has(DW_AT.ranges)) return;
    const name = this.#nameOf(rows, row, die);
    if (name === 0) return;
    const proto = this.records.reserve(die.offset);
    this.#readParameters(rows, row, this.#specified(die, DW_AT.type), proto);
    const isGlobal = this.#specified(die, DW_AT.external).flag(DW_AT.external);
    this.records.add(die.offset, {
      kind: BtfKind.FUNC,
      name,
      value: isGlobal ? 1 : 0,
      ref: proto,
    });
  }

  #readVariable(rows: UnitRows, row: number): void {
    const die = dieOf(rows, row);
    const address = addressOf(die);
    if (address === null) return;
    const named = this.#specified(die, DW_AT.name);
    const name = named === die ? this.#nameOf(rows, row, die) : this.#nameAt(named);
    if (name === 0) return;
    this.variables.push({
      name,
      type: this.#typeOf(this.#specified(die, DW_AT.type)),
      isGlobal: this.#specified(die, DW_AT.external).flag(DW_AT.external),
      address,
      die: die.offset,
    });
  }

  /** Returns `die`, or the declaration that it completes, whichever has `attribute`. */
  #specified(die: Die, attribute: number): Die {
    let at = die;
    for (let steps = 0; steps < MAX_CHAIN && !at.has(attribute); steps++) {
      const next = at.reference(DW_AT.specification) ?? at.reference(DW_AT.abstract_origin);
      if (next === null) return at;
      at = die.unit.reader.dieAt(next);
    }
    return at;
  }

  #simpleName(die: Die): number {
    return this.#names.numberIn(die);
  }

  /** Returns the name of the entry at `row` with the names of its scopes. */
  #nameOf(rows: UnitRows, row: number, die: Die): number {
    const name = this.#names.numberIn(die);
    if (name !== 0) return this.#scopedName(rows, row, this.#completed(rows, row, name));
    const named = this.#specified(die, DW_AT.name);
    return named === die ? 0 : this.#nameAt(named);
  }

  #nameAt(die: Die): number {
    const name = this.#names.numberIn(die);
    if (name === 0) return 0;
    const rows = this.rowsAt(die.offset);
    const row = rows === null ? -1 : rowAt(rows, die.offset);
    if (rows === null || row < 0) return name;
    return this.#scopedName(rows, row, this.#completed(rows, row, name));
  }

  /** Returns the number of the name `own`, with the arguments of a template of C++. */
  #completed(rows: UnitRows, row: number, own: number): number {
    const isClass = isCpp(rows.language) && COMPOSITES.has(rows.tree.tag[row] ?? 0);
    return isClass ? this.#templates.complete(rows, row, own) : own;
  }

  /** Returns the number of the name `last` of the entry at `row` after the names of its scopes. */
  #scopedName(rows: UnitRows, row: number, last: number): number {
    const { tree, language } = rows;
    let parent = tree.parent[row] ?? -1;
    if (parent <= 0 || !hasScopes(language)) return last;
    let scopes = '';
    for (let steps = 0; parent > 0 && steps < MAX_SCOPES; steps++) {
      if (SCOPES.has(tree.tag[parent] ?? 0)) {
        const scope = dieOf(rows, parent);
        // The rest of a class whose type has a unit of its own has no name.
        const signature = scope.reference(DW_AT.signature);
        const named = signature === null ? scope : scope.unit.reader.dieAt(signature);
        const simple = this.#names.numberIn(named);
        const own = named === scope ? this.#completed(rows, parent, simple) : simple;
        const name = this.#names.nameOf(own);
        if (name !== '') scopes = `${name}::${scopes}`;
        else if (scope.tag === DW_TAG.namespace) scopes = `(anonymous namespace)::${scopes}`;
        if (scopes.length > MAX_SCOPE_LENGTH) break;
      }
      parent = tree.parent[parent] ?? -1;
    }
    return scopes === '' ? last : this.#names.scoped(scopes, last);
  }

  /** Returns the id of the type to which `die` refers; 0 for void. */
  #typeOf(die: Die): number {
    if (!die.has(DW_AT.type)) return 0;
    const target = die.reference(DW_AT.type);
    if (target === null) {
      this.lostReferences += 1;
      return 0;
    }
    return this.#typeAt(target);
  }

  #typeAt(offset: number): number {
    const rows = this.rowsAt(offset);
    const row = rows === null ? -1 : rowAt(rows, offset);
    const id = rows === null || row < 0 ? 0 : (this.#typeOfRow[rows.firstRow + row] ?? 0);
    if (id === 0) this.lostReferences += 1;
    return id;
  }

  /** Returns the unit with the entry at `offset`, if one has it; null without units. */
  rowsAt(offset: number): UnitRows | null {
    if (this.#units.length === 1) return this.#units[0] ?? null;
    let low = 0;
    let high = this.#units.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#units[middle]?.unit.offset ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#units[low - 1] ?? null;
  }

  /** Returns the size in bytes of a type that may not have been read yet; 0 if unknown. */
  #sizeOfType(id: number): number {
    const die = this.#sizedDie(id);
    return die === null ? 0 : sizeOf(die);
  }

  #isSigned(id: number): boolean {
    const encoding = this.#sizedDie(id)?.number(DW_AT.encoding);
    return encoding === DW_ATE.signed || encoding === DW_ATE.signed_char;
  }

  /** Returns the entry that states the size of a type: the end of its typedefs and qualifiers. */
  #sizedDie(id: number): Die | null {
    let at = id;
    for (let steps = 0; at !== 0 && steps < MAX_CHAIN; steps++) {
      const offset = this.records.die[at] ?? 0;
      const die = this.#units[0]?.unit.reader.dieAt(offset) ?? null;
      if (die === null || die.has(DW_AT.byte_size)) return die;
      at = this.#typeOf(die);
    }
    return null;
  }
}

type EnumeratorFields = {
  readonly name: number;
  readonly value: bigint | number;
  readonly entry: number;
};
