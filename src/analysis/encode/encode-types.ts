/**
 * Writes the types of a unit as BTF, each with its id in the unit.
 *
 * Source: pahole 1.31, btf_encoder.c, `btf_encoder__encode_cu`, `btf_encoder__encode_tag` and the
 * functions that it calls.
 */
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import { DW_ATE, DW_TAG, tagName } from '#formats/dwarf/constants.ts';
import type { Decisions } from './decisions.ts';
import type { Feature } from './features.ts';
import { refusal, type TypeBuffer } from './type-buffer.ts';
import {
  ArrayType,
  BaseType,
  Composite,
  Enumeration,
  FunctionTag,
  isSignedType,
  NamedType,
  type Tag,
  TypeAnnotation,
  type TypeTag,
  type Unit,
} from './unit-tags.ts';

/** Kinds of BTF that only refer to a type, by DW_TAG. */
const REFERENCES: ReadonlyMap<number, number> = new Map([
  [DW_TAG.const_type, BtfKind.CONST],
  [DW_TAG.pointer_type, BtfKind.PTR],
  [DW_TAG.restrict_type, BtfKind.RESTRICT],
  [DW_TAG.volatile_type, BtfKind.VOLATILE],
]);

const FLOATS: ReadonlySet<number> = new Set([
  DW_ATE.float,
  DW_ATE.complex_float,
  DW_ATE.imaginary_float,
]);

/** Tags that can have decl tags. */
const ANNOTATED: ReadonlySet<number> = new Set([
  DW_TAG.structure_type,
  DW_TAG.union_type,
  DW_TAG.typedef,
]);

/** Largest integer in bytes. */
const MAX_INT = 16;

export class TypeEncoder {
  readonly #buffer: TypeBuffer;
  readonly #features: ReadonlySet<Feature>;
  readonly #decisions: Decisions;
  readonly #intName: number;
  readonly #fakeIntName: number;
  /** Id of the index type of all arrays. */
  #indexType = 0;
  #hasIndexType = false;
  #needsIndexType = false;

  constructor(buffer: TypeBuffer, features: ReadonlySet<Feature>, decisions: Decisions) {
    this.#buffer = buffer;
    this.#features = features;
    this.#decisions = decisions;
    this.#intName = buffer.names.idOfText('int');
    this.#fakeIntName = buffer.names.idOfText('__SANITIZED_FAKE_INT__');
  }

  /** Writes the types. Returns the number that is added to an id of the unit. */
  encode(unit: Unit): number {
    const base = this.#buffer.nextId - 1;
    if (!this.#hasIndexType) {
      const int = unit.types.find((t) => t instanceof BaseType && t.name === this.#intName);
      this.#hasIndexType = int !== undefined;
      this.#indexType = base + (int?.id ?? unit.types.length);
    }
    for (const type of unit.types) if (type !== null) this.#encodeType(unit, type, base);
    if (this.#needsIndexType && !this.#hasIndexType) {
      this.#buffer.int(0, this.#intName, 4, IntEncoding.SIGNED);
      this.#hasIndexType = true;
    }
    for (const type of unit.types) {
      if (!(type instanceof NamedType) || !ANNOTATED.has(type.tag)) continue;
      for (const { value, component } of type.annotations) {
        this.#buffer.declTag(type.offset, value, base + type.id, component);
      }
    }
    return base;
  }

  #encodeType(unit: Unit, type: TypeTag, base: number): void {
    const { tag, offset } = type;
    const buffer = this.#buffer;
    const target = type.type === 0 ? 0 : base + type.type;
    const reference = REFERENCES.get(tag);
    if (reference !== undefined) {
      buffer.reference(offset, reference, target);
    } else if (type instanceof BaseType) {
      this.#encodeBase(type);
    } else if (type instanceof TypeAnnotation) {
      buffer.reference(offset, BtfKind.TYPE_TAG, target, { name: type.value });
    } else if (type instanceof ArrayType) {
      this.#needsIndexType = true;
      const count = type.dimensions.reduce((product, each) => Math.imul(product, each), 1) >>> 0;
      buffer.array(offset, target, this.#indexType, count);
    } else if (type instanceof Enumeration) {
      this.#encodeEnumeration(unit, type);
    } else if (type instanceof Composite && tag !== DW_TAG.interface_type) {
      this.#encodeComposite(type, base);
    } else if (type instanceof FunctionTag) {
      this.#encodePrototype(type, base);
    } else if (tag === DW_TAG.typedef && type instanceof NamedType) {
      buffer.reference(offset, BtfKind.TYPEDEF, target, { name: type.name });
    } else {
      throw refusal(offset, `BTF has nothing for ${tagName(tag)}`);
    }
  }

  #encodeBase({ offset, name, bitSize, encoding }: BaseType): void {
    const bytes = (bitSize + 7) >>> 3;
    let flags = 0;
    if (encoding === DW_ATE.signed || encoding === DW_ATE.signed_char) flags = IntEncoding.SIGNED;
    else if (encoding === DW_ATE.boolean) flags = IntEncoding.BOOL;
    else if (FLOATS.has(encoding) && this.#features.has('float')) {
      if (encoding !== DW_ATE.float) throw refusal(offset, 'complex and imaginary numbers');
      this.#buffer.float(offset, name, bytes);
      return;
    }
    const isPlain = bytes !== 0 && (bytes & (bytes - 1)) === 0 && bytes <= MAX_INT;
    if (!isPlain) this.#decisions.typeLeftOut(offset, name, 'integer-size');
    this.#buffer.int(offset, isPlain ? name : this.#fakeIntName, isPlain ? bytes : 4, flags);
  }

  #encodeComposite(type: Composite, base: number): void {
    const { tag, offset, name } = type;
    const isUnion = tag === DW_TAG.union_type;
    if (type.isDeclaration) {
      this.#buffer.fwd(offset, name, isUnion);
      return;
    }
    const kind = isUnion ? BtfKind.UNION : BtfKind.STRUCT;
    this.#buffer.composite(offset, kind, name, type.byteSize);
    for (const member of type.members) {
      if (member.tag !== DW_TAG.member) {
        this.#decisions.entryLeftOut(member.offset, member.tag);
        continue;
      }
      const { bitOffset, bitfieldSize } = member;
      this.#buffer.field(member.name, base + member.type, bitOffset, bitfieldSize);
    }
  }

  #encodeEnumeration(unit: Unit, type: Enumeration): void {
    const { offset, name, names, values } = type;
    const size = (type.bitSize + 7) >>> 3;
    const hasWide = this.#features.has('enum64');
    const isWide = hasWide && size > 4;
    const kind = isWide ? BtfKind.ENUM64 : BtfKind.ENUM;
    const isSigned = isWide && isSignedType(unit.typeAt(type.typeRef));
    this.#buffer.enumeration(offset, kind, { name, size, isSigned });
    for (const [i, each] of names.entries()) {
      const value = values[i] ?? 0;
      this.#buffer.enumerator(each, hasWide ? value : low32(value));
    }
  }

  #encodePrototype({ offset, type, parameters, isVariadic }: FunctionTag, base: number): void {
    const idOf = ({ type: id }: Pick<Tag, 'type'>) => (id === 0 ? 0 : base + id);
    this.#buffer.prototype(offset, idOf({ type }));
    for (const parameter of parameters) this.#buffer.parameter(parameter.name, idOf(parameter));
    if (isVariadic) this.#buffer.parameter(0, 0);
  }
}

/** Returns the low 32 bits of a value, without a sign. */
function low32(value: number | bigint): number {
  return typeof value === 'number' ? value >>> 0 : Number(BigInt.asUintN(32, value));
}
