/**
 * The header of a BTF blob and the positions of its sections, checked as in libbpf. Source: "BTF
 * Type Format", section 2. Offsets count from the end of the header. The file declares the length
 * of its header.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Malformed } from '#bytes/issue.ts';
import { type Endian, type Span, spanOf } from '#bytes/span.ts';
import { BTF_KIND_MAX, BTF_MAGIC, type KindLayout, kindLayout, MAX_KINDS } from './kinds.ts';

/** Size in bytes of a header that ends with `str_len`: the smallest valid header. */
export const BTF_HEADER_SIZE = 24;
/** Size in bytes of a header that ends with `layout_len`. */
export const BTF_HEADER_SIZE_LAYOUT = 32;

export type BtfHeader = {
  readonly endian: Endian;
  readonly version: number;
  readonly flags: number;
  readonly hdrLen: number;
  readonly typeOff: number;
  readonly typeLen: number;
  readonly strOff: number;
  readonly strLen: number;
  /** Field `layout_off`; null if the header is too short to contain it. */
  readonly layoutOff: number | null;
  readonly layoutLen: number | null;
  /** Spans of the three sections, as offsets in the blob. */
  readonly types: Span;
  readonly strings: Span;
  /** Span of the layout section; null if the blob has none. */
  readonly layout: Span | null;
};

/** Returns the byte order that the magic number shows; null if there is no magic number. */
export function magicEndian(blob: ByteReader): Endian | null {
  if (blob.length < 2) return null;
  if (blob.as('little').u16(0) === BTF_MAGIC) return 'little';
  return blob.as('big').u16(0) === BTF_MAGIC ? 'big' : null;
}

/** Reads the header. Throws `Malformed` if the header or the position of a section is invalid. */
export function readBtfHeader(blob: ByteReader): BtfHeader {
  if (blob.length === 0) {
    throw blob.malformed('btf.empty', `${blob.region} is empty`, {
      at: [0, 0],
      expected: `at least ${BTF_HEADER_SIZE} bytes`,
      found: '0 bytes',
    });
  }
  const { reader: r, hdrLen } = openHeader(blob, 'btf', 'BTF');
  const hasLayout = hdrLen >= BTF_HEADER_SIZE_LAYOUT;
  const header = {
    endian: r.endian,
    version: r.u8(2),
    flags: r.u8(3),
    hdrLen,
    typeOff: r.u32(8),
    typeLen: r.u32(12),
    strOff: r.u32(16),
    strLen: r.u32(20),
    layoutOff: hasLayout ? r.u32(24) : null,
    layoutLen: hasLayout ? r.u32(28) : null,
  };
  const extent = (off: number, len: number) => spanOf(hdrLen + off, len);
  const types = extent(header.typeOff, header.typeLen);
  const strings = extent(header.strOff, header.strLen);
  const layout =
    header.layoutOff === null || header.layoutLen === null || header.layoutLen === 0
      ? null
      : extent(header.layoutOff, header.layoutLen);
  requireAlignment(r, header);
  requireOrder(r, types, layout, strings);
  requireInside(r, [
    { name: 'type', field: 8, extent: types },
    { name: 'string', field: 16, extent: strings },
    ...(layout === null ? [] : [{ name: 'layout', field: 24, extent: layout }]),
  ]);
  return { ...header, types, strings, layout };
}

/** Returns a reader in the byte order of the blob, and the header length. Throws `Malformed`. */
export function openHeader(
  blob: ByteReader,
  code: 'btf' | 'ext',
  name: 'BTF' | '.BTF.ext',
): { readonly reader: ByteReader; readonly hdrLen: number } {
  const endian = magicEndian(blob);
  if (endian === null && blob.length >= 2) {
    throw blob.malformed(`${code}.bad-magic`, `This is not ${name}: the magic number is missing`, {
      at: [0, 2],
      expected: '0xeb9f in either byte order',
      found: `0x${blob.as('little').u16(0).toString(16).padStart(4, '0')}`,
    });
  }
  if (endian === null || blob.length < BTF_HEADER_SIZE) {
    throw blob.malformed(
      `${code}.header-truncated`,
      `The ${name} header is incomplete: the data is truncated`,
      { at: [0, blob.length], expected: `${BTF_HEADER_SIZE} bytes`, found: `${blob.length} bytes` },
    );
  }
  const reader = blob.as(endian);
  const hdrLen = reader.u32(4);
  if (hdrLen < BTF_HEADER_SIZE) {
    throw reader.malformed(
      `${code}.header-too-short`,
      `${name} header length ${hdrLen} is too short`,
      { at: [4, 4], expected: `at least ${BTF_HEADER_SIZE}`, found: `${hdrLen}` },
    );
  }
  if (hdrLen > reader.length) {
    throw reader.malformed(
      `${code}.header-past-end`,
      `The magic number is ${endian}-endian, but header length ${hdrLen} is larger than the data`,
      { at: [4, 4], expected: `at most ${reader.length}`, found: `${hdrLen}` },
    );
  }
  return { reader, hdrLen };
}

