/** Numbers and bytes as hexadecimal text, for messages. */

/** `value` as it is written in C: `0x` and at least `digits` digits. */
export function hexNumber(value: number | bigint, digits = 8): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}

/** `bytes` in their order, two digits each. */
export function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
