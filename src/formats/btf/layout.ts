/**
 * The layout section: how long the records of each kind are, so that a reader
 * can step over kinds that are newer than it.
 *
 * Source: include/uapi/linux/btf.h as libbpf 1.8 has it (layout_off, layout_len). Entry N speaks of kind N:
 * `{ u8 info_sz, u8 elem_sz, u16 flags }`. There are 128 kinds at most, since
 * `kind` has 7 bits; what a longer section says about others is not read.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Span } from '#bytes/span.ts';
import { BTF_KIND_MAX, type KindLayout, kindLayout } from './kinds.ts';

const ENTRY_SIZE = 4;
const KINDS = 128;

type BtfLayoutEntry = {
  readonly kind: number;
  /** Bytes that follow `struct btf_type` once. */
  readonly infoSz: number;
  /** Bytes that follow for each of `vlen`. */
  readonly elemSz: number;
  readonly flags: number;
  /** Offset of the entry in the blob. */
  readonly offset: number;
};

/** Entries by kind. */
export type BtfLayout = readonly BtfLayoutEntry[];

/** Reads the layout at `extent` of the blob. Throws `Malformed` where it runs past the end. */
export function readBtfLayout(blob: ByteReader, extent: Span): BtfLayout {
  blob.require(extent.start, extent.end - extent.start, 'the layout section');
  const count = Math.min(KINDS, Math.floor((extent.end - extent.start) / ENTRY_SIZE));
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

/** Both sizes must keep records aligned to 4 bytes; libbpf refuses to step by others. */
export function isUsable(entry: BtfLayoutEntry): boolean {
  return entry.infoSz % 4 === 0 && entry.elemSz % 4 === 0;
}

/** Entries of known kinds that say other sizes than the kind has. Those are not believed. */
export function contradictions(layout: BtfLayout): BtfLayoutEntry[] {
  return layout.filter((entry) => {
    const known: KindLayout | null = entry.kind > BTF_KIND_MAX ? null : kindLayout(entry.kind);
    return known !== null && (known.fixed !== entry.infoSz || known.item !== entry.elemSz);
  });
}
