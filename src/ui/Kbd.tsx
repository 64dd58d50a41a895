import styles from './Kbd.module.css';
import type { KeyBinding } from './keys.ts';

/** One key, as it is printed on the keyboard. */
export function Kbd({ children }: { readonly children: string }) {
  return <kbd className={styles.kbd}>{children}</kbd>;
}

/** Keys and what they do, a row for each. */
export function KeyTable(props: { readonly rows: readonly Pick<KeyBinding, 'keys' | 'does'>[] }) {
  const { rows } = props;
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
