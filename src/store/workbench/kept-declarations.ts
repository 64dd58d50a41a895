/** What was typed last, kept in the browser, so that it is there after a reload. It never leaves the browser. */
import { type Declarations, fitsWorkbench } from '#analysis/workbench/declarations-key.ts';

const KEY = 'btfscope-workbench';

/** What was kept; null where there is nothing that can be used, or the storage is forbidden. */
export function keptDeclarations(): Declarations | null {
  try {
    return declarationsIn(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  } catch {
    return null;
  }
}

/** Keeps it in the place of what was kept before, where the storage lets us. */
export function keepDeclarations({ text, endian }: Declarations): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ text, endian }));
  } catch {
    // Full or forbidden: it is there until the page is closed, and links carry it.
  }
}

function declarationsIn(kept: unknown): Declarations | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { text, endian } = { text: null, endian: null, ...kept };
  if (typeof text !== 'string' || !fitsWorkbench(text)) return null;
  return { text, endian: endian === 'big' ? 'big' : 'little' };
}
