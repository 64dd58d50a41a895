/**
 * Reads the types, functions and variables of units as records. What BTF has no kind for takes the
 * closest shape: a reference is a pointer, a class a struct whose base classes are members without
 * a name, a variant part a union of its variants, a namespace a part of the name.
 */
import { append, lowerBound } from '#bytes/arrays.ts';
import { type IssueCollector, Malformed } from '#bytes/issue.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_AT, DW_ATE, DW_INL, DW_LANG, DW_OP, DW_TAG } from '#formats/dwarf/constants.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import type { Die, DieTree, DwarfReader, DwarfUnit } from '#formats/dwarf/reader.ts';
import { ALIAS, type NamePool, TypeRecords } from './type-records.ts';

/** A variable with a fixed address. */
export type DwarfVariable = {
  readonly name: number;
  /** Id of its type in the records of the batch; 0 for void. */
  readonly type: number;
  readonly isGlobal: boolean;
  readonly address: bigint;
  readonly die: number;
};

const ENCODING = { none: 0, signed: 1, bool: 4 } as const;

/** Kinds of entries that refer to one type and add nothing else that BTF tells. */
const MODIFIERS: ReadonlyMap<number, number> = new Map([
  [DW_TAG.pointer_type, BtfKind.PTR],
  [DW_TAG.reference_type, BtfKind.PTR],
  [DW_TAG.rvalue_reference_type, BtfKind.PTR],
  [DW_TAG.ptr_to_member_type, BtfKind.PTR],
  [DW_TAG.const_type, BtfKind.CONST],
  [DW_TAG.immutable_type, BtfKind.CONST],
  [DW_TAG.volatile_type, BtfKind.VOLATILE],
  [DW_TAG.restrict_type, BtfKind.RESTRICT],
  [DW_TAG.atomic_type, ALIAS],
  [DW_TAG.packed_type, ALIAS],
  [DW_TAG.shared_type, ALIAS],
  [DW_TAG.LLVM_ptrauth_type, ALIAS],
  [DW_TAG.unspecified_type, ALIAS],
  [DW_TAG.subrange_type, ALIAS],
]);

const COMPOSITES: ReadonlyMap<number, number> = new Map([
  [DW_TAG.structure_type, BtfKind.STRUCT],
  [DW_TAG.class_type, BtfKind.STRUCT],
  [DW_TAG.interface_type, BtfKind.STRUCT],
  [DW_TAG.union_type, BtfKind.UNION],
]);

const OTHER_TYPES: ReadonlySet<number> = new Set([
  DW_TAG.base_type,
  DW_TAG.enumeration_type,
  DW_TAG.array_type,
  DW_TAG.typedef,
  DW_TAG.template_alias,
  DW_TAG.subroutine_type,
  DW_TAG.string_type,
  DW_TAG.set_type,
]);

const isType = (tag: number) => MODIFIERS.has(tag) || COMPOSITES.has(tag) || OTHER_TYPES.has(tag);

/** Entries whose name is part of the names of the types inside of them. */
const SCOPES: ReadonlySet<number> = new Set([
  DW_TAG.namespace,
  DW_TAG.module,
  DW_TAG.structure_type,
  DW_TAG.class_type,
  DW_TAG.interface_type,
  DW_TAG.union_type,
  DW_TAG.enumeration_type,
]);

const C_LANGUAGES: ReadonlySet<number> = new Set([
  DW_LANG.C89,
  DW_LANG.C,
  DW_LANG.C99,
  DW_LANG.C11,
  DW_LANG.C17,
  DW_LANG.C23,
]);

/** Languages whose arrays begin at 1 without DW_AT_lower_bound (DWARF 5, section 7.12). */
const FROM_ONE: ReadonlySet<number> = new Set([
  DW_LANG.Ada83,
  DW_LANG.Ada95,
  DW_LANG.Ada2005,
  DW_LANG.Ada2012,
  DW_LANG.Cobol74,
  DW_LANG.Cobol85,
  DW_LANG.Fortran77,
  DW_LANG.Fortran90,
  DW_LANG.Fortran95,
  DW_LANG.Fortran03,
  DW_LANG.Fortran08,
  DW_LANG.Fortran18,
  DW_LANG.Modula2,
  DW_LANG.Modula3,
  DW_LANG.Pascal83,
  DW_LANG.PLI,
  DW_LANG.Julia,
]);

const MAX_U32 = 0xffffffff;
/** Scopes of a name, and length of their names together. Deeper ones are left out. */
const MAX_SCOPES = 32;
const MAX_SCOPE_LENGTH = 2000;
/** Longest chain of types that is followed for a size, and of entries for a name. */
const MAX_CHAIN = 64;
/** Variant parts inside of variants that are read. Compilers nest none. */
const MAX_VARIANT_DEPTH = 8;

