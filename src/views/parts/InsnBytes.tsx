import styles from './InsnBytes.module.css';
import { hexBytes, type InsnField, insnFields } from './insn-fields.ts';

/**
 * The 8 or 16 bytes of an instruction in hex, its fields told apart. Those in
 * `boxed` have a frame: what a relocation patches.
 */
export function InsnBytes({
  bytes,
  boxed = [],
}: {
  readonly bytes: Uint8Array;
  readonly boxed?: readonly InsnField['name'][];
}) {
  return (
    <code className={styles.bytes}>
      {insnFields(bytes.length).map(({ name, start, end }) => (
        <span key={name}>
          <span data-field={name} data-boxed={boxed.includes(name) ? '' : undefined}>
            {hexBytes(bytes.subarray(start, end))}
          </span>{' '}
        </span>
      ))}
    </code>
  );
}
