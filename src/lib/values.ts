/** Bytes read by their type, and the maps of an object, which say of what types their values are. */

import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import { type Value as Decoded, decodeValue, partAt } from '#analysis/values/decode.ts';
import { readDataSections } from '#analysis/values/object-data.ts';
import { decodeText } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { JsonWriter, writeValue } from '#print/value-json.ts';
import { declarationText, valueLines } from '#print/value-text.ts';
import { ObjectFile } from './open.ts';
import { Type } from './types.ts';

/** `truncated`: the bytes end before it does. `none`: its type has no bytes. */
export type ValueKind =
  | 'int'
  | 'char'
  | 'bool'
  | 'enum'
  | 'float'
  | 'pointer'
  | 'string'
  | 'array'
  | 'struct'
  | 'union'
  | 'section'
  | 'truncated'
  | 'none';

export type DecodeOptions = {
  /** The byte order of the bytes; that of the types unless given. */
  readonly endian?: 'little' | 'big';
};

/** Bytes as a type reads them. Its parts are read when they are asked for. */
export class Value {
  readonly #decoded: Decoded;

  /** @internal */
  constructor(decoded: Decoded) {
    this.#decoded = decoded;
  }

  /** Of the member or variable; empty for elements and the whole. As in the file. */
  get name(): string {
    return this.#decoded.name;
  }

  get kind(): ValueKind {
    return this.#decoded.content.kind;
  }

  get type(): Type {
    return new Type(this.#decoded.scope.types, this.#decoded.type);
  }

  /** Bits from the start of the bytes. */
  get bitOffset(): number {
    return this.#decoded.bitOffset;
  }

  get bitSize(): number {
    return this.#decoded.bitSize;
  }

  /**
   * An int, char, enum or pointer as a bigint, a bool as a boolean, a float as a number, an array
   * of `char` as a string; null for what has parts, and where there is nothing.
   */
  get value(): bigint | number | boolean | string | null {
    const { content } = this.#decoded;
    switch (content.kind) {
      case 'int':
      case 'char':
      case 'enum':
      case 'pointer':
        return content.value;
      case 'bool':
        return content.value !== 0n;
      case 'float':
        return content.number;
      case 'string':
        return decodeText(content.bytes);
      default:
        return null;
    }
  }

  /** The names of an enum's value: several where it is made of flags, none where it has no name. */
  get names(): readonly string[] {
    const { content } = this.#decoded;
    return content.kind === 'enum' ? content.names : [];
  }

  /** The members of a struct or union, the elements of an array, the variables of a section. */
  *parts(): Generator<Value, void, undefined> {
    const { partCount } = this.#decoded;
    for (let index = 0; index < partCount; index++) {
      const part = partAt(this.#decoded, index);
      if (part !== null) yield new Value(part);
    }
  }

  /** The element of that number, or the first member or variable of that name; null where there is none. */
  part(which: number | string): Value | null {
    if (typeof which === 'number') {
      const part = partAt(this.#decoded, which);
      return part === null ? null : new Value(part);
    }
    for (const part of this.parts()) if (part.name === which) return part;
    return null;
  }

  /** As JSON in the form of `bpftool map dump`. Numbers of 64 bits are written with all their digits. */
  toJson(): string {
    let text = '';
    const out = new JsonWriter((piece) => {
      text += piece;
    }, true);
    writeValue(out, this.#decoded, { isPlain: false });
    return text;
  }

  /** As an initializer in C. Names as in the file. */
  toC(): string {
    const { scope, type } = this.#decoded;
    return [...valueLines(`(${declarationText(scope.types, type, '')})`, this.#decoded)].join('\n');
  }
}

/** Reads bytes, such as a value of a map, by their type. Total: what is not there is `truncated`. */
export function decode(type: Type, bytes: Uint8Array, options: DecodeOptions = {}): Value {
  const { t, id } = Type.placeOf(type);
  return new Value(decodeValue(t, id, bytes, 0, options));
}

/** A map that an object defines. */
export type MapDefinition = {
  /** As in the file: escape it before it is shown. */
  readonly name: string;
  /** `BPF_MAP_TYPE_HASH`; null where the definition does not say. */
  readonly mapType: string | null;
  /** null where only the size is given. */
  readonly key: Type | null;
  readonly value: Type | null;
  /** In bytes. */
  readonly keySize: number | null;
  readonly valueSize: number | null;
  readonly maxEntries: bigint | null;
};

/** The maps that an object defines in `.maps` and `maps`. Rejects as the file's `read` does. */
export async function maps(file: ObjectFile): Promise<readonly MapDefinition[]> {
  const { model, source } = ObjectFile.openedOf(file);
  const { types } = model;
  const typeOf = (id: TypeId | null) =>
    types === null || id === null ? null : new Type(types, id);
  return definedMaps(model, await readDataSections(model, source)).map((map) => ({
    name: map.name,
    mapType: map.mapTypeName,
    key: typeOf(map.key.type),
    value: typeOf(map.value.type),
    keySize: map.key.byteSize,
    valueSize: map.value.byteSize,
    maxEntries: map.maxEntries,
  }));
}
