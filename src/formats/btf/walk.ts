/**
 * One pass over the type section: where does each record begin?
 *
 * Source: "BTF Type Format", section 2.2. A record is 12 bytes and what its
 * kind adds; its length is the only way to find the next. Kinds that are not
 * known are stepped over by the layout section, if there is one. Kind 0 has
 * nothing behind its 12 bytes in any layout, so that it does not end the walk.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';
import type { Span } from '#bytes/span.ts';
import { BTF_KIND_MAX, BTF_TYPE_SIZE, infoKind, infoVlen, kindLayout } from './kinds.ts';
import { type BtfLayout, isUsable } from './layout.ts';

type StopCause =
  /** The kind is not known and there is no layout section. */
  | 'no-layout'
  /** The kind is not known and the layout has no entry for it. */
  | 'outside-layout'
  /** The layout's sizes for the kind are not multiples of 4. */
  | 'odd-layout'
  /** The record runs past the end of the type section. */
  | 'past-end';

/** Why the walk ended before the type section did. */
export type WalkStop = {
  readonly cause: StopCause;
  /** Offset in the blob of the record that could not be read. */
  readonly offset: number;
  /** Bytes from there to the end of the type section. */
  readonly left: number;
  /** 0 when fewer than 12 bytes are left, as `vlen` and `length` then are. */
  readonly kind: number;
  readonly vlen: number;
  /** Bytes of the record as far as they are known; 0 = not known. */
  readonly length: number;
};

/** Records of one kind that this reader does not know, kept as they are. */
type UnknownKind = {
  readonly kind: number;
  readonly count: number;
  /** Number of the first such record, from 0. */
  readonly firstIndex: number;
};

export type Walk = {
  /** Number of complete records. */
  readonly count: number;
  /** Offset in the blob of each record, and of the end of the last: `count + 1` entries. */
  readonly recordOff: Uint32Array<ArrayBuffer>;
  /** Kind 0 and kinds over the highest known one, ascending. */
  readonly unknown: readonly UnknownKind[];
  /** null when the records end where the type section does. */
  readonly stop: WalkStop | null;
};

/** What a record length of -1, -2, -3 stands for. */
const UNKNOWN_CAUSES: readonly StopCause[] = ['no-layout', 'outside-layout', 'odd-layout'];

/**
 * Walks the records of `types` in `blob`, whose byte order must be set. Kinds over
 * `knownMax` are stepped over by the layout alone, as readers do that are older.
 * Throws `Malformed` where
 * `types` runs past the end, never on what the records say.
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
  // Every record has at least 12 bytes that are really there, so this is an
  // upper bound by the size of the data and not by a number in it.
  const offsets = new Uint32Array(Math.floor((types.end - types.start) / BTF_TYPE_SIZE) + 1);
  const seen = new Uint32Array(128);
  const first = new Uint32Array(128);
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

/** Bytes of a record by kind, with the common 12; `fixed` is below 0 where that is not known: see `UNKNOWN_CAUSES`. */
function lengthsByKind(
  layout: BtfLayout | null,
  knownMax: number,
): { fixed: Int16Array; item: Uint8Array } {
  const fixed = new Int16Array(128).fill(layout === null ? -1 : -2);
  const item = new Uint8Array(128);
  for (const entry of layout ?? []) {
    fixed[entry.kind] = isUsable(entry) ? BTF_TYPE_SIZE + entry.infoSz : -3;
    item[entry.kind] = isUsable(entry) ? entry.elemSz : 0;
  }
  for (let kind = 0; kind <= knownMax; kind++) {
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
