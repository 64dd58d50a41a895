import { CaseSensitive, ChevronDown, ChevronUp } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { IconButton } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { useKeys } from '#ui/keys.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { TEXT_KEYS } from '#views/parts/key-bindings.ts';
import styles from './FindBox.module.css';
import { MAX_MATCHES } from './find-bytes.ts';
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

  useKeys(TEXT_KEYS, (action, event) => {
    if (action === 'step') {
      if (find.count > 0) (event.shiftKey ? find.previous : find.next)();
      return find.count > 0;
    }
    if (document.activeElement === input.current) return false;
    input.current?.focus();
    input.current?.select();
    return true;
  });

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
        icon={CaseSensitive}
        aria-pressed={matchCase}
        className={styles.toggle}
        onClick={() => onMatchCase(!matchCase)}
      />
      <IconButton
        label="Previous match"
        keys={['Shift', 'Enter']}
        icon={ChevronUp}
        disabled={hasNone}
        onClick={find.previous}
      />
      <IconButton
        label="Next match"
        keys={['Enter']}
        icon={ChevronDown}
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
