/** Fields of a struct or union with explicit padding: C's rules then give the offsets of BTF. */
import { type LayoutRow, structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { TypeId } from '#model/ids.ts';
import { sizeOrTypeOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { type Declared, type Shape, shapeAlign, shapeOf, shapeSize } from './shape.ts';

export type BitField = {
  /** Name as in the file, not escaped; empty for padding. */
  readonly name: string;
  readonly type: string;
  /** Offset from the start of the storage unit in bits, as in BTF. */
  readonly bitOffset: number;
  readonly bitSize: number;
};

export type Field = {
  /** Kind of field: a member, a unit of bit-fields, or padding. */
  readonly form: 'member' | 'bits' | 'padding';
  /** Name, not escaped; `anon0` … for unnamed members, empty for bit-fields and padding. */
  readonly name: string;
  readonly byteOffset: number;
  readonly shape: Shape;
  /** Type in C, not escaped; empty for bit-fields and padding. */
  readonly type: string;
  readonly bits: readonly BitField[];
};

export type FieldList = {
  /** Struct: ordered by offset, from 0 to the size without gaps. Union: all at offset 0. */
  readonly fields: readonly Field[];
  /** Alignment in bytes of a packed type; null if all fields have their natural alignment. */
  readonly packed: number | null;
  /** Alignment of the whole type in bytes. */
  readonly align: number;
  /** Comments on members that overlap other members. Names are not escaped. */
  readonly notes: readonly string[];
};

/** Returns the fields of struct or union `id`. `declared` and `pointees` are those of `shapeOf`. */
export function fieldsOf(
  t: TypeTable,
  id: TypeId,
  declared: Declared,
  pointees: Set<TypeId>,
): FieldList {
  const { rows, sizeBytes, isUnion } = structLayout(t, id);
  const list = new Builder(sizeBytes, isUnion);
  let anonymous = 0;
  for (const row of rows) {
    if (row.kind !== 'member') continue;
    const type = typeExpression(t, row.type);
    if (row.isBitfield) {
      list.bitField(row, type, 8 * Math.max(1, sizeOrTypeOf(t, skipModifiers(t, row.type))));
    } else {
      const name = row.name === '' ? `anon${anonymous++}` : row.name;
      list.member(row, name, type, shapeOf(t, row.type, declared, pointees));
    }
  }
  list.end();
  return { fields: list.fields, notes: list.notes, ...packing(list.fields, sizeBytes) };
}

/** A storage unit of bit-fields; `start` and `end` are in bits from the start of the struct. */
type OpenUnit = {
  readonly start: number;
  end: number;
  /** Size in bits of the type of the unit's first bit-field. */
  readonly typeBits: number;
  readonly bits: BitField[];
};

class Builder {
  readonly fields: Field[] = [];
  readonly notes: string[] = [];
  readonly #sizeBytes: number;
  readonly #isUnion: boolean;
  /** Number of bytes from the start that fields already cover; always 0 in a union. */
  #covered = 0;
  #open: OpenUnit | null = null;

  constructor(sizeBytes: number, isUnion: boolean) {
    this.#sizeBytes = sizeBytes;
    this.#isUnion = isUnion;
  }

  member(row: LayoutRow, name: string, type: string, shape: Shape): void {
    const byteOffset = row.bitOffset / 8;
    const byteSize = shapeSize(shape);
    this.#close(Math.floor(byteOffset));
    if (!Number.isInteger(byteOffset) || !this.#isFree(byteOffset, byteSize)) {
      this.#note(row, type);
      return;
    }
    this.#place({ form: 'member', name, byteOffset, shape, type, bits: [] });
  }

  /** Adds a bit-field to a unit. `typeBits` is the size of the bit-field's type. */
  bitField(row: LayoutRow, type: string, typeBits: number): void {
    const { name, bitOffset, bitSize } = row;
    const end = bitOffset + bitSize;
    const open = this.#open;
    if (open !== null && joins(open, bitOffset, typeBits) && !row.pastEnd) {
      open.bits.push({ name, type, bitOffset: bitOffset - open.start, bitSize });
      open.end = end;
      return;
    }
    const byteOffset = Math.floor(bitOffset / 8);
    this.#close(byteOffset);
    if (!this.#isFree(byteOffset, Math.ceil(end / 8) - byteOffset)) {
      this.#note(row, type);
      return;
    }
    const start = byteOffset * 8;
    const first = { name, type, bitOffset: bitOffset - start, bitSize };
    this.#open = { start, end, typeBits, bits: [first] };
    if (this.#isUnion) this.#close(this.#sizeBytes);
  }

  end(): void {
    this.#close(this.#sizeBytes);
    if (!this.#isUnion) this.#padTo(this.#sizeBytes);
    else if (this.fields.every(({ shape }) => shapeSize(shape) < this.#sizeBytes)) {
      this.fields.push(paddingAt(0, this.#sizeBytes));
    }
  }

  #isFree(byteOffset: number, byteSize: number): boolean {
    const starts = this.#isUnion ? byteOffset === 0 : byteOffset >= this.#covered;
    return starts && byteOffset + byteSize <= this.#sizeBytes;
  }

  #place(field: Field): void {
    this.#padTo(field.byteOffset);
    this.fields.push(field);
    if (!this.#isUnion) this.#covered = field.byteOffset + shapeSize(field.shape);
  }

  #padTo(byteOffset: number): void {
    const byteSize = byteOffset - this.#covered;
    if (byteSize > 0) this.fields.push(paddingAt(this.#covered, byteSize));
    this.#covered = Math.max(this.#covered, byteOffset);
  }

  /** Closes the open unit: as one number if it fits before byte `limit`, otherwise as bytes. */
  #close(limit: number): void {
    if (this.#open === null) return;
    const { start, end, bits } = this.#open;
    this.#open = null;
    const byteOffset = start / 8;
    const needed = Math.ceil(end / 8) - byteOffset;
    const nextByte = Math.min(limit, this.#sizeBytes);
    const fits = (n: number) => n >= needed && byteOffset % n === 0 && byteOffset + n <= nextByte;
    const byteSize = [1, 2, 4, 8].find(fits);
    const shape: Shape =
      byteSize === undefined
        ? { form: 'bytes', count: needed }
        : { form: 'integer', byteSize, signed: false };
    this.#place({ form: 'bits', name: '', byteOffset, shape, type: '', bits });
  }

  #note({ name, bitOffset, bitSize, isBitfield }: LayoutRow, type: string): void {
    const width = isBitfield ? ` of ${bitSize} bits` : '';
    this.notes.push(`no place for ${type} ${name || '(anonymous)'}${width} at bit ${bitOffset}`);
  }
}

/** Returns true if a bit-field starts in the last byte or the storage unit of the open unit. */
function joins(open: OpenUnit, bitOffset: number, typeBits: number): boolean {
  if (bitOffset < open.end) return false;
  const sameType = open.typeBits === typeBits;
  const sameUnit = Math.floor(open.start / typeBits) === Math.floor(bitOffset / typeBits);
  return Math.floor(bitOffset / 8) < Math.ceil(open.end / 8) || (sameType && sameUnit);
}

function paddingAt(byteOffset: number, count: number): Field {
  const shape: Shape = { form: 'bytes', count };
  return { form: 'padding', name: '', byteOffset, shape, type: '', bits: [] };
}

/** Returns the greatest alignment with which all fields and the size are as in BTF. */
function packing(fields: readonly Field[], sizeBytes: number): Pick<FieldList, 'packed' | 'align'> {
  let natural = 1;
  for (const { shape } of fields) natural = Math.max(natural, shapeAlign(shape));
  let align = natural;
  const isAligned = ({ byteOffset, shape }: Field) =>
    byteOffset % Math.min(align, shapeAlign(shape)) === 0;
  while (align > 1 && (sizeBytes % align !== 0 || !fields.every(isAligned))) align /= 2;
  return { packed: align < natural ? align : null, align };
}
