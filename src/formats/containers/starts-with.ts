/** True if `bytes` has `magic` at `byteOffset`; a string means its character codes. */
export function startsWith(
  bytes: Uint8Array,
  magic: string | readonly number[],
  byteOffset = 0,
): boolean {
  for (let i = 0; i < magic.length; i++) {
    const wanted = typeof magic === 'string' ? magic.charCodeAt(i) : magic[i];
    if (bytes[byteOffset + i] !== wanted) return false;
  }
  return true;
}
