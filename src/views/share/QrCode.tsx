import { useMemo } from 'react';
import { grouped } from '#ui/grouped.ts';
import styles from './QrCode.module.css';
import { qrPath } from './qr-path.ts';

/** Modules a side from which on a phone has to come close. */
const DENSE = 100;

/** The link as a QR code, for the room. Dark on light in both themes: readers expect it. */
export function QrCode({ text }: { readonly text: string }) {
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
        aria-label="QR code of the link"
      >
        <path d={path} className={styles.dark} />
      </svg>
      {size > DENSE ? (
        <figcaption className={styles.caption}>Dense code: hold the camera close.</figcaption>
      ) : null}
    </figure>
  );
}
