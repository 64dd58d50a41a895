import { useMemo } from 'react';
import { visibleLines } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { recordSpan, type TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-raw.ts';
import { Code } from '#ui/Code.tsx';
import { grouped } from '#ui/grouped.ts';
import { scrollRegion } from '#ui/scroll-region.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { TermText } from '#views/parts/Term.tsx';
import { DetailSection } from './DetailSection.tsx';
import { HUGE_NAMES, hasHugeNames } from './huge-names.ts';
import styles from './RawRecordSection.module.css';
import { type RecordWord, recordWords } from './record-words.ts';
import { clipLines } from './shown-text.ts';

const SHOWN_WORDS = 48;
const SHOWN_CHARACTERS = 20_000;

/** The bytes of a type's record word by word, and the line that bpftool prints for it. */
export function RawRecordSection({
  types,
  type,
}: {
  readonly types: TypeTable;
  readonly type: TypeId;
}) {
  const { words, leftOut } = useMemo(() => recordWords(types, type, SHOWN_WORDS), [types, type]);
  const text = useMemo(
    () => (hasHugeNames(types, type) ? '' : rawRecord(types, type)),
    [types, type],
  );
  const clipped = useMemo(() => clipLines(text, SHOWN_CHARACTERS), [text]);
  const span = recordSpan(types, type);
  const bytes = 4 * (words.length + leftOut);
  const place =
    span === null ? 'its bytes are not in this file as such' : `at ${hexText(span.start)}`;
  return (
    <DetailSection title="Raw record" aside={`${countOf(bytes, 'byte')}, ${place}`}>
      <div className={styles.frame} {...scrollRegion('Words of the record')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Offset</th>
              <th scope="col">Bytes</th>
              <th scope="col">Field</th>
              <th scope="col" className={styles.number}>
                Value
              </th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {words.map((word) => (
              <WordRow key={word.byteOffset} word={word} base={span?.start ?? 0} />
            ))}
          </tbody>
        </table>
      </div>
      {leftOut === 0 ? null : (
        <p className={styles.more}>
          {grouped(leftOut)} more words; “Show bytes” leads to all of them.
        </p>
      )}
      {text === '' ? (
        <p className={styles.more}>{HUGE_NAMES}</p>
      ) : (
        <div className={styles.code}>
          <Code text={text} label="Record as bpftool prints it">
            {visibleLines(clipped.text)}
          </Code>
        </div>
      )}
      {clipped.linesLeftOut === 0 ? null : (
        <p className={styles.more}>
          {grouped(clipped.linesLeftOut)} more lines are not drawn; the copy button takes them all.
        </p>
      )}
    </DetailSection>
  );
}

function WordRow({ word, base }: { readonly word: RecordWord; readonly base: number }) {
  return (
    <tr>
      <td className={styles.dim}>{hexText(base + word.byteOffset)}</td>
      <td className={styles.bytes}>{hexBytes(word.bytes)}</td>
      <td>
        {word.part === '' ? null : <span className={styles.dim}>{word.part} </span>}
        {word.part === '' ? <TermText text={word.field} /> : word.field}
      </td>
      <td className={styles.number}>{word.value}</td>
      <td className={styles.meaning}>{word.meaning}</td>
    </tr>
  );
}

function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
