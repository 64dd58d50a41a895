/**
 * The rules of libbpf on `.BTF.ext`. A header may be longer than the fields that libbpf knows.
 * Source: libbpf 1.8, btf.c: btf_ext_parse, btf_ext_parse_info, btf_ext_parse_sec_info.
 */
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import {
  BLOCK_HEADER,
  EXT_HEADER_SIZE_CORE,
  EXT_RECORD_SIZE,
  type ExtPartName,
} from '#formats/btf/ext-blocks.ts';
import { magicEndian } from '#formats/btf/header.ts';
import { BTF_VERSION } from '#formats/btf/kinds.ts';
import { type Failure, failed } from './outcome.ts';

/** Size in bytes of a header that ends with `line_info_len`, and of one up to `hdr_len`. */
const HEADER_SIZE = 24;
const PREFIX_SIZE = 8;

/** Parts of `.BTF.ext` with the place of their fields in the header, in libbpf's order. */
const PARTS: readonly (readonly [ExtPartName, number])[] = [
  ['func_info', 8],
  ['line_info', 16],
  ['core_relo', 24],
];

/** Returns the failure of `btf_ext__new`, or null. `native` is the byte order of the machine. */
export function btfExtFailure(bytes: Uint8Array, native: Endian): Failure | null {
  const invalid = failed('EINVAL');
  const endian = magicEndian(new ByteReader(bytes, '.BTF.ext'));
  if (endian === null || bytes.length < PREFIX_SIZE) return invalid;
  const reader = new ByteReader(bytes, '.BTF.ext', endian);
  if (reader.u8(2) !== BTF_VERSION || reader.u8(3) !== 0) return failed('ENOTSUP');
  const headerSize = reader.u32(4);
  if (bytes.length <= headerSize) return invalid;
  if (headerSize < HEADER_SIZE) {
    return failed('EINVAL', 'BTF.ext header missing func_info, line_info');
  }
  for (const [name, field] of PARTS) {
    if (name === 'core_relo' && headerSize < EXT_HEADER_SIZE_CORE) break;
    const part = { start: headerSize + reader.u32(field), length: reader.u32(field + 4) };
    const isValid =
      reader.u32(field) % 4 === 0 && isSoundPart(reader, name, part, endian === native);
    if (part.length > 0 && !isValid) return invalid;
  }
  return null;
}

function isSoundPart(
  reader: ByteReader,
  name: ExtPartName,
  { start, length }: { readonly start: number; readonly length: number },
  isNative: boolean,
): boolean {
  if (length < 4 || start + length > reader.length) return false;
  const recordSize = reader.u32(start);
  const least = EXT_RECORD_SIZE[name];
  if (recordSize < least || recordSize % 4 !== 0 || (!isNative && recordSize !== least))
    return false;
  const end = start + length;
  let at = start + 4;
  if (at === end) return false;
  while (at < end) {
    if (end - at < BLOCK_HEADER) return false;
    const count = reader.u32(at + 4);
    at += BLOCK_HEADER + count * recordSize;
    if (count === 0 || at > end) return false;
  }
  return true;
}
