import { FileUp, Lock } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import styles from './Hero.module.css';

const OPENS = [
  '.o',
  '.ko',
  'vmlinux',
  'raw BTF',
  '.a',
  'gzip',
  'xz',
  'zstd',
  'bzip2',
  'lz4',
  'eCOFF',
];

/** What this is, in a sentence, and the place to drop a file. */
export function Hero({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <div className={styles.hero}>
      <div className="shrink">
        <p className={styles.product}>btfscope</p>
        <h1 className={styles.title}>See what is inside a BPF object</h1>
        <p className={styles.text}>
          Its types, bytes, code, relocations and CO-RE accesses, side by side. Select one and see
          it in all the others.
        </p>
        <p className={styles.promise}>
          <Lock size={14} aria-hidden />
          Files stay on this computer. Nothing is uploaded.
        </p>
      </div>
      <div className={styles.target}>
        <span className={styles.icon}>
          <FileUp size={22} aria-hidden />
        </span>
        <p className={styles.drop}>Drop a file anywhere on this page</p>
        <Button variant="primary" className={styles.open} onClick={onOpen}>
          Open file
        </Button>
        <ul className={styles.kinds} aria-label="What can be opened">
          {OPENS.map((kind) => (
            <li key={kind} className={styles.kind}>
              {kind}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
