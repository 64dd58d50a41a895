/**
 * Which names the kernel takes. Source: kernel/bpf/btf.c, the functions
 * btf_name_valid_identifier and btf_name_valid_section, with the letters of
 * lib/ctype.c, which are those of Latin-1. Strings are bytes.
 */

/** KSYM_NAME_LEN: the characters that a name may have. */
const NAME_LIMIT = 512;

/** An identifier, dots included, at `start` of `bytes`; it ends at NUL or at the end of `bytes`. */
export function isIdentifier(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] ?? 0;
  if (!isNameByte(first) || isDigit(first)) return false;
  return endsWithin(bytes, start, isNameByte);
}

/** A section name: any printable characters, at least one. */
export function isSectionName(bytes: Uint8Array, start: number): boolean {
  return isPrintable(bytes[start] ?? 0) && endsWithin(bytes, start, isPrintable);
}

function endsWithin(bytes: Uint8Array, start: number, ok: (byte: number) => boolean): boolean {
  for (let at = start; at < start + NAME_LIMIT; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0) return true;
    if (!ok(byte)) return false;
  }
  return (bytes[start + NAME_LIMIT] ?? 0) === 0;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isNameByte(byte: number): boolean {
  const lower = byte | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return true;
  if (byte === 0x5f || byte === 0x2e || isDigit(byte)) return true;
  // Latin-1 letters; the signs for times and divided by stand among them.
  return byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7;
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte >= 0xa0;
}
