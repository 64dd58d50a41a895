import { useMemo } from 'react';
import { encode } from 'uqr';
import { grouped } from '#ui/grouped.ts';
import styles from './QrCode.module.css';

/** Number of modules per side above which a phone must come close to read the code. */
const DENSE = 100;

/** Shows a text as a QR code. The code is dark on light in both themes, as readers expect. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = useMemo(() => qrPath(text), [text]);
  if (code === null) {
    return (
      <p className={styles.none}>
        No QR code: {grouped(text.length)} characters are more than one holds.
      </p>
    );
  }
  const { size, path } = code;
  return (
    <figure className={styles.figure}>
      <svg
        className={styles.code}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label={label}
      >
        <path d={path} className={styles.dark} />
      </svg>
      {size > DENSE ? (
        <figcaption className={styles.caption}>Dense code: hold the camera close.</figcaption>
      ) : null}
    </figure>
  );
}

/** Maximum bytes in a QR code: largest size, lowest error correction (ISO/IEC 18004). */
const MAX_QR_LENGTH = 2953;
/** Width in modules of the light border that a QR code needs (ISO/IEC 18004). */
const QUIET_ZONE = 4;

type QrPath = {
  /** Number of modules per side, including the light border. */
  readonly size: number;
  /** Attribute `d` of an SVG path with a rectangle for each run of dark modules. */
  readonly path: string;
};

/** Returns the QR code of a text; null if the text is too long for one. */
export function qrPath(text: string): QrPath | null {
  if (new TextEncoder().encode(text).length > MAX_QR_LENGTH) return null;
  const { size, data } = encode(text, { ecc: 'L', border: QUIET_ZONE });
  const runs: string[] = [];
  for (const [y, row] of data.entries()) {
    for (let x = 0; x < row.length; x++) {
      const start = x;
      while (row[x] === true) x++;
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1h-${x - start}z`);
    }
  }
  return { size, path: runs.join('') };
}
