/** Selected bytes as text for the clipboard. */
import { hexByte } from '#ui/hex-marks.ts';

/** More than this would stall the page and serves nobody as text. */
export const MAX_COPIED_BYTES = 1 << 20;

/** `18 01 00 00`. */
export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, hexByte).join(' ');
}

const PER_LINE = 12;

/** A C array as `xxd -i` lays it out, twelve bytes to a line, with where the bytes came from. */
export function cArrayText(bytes: Uint8Array, fileOffset: number): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += PER_LINE) {
    const line = Array.from(bytes.subarray(at, at + PER_LINE), (byte) => `0x${hexByte(byte)}`);
    lines.push(`  ${line.join(', ')}`);
  }
  const head = `/* file offset 0x${fileOffset.toString(16)} */`;
  return `${head}\nunsigned char bytes[${bytes.length}] = {\n${lines.join(',\n')}\n};\n`;
}

/** More arguments than this at once may be refused by an engine. */
const CHUNK = 8192;

/** Base64 with padding, in one line. */
export function base64Text(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}
