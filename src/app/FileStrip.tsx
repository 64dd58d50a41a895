import { LoaderCircle, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { drawnName } from '#bytes/text.ts';
import { closeFile } from '#store/files.ts';
import { activate } from '#store/navigation.ts';
import { type OpenFile, useSession } from '#store/session.ts';
import styles from './FileStrip.module.css';

/** The files that are open, side by side; each can be looked at and closed. */
export function FileStrip() {
  const files = useSession((state) => state.files);
  const activeId = useSession((state) => state.activeId);
  if (files.length === 0) return null;
  return (
    <nav className={styles.strip} aria-label="Files">
      <ul className={styles.list}>
        {files.map((file) => (
          <FileTab key={file.id} file={file} isActive={file.id === activeId} />
        ))}
      </ul>
    </nav>
  );
}

function FileTab({ file, isActive }: { readonly file: OpenFile; readonly isActive: boolean }) {
  const name = drawnName(file.name);
  const item = useRef<HTMLLIElement>(null);
  // On a narrow screen there is room for one name, which has to be that of the file in sight.
  useEffect(() => {
    if (isActive) item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive]);
  return (
    <li
      ref={item}
      className={styles.item}
      data-active={isActive}
      data-failed={file.status.step === 'failed'}
    >
      <button
        type="button"
        className={styles.name}
        aria-current={isActive ? 'page' : undefined}
        title={name}
        onClick={() => activate(file.id)}
      >
        {file.status.step === 'opening' ? (
          <LoaderCircle size={12} aria-hidden className={styles.spinner} />
        ) : null}
        <bdi>{name}</bdi>
      </button>
      <button
        type="button"
        className={styles.close}
        aria-label={`Close ${name}`}
        onClick={() => closeFile(file.id)}
      >
        <X size={13} aria-hidden />
      </button>
    </li>
  );
}
