/**
 * The items of one record, read number by number: a search over a struct's
 * thousand members must not make a thousand objects. Total, like the table.
 *
 * Source: "BTF Type Format", sections 2.2.4, 2.2.6, 2.2.13 and 2.2.19.
 */
import { BTF_TYPE_SIZE, BtfKind, infoKind, infoKindFlag, infoVlen } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { infoOf, ownerOf, type TypeTable } from '#model/type-table.ts';

/** Items that begin with a name: members, enumerators, parameters. */
export class ItemReader {
  readonly count: number;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;
  readonly #itemSize: number;
  readonly #little: boolean;
  readonly #kindFlag: boolean;

  /** The items of `itemSize` bytes each; none where the record is not of the right kind. */
  constructor(t: TypeTable, id: TypeId, itemSize: number, isRight: (kind: number) => boolean) {
    const owner = ownerOf(t, id) ?? t;
    const info = infoOf(t, id);
    const row = id - owner.firstId;
    this.count = isRight(infoKind(info)) ? infoVlen(info) : 0;
    this.#bytes = owner.blob;
    this.#start = (owner.recordOff[row] ?? 0) + BTF_TYPE_SIZE;
    this.#end = owner.recordOff[row + 1] ?? 0;
    this.#itemSize = itemSize;
    this.#little = owner.endian === 'little';
    this.#kindFlag = infoKindFlag(info);
  }

  nameOff(index: number): number {
    return this.#u32(index, 0);
  }

  /** Type of a member or parameter. */
  type(index: number): TypeId {
    return typeId(this.#u32(index, 4));
  }

  /** Bits from the start of the struct to a member. */
  bitOffset(index: number): number {
    const offset = this.#u32(index, 8);
    return this.#kindFlag ? offset & 0xffffff : offset;
  }

  /** Width of a member in bits; 0 = not a bit-field. */
  bitfieldSize(index: number): number {
    return this.#kindFlag ? this.#u32(index, 8) >>> 24 : 0;
  }

  #u32(index: number, offset: number): number {
    const at = this.#start + index * this.#itemSize + offset;
    if (index < 0 || at + 4 > this.#end) return 0;
    const bytes = this.#bytes;
    const first = bytes[at] ?? 0;
    const second = bytes[at + 1] ?? 0;
    const third = bytes[at + 2] ?? 0;
    const fourth = bytes[at + 3] ?? 0;
    return this.#little
      ? (first | (second << 8) | (third << 16) | (fourth << 24)) >>> 0
      : (fourth | (third << 8) | (second << 16) | (first << 24)) >>> 0;
  }
}

/** Members of a STRUCT or UNION; none for other kinds. */
export function readMembers(t: TypeTable, id: TypeId): ItemReader {
  return new ItemReader(t, id, 12, isComposite);
}

/** Enumerators of an ENUM or ENUM64; none for other kinds. Only their names. */
export function readEnumerators(t: TypeTable, id: TypeId): ItemReader {
  const isWide = infoKind(infoOf(t, id)) === BtfKind.ENUM64;
  return new ItemReader(t, id, isWide ? 12 : 8, isEnum);
}

/** Parameters of a FUNC_PROTO; none for other kinds. */
export function readParams(t: TypeTable, id: TypeId): ItemReader {
  return new ItemReader(t, id, 8, isFuncProto);
}

const isEnum = (kind: number) => kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
const isFuncProto = (kind: number) => kind === BtfKind.FUNC_PROTO;
