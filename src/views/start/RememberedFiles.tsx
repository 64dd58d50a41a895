import { useCallback, useEffect, useState } from 'react';
import { visible } from '#bytes/text.ts';
import { openRemembered } from '#store/file-keys.ts';
import { forget, forgetAll, listRemembered, type Remembered } from '#store/remembered.ts';
import { announce } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Name } from '#views/parts/Name.tsx';
import { sizeText } from '#views/parts/number-text.ts';
import styles from './RememberedFiles.module.css';
import { StartSection } from './StartSection.tsx';

/** Files of earlier visits that the browser kept; absent when there are none. */
export function RememberedFiles() {
  const [files, setFiles] = useState<readonly Remembered[]>([]);
  const refresh = useCallback(async () => setFiles(await listRemembered()), []);
  useEffect(() => void refresh(), [refresh]);
  if (files.length === 0) return null;

  const open = async (file: Remembered) => {
    if (!(await openRemembered(file))) await refresh();
  };
  const forgetOne = async (file: Remembered) => {
    await forget(file.sha256);
    announce(`Removed ${visible(file.name)}`);
    await refresh();
  };
  const forgetEach = async () => {
    await forgetAll();
    announce('Removed all recent files');
    await refresh();
  };
  return (
    <StartSection
      title="Recent files"
      about="Stored only in this browser, so that links to these files work again."
      actions={
        <Button variant="quiet" size="small" onClick={() => void forgetEach()}>
          Remove all
        </Button>
      }
    >
      <ul className={styles.list}>
        {files.map((file) => (
          <li key={file.sha256} className={styles.file}>
            <span className={styles.name}>
              <Name text={file.name} otherwise="(no name)" />
            </span>
            <span className={styles.size}>{sizeText(file.size)}</span>
            <time className={styles.date} dateTime={new Date(file.openedAt).toISOString()}>
              {new Date(file.openedAt).toLocaleDateString(undefined, { dateStyle: 'medium' })}
            </time>
            <span className={styles.actions}>
              <Button
                size="small"
                aria-label={`Open ${visible(file.name)}`}
                onClick={() => void open(file)}
              >
                Open
              </Button>
              <Button
                variant="quiet"
                size="small"
                aria-label={`Remove ${visible(file.name)}`}
                onClick={() => void forgetOne(file)}
              >
                Remove
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </StartSection>
  );
}
