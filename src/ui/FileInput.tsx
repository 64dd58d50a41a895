import { FolderOpen } from 'lucide-react';
import type { ChangeEvent, ReactNode, RefObject } from 'react';
import buttonStyles from './Button.module.css';
import { classNames } from './class-names.ts';
import styles from './FileInput.module.css';

type FileInputProps = {
  /** Its `click` opens the browser's dialog. */
  readonly ref?: RefObject<HTMLInputElement | null>;
  /** Accessible name. */
  readonly label: string;
  /** As the attribute of the element: `.txt,text/plain`. */
  readonly accept?: string;
  /** With it several files can be chosen. */
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
};

/** A file input that is not drawn: a button or a menu item opens it. */
export function FileInput({ ref, label, accept, multiple, onFiles }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      tabIndex={-1}
      className="visually-hidden"
      aria-label={label}
      accept={accept}
      multiple={multiple}
      onChange={(event) => takeFiles(event, onFiles)}
    />
  );
}

type FileButtonProps = FileInputProps & {
  readonly variant?: 'plain' | 'primary';
  readonly size?: 'normal' | 'small';
  readonly title?: string;
  readonly children: ReactNode;
};

/** The file input itself, drawn as a button: a label is what the browser, the keyboard and a test all understand. */
export function FileButton(props: FileButtonProps) {
  const { ref, label, multiple, onFiles, variant = 'plain', size = 'normal', children } = props;
  return (
    <label
      className={classNames(buttonStyles.button, styles.button)}
      data-variant={variant}
      data-size={size}
      title={props.title}
    >
      <FolderOpen size={14} aria-hidden />
      {children}
      <input
        ref={ref}
        type="file"
        className={styles.input}
        aria-label={label}
        multiple={multiple}
        onChange={(event) => takeFiles(event, onFiles)}
      />
    </label>
  );
}

function takeFiles(
  event: ChangeEvent<HTMLInputElement>,
  onFiles: (files: readonly File[]) => void,
): void {
  const files = [...(event.target.files ?? [])];
  if (files.length > 0) onFiles(files);
  // The same file may be chosen again.
  event.target.value = '';
}
