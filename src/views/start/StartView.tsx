import { Examples } from './Examples.tsx';
import { Hero } from './Hero.tsx';
import { Lessons } from './Lessons.tsx';
import { RememberedFiles } from './RememberedFiles.tsx';
import styles from './StartView.module.css';
import { Vignettes } from './Vignettes.tsx';
import { WorkbenchInvite } from './WorkbenchInvite.tsx';

/** The first page: what this is, how to open a file, lessons, examples, files that were open before. */
export function StartView({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <div className="tall scroll-y">
      <div className={styles.page}>
        <Hero onOpen={onOpen} />
        <WorkbenchInvite />
        <RememberedFiles />
        <Vignettes />
        <Lessons />
        <Examples />
      </div>
    </div>
  );
}
