import { FileUp, Lock, SquarePen } from 'lucide-react';
import { enterWorkbench } from '#store/lazy-workbench.ts';
import { pageExtension } from '#store/page-extension.ts';
import { Button } from '#ui/Button.tsx';
import { Examples } from './Examples.tsx';
import { RememberedFiles } from './RememberedFiles.tsx';
import styles from './StartView.module.css';
import { Vignettes } from './Vignettes.tsx';

/** The first page: what this is, how to open a file, recent files, examples, and what an extension adds. */
export function StartView({ onOpen }: { readonly onOpen: () => void }) {
  const { StartSection: Added } = pageExtension();
  return (
    <div className="tall scroll-y">
      <div className={styles.page}>
        <Hero onOpen={onOpen} />
        <WorkbenchInvite />
        <RememberedFiles />
        <Vignettes />
        <Added />
        <Examples />
      </div>
    </div>
  );
}

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
function Hero({ onOpen }: { readonly onOpen: () => void }) {
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

/** The way in without a file: C that is compiled while it is typed. */
function WorkbenchInvite() {
  return (
    <section className={styles.invite} aria-label="Workbench">
      <pre className={styles.code} aria-hidden="true">
        <span>struct event {'{'} </span>
        <span>u64 ts; u8 cpu; </span>
        <span>{'}'};</span>
        <span className="muted"> → </span>
        <span className={styles.raw}>[1] STRUCT 'event' size=16 vlen=2</span>
      </pre>
      <p className={styles.workbenchInviteText}>No file? Type a struct and see its BTF live.</p>
      <Button onClick={() => void enterWorkbench()} icon={SquarePen}>
        Open the workbench
      </Button>
    </section>
  );
}
