import { visible } from '#bytes/text.ts';

/** Gives the person bytes as a file, by the browser's own download. Nothing leaves the page. */
export function saveFile(name: string, bytes: Uint8Array | string): void {
  const content = typeof bytes === 'string' ? bytes : new Uint8Array(bytes);
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = downloadName(name);
  link.click();
  // The browser reads it after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** File systems allow 255, and browsers put a number behind what is there already. */
const MAX_BYTES = 240;
/** Of the ends of a name that is longer, in characters of up to four bytes. */
const KEPT_CHARACTERS = 29;

/**
 * `name` without what is invisible or turns the direction (`\u202egpj.exe` looks like
 * another type of file) and without what file systems keep for themselves. A long one loses
 * its middle, so that its ending stays.
 */
export function downloadName(name: string): string {
  const plain = visible(name).replace(/[<>:"/\\|?*]/g, '_');
  if (new TextEncoder().encode(plain).length <= MAX_BYTES) return plain;
  const characters = Array.from(plain);
  const [start, end] = [characters.slice(0, KEPT_CHARACTERS), characters.slice(-KEPT_CHARACTERS)];
  return `${start.join('')}…${end.join('')}`;
}
