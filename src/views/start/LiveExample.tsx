import { SquarePen } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { historyInFile } from '#analysis/atlas/history.ts';
import { blobSource } from '#bytes/source.ts';
import { sampleFile } from '#store/session/samples.ts';
import { Button } from '#ui/Button.tsx';
import { StructPicture } from '#views/parts/history/StructPicture.tsx';
import { enterWorkbench } from '#views/workbench/view.ts';
import { EXAMPLE_LINKS, historyLink, LIVE_ATLAS, LIVE_STRUCT } from './example-links.ts';
import styles from './LiveExample.module.css';
import { StartSection } from './StartSection.tsx';

type Shown = NonNullable<Awaited<ReturnType<typeof historyInFile>>>;

/** Draws a struct over six kernels from an atlas, and links to places that are worth a look. */
export function LiveExample() {
  const [shown, setShown] = useState<Shown | null>(null);
  const [story, setStory] = useState<string | null>(null);
  useEffect(() => {
    let isGone = false;
    // Without the atlas, when the server cannot be reached, there is no picture.
    void readAtlas().then(
      (read) => isGone || setShown(read),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <StartSection
      title="One struct over six kernels"
      about={story ?? 'Green: new. Blue: moved. Point at a member.'}
      actions={
        <a href={historyLink(null)} className={styles.open}>
          History
        </a>
      }
    >
      <div className={styles.picture}>
        {shown === null ? null : (
          <StructPicture
            {...shown}
            onPoint={setStory}
            onOpen={(member) => {
              location.hash = historyLink(member);
            }}
          />
        )}
      </div>
      <ul className={styles.tiles}>
        <Tile code="0:1:0:0 → p->numbers[0].nr">
          <a href={EXAMPLE_LINKS.accessString}>An access string, walked step by step</a>
        </Tile>
        <Tile code={`#/types?file=btf1:… → struct ${LIVE_STRUCT}`}>
          <a href={EXAMPLE_LINKS.carriedType}>A link that carries a type</a>
        </Tile>
        <Tile code="struct event { u64 ts; u8 cpu; };">
          <Button onClick={() => void enterWorkbench()} icon={SquarePen}>
            Open the workbench
          </Button>
        </Tile>
      </ul>
    </StartSection>
  );
}

async function readAtlas(): Promise<Shown | null> {
  return historyInFile(blobSource(LIVE_ATLAS, await sampleFile(LIVE_ATLAS)), LIVE_STRUCT);
}

function Tile({ code, children }: { readonly code: string; readonly children: ReactNode }) {
  return (
    <li className={styles.tile}>
      <code className={styles.code}>{code}</code>
      {children}
    </li>
  );
}
