/** What has to be read of a file that begins as BTF: up to the end of its last section, however long the file is. */
import { ByteReader } from '#bytes/byte-reader.ts';
import { Malformed } from '#bytes/issue.ts';
import type { ByteSource } from '#bytes/source.ts';
import { BTF_HEADER_SIZE, BTF_HEADER_SIZE_LAYOUT, magicEndian } from '#formats/btf/header.ts';
import { MEMORY_LIMIT } from './unpack.ts';

/**
 * The bytes of the blob that `source` begins with; all of the file where its
 * header says more or nothing. Throws `Malformed` (`btf.too-large`).
 */
export async function readBlob(source: ByteSource): Promise<Uint8Array> {
  const head = new ByteReader(await source.read(0, BTF_HEADER_SIZE_LAYOUT), source.name);
  const end = Math.min(source.size, declaredEnd(head) ?? source.size);
  if (end > MEMORY_LIMIT) {
    throw new Malformed({
      code: 'btf.too-large',
      region: source.name,
      message: `${source.name}: BTF of ${end} bytes is more than can be held`,
      span: head.span(0, head.length),
      expected: `at most ${MEMORY_LIMIT} bytes`,
      found: `${end} bytes`,
    });
  }
  return source.read(0, end);
}

/** Where the last section ends by the words of the header, which are not checked here; null where they are not all there. */
function declaredEnd(head: ByteReader): number | null {
  const endian = magicEndian(head);
  if (endian === null || head.length < BTF_HEADER_SIZE) return null;
  const r = head.as(endian);
  const hdrLen = r.u32(4);
  const ends = [r.u32(8) + r.u32(12), r.u32(16) + r.u32(20)];
  if (hdrLen >= BTF_HEADER_SIZE_LAYOUT && r.length >= BTF_HEADER_SIZE_LAYOUT) {
    ends.push(r.u32(24) + r.u32(28));
  }
  return Math.max(BTF_HEADER_SIZE, hdrLen + Math.max(...ends));
}
