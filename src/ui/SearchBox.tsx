import { Search, X } from 'lucide-react';
import {
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { grouped } from './grouped.ts';
import { IN_SIGHT, Kbd } from './keys.tsx';
import styles from './SearchBox.module.css';

type SearchBoxProps = {
  /** Accessible name of the search box, by default also its placeholder. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  /** Key that focuses the box, shown in the empty box. The parent must bind the key. */
  readonly hint?: string;
  /** Number of results, such as "12 of 130,000". Screen readers speak a changed number. */
  readonly found?: string;
  /** Called with each key before the box handles the key. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
};

/** Draws a search field. Escape or the cross clears the field. */
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

/** Returns `press`, which runs `act` once results have arrived, and `cancel` for a new text. */
export function useEnter<How>(isWaiting: boolean, act: (how: How) => void) {
  const [pressed, setPressed] = useState<{ readonly how: How } | null>(null);
  const onAnswer = useEffectEvent(act);
  useEffect(() => {
    if (pressed === null || isWaiting) return;
    setPressed(null);
    onAnswer(pressed.how);
  }, [pressed, isWaiting]);
  return {
    press: (how: How) => setPressed({ how }),
    cancel: () => setPressed(null),
  };
}

/** Returns the state of a filter box. `query` gets the typed text after the text is drawn. */
export function useFilter() {
  const [value, onChange] = useState('');
  const query = useDeferredValue(value);
  return { query, box: { value, onChange, isWaiting: query !== value } };
}

type FoundListProps = Omit<ComponentProps<typeof SearchBox>, 'onKeyDown'> & {
  /** Number of rows that pass the filter, and of all rows. Shown while the box has text. */
  readonly count?: readonly [passing: number, total: number];
  /** Whether the list still shows the results of an earlier text. */
  readonly isWaiting?: boolean;
  /** Called after Enter, once the list shows the results of the text. */
  readonly onEnter?: (event: { readonly isShift: boolean }) => void;
};

/** Draws the search box of a list in the same landmark. Down goes to the next row of the list. */
export function FoundList(props: FoundListProps) {
  const { count, isWaiting = false, onEnter, onChange, ...box } = props;
  const enter = useEnter(isWaiting, (isShift: boolean) => onEnter?.({ isShift }));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && onEnter !== undefined) {
      event.preventDefault();
      enter.press(event.shiftKey);
    } else if (event.key === 'ArrowDown') {
      const list = listBeside(event.currentTarget);
      if (list === null) return;
      event.preventDefault();
      list.focus();
      // The list selects its first or next row, as if it had the focus when the key was pressed.
      list.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    }
  };
  const counted =
    count === undefined || box.value === ''
      ? {}
      : { found: `${grouped(count[0])} of ${grouped(count[1])}` };
  return (
    <SearchBox
      {...counted}
      {...box}
      onKeyDown={onKeyDown}
      onChange={(value) => {
        enter.cancel();
        onChange(value);
      }}
    />
  );
}

const LIST = `:is([role="listbox"], [role="grid"])${IN_SIGHT}`;

/** Returns the list or table in the same landmark or dialog as `box`; null if there is none. */
function listBeside(box: HTMLElement): HTMLElement | null {
  const edge = box.closest('section, nav, aside, main, [role="tabpanel"], [role="dialog"]');
  for (let at: HTMLElement | null = box; at !== null; at = at.parentElement) {
    const list = at.querySelector<HTMLElement>(LIST);
    if (list !== null || at === edge) return list;
  }
  return null;
}
