/** Which types others refer to: an anonymous enum that none does is written by itself. */
import { BtfKind, infoVlen } from '#formats/btf/kinds.ts';
import { ITEMS_AT, MEMBER, PARAM, type Records } from './records.ts';

/**
 * By id, 1 for types that others refer to. Source: libbpf, `btf_dump_mark_referenced`,
 * which leaves out what a function returns.
 */
export function referencedTypes({ words, at, kinds, lastId }: Records): Uint8Array {
  const referenced = new Uint8Array(lastId + 1);
  for (let id = 1; id <= lastId; id++) {
    const start = at[id] ?? 0;
    switch (kinds[id]) {
      case BtfKind.PTR:
      case BtfKind.TYPEDEF:
      case BtfKind.VOLATILE:
      case BtfKind.CONST:
      case BtfKind.RESTRICT:
      case BtfKind.FUNC:
      case BtfKind.VAR:
      case BtfKind.DECL_TAG:
      case BtfKind.TYPE_TAG:
        referenced[words[start + 2] ?? 0] = 1;
        break;
      case BtfKind.ARRAY:
        referenced[words[start + ITEMS_AT] ?? 0] = 1;
        referenced[words[start + ITEMS_AT + 1] ?? 0] = 1;
        break;
      case BtfKind.STRUCT:
      case BtfKind.UNION:
        mark(referenced, words, start + ITEMS_AT + 1, MEMBER, infoVlen(words[start + 1] ?? 0));
        break;
      case BtfKind.DATASEC:
        mark(referenced, words, start + ITEMS_AT, MEMBER, infoVlen(words[start + 1] ?? 0));
        break;
      case BtfKind.FUNC_PROTO:
        mark(referenced, words, start + ITEMS_AT + 1, PARAM, infoVlen(words[start + 1] ?? 0));
        break;
      default:
    }
  }
  return referenced;
}

function mark(
  referenced: Uint8Array,
  words: Uint32Array,
  first: number,
  stride: number,
  count: number,
): void {
  for (let i = 0, at = first; i < count; i++, at += stride) referenced[words[at] ?? 0] = 1;
}
