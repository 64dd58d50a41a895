import { useEffect, useState } from 'react';
import { loadSamples, openSample, type Sample } from '#store/session/samples.ts';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { Disclosure } from '#ui/Panel.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import styles from './Examples.module.css';

const ORDERS = { little: 'Little-endian', big: 'Big-endian' } as const;

/** Shows the examples as cards, folded. */
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
  const all = samples ?? [];
  const shown = samplesIn(all, order);
  const alpha = ecoffSamples(all);
  if (samples?.length === 0) {
    return <p className="soft">The examples could not be fetched from the server.</p>;
  }
  return (
    <div className="stack gap-2">
      <Disclosure
        title="All examples"
        aside={aside(`${countOf(shown.length, 'file')} with source`)}
      >
        <div className="stack gap-3">
          <Segmented label="Byte order" options={ORDERS} value={order} onChange={setOrder} />
          <Cards samples={shown} />
        </div>
      </Disclosure>
      <Disclosure title="Alpha eCOFF" aside={aside('Objects of Tru64 UNIX')}>
        <Cards samples={alpha} />
      </Disclosure>
    </div>
  );
}

const aside = (text: string) => <span className="small muted">{text}</span>;

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
      onClick={() => void open(sample)}
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

async function open(sample: Sample): Promise<void> {
  if (sample.kernels.length === 0) await openSample(sample.file);
  else await (await import('./start-tasks.ts')).openWithKernels(sample);
}

/** Returns the ELF examples of one byte order, in their order, without kernels of an example. */
export function samplesIn(samples: readonly Sample[], order: ByteOrder): Sample[] {
  const kernels = new Set(samples.flatMap((sample) => sample.kernels));
  return samples.filter(
    (sample) => sample.endian === order && !isEcoff(sample) && !kernels.has(sample.file),
  );
}

/** Returns the Alpha eCOFF examples, in the order of the list. */
export function ecoffSamples(samples: readonly Sample[]): Sample[] {
  return samples.filter(isEcoff);
}

function isEcoff({ file }: Sample): boolean {
  return file.endsWith('.ecoff');
}

/** Returns the title without the byte order, which the user chooses above the cards. */
export function shortTitle({ title }: Sample): string {
  return title.replace(/ \(big-endian\)$/, '');
}

/** Returns the counts that are not 0: `75 types`, `96 relocations`, `15 CO-RE`. */
export function sampleCounts({ types, relocations, core }: Sample): string[] {
  return [
    types > 0 ? countOf(types, 'type') : '',
    relocations > 0 ? countOf(relocations, 'relocation') : '',
    core > 0 ? `${grouped(core)} CO-RE` : '',
  ].filter((part) => part !== '');
}