function requireAlignment(r: ByteReader, header: Pick<BtfHeader, 'typeOff' | 'layoutLen'>): void {
  if (header.typeOff % 4 !== 0) {
    throw r.malformed(
      'btf.types-unaligned',
      `The type section is not aligned to 4 bytes: type_off is ${header.typeOff}`,
      { at: [8, 4], expected: 'a multiple of 4', found: `${header.typeOff}` },
    );
  }
  if (header.layoutLen !== null && header.layoutLen % 4 !== 0) {
    throw r.malformed('btf.layout-length', `Invalid layout section length ${header.layoutLen}`, {
      at: [28, 4],
      expected: 'a multiple of 4',
      found: `${header.layoutLen}`,
    });
  }
}

/** Throws unless the order is types, layout, strings, which libbpf requires. */
function requireOrder(r: ByteReader, types: Span, layout: Span | null, strings: Span): void {
  if (layout !== null) {
    if (types.end > layout.start) throw overlap(r, 'layout', 24, layout, 'type', types);
    if (layout.end > strings.start) throw overlap(r, 'layout', 24, layout, 'string', strings);
  }
  if (types.end > strings.start) throw overlap(r, 'string', 16, strings, 'type', types);
}

function overlap(
  r: ByteReader,
  name: string,
  field: number,
  extent: Span,
  otherName: string,
  other: Span,
): Malformed {
  const overlaps = extent.start < other.end && other.start < extent.end;
  return r.malformed(
    overlaps ? 'btf.sections-overlap' : 'btf.sections-order',
    overlaps
      ? `The ${name} section overlaps the ${otherName} section`
      : `The ${name} section and the ${otherName} section are in the wrong order`,
    {
      at: [field, 8],
      expected: 'types, then the layout if there is one, then strings',
      found: `${name} section at ${extent.start} to ${extent.end}, ${otherName} section at ${other.start} to ${other.end}`,
    },
  );
}

function requireInside(
  r: ByteReader,
  sections: readonly { readonly name: string; readonly field: number; readonly extent: Span }[],
): void {
  const outside = sections.filter((s) => s.extent.end > r.length);
  const [first] = outside;
  if (first === undefined) return;
  const names = outside.map((s) => s.name).join(' and ');
  throw r.malformed(
    'btf.section-past-end',
    outside.length === 1
      ? `The ${names} section runs past the end: the data is truncated or the header wrong`
      : `The ${names} sections run past the end: the data is truncated or the header wrong`,
    {
      at: [first.field, 8],
      expected: `an end of at most ${r.length}`,
      found: outside.map((s) => `${s.name} section up to ${s.extent.end}`).join(', '),
    },
  );
}

const ENTRY_SIZE = 4;

/** Fields of `struct btf_layout` (include/uapi/linux/btf.h): sizes that let readers skip a kind. */
type BtfLayoutEntry = {
  readonly kind: number;
  /** Number of bytes that follow `struct btf_type` once per record. */
  readonly infoSz: number;
  /** Number of bytes that follow for each of the `vlen` items. */
  readonly elemSz: number;
  readonly flags: number;
  readonly offset: number;
};

export type BtfLayout = readonly BtfLayoutEntry[];

/** Reads the layout at `extent` of the blob. Throws `Malformed` if `extent` is not in the blob. */
export function readBtfLayout(blob: ByteReader, extent: Span): BtfLayout {
  blob.require(extent.start, extent.end - extent.start, 'the layout section');
  const count = Math.min(MAX_KINDS, Math.floor((extent.end - extent.start) / ENTRY_SIZE));
  return Array.from({ length: count }, (_, kind) => {
    const offset = extent.start + kind * ENTRY_SIZE;
    return {
      kind,
      infoSz: blob.u8(offset),
      elemSz: blob.u8(offset + 1),
      flags: blob.u16(offset + 2),
      offset,
    };
  });
}

/** Returns true if both sizes are multiples of 4; libbpf refuses other sizes. */
export function isUsable(entry: BtfLayoutEntry): boolean {
  return entry.infoSz % 4 === 0 && entry.elemSz % 4 === 0;
}

/** Returns the entries that give a wrong size for a known kind. Readers ignore these entries. */
export function contradictions(layout: BtfLayout): BtfLayoutEntry[] {
  return layout.filter((entry) => {
    const known: KindLayout | null = entry.kind > BTF_KIND_MAX ? null : kindLayout(entry.kind);
    return known !== null && (known.fixed !== entry.infoSz || known.item !== entry.elemSz);
  });
}
