import { SquarePen } from 'lucide-react';
import { enterWorkbench } from '#store/lazy-workbench.ts';
import { Button } from '#ui/Button.tsx';
import styles from './WorkbenchInvite.module.css';

/** The way in without a file: C that is compiled while it is typed. */
export function WorkbenchInvite() {
  return (
    <section className={styles.invite} aria-label="Workbench">
      <pre className={styles.code} aria-hidden="true">
        <span>struct event {'{'} </span>
        <span>u64 ts; u8 cpu; </span>
        <span>{'}'};</span>
        <span className="muted"> → </span>
        <span className={styles.raw}>[1] STRUCT 'event' size=16 vlen=2</span>
      </pre>
      <p className={styles.text}>No file? Type a struct and see its BTF live.</p>
      <Button onClick={() => void enterWorkbench()}>
        <SquarePen size={14} aria-hidden />
        Open the workbench
      </Button>
    </section>
  );
}
