/**
 * The section `.BTF_ids`: lists and sets of type ids. Symbols mark the start of each; the kernel
 * build fills in the ids. Source: "BTF Type Format", section 4.3; include/linux/btf_ids.h.
 */
import type { ByteReader } from '#bytes/byte-reader.ts';

export const BTF_IDS_SECTION = '.BTF_ids';

/** `list`: only ids. `set`: `struct btf_id_set`. `set8`: `struct btf_id_set8`, ids with flags. */
export type BtfIdGroupKind = 'list' | 'set' | 'set8';

/** Meaning of a symbol in the section `.BTF_ids`. */
export type BtfIdLabel =
  | { readonly what: BtfIdGroupKind; readonly name: string }
  /** A symbol of one id. `typeKind` is `struct`, `union`, `typedef` or `func`. */
  | { readonly what: 'id'; readonly typeKind: string; readonly name: string };

const PREFIX = '__BTF_ID__';

/** Parses a symbol: `__BTF_ID__set8__NAME`, `__BTF_ID__struct__NAME__1`, or the name of a list. */
export function btfIdLabel(symbol: string): BtfIdLabel {
  const [, word = '', rest = ''] = /^__BTF_ID__([^_]+)__(.+)$/.exec(symbol) ?? [];
  if (!symbol.startsWith(PREFIX) || word === '') return { what: 'list', name: symbol };
  if (word === 'set' || word === 'set8') return { what: word, name: rest };
  // The number after the name distinguishes symbols of the same id.
  return { what: 'id', typeKind: word, name: rest.replace(/__\d+$/, '') };
}

export type BtfIdGroup = {
  /** Field `cnt` of a set as stored; null for a list, which has no `cnt`. */
  readonly cnt: number | null;
  /** Field `flags` of a set8; 0 for a list or set. */
  readonly flags: number;
  /** Offset of the first entry in bytes from the start of the section. */
  readonly entriesOffset: number;
  /** Size of an entry in bytes: 4 for an id, 8 for an id and its flags. */
  readonly entrySize: 4 | 8;
  readonly count: number;
};

/**
 * Reads the list or set at `offset`, which must end before `end`. `declaredSize` is the size of its
 * symbol, which gives the number of ids before the build fills them in. Throws `Malformed`.
 */
export function readBtfIdGroup(
  section: ByteReader,
  kind: BtfIdGroupKind,
  offset: number,
  end: number,
  declaredSize: number,
): BtfIdGroup {
  const entrySize = kind === 'set8' ? 8 : 4;
  const headerSize = kind === 'list' ? 0 : entrySize;
  const room = Math.floor((end - offset - headerSize) / entrySize);
  const entriesOffset = offset + headerSize;
  if (kind === 'list') return { cnt: null, flags: 0, entriesOffset, entrySize, count: room };
  const cnt = section.u32(offset, 'cnt of a set');
  const flags = kind === 'set8' ? section.u32(offset + 4, 'flags of a set') : 0;
  const bySize = Math.floor(Math.max(0, declaredSize - headerSize) / entrySize);
  return {
    cnt,
    flags,
    entriesOffset,
    entrySize,
    count: Math.max(0, Math.min(cnt || bySize, room)),
  };
}
