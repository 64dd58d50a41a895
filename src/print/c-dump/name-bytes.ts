/** Names as the bytes that the file has, without a string for each. */
import type { TypeTable } from '#model/type-table.ts';
import { stringOwner } from '#print/byte-text.ts';

/** The bytes of the string at `nameOff`, without its NUL; none for an offset outside. */
export function nameBytes(types: TypeTable, nameOff: number): Uint8Array {
  const table = stringOwner(types, nameOff);
  if (table === null) return new Uint8Array(0);
  const start = table.strStart + nameOff - table.strBase;
  const rest = table.blob.subarray(start, Math.max(start, table.strEnd));
  const end = rest.indexOf(0);
  return end < 0 ? rest : rest.subarray(0, end);
}

/** Is there anything at `nameOff`? An offset may also lead to the end of another name. */
export function hasText(types: TypeTable, nameOff: number): boolean {
  if (nameOff === 0) return false;
  const table = stringOwner(types, nameOff);
  if (table === null) return false;
  const at = table.strStart + nameOff - table.strBase;
  return at < table.strEnd && table.blob[at] !== 0;
}

/** Is the string at `nameOff` this `text` of characters up to U+007F? */
export function isText(types: TypeTable, nameOff: number, text: string): boolean {
  const table = stringOwner(types, nameOff);
  if (table === null) return false;
  const start = table.strStart + nameOff - table.strBase;
  if (start + text.length > table.strEnd) return false;
  for (let i = 0; i < text.length; i++) {
    if (table.blob[start + i] !== text.charCodeAt(i)) return false;
  }
  return start + text.length === table.strEnd || table.blob[start + text.length] === 0;
}
