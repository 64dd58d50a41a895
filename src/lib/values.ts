/** Decodes bytes by their type. Lists the maps of an object with their key and value types. */
import { definedMaps } from '#analysis/libbpf/defined-maps.ts';
import { type Value as Decoded, decodeValue, partAt } from '#analysis/values/decode.ts';
import { readDataSections } from '#analysis/values/object-data.ts';
import { decodeText } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { JsonWriter, writeValue } from '#print/value-json.ts';
import { declarationText, valueLines } from '#print/value-text.ts';
import { ObjectFile } from './open.ts';
import { Type } from './types.ts';

/** Kind of a value. `truncated`: the bytes end inside the value. `none`: the type has no bytes. */
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
  /** Byte order of the bytes. Default: the byte order of the types. */
  readonly endian?: 'little' | 'big';
};

/** A value that was decoded by its type. Its parts are decoded on access. */
export class Value {
  readonly #decoded: Decoded;

  /** @internal */
  constructor(decoded: Decoded) {
    this.#decoded = decoded;
  }

  /** Name of the member or variable, not escaped; empty for array elements and the whole value. */
  get name(): string {
    return this.#decoded.name;
  }

  get kind(): ValueKind {
    return this.#decoded.content.kind;
  }

  get type(): Type {
    return new Type(this.#decoded.scope.types, this.#decoded.type);
  }

  /** Offset in bits from the start of the decoded bytes. */
  get bitOffset(): number {
    return this.#decoded.bitOffset;
  }

  get bitSize(): number {
    return this.#decoded.bitSize;
  }

  /**
   * Bigint for an int, char, enum or pointer; boolean for a bool; number for a float; string for an
   * array of `char`. Null for a value with parts or without its bytes.
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

  /** Names of an enum's value: several for combined flags, none for a value without a name. */
  get names(): readonly string[] {
    const { content } = this.#decoded;
    return content.kind === 'enum' ? content.names : [];
  }

  /** Yields the members of a struct or union, array elements, or variables of a section. */
  *parts(): Generator<Value, void, undefined> {
    const { partCount } = this.#decoded;
    for (let index = 0; index < partCount; index++) {
      const part = partAt(this.#decoded, index);
      if (part !== null) yield new Value(part);
    }
  }

  /** Returns an element by its number, or the first part with a name; null if there is none. */
  part(which: number | string): Value | null {
    if (typeof which === 'number') {
      const part = partAt(this.#decoded, which);
      return part === null ? null : new Value(part);
    }
    for (const part of this.parts()) if (part.name === which) return part;
    return null;
  }

  /**
   * Returns JSON as `bpftool map dump -j` prints it, with members of anonymous structs in their
   * parent, as in C. Integers of 64 bits keep all digits.
   */
  toJson(): string {
    let text = '';
    const out = new JsonWriter((piece) => {
      text += piece;
    }, true);
    writeValue(out, this.#decoded, { isPlain: false });
    return text;
  }

  /** Returns a C initializer. Names are not escaped. */
  toC(): string {
    const { scope, type } = this.#decoded;
    return [...valueLines(`(${declarationText(scope.types, type, '')})`, this.#decoded)].join('\n');
  }
}

/** Decodes bytes, such as a map's value, as `type`. Missing bytes give `truncated` values. */
export function decode(type: Type, bytes: Uint8Array, options: DecodeOptions = {}): Value {
  const { t, id } = Type.placeOf(type);
  return new Value(decodeValue(t, id, bytes, 0, options));
}

/** A map that an object defines. */
export type MapDefinition = {
  /** Name as in the file, not escaped: use `visible` before you show it. */
  readonly name: string;
  /** Type of the map, `BPF_MAP_TYPE_HASH`; null if the definition does not state it. */
  readonly mapType: string | null;
  /** Type of the key; null if the definition states only the key's size. */
  readonly key: Type | null;
  readonly value: Type | null;
  /** Size of the key in bytes; null if unknown. */
  readonly keySize: number | null;
  readonly valueSize: number | null;
  readonly maxEntries: bigint | null;
};

/** Lists the maps that an object defines in `.maps` and `maps`. Rejects if reading fails. */
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
