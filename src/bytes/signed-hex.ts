/** A whole number in hex with its sign: `0x18`, `-0x10`. */
export function signedHex(value: number | bigint): string {
  return value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}
