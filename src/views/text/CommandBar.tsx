import { visible } from '#bytes/text.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import styles from './CommandBar.module.css';

/** The command that prints the same. */
export function CommandBar({ command }: { readonly command: string }) {
  return (
    <div className={styles.bar}>
      <code className={styles.command} {...scrollRegion('The command that prints the same')}>
        <span aria-hidden className={styles.prompt}>
          $
        </span>
        {visible(command)}
      </code>
      <CopyButton text={command} label="Copy the command" isIconOnly />
    </div>
  );
}
