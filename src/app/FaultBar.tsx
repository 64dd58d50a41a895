import { drawnName } from '#bytes/text.ts';
import { closeFile } from '#store/files.ts';
import type { OpenFile } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import styles from './FaultBar.module.css';

/** Why no more of the file can be read, and what to do. Nothing while it can. */
export function FaultBar({ file }: { readonly file: OpenFile }) {
  const { fault } = file;
  if (fault === undefined) return null;
  return (
    <div className={styles.bar}>
      <Callout
        severity="error"
        title={drawnName(fault.message)}
        actions={
          <Button size="small" onClick={() => closeFile(file.id)}>
            Close it
          </Button>
        }
      >
        What is shown of it stays; the rest cannot be read. {drawnName(fault.advice ?? '')}
      </Callout>
    </div>
  );
}
