/** Does an instruction hold what the local types give it must? In words. */
import type { LocalValue } from '#analysis/core/core-value.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { type InsnField, insnFields } from '#views/parts/InsnText.tsx';
import { valueText } from './record-rows.ts';

export type PatchVerdict = {
  readonly tone: 'ok' | 'danger' | 'neutral';
  readonly title: string;
  readonly words: string;
};

/** `found` is what the instruction holds; null where libbpf patches no such instruction. */
export function patchVerdict(found: bigint | null, local: LocalValue): PatchVerdict {
  if (found === null) {
    return {
      tone: 'danger',
      title: 'Cannot be patched',
      words:
        'libbpf patches the imm of arithmetic and of ld_imm64 and the off of loads and stores. It rejects a program with a relocation on any other instruction.',
    };
  }
  if (local.value === null) {
    return {
      tone: 'danger',
      title: 'No local value',
      words: `libbpf finds no value on the local types: ${local.error ?? 'it does not say why'}.`,
    };
  }
  if (found === local.value) {
    return {
      tone: 'ok',
      title: 'Matches',
      words: `It holds ${valueText(found)}, the value computed from the local types.`,
    };
  }
  return local.validate
    ? {
        tone: 'danger',
        title: 'Differs',
        words: `It holds ${valueText(found)}, the local types give ${valueText(local.value)}: libbpf rejects the program.`,
      }
    : {
        tone: 'neutral',
        title: 'Not compared',
        words: `It holds ${valueText(found)}, the local types give ${valueText(local.value)}. libbpf does not compare the two for this kind.`,
      };
}

/** An instruction before and after a relocation: its bytes, and which of its fields differ. */

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
