import { CaseSensitive, ChevronDown, ChevronUp } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react';
import { grouped } from '#ui/grouped.ts';
import { IconButton } from '#ui/IconButton.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import styles from './FindBox.module.css';
import { MAX_MATCHES } from './match-search.ts';
import type { Find } from './use-find.ts';

type FindBoxProps = {
  readonly find: Find;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
  readonly matchCase: boolean;
  readonly onMatchCase: (matchCase: boolean) => void;
};

/**
 * Finds in the whole text, of which the browser's own search sees only some lines.
 * So Ctrl+F leads here; with the focus here already it is the browser's.
 */
export function FindBox({ find, typed, onTyped, matchCase, onMatchCase }: FindBoxProps) {
  const input = useRef<HTMLInputElement>(null);

  const press = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const withCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (withCommand && key === 'f' && document.activeElement !== input.current) {
      input.current?.focus();
      input.current?.select();
    } else if (find.count > 0 && (key === 'f3' || (withCommand && key === 'g'))) {
      (event.shiftKey ? find.previous : find.next)();
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    (event.shiftKey ? find.previous : find.next)();
  };
  const hasNone = find.count === 0;
  return (
    <div className={styles.find}>
      <div className={styles.box}>
        <SearchBox
          label="Find in text"
          hint="/"
          value={typed}
          onChange={onTyped}
          onKeyDown={onKeyDown}
          inputRef={input}
          found={foundText(find)}
        />
      </div>
      <IconButton
        label="Match case"
        icon={<CaseSensitive size={16} aria-hidden />}
        aria-pressed={matchCase}
        className={styles.toggle}
        onClick={() => onMatchCase(!matchCase)}
      />
      <IconButton
        label="Previous match"
        keys={['Shift', 'Enter']}
        icon={<ChevronUp size={16} aria-hidden />}
        disabled={hasNone}
        onClick={find.previous}
      />
      <IconButton
        label="Next match"
        keys={['Enter']}
        icon={<ChevronDown size={16} aria-hidden />}
        disabled={hasNone}
        onClick={find.next}
      />
    </div>
  );
}

function foundText({ query, count, isSearching, match }: Find): string {
  if (query === '') return '';
  const more = isSearching ? '…' : count >= MAX_MATCHES ? '+' : '';
  if (count === 0) return isSearching ? '…' : 'None';
  const all = `${grouped(count)}${more}`;
  return match === null ? all : `${grouped(match.index + 1)} of ${all}`;
}
