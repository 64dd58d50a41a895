import type { ReactNode } from 'react';
import { BytesVignette } from './BytesVignette.tsx';
import { CoreVignette } from './CoreVignette.tsx';
import { StartSection } from './StartSection.tsx';
import { TypesVignette } from './TypesVignette.tsx';
import styles from './Vignettes.module.css';

/** Three small drawings of what is shown once a file is open. */
export function Vignettes() {
  return (
    <StartSection title="Features">
      <div className={styles.grid}>
        <Vignette
          drawing={<TypesVignette />}
          title="Types as they lie in memory"
          text="Declarations as bpftool writes them, the layout byte by byte with its holes, and who refers to what."
        />
        <Vignette
          drawing={<BytesVignette />}
          title="Every byte explained"
          text="Relocations at their true width, the formula with the numbers put in, and the instruction they change."
        />
        <Vignette
          drawing={<CoreVignette />}
          title="CO-RE, step by step"
          text="What each number of an access string means, on the types the program was compiled with."
        />
      </div>
    </StartSection>
  );
}

function Vignette(props: {
  readonly drawing: ReactNode;
  readonly title: string;
  readonly text: string;
}) {
  return (
    <div className={styles.vignette}>
      <div className={styles.frame}>{props.drawing}</div>
      <h3 className={styles.title}>{props.title}</h3>
      <p className={styles.text}>{props.text}</p>
    </div>
  );
}
