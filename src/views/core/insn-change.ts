/** An instruction before and after a relocation: its bytes, and which of its fields differ. */
import type { CoreResult } from '#analysis/core/resolve.ts';
import { type InsnField, insnFields } from '#views/parts/insn-fields.ts';

export type InsnChange = {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Fields whose bytes differ. */
  readonly changed: readonly InsnField['name'][];
};

/** Null where the record is at no instruction. */
export function insnChange({
  insnBefore,
  insnAfter,
}: Pick<CoreResult, 'insnBefore' | 'insnAfter'>): InsnChange | null {
  const before = bytesOfHex(insnBefore);
  const after = bytesOfHex(insnAfter);
  if (before.length === 0) return null;
  const changed = insnFields(before.length)
    .filter(({ start, end }) => {
      for (let at = start; at < end; at++) if (before[at] !== after[at]) return true;
      return false;
    })
    .map(({ name }) => name);
  return { before, after, changed };
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
}
