import { pageExtension } from '#store/page-extension.ts';
import { Examples } from './Examples.tsx';
import { Hero } from './Hero.tsx';
import { RememberedFiles } from './RememberedFiles.tsx';
import styles from './StartView.module.css';
import { Vignettes } from './Vignettes.tsx';
import { WorkbenchInvite } from './WorkbenchInvite.tsx';

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
