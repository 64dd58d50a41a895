/**
 * Types of a unit of DWARF as records with the kinds of BTF and the ids of the unit. What BTF has
 * no field for is read from the unit: places of members, alignments, types declared inside.
 */
import type { NameTable } from '#analysis/encode/name-table.ts';
import {
  ArrayType,
  BaseType,
  Composite,
  Enumeration,
  FunctionTag,
  isSignedType,
  NamedType,
  type TypeTag,
  type Unit,
} from '#analysis/encode/unit-tags.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_TAG } from '#formats/dwarf/constants.ts';
import { DIALECTS, Records } from './records.ts';

/** Kinds of types that only refer to a type, by DW_TAG. `_Atomic` is printed in the place of const. */
const REFERENCES: ReadonlyMap<number, number> = new Map([
  [DW_TAG.const_type, BtfKind.CONST],
  [DW_TAG.atomic_type, BtfKind.CONST],
  [DW_TAG.pointer_type, BtfKind.PTR],
  [DW_TAG.restrict_type, BtfKind.RESTRICT],
  [DW_TAG.volatile_type, BtfKind.VOLATILE],
  [DW_TAG.typedef, BtfKind.TYPEDEF],
  [DW_TAG.LLVM_annotation, BtfKind.TYPE_TAG],
]);

const FLAG = 0x8000_0000;

/** Returns the types of a unit whose members are placed. */
export function unitRecords(unit: Unit, names: NameTable): Records {
  return new UnitWords(unit, names).records();
}

class UnitWords {
  readonly #unit: Unit;
  readonly #names: NameTable;
  readonly #words: number[] = [];
  readonly #starts: number[] = [];
  readonly #kinds: number[] = [];
  /** Names so far, and the offset of each by its id. */
  readonly #texts: string[] = [''];
  readonly #nameOff = new Map<number, number>([[0, 0]]);
  #nextName = 1;
  /** Arrays of arrays, which follow the types of the unit. */
  readonly #inner: { readonly element: number; readonly count: number }[] = [];

  constructor(unit: Unit, names: NameTable) {
    this.#unit = unit;
    this.#names = names;
  }

  records(): Records {
    for (const type of this.#unit.types) if (type !== null) this.#type(type);
    for (const { element, count } of this.#inner) {
      this.#head(BtfKind.ARRAY, 0, 0, 0);
      this.#words.push(element, 0, count);
    }
    return new Records(
      {
        first: 1,
        last: this.#kinds.length,
        words: Uint32Array.from(this.#words),
        starts: Uint32Array.from(this.#starts),
        kinds: Uint8Array.from(this.#kinds),
        names: `${this.#texts.join('\0')}\0`,
        namesFirst: 0,
        unit: this.#unit,
      },
      DIALECTS['1.31'],
    );
  }

  #nameOf(id: number): number {
    const known = this.#nameOff.get(id);
    if (known !== undefined) return known;
    const text = this.#names.text(id);
    const offset = this.#nextName;
    this.#texts.push(text);
    this.#nameOff.set(id, offset);
    this.#nextName += text.length + 1;
    return offset;
  }

  #head(kind: number, name: number, vlen: number, third: number): void {
    this.#starts.push(this.#words.length);
    this.#kinds.push(kind);
    this.#words.push(this.#nameOf(name), (vlen & FLAG) | (kind << 24) | (vlen & 0xffffff), third);
  }

  #type(type: TypeTag): void {
    const name = type instanceof NamedType ? type.name : 0;
    const reference = REFERENCES.get(type.tag);
    if (reference !== undefined) {
      this.#head(reference, name, 0, type.type);
    } else if (type instanceof BaseType) {
      // A FLOAT has the size that it states; an INT of BTF has one of 8 bits.
      this.#head(BtfKind.FLOAT, type.name, 0, type.bitSize >>> 3);
    } else if (type instanceof ArrayType) {
      this.#array(type);
    } else if (type instanceof Enumeration) {
      this.#enumeration(type);
    } else if (type instanceof Composite) {
      this.#composite(type);
    } else if (type instanceof FunctionTag) {
      const { parameters, isVariadic } = type;
      this.#head(BtfKind.FUNC_PROTO, 0, parameters.length + Number(isVariadic), type.type);
      for (const each of parameters) this.#words.push(this.#nameOf(each.name), each.type);
      if (isVariadic) this.#words.push(0, 0);
    } else {
      this.#head(0, 0, 0, 0);
    }
  }

  /** Writes the last dimension as the outermost array: bounds are printed from the innermost on. */
  #array(type: ArrayType): void {
    const [first, ...rest] = type.dimensions;
    const last = rest.pop();
    if (first === undefined) {
      this.#head(BtfKind.TYPE_TAG, 0, 0, type.type);
      return;
    }
    this.#head(BtfKind.ARRAY, 0, 0, 0);
    if (last === undefined) {
      this.#words.push(type.type, 0, first);
      return;
    }
    const nextInner = () => this.#unit.types.length + this.#inner.length;
    this.#words.push(nextInner(), 0, last);
    for (const count of rest.reverse()) this.#inner.push({ element: nextInner() + 1, count });
    this.#inner.push({ element: type.type, count: first });
  }

  #enumeration({ name, names, values, bitSize, typeRef }: Enumeration): void {
    const flag = isSignedType(this.#unit.typeAt(typeRef)) ? FLAG : 0;
    this.#head(BtfKind.ENUM64, name, flag | names.length, bitSize >>> 3);
    for (const [i, each] of names.entries()) {
      const value = BigInt.asUintN(64, BigInt(values[i] ?? 0));
      this.#words.push(this.#nameOf(each), Number(value & 0xffff_ffffn), Number(value >> 32n));
    }
  }

  #composite({ tag, name, isDeclaration, byteSize, members }: Composite): void {
    const isUnion = tag === DW_TAG.union_type;
    if (isDeclaration) {
      this.#head(BtfKind.FWD, name, isUnion ? FLAG : 0, 0);
      return;
    }
    this.#head(isUnion ? BtfKind.UNION : BtfKind.STRUCT, name, members.length, byteSize);
    for (const member of members) this.#words.push(this.#nameOf(member.name), member.type, 0);
  }
}
