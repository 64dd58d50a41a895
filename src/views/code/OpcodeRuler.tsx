import { opcodeParts } from '#analysis/structure/opcode-parts.ts';
import { BitRuler } from '#views/parts/BitRuler.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import styles from './OpcodeRuler.module.css';

/** The eight bits of an opcode from the highest to the lowest, in the groups that mean something. */
export function OpcodeRuler({ opcode }: { readonly opcode: number }) {
  return (
    <div className={styles.ruler}>
      <span className={styles.byte}>
        <Term id="opcode">code</Term> <b>{hexText(opcode)}</b>
      </span>
      <BitRuler
        label="Opcode bits"
        parts={opcodeParts(opcode).map(({ field, bits, name, about }) => ({
          field,
          length: bits.length,
          value: BigInt(`0b${bits}`),
          name: name || '?',
          about,
        }))}
      />
    </div>
  );
}
