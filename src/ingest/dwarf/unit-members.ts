/** Reads members of structs, unions and classes, their base classes and variant parts. */
import { append } from '#bytes/arrays.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_AT, DW_TAG } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/reader.ts';
import { ITEM_FLAGS } from '#model/dwarf.ts';
import { clamp, memberBitOffset, memberOffset, wideConstant } from './entry-values.ts';
import { entryAt, memberFlags } from './item-entries.ts';
import type { NamePool, TypeRecords } from './type-records.ts';
import { childrenOf, dieOf, type UnitRows } from './unit-rows.ts';

/** Variant parts inside of variants that are read. Compilers nest none. */
const MAX_VARIANT_DEPTH = 8;

type Member = {
  readonly name: number;
  readonly type: number;
  readonly bitOffset: number;
  readonly bitSize: number;
  /** Packed, see `packItem`. */
  readonly entry: number;
};

/** Types of the batch with the members. */
type TypeLookup = {
  typeOf(die: Die): number;
  sizeOfType(id: number): number;
};

export class MemberReader {
  readonly #records: TypeRecords;
  readonly #names: NamePool;
  readonly #types: TypeLookup;

  /** Adds unions of variants to `records`. */
  constructor(records: TypeRecords, names: NamePool, types: TypeLookup) {
    this.#records = records;
    this.#names = names;
    this.#types = types;
  }

  /** Returns the members of the entry at `row`; virtual base classes come last. */
  of(rows: UnitRows, row: number, size: number, depth = 0): Member[] {
    const members: Member[] = [];
    const virtualBases: Member[] = [];
    for (const child of childrenOf(rows, row)) {
      const tag = rows.tree.tag[child];
      if (tag === DW_TAG.member || tag === DW_TAG.inheritance) {
        const die = dieOf(rows, child);
        const flags = memberFlags(die);
        const isVirtual = (flags & ITEM_FLAGS.virtual) !== 0;
        const member = this.#memberOf(die, entryAt(rows, child, flags), isVirtual);
        if (member !== null) (isVirtual ? virtualBases : members).push(member);
      } else if (tag === DW_TAG.variant_part && depth < MAX_VARIANT_DEPTH) {
        const type = this.#readVariants(rows, child, size, depth);
        members.push({ name: 0, type, bitOffset: 0, bitSize: 0, entry: entryAt(rows, child, 0) });
      }
    }
    // Compilers of Rust place members in another order than that of the source, which DWARF keeps.
    members.sort((a, b) => a.bitOffset - b.bitOffset);
    append(members, virtualBases);
    return members;
  }

  /** Returns a member; null if it is static or lies where only the running program knows. */
  #memberOf(die: Die, entry: number, isVirtual: boolean): Member | null {
    if (die.flag(DW_AT.external) || die.flag(DW_AT.declaration)) return null;
    const type = this.#types.typeOf(die);
    if (isVirtual) return { name: 0, type, bitOffset: 0, bitSize: 0, entry };
    const byteOffset = memberOffset(die);
    if (byteOffset === null) return null;
    const bitSize = die.number(DW_AT.bit_size) ?? 0;
    const name = die.tag === DW_TAG.inheritance ? 0 : this.#names.numberIn(die);
    const bitOffset = memberBitOffset(die, byteOffset, () => this.#types.sizeOfType(type));
    return { name, type, bitOffset: clamp(bitOffset), bitSize, entry };
  }

  /** Adds a union of the variants of a part, and of the member that tells them apart. */
  #readVariants(rows: UnitRows, part: number, size: number, depth: number): number {
    const die = dieOf(rows, part);
    const variants: Variant[] = [];
    for (const child of childrenOf(rows, part)) {
      const tag = rows.tree.tag[child];
      if (tag === DW_TAG.member) {
        const entry = entryAt(rows, child, ITEM_FLAGS.artificial);
        const member = this.#memberOf(dieOf(rows, child), entry, false);
        const name = this.#names.numberOf('__discriminant');
        if (member !== null) variants.push({ ...member, name: member.name || name, value: null });
      } else if (tag === DW_TAG.variant) {
        const value = wideConstant(dieOf(rows, child), DW_AT.discr_value);
        for (const member of this.of(rows, child, size, depth + 1)) {
          variants.push({ ...member, entry: member.entry + ITEM_FLAGS.variant, value });
        }
      }
    }
    // Members of a union begin at its start; one that does not is in a struct of the same size.
    const placed = variants.map((member) => {
      if (member.bitOffset === 0) return member;
      const { name, type, bitOffset, bitSize, entry } = member;
      const flag = bitSize > 0;
      const wrapper = this.#records.add(die.offset, { kind: BtfKind.STRUCT, value: size, flag });
      this.#records.addItem(wrapper, name, type, bitOffset, bitSize, entry);
      return { ...member, name: 0, type: wrapper, bitOffset: 0, bitSize: 0 };
    });
    const union = this.#records.add(die.offset, {
      kind: BtfKind.UNION,
      value: size,
      flag: placed.some(({ bitSize }) => bitSize > 0),
    });
    for (const { name, type, bitSize, entry, value } of placed) {
      if (value !== null) this.#records.discriminants.set(this.#records.itemName.length, value);
      this.#records.addItem(union, name, type, 0, bitSize, entry);
    }
    return union;
  }
}

type Variant = Member & { readonly value: bigint | null };
