import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { Kbd } from './Kbd.tsx';
import styles from './SearchBox.module.css';

type SearchBoxProps = {
  /** Accessible name; also shown while the box is empty unless there is a `placeholder`. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** A key that leads here, shown while the box is empty. Whoever wires the keys makes it true. */
  readonly hint?: string;
  /** How much was found, such as "12 of 130,000"; read out when it changes. */
  readonly found?: string;
  /** Before the box looks at a key; for keys that go on to a list. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
};

/** A search field. Escape and the cross empty it. */
export function SearchBox(props: SearchBoxProps) {
  const { label, value, onChange, placeholder, hint, found, onKeyDown, inputRef } = props;
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  return (
    <div className={styles.box}>
      <Search size={14} aria-hidden className={styles.icon} />
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          if (event.key !== 'Escape' || value === '' || event.defaultPrevented) return;
          event.preventDefault();
          onChange('');
        }}
      />
      <span aria-live="polite" className={styles.found}>
        {found}
      </span>
      {value === '' ? (
        hint !== undefined && (
          <span aria-hidden className={styles.hint}>
            <Kbd>{hint}</Kbd>
          </span>
        )
      ) : (
        <button
          type="button"
          className={styles.clear}
          aria-label="Clear the search"
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
