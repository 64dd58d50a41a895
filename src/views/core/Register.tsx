import { Fragment } from 'react';
import type { RegisterPicture, RegisterRow } from './core-numbers.ts';
import styles from './Register.module.css';
import { SideHeading } from './SideHeading.tsx';

/** A bit-field on its way through a 64-bit register, bit 63 at the left; null where it is none. */
export function Register({
  picture,
  title,
}: {
  readonly picture: RegisterPicture | null;
  /** Whose it is, where there are two. */
  readonly title: string | null;
}) {
  return (
    <div className={styles.side}>
      {title === null ? null : <SideHeading text={title} />}
      {picture === null ? (
        <p className={styles.none}>No bit-field here: it is loaded as it is.</p>
      ) : (
        <Rows picture={picture} />
      )}
    </div>
  );
}

function Rows({ picture }: { readonly picture: RegisterPicture }) {
  const { width, rows, isSigned } = picture;
  return (
    <figure className={styles.rows}>
      {rows.map((row, at) => (
        <Fragment key={row.words}>
          <span className={styles.words}>{row.words}</span>
          <div role="img" aria-label={placeOf(row, width)} className={styles.register}>
            <span className={styles.loaded} style={{ width: percent(row.loadedBits) }} />
            {isSigned && at === rows.length - 1 ? (
              <span className={styles.sign} style={{ width: percent(64 - width) }} />
            ) : null}
            <span
              className={styles.field}
              style={{ right: percent(row.lowBit), width: percent(width) }}
            />
          </div>
        </Fragment>
      ))}
      <figcaption className={styles.caption}>
        <span>bit 63</span>
        <span>
          {width === 1 ? 'the one bit' : `the ${width} bits`} of the field
          {isSigned ? ', then its sign' : ''}
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
