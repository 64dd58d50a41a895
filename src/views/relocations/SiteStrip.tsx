import { hexByte } from '#ui/hex-marks.ts';
import type { RelocTone } from '#ui/tone.ts';
import { hexText } from '#views/parts/number-text.ts';
import styles from './SiteStrip.module.css';
import type { SiteByte } from './site-bytes.ts';

type SiteStripProps = {
  readonly bytes: readonly SiteByte[];
  readonly tone: RelocTone;
  /** Whether the result is known, so that there is something after. */
  readonly hasAfter: boolean;
};

const PER_LINE = 8;

/** The bytes around the site, before the entry is applied and after. */
export function SiteStrip({ bytes, tone, hasAfter }: SiteStripProps) {
  const lines: SiteByte[][] = [];
  for (let at = 0; at < bytes.length; at += PER_LINE) lines.push(bytes.slice(at, at + PER_LINE));
  const isChanged = bytes.some(({ before, after }) => before !== after);
  return (
    <div className={styles.strips}>
      <Strip label="In the file" lines={lines} tone={tone} pick={({ before }) => before} />
      {!hasAfter ? null : isChanged ? (
        <Strip label="By the formula" lines={lines} tone={tone} pick={({ after }) => after} />
      ) : (
        <p className={styles.same}>The formula gives what is there already.</p>
      )}
    </div>
  );
}

type StripProps = {
  readonly label: string;
  readonly lines: readonly (readonly SiteByte[])[];
  readonly tone: RelocTone;
  readonly pick: (byte: SiteByte) => number;
};

function Strip({ label, lines, tone, pick }: StripProps) {
  return (
    <table className={styles.strip}>
      <caption className={styles.label}>{label}</caption>
      <tbody>
        {lines.map((line) => (
          <tr key={line[0]?.offset}>
            <th scope="row">{hexText(line[0]?.offset ?? 0)}</th>
            {line.map((byte) => (
              <td
                key={byte.offset}
                className={byte.isSite ? styles.site : undefined}
                data-tone={byte.isSite ? tone : undefined}
              >
                {hexByte(pick(byte))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
