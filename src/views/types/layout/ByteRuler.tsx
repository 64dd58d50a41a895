import styles from './ByteRuler.module.css';

/** Names of the byte columns: each of 8 or 16, every eighth of 64. */
export function ByteRuler({
  lineBytes,
  height,
}: {
  readonly lineBytes: number;
  /** CSS pixels. */
  readonly height: number;
}) {
  const step = lineBytes > 16 ? 8 : 1;
  const bytes = Array.from({ length: lineBytes / step }, (_, i) => i * step);
  return (
    <div className={styles.ruler} style={{ height }} aria-hidden="true">
      <span />
      <span
        className={styles.bytes}
        style={{ gridTemplateColumns: `repeat(${bytes.length}, minmax(0, 1fr))` }}
      >
        {bytes.map((byte) => (
          <span key={byte} className={styles.byte}>
            +{byte.toString(16)}
          </span>
        ))}
      </span>
    </div>
  );
}
