/**
 * Builds a whole `.BTF` blob for tests: header, types, layout and strings.
 *
 * Spec: Documentation/bpf/btf.rst, "BTF Type and String Encoding". The header has 24 bytes; with
 * `layout_off` and `layout_len` (2026) it has 32. A test can override any header field to make a
 * wrong blob. An override changes no other byte.
 */
import type { Endian } from '#bytes/span.ts';
import { assemble, distance, label, type Part, raw, text, u8, u16, u32 } from './assemble.ts';
import type { Intern, TypeRecord } from './btf-types.ts';

/** Lengths of a kind's records in bytes, for the layout section. */
export type LayoutEntry = {
  readonly infoSize: number;
  readonly elemSize: number;
  readonly flags?: number;
};

export type HeaderFields = {
  readonly magic: number;
  readonly version: number;
  readonly flags: number;
  readonly hdrLen: number;
  readonly typeOff: number;
  readonly typeLen: number;
  readonly strOff: number;
  readonly strLen: number;
  readonly layoutOff: number;
  readonly layoutLen: number;
};

export type BtfSpec = {
  readonly endian?: Endian;
  readonly types?: readonly TypeRecord[];
  /** Strings between the empty string and the names of types. Bytes are copied unchanged. */
  readonly strings?: readonly string[] | Uint8Array;
  readonly headerLength?: 24 | 32;
  /** Record lengths by kind, from kind 0, for the layout section. The header then has 32 bytes. */
  readonly layout?: readonly LayoutEntry[];
  /** Values for header fields that replace the right values. */
  readonly header?: Partial<HeaderFields>;
  /** Length in bytes of the base's strings, for split BTF: string offsets continue from there. */
  readonly baseStringLength?: number;
};

export type BtfBlob = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offset of the first type record in the blob, in bytes. */
  readonly typesOffset: number;
  readonly layoutOffset: number;
  readonly stringsOffset: number;
  /** Offsets of the type records in the blob, in the order of `types`. */
  readonly typeOffsets: readonly number[];
  /** Returns the `name_off` of a type's name or of one of `strings`; throws for other strings. */
  readonly stringOff: (name: string) => number;
};

/** Builds a BTF blob. Throws `RangeError` if a number does not fit its field. */
export function btfBlob(spec: BtfSpec = {}): BtfBlob {
  const { types = [], layout = [], endian = 'little', header = {} } = spec;
  const strings = stringSection(spec.strings ?? [], spec.baseStringLength ?? 0);
  const records = types.flatMap((type, i) => [label(`type ${i}`), ...recordParts(type, strings)]);
  const long = layout.length > 0 || spec.headerLength === 32;
  const { bytes, at } = assemble(
    endian,
    u16(header.magic ?? 0xeb9f),
    u8(header.version ?? 1),
    u8(header.flags ?? 0),
    u32(header.hdrLen ?? (long ? 32 : 24)),
    u32(header.typeOff ?? distance('types', 'types')),
    u32(header.typeLen ?? distance('types', 'layout')),
    u32(header.strOff ?? distance('types', 'strings')),
    u32(header.strLen ?? distance('strings', 'end')),
    ...(long
      ? [
          u32(header.layoutOff ?? (layout.length > 0 ? distance('types', 'layout') : 0)),
          u32(header.layoutLen ?? distance('layout', 'strings')),
        ]
      : []),
    label('types'),
    ...records,
    label('layout'),
    ...layout.flatMap((e) => [u8(e.infoSize), u8(e.elemSize), u16(e.flags ?? 0)]),
    label('strings'),
    ...strings.parts(),
    label('end'),
  );
  return {
    bytes,
    typesOffset: at('types'),
    layoutOffset: at('layout'),
    stringsOffset: at('strings'),
    typeOffsets: types.map((_type, i) => at(`type ${i}`)),
    stringOff: strings.offsetOf,
  };
}

function recordParts(type: TypeRecord, strings: StringSection): readonly Part[] {
  const info = (type.kindFlag ? 0x80000000 : 0) + type.kind * 0x1000000 + type.vlen;
  return [
    u32(strings.intern(type.name)),
    u32(info),
    u32(type.sizeOrType),
    ...type.tail(strings.intern),
  ];
}

type StringSection = {
  readonly intern: Intern;
  readonly offsetOf: (name: string) => number;
  readonly parts: () => readonly Part[];
};

/** Split BTF has no empty string: offset 0 is in the base's strings. */
function stringSection(first: readonly string[] | Uint8Array, base: number): StringSection {
  const offsets = new Map<string, number>([['', 0]]);
  const parts: Part[] = base === 0 ? [raw([0])] : [];
  let end = base + parts.length;
  if (first instanceof Uint8Array) {
    parts.splice(0, parts.length, raw(first));
    end = base + first.length;
  }
  const intern: Intern = (name) => {
    if (typeof name === 'number') return name;
    const known = offsets.get(name);
    if (known !== undefined) return known;
    const offset = end;
    const part = text(`${name}\0`);
    offsets.set(name, offset);
    parts.push(part);
    end += part.length(0);
    return offset;
  };
  if (!(first instanceof Uint8Array)) for (const name of first) intern(name);
  return {
    intern,
    offsetOf: (name) => {
      const offset = offsets.get(name);
      if (offset === undefined) throw new Error(`no string ${name}`);
      return offset;
    },
    parts: () => parts,
  };
}
