import { useEffect, useState } from 'react';
import { loadSamples, openSample, type Sample } from '#store/samples.ts';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/Segmented.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import styles from './Examples.module.css';
import { StartSection } from './StartSection.tsx';

const ORDERS = { little: 'Little-endian', big: 'Big-endian' } as const;

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

type ByteOrder = Sample['endian'];

/** The examples of one byte order, in the order of the list; those of another format are a group of their own. */
export function samplesIn(samples: readonly Sample[], order: ByteOrder): Sample[] {
  return samples.filter((sample) => sample.endian === order && !isEcoff(sample));
}

/** The Alpha eCOFF objects, in the order of the list. */
export function ecoffSamples(samples: readonly Sample[]): Sample[] {
  return samples.filter(isEcoff);
}

function isEcoff({ file }: Sample): boolean {
  return file.endsWith('.ecoff');
}

/** The title without its byte order, which the switch above the cards tells. */
export function shortTitle({ title }: Sample): string {
  return title.replace(/ \(big-endian\)$/, '');
}

/** `75 types`, `96 relocations`, `15 CO-RE`; what there is none of is left out. */
export function sampleCounts({ types, relocations, core }: Sample): string[] {
  return [
    types > 0 ? countOf(types, 'type') : '',
    relocations > 0 ? countOf(relocations, 'relocation') : '',
    core > 0 ? `${grouped(core)} CO-RE` : '',
  ].filter((part) => part !== '');
}
