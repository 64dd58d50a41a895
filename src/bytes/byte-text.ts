/** Returns a text with one character per byte, for comparisons in the order of `strcmp`. */
export function byteText(bytes: Uint8Array): string {
  if (bytes.length <= 64) return Reflect.apply(String.fromCharCode, null, bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) {
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + 4096));
  }
  return text;
}
