import type { RefObject } from 'react';

type FileInputProps = {
  /** Its `click` opens the browser's dialog. */
  readonly ref: RefObject<HTMLInputElement | null>;
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
      onChange={(event) => {
        const files = [...(event.target.files ?? [])];
        if (files.length > 0) onFiles(files);
        // The same file may be chosen again.
        event.target.value = '';
      }}
    />
  );
}
