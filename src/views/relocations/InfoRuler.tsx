import { Name } from '#views/parts/Name.tsx';
import styles from './InfoRuler.module.css';
import { type InfoBits, infoDigits } from './info-bits.ts';

type InfoRulerProps = {
  readonly bits: InfoBits;
  readonly typeName: string;
  /** Raw text. */
  readonly symbol: string;
};

/** `r_info` as its digits, split into the symbol and the type that they say. */
export function InfoRuler({ bits, typeName, symbol }: InfoRulerProps) {
  const { width, splitBit } = bits;
  const [symbolDigits, typeDigits] = infoDigits(bits);
  return (
    <dl className={styles.ruler}>
      <div className={styles.part}>
        <dt className={styles.bits}>
          <span>{width - 1}</span>
          <span className={styles.what}>symbol</span>
          <span>{splitBit}</span>
        </dt>
        <dd>
          <span className={styles.digits}>{symbolDigits}</span>
          <span className={styles.means}>
            {bits.symbol} <Name text={symbol} otherwise="(no symbol)" />
          </span>
        </dd>
      </div>
      <div className={styles.part}>
        <dt className={styles.bits}>
          <span>{splitBit - 1}</span>
          <span className={styles.what}>type</span>
          <span>0</span>
        </dt>
        <dd>
          <span className={styles.digits}>{typeDigits}</span>
          <span className={styles.means}>
            {bits.type} <span className={styles.mono}>{typeName}</span>
          </span>
        </dd>
      </div>
    </dl>
  );
}
