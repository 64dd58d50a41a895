/**
 * The layout section: the record sizes of each kind, with which a reader skips kinds that are newer
 * than the reader.
 *
 * Source: include/uapi/linux/btf.h of libbpf 1.8 (layout_off, layout_len). Entry N describes
 * kind N: `{ u8 info_sz, u8 elem_sz, u16 flags }`. Entries from 128 on are not read: `kind` has 7
 * bits.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Span } from '#bytes/span.ts';
import { BTF_KIND_MAX, type KindLayout, kindLayout, MAX_KINDS } from './kinds.ts';

const ENTRY_SIZE = 4;

type BtfLayoutEntry = {
  readonly kind: number;
  /** Bytes that follow `struct btf_type` once. */
  readonly infoSz: number;
  /** Bytes that follow `vlen` times. */
  readonly elemSz: number;
  readonly flags: number;
  /** Offset of the entry in the blob. */
  readonly offset: number;
};

/** Entries by kind. */
export type BtfLayout = readonly BtfLayoutEntry[];

/** Reads the layout at `extent` of the blob. Throws `Malformed` if it runs past the end. */
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

/** True if both sizes keep records aligned to 4 bytes; libbpf refuses other sizes. */
export function isUsable(entry: BtfLayoutEntry): boolean {
  return entry.infoSz % 4 === 0 && entry.elemSz % 4 === 0;
}

/** Returns the entries of known kinds with wrong sizes. Readers ignore those entries. */
export function contradictions(layout: BtfLayout): BtfLayoutEntry[] {
  return layout.filter((entry) => {
    const known: KindLayout | null = entry.kind > BTF_KIND_MAX ? null : kindLayout(entry.kind);
    return known !== null && (known.fixed !== entry.infoSz || known.item !== entry.elemSz);
  });
}
