// A BTF blob out of words and strings. Source: Documentation/bpf/btf.rst, section 2.

const HEADER_LENGTH = 24;

/** A little-endian blob: header, the 32-bit words of all `parts` in order, and the strings. */
export function btfBlob(parts, strings) {
  const typeLen = parts.reduce((sum, words) => sum + words.byteLength, 0);
  const stringBytes = Buffer.from(strings);
  const header = Buffer.alloc(HEADER_LENGTH);
  header.writeUInt16LE(0xeb9f, 0);
  header.writeUInt8(1, 2);
  header.writeUInt32LE(HEADER_LENGTH, 4);
  header.writeUInt32LE(typeLen, 12);
  header.writeUInt32LE(typeLen, 16);
  header.writeUInt32LE(stringBytes.length, 20);
  const words = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  return Buffer.concat([header, ...words, stringBytes]);
}
