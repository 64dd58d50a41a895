import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import styles from './NotTargets.module.css';
import type { KernelFiles } from './use-kernel-files.ts';

/** Files that were opened for the matrix and cannot be in it. */
export function NotTargets({ kernels: { problems, forget } }: { readonly kernels: KernelFiles }) {
  if (problems.length === 0) return null;
  return (
    <div className={styles.place}>
      <Callout
        severity="warning"
        title={problems.length === 1 ? 'That is no target' : 'Some are no targets'}
        isAlert
        actions={
          <Button size="small" onClick={forget}>
            Dismiss
          </Button>
        }
      >
        <ul className={styles.list}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </Callout>
    </div>
  );
}
