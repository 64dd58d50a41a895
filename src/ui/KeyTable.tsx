import { Kbd } from './Kbd.tsx';
import styles from './KeyTable.module.css';
import type { KeyBinding } from './keys.ts';

/** Keys and what they do, a row for each. */
export function KeyTable({
  rows,
}: {
  readonly rows: readonly Pick<KeyBinding, 'keys' | 'does'>[];
}) {
  return (
    <dl className="grid gap-2">
      {rows.map(({ keys, does }) => (
        <div key={`${keys.join(' ')} ${does}`} className={styles.row}>
          <dt className="wrapping gap-1">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
