/**
 * Finds the start of each record in one pass over the type section. Source: "BTF Type Format",
 * section 2.2. The layout section gives the sizes of unknown kinds, and of kind 0; without one, kind
 * 0 has 12 bytes.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Span } from '#bytes/span.ts';
import { type BtfLayout, isUsable } from './header.ts';
import { BTF_KIND_MAX, BTF_TYPE_SIZE, infoKind, infoVlen, kindLayout, MAX_KINDS } from './kinds.ts';

type StopCause =
  /** The kind is unknown, and the blob has no layout section. */
  | 'no-layout'
  /** The kind is unknown, and the layout section has no entry for it. */
  | 'outside-layout'
  /** The sizes of the kind in the layout section are not multiples of 4. */
  | 'odd-layout'
  /** The record runs past the end of the type section. */
  | 'past-end';

/** Why the walk ended before the end of the type section. */
export type WalkStop = {
  readonly cause: StopCause;
  /** Offset of the unreadable record in the blob. */
  readonly offset: number;
  /** Number of bytes from `offset` to the end of the type section. */
  readonly left: number;
  /** `kind`, `vlen` and `length` are 0 if fewer than 12 bytes are left. */
  readonly kind: number;
  readonly vlen: number;
  /** Length of the record in bytes; 0 if it is unknown. */
  readonly length: number;
};

/** An unknown kind in the blob. The model keeps the bytes of its records. */
type UnknownKind = {
  readonly kind: number;
  readonly count: number;
  /** Number of the first record of the kind; records count from 0. */
  readonly firstIndex: number;
};

export type Walk = {
  readonly count: number;
  /** Offset in the blob of each record, then of the end of the last record: `count + 1` numbers. */
  readonly recordOff: Uint32Array<ArrayBuffer>;
  /** Kinds that btfscope cannot decode, and kind 0; ascending. */
  readonly unknown: readonly UnknownKind[];
  /** Why the walk ended early; null if it reached the end of the type section. */
  readonly stop: WalkStop | null;
};

/** Causes for the negative lengths in `lengthsByKind`: -1, -2 and -3. */
const UNKNOWN_CAUSES: readonly StopCause[] = ['no-layout', 'outside-layout', 'odd-layout'];

/**
 * Walks the records of `types` in `blob`. The layout gives the sizes of kinds above `knownMax`.
 * Throws `Malformed` if `types` runs past the end of `blob`.
 */
export function walkTypes(
  blob: ByteReader,
  types: Span,
  layout: BtfLayout | null,
  knownMax = BTF_KIND_MAX,
): Walk {
  blob.require(types.start, types.end - types.start, 'the type section');
  const view = new DataView(blob.bytes.buffer, blob.bytes.byteOffset, blob.length);
  const little = blob.endian === 'little';
  const { fixed, item } = lengthsByKind(layout, knownMax);
  // Allocates for all records that can fit (each has at least 12 bytes), not for a stated number.
  const offsets = new Uint32Array(Math.floor((types.end - types.start) / BTF_TYPE_SIZE) + 1);
  const seen = new Uint32Array(MAX_KINDS);
  const first = new Uint32Array(MAX_KINDS);
  let count = 0;
  let at = types.start;
  let stop: WalkStop | null = null;
  while (at < types.end) {
    const left = types.end - at;
    if (left < BTF_TYPE_SIZE) {
      stop = { cause: 'past-end', offset: at, left, kind: 0, vlen: 0, length: 0 };
      break;
    }
    const info = view.getUint32(at + 4, little);
    const kind = infoKind(info);
    const vlen = infoVlen(info);
    const base = fixed[kind] ?? -1;
    const length = base + (item[kind] ?? 0) * vlen;
    if (base < 0 || length > left) {
      const cause = UNKNOWN_CAUSES[-1 - base] ?? 'past-end';
      stop = { cause, offset: at, left, kind, vlen, length: Math.max(0, length) };
      break;
    }
    if (kind === 0 || kind > knownMax) {
      if (seen[kind] === 0) first[kind] = count;
      seen[kind] = (seen[kind] ?? 0) + 1;
    }
    offsets[count++] = at;
    at += length;
  }
  offsets[count] = at;
  return {
    count,
    recordOff: offsets.slice(0, count + 1),
    unknown: unknownKinds(seen, first),
    stop,
  };
}

/** Returns the sizes of the parts of a record by kind; a negative `fixed` is a cause of failure. */
function lengthsByKind(
  layout: BtfLayout | null,
  knownMax: number,
): { fixed: Int16Array; item: Uint8Array } {
  const fixed = new Int16Array(MAX_KINDS).fill(layout === null ? -1 : -2);
  const item = new Uint8Array(MAX_KINDS);
  for (const entry of layout ?? []) {
    fixed[entry.kind] = isUsable(entry) ? BTF_TYPE_SIZE + entry.infoSz : -3;
    item[entry.kind] = isUsable(entry) ? entry.elemSz : 0;
  }
  for (let kind = layout?.[0] === undefined ? 0 : 1; kind <= knownMax; kind++) {
    const known = kindLayout(kind) ?? { fixed: 0, item: 0 };
    fixed[kind] = BTF_TYPE_SIZE + known.fixed;
    item[kind] = known.item;
  }
  return { fixed, item };
}

function unknownKinds(seen: Uint32Array, first: Uint32Array): UnknownKind[] {
  const unknown: UnknownKind[] = [];
  for (const [kind, count] of seen.entries()) {
    if (count > 0) unknown.push({ kind, count, firstIndex: first[kind] ?? 0 });
  }
  return unknown;
}
