import type { RelocationDetail } from '#analysis/objects/relocation-facts.ts';
import { BitRuler } from '#views/parts/BitRuler.tsx';

/** A stored word of the entry, cut into its fields. */
export function WordRuler({ word }: { readonly word: NonNullable<RelocationDetail['word']> }) {
  return (
    <BitRuler
      label={word.label}
      parts={word.parts.map(({ field, length, value, meaning }) => ({
        field,
        length,
        value,
        about: meaning,
      }))}
    />
  );
}
