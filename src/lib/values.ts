/** Decoding of bytes by type, and the maps of an object with the types of their keys and values. */
import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import { type Value as Decoded, decodeValue, partAt } from '#analysis/values/decode.ts';
import { readDataSections } from '#analysis/values/object-data.ts';
import { decodeText } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { JsonWriter, writeValue } from '#print/value-json.ts';
import { declarationText, valueLines } from '#print/value-text.ts';
import { ObjectFile } from './open.ts';
import { Type } from './types.ts';

/** `truncated`: the bytes end before the value does. `none`: the type has no bytes. */
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
  /** Byte order of the bytes; by default that of the types. */
  readonly endian?: 'little' | 'big';
};

/** Bytes decoded as a type. Its parts are decoded on access. */
export class Value {
  readonly #decoded: Decoded;

  /** @internal */
  constructor(decoded: Decoded) {
    this.#decoded = decoded;
  }

  /** Name of the member or variable, not escaped; empty for elements and the outermost value. */
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
   * of `char` as a string; null for values with parts, and where the bytes are missing.
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

  /** Names of an enum's value: several for combined flags, empty for a value without a name. */
  get names(): readonly string[] {
    const { content } = this.#decoded;
    return content.kind === 'enum' ? content.names : [];
  }

  /** Yields the members of a struct or union, elements of an array, variables of a section. */
  *parts(): Generator<Value, void, undefined> {
    const { partCount } = this.#decoded;
    for (let index = 0; index < partCount; index++) {
      const part = partAt(this.#decoded, index);
      if (part !== null) yield new Value(part);
    }
  }

  /** Returns an element by number, or the first member or variable by name, or null. */
  part(which: number | string): Value | null {
    if (typeof which === 'number') {
      const part = partAt(this.#decoded, which);
      return part === null ? null : new Value(part);
    }
    for (const part of this.parts()) if (part.name === which) return part;
    return null;
  }

  /** Returns JSON in the form of `bpftool map dump`. Numbers of 64 bits have all their digits. */
  toJson(): string {
    let text = '';
    const out = new JsonWriter((piece) => {
      text += piece;
    }, true);
    writeValue(out, this.#decoded, { isPlain: false });
    return text;
  }

  /** Returns an initializer in C. Names as in the file. */
  toC(): string {
    const { scope, type } = this.#decoded;
    return [...valueLines(`(${declarationText(scope.types, type, '')})`, this.#decoded)].join('\n');
  }
}

/** Decodes bytes, such as a map's value, by their type. Missing bytes become `truncated`. */
export function decode(type: Type, bytes: Uint8Array, options: DecodeOptions = {}): Value {
  const { t, id } = Type.placeOf(type);
  return new Value(decodeValue(t, id, bytes, 0, options));
}

/** A map that an object defines. */
export type MapDefinition = {
  /** As in the file: escape it before it is shown. */
  readonly name: string;
  /** `BPF_MAP_TYPE_HASH`; null if the definition does not state it. */
  readonly mapType: string | null;
  /** null if the definition states only the size. */
  readonly key: Type | null;
  readonly value: Type | null;
  /** In bytes. */
  readonly keySize: number | null;
  readonly valueSize: number | null;
  readonly maxEntries: bigint | null;
};

/** Lists the maps of an object in `.maps` and `maps`. Rejects as the file's `read` does. */
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
