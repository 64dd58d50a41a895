import { ChevronLeft, ChevronRight, CircleHelp, Search } from 'lucide-react';
import type { RefObject } from 'react';
import { goToStart } from '#store/address/navigation.ts';
import { useSession } from '#store/session/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { FileButton } from '#ui/inputs.tsx';
import { COMMAND_KEY, Kbd } from '#ui/keys.tsx';
import styles from './HeaderButtons.module.css';

/** Draws the button that opens the palette, and the key that opens the palette. */
export function FindButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.find} aria-label="Find anything" onClick={onClick}>
      <Search size={14} aria-hidden />
      <span className={styles.word}>Find</span>
      <span aria-hidden className={styles.keys}>
        <Kbd>{COMMAND_KEY}</Kbd>
        <Kbd>K</Kbd>
      </span>
    </button>
  );
}

export function HomeButton() {
  return (
    <button
      type="button"
      className={styles.home}
      aria-label="btfscope: start page"
      onClick={goToStart}
    >
      <Logo />
      <span className={styles.name}>btfscope</span>
    </button>
  );
}

export function HistoryButtons() {
  const hasFiles = useSession((state) => state.files.length > 0);
  if (!hasFiles) return null;
  return (
    <div className={styles.buttons}>
      <IconButton label="Back" keys={['[']} icon={ChevronLeft} onClick={() => history.back()} />
      <IconButton
        label="Forward"
        keys={[']']}
        icon={ChevronRight}
        onClick={() => history.forward()}
      />
    </div>
  );
}

export function HelpButton({ onClick }: { readonly onClick: () => void }) {
  return <IconButton label="Help" keys={['?']} icon={CircleHelp} onClick={onClick} />;
}

type OpenButtonProps = {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onFiles: (files: readonly File[]) => void;
};

/** Draws the button *Open file*, which is the label of a file input. */
export function OpenButton({ input, onFiles }: OpenButtonProps) {
  return (
    <FileButton
      ref={input}
      variant="primary"
      label="Open file"
      title="Open file (o)"
      multiple
      onFiles={onFiles}
    >
      <span className={styles.text}>Open file</span>
    </FileButton>
  );
}

/** Draws the logo of btfscope. */
export function Logo({ size = 18 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d="M4.5 1.75H1.75v12.5H4.5M11.5 1.75h2.75v12.5H11.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      />
      <circle cx="6" cy="5.25" r="1.75" fill="var(--accent)" />
      <path d="M6 7v3.5h2.25" fill="none" stroke="var(--accent)" strokeWidth="1.25" />
      <circle cx="10" cy="10.5" r="1.75" fill="var(--accent)" />
    </svg>
  );
}
