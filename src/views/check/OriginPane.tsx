import type { BtfOrigin } from '#analysis/lint/kernel-btf.ts';
import { type FirstVersions, READERS } from '#analysis/lint/readers.ts';
import { drawnName } from '#bytes/text.ts';
import type { Active } from '#store/session/hooks.ts';
import { useAnswer } from '#store/session/hooks.ts';
import { Callout } from '#ui/Callout.tsx';
import styles from './OriginPane.module.css';

/** A region that scrolls takes the focus, so that keys scroll it. */
export const SCROLLED_BY_KEYS = { tabIndex: 0 } as const;

/** Shows which encoder wrote the BTF of a kernel or module, and which readers open it. */
export function OriginPane({ active }: { readonly active: Active }) {
  const answer = useAnswer(active.id, 'btfOrigin', null);
  if (answer.step === 'failed') {
    return (
      <Callout severity="error" title="The types could not be read">
        {drawnName(answer.issue.message)}
      </Callout>
    );
  }
  return answer.value === null ? null : <Origin origin={answer.value} />;
}

/** Shows the guess of the encoder with its signs, and a table of readers by version. */
export function Origin({ origin: { encoder, readers } }: { readonly origin: BtfOrigin }) {
  return (
    <div className={styles.page}>
      <section className="stack gap-2">
        <h2 className={styles.title}>Encoder: {drawnName(encoder.statement)}</h2>
        <ul className={styles.signs} aria-label="Signs of the encoder">
          {encoder.signs.map(({ found, tells }) => (
            <li key={`${found} ${tells}`} className="break">
              {drawnName(found)}: <span className="soft">{tells}</span>
            </li>
          ))}
        </ul>
        {encoder.advice === '' ? null : <p className="soft pretty break">{encoder.advice}</p>}
      </section>
      <section className="stack gap-2">
        <h2 className={styles.title}>Readers</h2>
        <p className="soft pretty">
          First version of each that opens what this BTF contains. Older ones refuse the BTF, or
          read it as the note says.
        </p>
        <section className={styles.scroll} aria-label="Versions of readers" {...SCROLLED_BY_KEYS}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Contents</th>
                {READERS.map((reader) => (
                  <th key={reader} scope="col">
                    {reader}
                  </th>
                ))}
                <th scope="col">Note</th>
              </tr>
            </thead>
            <tbody>
              {readers.needs.map(({ what, since, note }) => (
                <ReaderRow key={what} what={what} since={since} note={note} />
              ))}
            </tbody>
            <tfoot>
              <ReaderRow what="All" since={readers.since} note="" />
            </tfoot>
          </table>
        </section>
      </section>
    </div>
  );
}

type ReaderRowProps = {
  readonly what: string;
  readonly since: FirstVersions;
  readonly note: string;
};

function ReaderRow({ what, since, note }: ReaderRowProps) {
  return (
    <tr>
      <th scope="row">{drawnName(what)}</th>
      {READERS.map((reader, i) => (
        <td key={reader} className="mono" data-none={since[i] == null ? '' : undefined}>
          {since[i] ?? 'none'}
        </td>
      ))}
      <td className="soft">{note}</td>
    </tr>
  );
}