type UnitRows = {
  readonly unit: DwarfUnit;
  readonly tree: DieTree;
  /** Row of the unit's first entry in the batch. */
  readonly firstRow: number;
  readonly language: number;
};

/** Types of the units that were added, as records of one batch. */
export class UnitTypes {
  readonly records = new TypeRecords();
  readonly variables: DwarfVariable[] = [];
  /** Number of references that lead to no type of the batch. */
  lostReferences = 0;
  readonly #names: NamePool;
  readonly #faults: IssueCollector;
  readonly #units: UnitRows[] = [];
  /** Ids of the types by row; 0 for entries that are no types. */
  #typeOfRow = new Uint32Array(0);

  /** Takes names into `names` and the issues of damaged units into `faults`. */
  constructor(names: NamePool, faults: IssueCollector) {
    this.#names = names;
    this.#faults = faults;
  }

  /** Reads `units`, which may refer to each other's entries. A damaged unit becomes an issue. */
  read(units: readonly DwarfUnit[]): void {
    let rows = 0;
    for (const unit of units) {
      this.#attempt(() => {
        const tree = unit.tree();
        this.#units.push({ unit, tree, firstRow: rows, language: unit.language ?? 0 });
        rows += tree.count;
      });
    }
    this.#typeOfRow = new Uint32Array(rows);
    for (const { unit, tree, firstRow } of this.#units) {
      for (let row = 0; row < tree.count; row++) {
        if (!isType(tree.tag[row] ?? 0)) continue;
        const die = unit.offset + (tree.offset[row] ?? 0);
        this.#typeOfRow[firstRow + row] = this.records.reserve(die);
      }
    }
    for (const rowsOfUnit of this.#units) {
      const { tree } = rowsOfUnit;
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

  #attempt(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      const { issue } = error;
      this.#faults.add(issue.code, () => issue);
    }
  }

  #readType(rows: UnitRows, row: number, tag: number): void {
    const id = this.#typeOfRow[rows.firstRow + row] ?? 0;
    const die = dieOf(rows, row);
    const { records } = this;
    const modifier = MODIFIERS.get(tag);
    if (modifier !== undefined) {
      records.set(id, { kind: modifier, ref: this.#typeOf(die) });
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

  #setInt(id: number, name: number, size: number, encoding: number, bits = size * 8): void {
    this.records.set(id, { kind: BtfKind.INT, name, value: size });
    this.records.addItem(id, 0, 0, encoding, bits);
  }

  #readBase(die: Die, id: number): void {
    const name = this.#simpleName(die);
    const bitSize = die.number(DW_AT.bit_size);
    const size = die.number(DW_AT.byte_size) ?? Math.ceil((bitSize ?? 0) / 8);
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
    const size = die.number(DW_AT.byte_size) ?? this.#sizeOfType(type);
    const values: { readonly name: number; readonly value: bigint }[] = [];
    const isSignedBase = this.#isSigned(type);
    let hasNegative = false;
    for (const child of childrenOf(rows, row, DW_TAG.enumerator)) {
      const own = dieOf(rows, child);
      const stated = own.constant(DW_AT.const_value) ?? 0n;
      // A form of fixed size has no sign; it is extended if it is as wide as the enumeration.
      const extended = BigInt.asIntN(size * 8, stated);
      const isWide = size > 0 && stated >> BigInt(size * 8 - 1) === 1n;
      const value = isSignedBase && isWide ? extended : stated;
      hasNegative ||= value < 0n;
      values.push({ name: this.#simpleName(own), value });
    }
    const highest = hasNegative ? 0x7fff_ffffn : 0xffff_ffffn;
    const fits = values.every(({ value }) => value >= -0x8000_0000n && value <= highest);
    this.records.set(id, {
      kind: size > 4 || !fits ? BtfKind.ENUM64 : BtfKind.ENUM,
      name: this.#nameOf(rows, row, die),
      flag: hasNegative,
      value: size,
    });
    for (const { name, value } of values) {
      const bits = BigInt.asUintN(64, value);
      this.records.addItem(id, name, 0, Number(bits & 0xffff_ffffn), Number(bits >> 32n));
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

  #readPrototype(rows: UnitRows, row: number, die: Die, id: number): void {
    const params: { readonly name: number; readonly type: number }[] = [];
    for (const child of childrenOf(rows, row)) {
      const tag = rows.tree.tag[child];
      if (tag === DW_TAG.formal_parameter) {
        const own = this.#originOf(dieOf(rows, child));
        params.push({ name: this.#simpleName(own), type: this.#typeOf(own) });
      } else if (tag === DW_TAG.unspecified_parameters) params.push({ name: 0, type: 0 });
    }
    this.records.set(id, { kind: BtfKind.FUNC_PROTO, ref: this.#typeOf(die) });
    for (const { name, type } of params) this.records.addItem(id, name, type, 0, 0);
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
    const members = this.#membersOf(rows, row, size, 0);
    const hasBitfields = members.some(({ bitSize }) => bitSize > 0);
    records.set(id, { kind, name, value: size, flag: hasBitfields });
    for (const each of members) {
      records.addItem(id, each.name, each.type, each.bitOffset, each.bitSize);
    }
  }

  #membersOf(rows: UnitRows, row: number, size: number, depth: number): Member[] {
    const members: Member[] = [];
    for (const child of childrenOf(rows, row)) {
      const tag = rows.tree.tag[child];
      if (tag === DW_TAG.member) {
        const member = this.#memberOf(dieOf(rows, child));
        if (member !== null) members.push(member);
      } else if (tag === DW_TAG.inheritance) {
        const member = this.#memberOf(dieOf(rows, child));
        if (member !== null) members.push({ ...member, name: 0 });
      } else if (tag === DW_TAG.variant_part && depth < MAX_VARIANT_DEPTH) {
        const type = this.#readVariants(rows, child, size, depth);
        members.push({ name: 0, type, bitOffset: 0, bitSize: 0 });
      }
    }
    // Compilers of Rust place members in another order than that of the source, which DWARF keeps.
    return members.sort((a, b) => a.bitOffset - b.bitOffset);
  }

  /** Returns a member; null if it is static or lies where only the running program knows. */
  #memberOf(die: Die): Member | null {
    if (die.flag(DW_AT.external) || die.flag(DW_AT.declaration)) return null;
    const type = this.#typeOf(die);
    const byteOffset = memberOffset(die);
    const bitSize = die.number(DW_AT.bit_size) ?? 0;
    if (byteOffset === null) return null;
    const name = this.#simpleName(die);
    const dataBit = die.number(DW_AT.data_bit_offset);
    const oldBit = die.signed(DW_AT.bit_offset);
    let bitOffset = byteOffset * 8;
    if (dataBit !== null) bitOffset += dataBit;
    else if (oldBit !== null) {
      // Counted from the most significant bit of a unit of storage, in DWARF 2 and 3.
      const storage = (die.number(DW_AT.byte_size) ?? this.#sizeOfType(type)) * 8;
      const isLittle = die.unit.section.endian === 'little';
      bitOffset += isLittle ? storage - Number(oldBit) - bitSize : Number(oldBit);
    }
    return { name, type, bitOffset: clamp(bitOffset), bitSize };
  }

  /** Adds a union of the variants of a part, and of the member that tells them apart. */
  #readVariants(rows: UnitRows, part: number, size: number, depth: number): number {
    const die = dieOf(rows, part);
    const members: Member[] = [];
    for (const child of childrenOf(rows, part)) {
      const tag = rows.tree.tag[child];
      if (tag === DW_TAG.member) {
        const member = this.#memberOf(dieOf(rows, child));
        const name = this.#names.numberOf('__discriminant');
        if (member !== null) members.push({ ...member, name: member.name || name });
      } else if (tag === DW_TAG.variant) {
        append(members, this.#membersOf(rows, child, size, depth + 1));
      }
    }
    // Members of a union begin at its start; one that does not is in a struct of the same size.
    const placed = members.map((member) => {
      if (member.bitOffset === 0) return member;
      const flag = member.bitSize > 0;
      const wrapper = this.records.add(die.offset, { kind: BtfKind.STRUCT, value: size, flag });
      this.records.addItem(wrapper, member.name, member.type, member.bitOffset, member.bitSize);
      return { name: 0, type: wrapper, bitOffset: 0, bitSize: 0 };
    });
    const union = this.records.add(die.offset, {
      kind: BtfKind.UNION,
      value: size,
      flag: placed.some(({ bitSize }) => bitSize > 0),
    });
    for (const { name, type, bitSize } of placed) {
      this.records.addItem(union, name, type, 0, bitSize);
    }
    return union;
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
    this.#readPrototype(rows, row, this.#specified(die, DW_AT.type), proto);
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

  #originOf(die: Die): Die {
    return die.has(DW_AT.type) ? die : this.#specified(die, DW_AT.type);
  }

  #simpleName(die: Die): number {
    const name = die.string(DW_AT.name);
    return name === null ? 0 : this.#names.numberOf(name);
  }

  /** Returns the name of the entry at `row` with the names of its scopes. */
  #nameOf(rows: UnitRows, row: number, die: Die): number {
    const name = die.string(DW_AT.name);
    if (name !== null) return this.#scopedName(rows, row, name);
    const named = this.#specified(die, DW_AT.name);
    return named === die ? 0 : this.#nameAt(named);
  }

  #nameAt(die: Die): number {
    const name = die.string(DW_AT.name);
    if (name === null) return 0;
    const rows = this.#rowsAt(die.offset);
    const row = rows === null ? -1 : rowAt(rows, die.offset);
    return rows === null || row < 0
      ? this.#names.numberOf(name)
      : this.#scopedName(rows, row, name);
  }

  #scopedName(rows: UnitRows, row: number, name: string): number {
    const { tree, language } = rows;
    let scoped = name;
    let parent = tree.parent[row] ?? -1;
    if (C_LANGUAGES.has(language)) return this.#names.numberOf(name);
    for (let steps = 0; parent > 0 && steps < MAX_SCOPES; steps++) {
      if (SCOPES.has(tree.tag[parent] ?? 0)) {
        const scope = dieOf(rows, parent);
        const own = scope.string(DW_AT.name);
        if (own !== null) scoped = `${own}::${scoped}`;
        else if (scope.tag === DW_TAG.namespace) scoped = `(anonymous namespace)::${scoped}`;
        if (scoped.length - name.length > MAX_SCOPE_LENGTH) break;
      }
      parent = tree.parent[parent] ?? -1;
    }
    return this.#names.numberOf(scoped);
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
    const rows = this.#rowsAt(offset);
    const row = rows === null ? -1 : rowAt(rows, offset);
    const id = rows === null || row < 0 ? 0 : (this.#typeOfRow[rows.firstRow + row] ?? 0);
    if (id === 0) this.lostReferences += 1;
    return id;
  }

  #rowsAt(offset: number): UnitRows | null {
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

type Member = {
  readonly name: number;
  readonly type: number;
  readonly bitOffset: number;
  readonly bitSize: number;
};

function dieOf({ unit, tree }: UnitRows, row: number): Die {
  return unit.dieAt(unit.offset + (tree.offset[row] ?? 0));
}

/** Returns the row of the entry at `offset`; -1 if none begins there. */
function rowAt({ unit, tree }: UnitRows, offset: number): number {
  const own = offset - unit.offset;
  const row = lowerBound(tree.offset, own);
  return tree.offset[row] === own ? row : -1;
}

/** Yields the rows of the children of an entry, all or those with a tag. */
function* childrenOf({ tree }: UnitRows, row: number, tag?: number): Generator<number> {
  const end = tree.end[row] ?? 0;
  for (let child = row + 1; child < end; child = tree.end[child] ?? end) {
    if (tag === undefined || tree.tag[child] === tag) yield child;
  }
}

function sizeOf(die: Die): number {
  return clamp(die.number(DW_AT.byte_size) ?? Math.ceil((die.number(DW_AT.bit_size) ?? 0) / 8));
}

function clamp(value: number): number {
  return value >= 0 && value <= MAX_U32 ? value : 0;
}

/** Returns the number of elements of a dimension; 0 if it is open or known only at run time. */
function countOf(die: Die, language: number): number {
  const count = die.signed(DW_AT.count);
  if (count !== null) return clamp(Number(count));
  const upper = die.signed(DW_AT.upper_bound);
  if (upper === null) return 0;
  const lower = die.signed(DW_AT.lower_bound) ?? (FROM_ONE.has(language) ? 1n : 0n);
  // A bound of a fixed size has no sign, except -1, which GCC writes for no elements.
  const exact = die.constant(DW_AT.upper_bound) ?? upper;
  return upper === -1n ? 0 : clamp(Number(exact - lower + 1n));
}

/** Returns the offset of a member in bytes; null if it is the result of a computation. */
function memberOffset(die: Die): number | null {
  if (!die.has(DW_AT.data_member_location)) return 0;
  const expression = die.block(DW_AT.data_member_location);
  if (expression === null) return die.number(DW_AT.data_member_location);
  const [first, ...rest] = operationsOf(expression, die.unit.header);
  if (first?.code !== DW_OP.plus_uconst || rest.length > 0) return null;
  return Number(first.operands[0] ?? 0n);
}

/** Returns the address of a variable; null if it has none that is fixed. */
function addressOf(die: Die): bigint | null {
  const expression = die.block(DW_AT.location);
  if (expression === null || expression.length === 0) return null;
  const code = expression.u8(0);
  if (code !== DW_OP.addr && code !== DW_OP.addrx && code !== DW_OP.GNU_addr_index) return null;
  const [first, ...rest] = operationsOf(expression, die.unit.header);
  if (first === undefined || rest.length > 0) return null;
  const operand = first.operands[0] ?? 0n;
  return code === DW_OP.addr ? operand : die.unit.address(Number(operand));
}

/** True if entries of units may refer to entries of other units. */
export function refersAcrossUnits(reader: DwarfReader): boolean {
  return reader.units.some((unit) => {
    try {
      return unit.places.refersAcross;
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      return false;
    }
  });
}
