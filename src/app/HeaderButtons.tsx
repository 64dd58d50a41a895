import { ChevronLeft, ChevronRight, CircleHelp, Search } from 'lucide-react';
import type { RefObject } from 'react';
import { goToStart } from '#store/address/navigation.ts';
import { useSession } from '#store/session/session.ts';
import { IconButton } from '#ui/Button.tsx';
import { FileButton } from '#ui/FileInput.tsx';
import { Kbd } from '#ui/Kbd.tsx';
import { COMMAND_KEY } from '#ui/keys.ts';
import styles from './HeaderButtons.module.css';
import { Logo } from './Logo.tsx';

/** Opens the palette; shows the key that does the same. */
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

/** The product's name; leads to the start page. Open files stay open. */
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

/** Back and forward through the places of this page: the browser's own history. */
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

/** Opens the help: keys, queries, glossary. */
export function HelpButton({ onClick }: { readonly onClick: () => void }) {
  return <IconButton label="Help" keys={['?']} icon={CircleHelp} onClick={onClick} />;
}

type OpenButtonProps = {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onFiles: (files: readonly File[]) => void;
};

/** Takes files; a label, so that it is the file input itself. */
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
