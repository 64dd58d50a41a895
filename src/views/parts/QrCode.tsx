import { useMemo } from 'react';
import { encode } from 'uqr';
import { grouped } from '#ui/grouped.ts';
import styles from './QrCode.module.css';

/** Modules per side above which a phone must come close. */
const DENSE = 100;

/** A text as a QR code. Dark on light in both themes: readers expect it. */
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

/** Bytes in a QR code of the largest size with the lowest error correction (ISO/IEC 18004). */
const MAX_QR_LENGTH = 2953;
/** Light modules around the code (ISO/IEC 18004). */
const QUIET_ZONE = 4;

type QrPath = {
  /** Modules per side, including the quiet zone. */
  readonly size: number;
  /** The `d` of an SVG path with a rectangle per run of dark modules. */
  readonly path: string;
};

/** Returns the QR code of a text; null if the text is too long. */
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
