import styles from './HexGrid.module.css';
import { ASCII_GAP } from './hex-layout.ts';

type HexHeaderProps = {
  readonly baseOffset: number;
  readonly columns: number;
  readonly offsetDigits: number;
  /** CSS pixels. */
  readonly height: number;
};

/** The header row of a HexGrid: the last digit or two of the offset in each column. */
export function HexHeader({ baseOffset, columns, offsetDigits, height }: HexHeaderProps) {
  return (
    <thead className={styles.header}>
      <tr
        className={styles.headerRow}
        aria-rowindex={1}
        style={{ height, lineHeight: `${height}px` }}
      >
        <th scope="col" className={styles.offset} aria-colindex={1}>
          <span className={styles.offsetHeader} style={{ width: `${offsetDigits + 2}ch` }}>
            Offset
          </span>
        </th>
        {Array.from({ length: columns }, (_, column) => {
          const digit = ((baseOffset + column) % columns).toString(16);
          return (
            <th key={digit} scope="col" className={styles.cell} aria-colindex={column + 2}>
              {digit.padStart(2, '0')}
            </th>
          );
        })}
        <td
          aria-hidden
          className={styles.ascii}
          style={{ width: `${columns}ch`, marginLeft: `${ASCII_GAP}ch` }}
        >
          ASCII
        </td>
      </tr>
    </thead>
  );
}
