import { useEffect, useState } from 'react';
import { loadSamples, openSample, type Sample } from '#store/samples.ts';
import { Segmented } from '#ui/Segmented.tsx';
import { sizeText } from '#views/parts/number-text.ts';
import styles from './Examples.module.css';
import { StartSection } from './StartSection.tsx';
import {
  type ByteOrder,
  ecoffSamples,
  sampleCounts,
  samplesIn,
  shortTitle,
} from './sample-cards.ts';

const ORDERS = [
  { value: 'little', label: 'Little-endian' },
  { value: 'big', label: 'Big-endian' },
] as const;

/** The examples that come with the page, as cards. */
export function Examples() {
  const [samples, setSamples] = useState<readonly Sample[] | null>(null);
  const [order, setOrder] = useState<ByteOrder>('little');
  useEffect(() => {
    let isShown = true;
    void loadSamples().then((list) => {
      if (isShown) setSamples(list);
    });
    return () => {
      isShown = false;
    };
  }, []);
  const alpha = ecoffSamples(samples ?? []);
  return (
    <>
      <StartSection
        title="Examples"
        about="Small objects with their C source, each about one thing."
        actions={
          <Segmented label="Byte order" options={ORDERS} value={order} onChange={setOrder} />
        }
      >
        {samples?.length === 0 ? (
          <p className="soft">The examples could not be fetched from the server.</p>
        ) : (
          <Cards samples={samplesIn(samples ?? [], order)} />
        )}
      </StartSection>
      {alpha.length === 0 ? null : (
        <StartSection
          title="Alpha eCOFF"
          about="Objects of Tru64 UNIX: the examples of its relocation document, from plain addresses to expressions on a stack."
        >
          <Cards samples={alpha} />
        </StartSection>
      )}
    </>
  );
}

function Cards({ samples }: { readonly samples: readonly Sample[] }) {
  return (
    <ul className={styles.grid}>
      {samples.map((sample) => (
        <li key={sample.file} className="grid">
          <Card sample={sample} />
        </li>
      ))}
    </ul>
  );
}

function Card({ sample }: { readonly sample: Sample }) {
  const aboutId = `example-${sample.file}`;
  return (
    <button
      type="button"
      className={styles.card}
      aria-label={`Open example ${sample.title}`}
      aria-describedby={aboutId}
      onClick={() => void openSample(sample.file)}
    >
      <span className="baseline-row gap-3 spread">
        <span className="bold">{shortTitle(sample)}</span>
        <span className="rigid tiny muted">{sizeText(sample.size)}</span>
      </span>
      <span id={aboutId} className={styles.about}>
        {sample.about}
      </span>
      <span className={styles.foot}>
        {sampleCounts(sample).map((count) => (
          <span key={count} className="rigid tiny muted">
            {count}
          </span>
        ))}
      </span>
    </button>
  );
}
