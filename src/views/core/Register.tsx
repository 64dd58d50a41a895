import type { RegisterPicture, RegisterRow } from './core-numbers.ts';
import styles from './Register.module.css';

/** A bit-field on its way through a 64-bit register, bit 63 at the left. */
export function Register({ picture }: { readonly picture: RegisterPicture }) {
  const { width, rows } = picture;
  return (
    <figure className={styles.figure}>
      {rows.map((row) => (
        <div key={row.words} className={styles.row}>
          <span className={styles.words}>{row.words}</span>
          <div role="img" aria-label={placeOf(row, width)} className={styles.register}>
            <span className={styles.loaded} style={{ width: percent(row.loadedBits) }} />
            <span
              className={styles.field}
              style={{ right: percent(row.lowBit), width: percent(width) }}
            />
          </div>
        </div>
      ))}
      <figcaption className={styles.caption}>
        <span>bit 63</span>
        <span>
          {width === 1 ? 'the one bit' : `the ${width} bits`} of the field in a 64-bit register
        </span>
        <span>0</span>
      </figcaption>
    </figure>
  );
}

function placeOf({ lowBit }: RegisterRow, width: number): string {
  return `The bit-field is in bits ${lowBit + width - 1} to ${lowBit} of the register`;
}

function percent(bits: number): string {
  return `${(100 * bits) / 64}%`;
}
