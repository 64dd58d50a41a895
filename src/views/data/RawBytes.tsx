import type { InitialBytes } from '#analysis/values/object-data.ts';
import { Code } from '#ui/Code.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './detail.module.css';

const MOST = 1024;
const IN_ROW = 16;

/** Bytes that no type is known for. */
export function RawBytes({ initial }: { readonly initial: InitialBytes | null }) {
  if (initial === null) return <p className={styles.note}>Its bytes are not in this file.</p>;
  const count = Math.min(MOST, initial.byteLength);
  const rows: string[] = [];
  for (let at = 0; at < count; at += IN_ROW) {
    const row = Array.from({ length: Math.min(IN_ROW, count - at) }, (_, i) =>
      (initial.bytes[at + i] ?? 0).toString(16).padStart(2, '0'),
    );
    rows.push(row.join(' '));
  }
  return (
    <>
      <p className={styles.note}>
        BTF says nothing of its type. {countOf(initial.byteLength, 'byte')}
        {initial.bytes.length === 0 && initial.byteLength > 0 ? ', all zeros' : ''}
        {count < initial.byteLength ? `; the first ${MOST}:` : ':'}
      </p>
      <Code label="Bytes of the variable" text={rows.join('\n')} />
    </>
  );
}
