// Makes BTF with a struct of many members: up to 65,535 in the usual encoding, and more with the
// vlen of 24 bits of the encoding of 2026.
import { BtfStrings, btfBlob, infoOf, KIND } from '../btf-blob.mjs';

/** Returns BTF with `struct wide` of `count` members, and a pointer and a typedef for it. */
export function wideStruct(count) {
  const strings = new BtfStrings();
  const add = (text) => strings.offset(text);
  // Types 1 to 3 are int, long and a pointer to the struct, which is type 4.
  const head = [add('int'), infoOf(KIND.INT), 4, 0x01000020];
  head.push(add('long'), infoOf(KIND.INT), 8, 0x01000040);
  head.push(0, infoOf(KIND.PTR), 4);
  head.push(add('wide'), infoOf(KIND.STRUCT, count), 0);
  const sizeAt = head.length - 1;
  const members = new Uint32Array(count * 3);
  let byteOffset = 0;
  for (let i = 0; i < count; i++) {
    // Members repeat: two of eight bytes, one of four, then a hole.
    const type = 1 + (i % 3);
    const size = type === 1 ? 4 : 8;
    byteOffset = Math.ceil(byteOffset / size) * size;
    members[i * 3] = add(`field_${i}`);
    members[i * 3 + 1] = type;
    members[i * 3 + 2] = byteOffset * 8;
    byteOffset += size;
  }
  head[sizeAt] = Math.ceil(byteOffset / 8) * 8;
  const tail = [add('wide_t'), infoOf(KIND.TYPEDEF), 4];
  return btfBlob({ types: [head, members, tail], strings: strings.bytes });
}
