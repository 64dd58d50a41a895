import { hexText } from '#views/parts/number-text.ts';
import styles from './OpcodeRuler.module.css';
import { opcodeParts } from './opcode-parts.ts';

/** The eight bits of an opcode from the highest to the lowest, in the groups that mean something. */
export function OpcodeRuler({ opcode }: { readonly opcode: number }) {
  return (
    <div className={styles.ruler}>
      <span className={styles.byte}>
        code <b>{hexText(opcode)}</b>
      </span>
      <ol className={styles.parts} aria-label="Opcode bits">
        {opcodeParts(opcode).map(({ field, bits, name, about }) => (
          <li key={field} className={styles.part} style={{ flexGrow: bits.length + 2 }}>
            <span className={styles.bits}>{bits}</span>
            <span className={styles.field}>{field}</span>
            <span className={styles.name}>{name || '?'}</span>
            <span className={styles.about}>{about}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
