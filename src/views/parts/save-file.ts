import { downloadName } from './download-name.ts';

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
