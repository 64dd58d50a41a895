import { shareText, sizeText } from '#views/parts/number-text.ts';
import styles from './FileMap.module.css';
import { type DrawnPart, familySizes } from './file-map.ts';
import { FAMILIES } from './section-family.ts';

/** What the colours of the map mean, and how much of the file each family takes. */
export function FileMapLegend({
  drawn,
  fileSize,
}: {
  readonly drawn: readonly DrawnPart[];
  readonly fileSize: number;
}) {
  return (
    <ul className={styles.legend} aria-label="What the file is made of">
      {familySizes(drawn).map(({ family, size }) => (
        <li key={family} className={styles.legendItem}>
          <span
            aria-hidden
            className={styles.swatch}
            data-tone={FAMILIES[family].tone}
            data-family={family}
          />
          {FAMILIES[family].word}{' '}
          <span className={styles.legendSize} title={sizeText(size)}>
            {shareText(size, fileSize)}
          </span>
        </li>
      ))}
    </ul>
  );
}
