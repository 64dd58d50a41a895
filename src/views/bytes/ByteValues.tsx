import type { Endian } from '#bytes/span.ts';
import { grouped } from '#ui/grouped.ts';
import styles from './ByteValues.module.css';
import { characterOf, readNumbers } from './byte-values.ts';

type ByteValuesProps = {
  /** The byte and up to seven behind it. */
  readonly bytes: Uint8Array;
  readonly endian: Endian;
};

/** What the bytes from here on are as numbers in the file's byte order. */
export function ByteValues({ bytes, endian }: ByteValuesProps) {
  const [byte] = bytes;
  if (byte === undefined) return null;
  const character = characterOf(byte);
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>
        {endian === 'little' ? 'Little-endian' : 'Big-endian'}
        {character === '' ? null : (
          <span className={styles.ascii}>
            ASCII <span className={styles.character}>{character}</span>
          </span>
        )}
      </caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Bits</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {readNumbers(bytes, endian).map(({ bits, hex, unsigned, signed }) => (
          <tr key={bits}>
            <th scope="row">u{bits}</th>
            <td>
              <span className={styles.readings}>
                {hex} <span className={styles.number}>{grouped(unsigned)}</span>
              </span>
              {signed < 0n ? (
                <span className={styles.signed}>
                  <span className={styles.signedWord}>i{bits}</span> −{grouped(-signed)}
                </span>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
