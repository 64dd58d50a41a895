import { visible } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import { scrollRegion } from '#ui/scroll-region.ts';
import { hexText } from '#views/parts/number-text.ts';
import styles from './HexPicture.module.css';
import type { HexExcerpt } from './hex-picture.ts';

/** Rows of bytes with what is meant marked, and under them who owns it. */
export function HexPicture({
  hex,
  label,
}: {
  readonly hex: HexExcerpt;
  /** Accessible name, as no other picture has it. */
  readonly label: string;
}) {
  return (
    <div className={styles.hex} {...scrollRegion(label)}>
      <table className={styles.rows}>
        <tbody>
          {hex.rows.map(({ fileOffset, cells, ascii }) => (
            <tr key={fileOffset}>
              <th scope="row">{hexText(fileOffset)}</th>
              {cells.map(({ at, text, isMarked }) => (
                <td key={at} data-marked={isMarked ? '' : undefined}>
                  {text}
                </td>
              ))}
              <td className={styles.ascii}>{ascii}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hex.leftOut > 0 ? <p className="soft">and {grouped(hex.leftOut)} bytes more</p> : null}
      <ul className="grid gap-hair small">
        {hex.owners.map(({ place, name, says }) => (
          <li key={`${place} ${name}`}>
            <span className={styles.place}>{place}</span> <strong>{visible(name)}</strong>
            {says === '' ? '' : ` ${visible(says)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
