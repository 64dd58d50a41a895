import type { ComputedRelocation } from '#analysis/relocations/computed-relocation.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { drawnName, signedHex } from '#bytes/text.ts';
import type { TermId } from '#glossary/term-names.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { clientOf, sourceOf } from '#store/session/files.ts';
import { useAsync } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { hexByte } from '#ui/hex-marks.ts';
import type { RelocTone } from '#ui/tone.ts';
import { layoutState } from '#views/parts/layout-state.ts';
import { Offset } from '#views/parts/Offset.tsx';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { Term } from '#views/parts/Term.tsx';
import type { Outcome } from '#worker/client.ts';
import styles from './ComputedValue.module.css';
import { limitText, linkedText, missingText, overflowText } from './computed-text.ts';
import { useLinkedFile } from './linked-with.ts';

type ComputedEntryProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly reloc: RelocIndex;
  readonly tone: RelocTone;
};

/** Shows the value of an entry of an ELF object with the addresses that are set or linked. */
export function ComputedEntry({ id, model, reloc, tone }: ComputedEntryProps) {
  const linked = useLinkedFile(id);
  const answer = useComputed(id, reloc, linked?.id ?? null);
  if (answer === null) return <p className="muted">Computing…</p>;
  if (!answer.ok) return <p className={styles.problem}>{drawnName(answer.issue.message)}</p>;
  const { value: computed } = answer;
  if (computed === null) return null;
  return (
    <>
      <ComputedFormula computed={computed} />
      <ComputedBytes computed={computed} tone={tone} />
      {linked === null ? null : (
        <p className={styles.words}>{linkedText(computed, drawnName(linked.name))}</p>
      )}
      <Partners model={model} reloc={reloc} computed={computed} />
    </>
  );
}

/** Returns the worker's answer for an entry; null while it computes. */
function useComputed(id: FileId, reloc: RelocIndex, linked: FileId | null) {
  const layout = layoutState.useOf(id).layout ?? '';
  return useAsync<Outcome<ComputedRelocation | null>>(
    `${id} ${reloc} ${linked} ${layout}`,
    async (put, signal) => {
      const file = linked === null ? null : sourceOf(linked);
      // In WebKitGTK, workers of a page on disk cannot read the page's Blobs.
      const isCopied = globalThis.origin === 'null';
      const params = {
        reloc,
        layout,
        linked:
          file instanceof File && linked !== null
            ? { key: linked, name: file.name, file: isCopied ? await file.arrayBuffer() : file }
            : null,
      };
      const answer = await clientOf(id)?.call('computeRelocation', params, { signal });
      if (answer !== undefined) put(answer);
    },
  );
}

function ComputedFormula({ computed }: { readonly computed: ComputedRelocation }) {
  const { formula, numbers, terms, value, why } = computed;
  const missing = missingText(computed);
  const overflow = overflowText(computed);
  const limits = limitText(computed);
  return (
    <div className="grid gap-1">
      <p className="small mono soft">
        {formula === '' ? 'No known formula for this type' : formula}
      </p>
      {numbers === '' || value === null ? null : (
        <p className="mono break size-14">
          <Offset text={`${numbers} = ${signedHex(value)}`} />
        </p>
      )}
      <dl className={styles.letters}>
        {terms.map((term) => (
          <div key={term.name}>
            <dt>
              <LetterTerm name={term.name} />
            </dt>
            <dd>
              <span className="mono strong">
                {term.value === null ? '?' : <Offset text={signedHex(term.value)} />}
              </span>{' '}
              {term.meaning}
            </dd>
          </div>
        ))}
      </dl>
      {missing === '' ? null : <p className={styles.words}>{missing}</p>}
      {missing !== '' || why === '' ? null : <p className={styles.words}>{`No value: ${why}.`}</p>}
      {limits === '' ? null : (
        <p className={styles.rule}>
          <Offset text={limits} />
        </p>
      )}
      {overflow === '' ? null : (
        <p className={styles.problem} data-tone="danger">
          {overflow}
        </p>
      )}
    </div>
  );
}

/** Cards of the letters in formulas. */
const LETTERS: Readonly<Record<string, TermId>> = {
  S: 'st-value',
  A: 'addend',
  P: 'reloc-place',
  L: 'reloc-plt',
  PLTE: 'reloc-plt',
  GOT: 'reloc-got',
  GE: 'reloc-got',
  GOTPAGE: 'reloc-got',
  TOC: 'reloc-toc',
  GP: 'gp',
  GP0: 'gp',
  TPB: 'reloc-tls',
  DTPB: 'reloc-tls',
  GTPR: 'reloc-tls',
  GTLSGD: 'reloc-tls',
  GTLSLD: 'reloc-tls',
  GDTPR: 'reloc-tls',
  GDESC: 'reloc-tls',
};

/** Shows a letter of a formula, with its glossary card if it has one. */
function LetterTerm({ name }: { readonly name: string }) {
  const id = LETTERS[name];
  return id === undefined ? name : <Term id={id}>{name}</Term>;
}

type ComputedBytesProps = Pick<ComputedEntryProps, 'tone'> & {
  readonly computed: ComputedRelocation;
};

/** Shows the bytes of the place before and after, and those of the linked file. */
function ComputedBytes({ computed, tone }: ComputedBytesProps) {
  const { before, after, second, linked } = computed;
  if (before === null) return null;
  const rows: readonly (readonly [string, Uint8Array | null])[] = [
    ['In the file', before],
    ['By the formula', after],
    ['In the linked file', linked],
    ['Second place', second?.before ?? null],
    ['By the formula', second?.after ?? null],
  ];
  return (
    <table className={styles.bytes} data-tone={tone}>
      <caption className="visually-hidden">Bytes of the place</caption>
      <tbody>
        {rows.map(([label, bytes], row) =>
          bytes === null ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their places
            <tr key={row}>
              <th scope="row">{label}</th>
              {Array.from(bytes, (byte, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a byte is its offset
                <td key={i} data-changed={row > 0 && row < 3 && byte !== before[i]}>
                  {hexByte(byte)}
                </td>
              ))}
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

/** Shows buttons to the entries that are computed together with this one. */
function Partners({
  model,
  reloc,
  computed,
}: Omit<ComputedEntryProps, 'id' | 'tone'> & ComputedOf) {
  const { group, pair } = computed;
  const others = [...(group ?? []), ...(pair === null ? [] : [pair])].filter((to) => to !== reloc);
  if (others.length === 0) return null;
  return (
    <div className="grid gap-1">
      <p className={styles.words}>
        {group === null
          ? 'The other half of the value or addend:'
          : 'Applied to the same place, one after another, with:'}
      </p>
      <div className="wrapping gap-1">
        {others.map((to) => (
          <SelectButton key={to} selection={{ kind: 'relocation', reloc: to }} view="relocations">
            {relocationMeaning(model, to).typeName}
          </SelectButton>
        ))}
      </div>
    </div>
  );
}

type ComputedOf = { readonly computed: ComputedRelocation };
