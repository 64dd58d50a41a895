import { memo, useMemo } from 'react';
import { placedBlob } from '#analysis/fields/context.ts';
import type { FieldList, StructureField } from '#analysis/fields/field.ts';
import { typeField } from '#analysis/structure/btf-type.ts';
import { hasHugeNames } from '#analysis/types/wide-types.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { ownerOf, recordBytes, recordSpan, type TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-dump.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { hexBytes } from '#ui/hex-marks.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell, useWriteOffset } from '#views/parts/Offset.tsx';
import { TermText } from '#views/parts/Term.tsx';
import { HUGE_NAMES } from '#views/types/layout/PaholePane.tsx';
import { DeclarationCode } from './DeclarationCode.tsx';
import type { OfType } from './ItemSections.tsx';
import styles from './RawRecordSection.module.css';

const SHOWN_WORDS = 48;

/** Shows the words of a type's record, and the line that bpftool prints for the record. */
export const RawRecordSection = memo(function RawRecordSection({ types, type }: OfType) {
  const { words, leftOut } = useMemo(() => recordWords(types, type, SHOWN_WORDS), [types, type]);
  const text = useMemo(
    () => (hasHugeNames(types, type) ? '' : rawRecord(types, type)),
    [types, type],
  );
  const span = recordSpan(types, type);
  const write = useWriteOffset();
  const bytes = 4 * (words.length + leftOut);
  const place = span === null ? 'no bytes in this file' : `at ${write(span.start)}`;
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
        <p className="small muted">{grouped(leftOut)} more words; “Show bytes” shows them all.</p>
      )}
      {text === '' ? (
        <p className="small muted">{HUGE_NAMES}</p>
      ) : (
        <DeclarationCode
          key={type}
          types={types}
          type={type}
          form="raw"
          text={text}
          label="Record as bpftool prints it"
        />
      )}
    </DetailSection>
  );
});

function WordRow({ word, base }: { readonly word: RecordWord; readonly base: number }) {
  return (
    <tr>
      <td className="muted">{offsetCell(base + word.byteOffset)}</td>
      <td className="soft">{hexBytes(word.bytes)}</td>
      <td>
        {word.part === '' ? null : <span className="muted">{word.part} </span>}
        {word.part === '' ? <TermText text={word.field} /> : word.field}
      </td>
      <td className={styles.number}>{word.value}</td>
      <td className={styles.meaning}>{word.meaning}</td>
    </tr>
  );
}

/** A 32-bit word of a record, with the field that it stores. */
type RecordWord = {
  /** Offset from the start of the record, in bytes. */
  readonly byteOffset: number;
  readonly bytes: Uint8Array;
  /** Name of the field in the kernel's header: `name_off`. */
  readonly field: string;
  /** Item that contains the field, such as `member [3] pid`; empty if none does. Escaped. */
  readonly part: string;
  /** Value in the notation that is usual for the field. */
  readonly value: string;
  /** Meaning of the value. Escaped. */
  readonly meaning: string;
};

type RecordWords = { readonly words: readonly RecordWord[]; readonly leftOut: number };

/** Returns the first `limit` words of the record, and the number of words that follow. */
export function recordWords(types: TypeTable, id: TypeId, limit: number): RecordWords {
  const owner = ownerOf(types, id);
  if (owner === null) return { words: [], leftOut: 0 };
  const bytes = recordBytes(types, id);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.length / 4);
  // If a BTF blob is not stored in the file, offsets are counted from the start of the blob.
  const table = owner.fileOffset === null ? { ...owner, fileOffset: 0 } : owner;
  const blob = placedBlob(table);
  const record = blob === null ? null : typeField(blob, id);
  const parts = record?.parts?.() ?? null;
  const start = record?.span.start ?? 0;
  const words = Array.from({ length: Math.min(count, limit) }, (_, i): RecordWord => {
    const place = parts === null ? null : fieldAt(parts, start + 4 * i);
    return {
      byteOffset: 4 * i,
      bytes: bytes.subarray(4 * i, 4 * i + 4),
      field: place?.field.label ?? '',
      part: drawnName(place?.part ?? ''),
      value: place?.field.value ?? hexText(view.getUint32(4 * i, owner.endian === 'little')),
      meaning: place === null ? '' : drawnName(meaningOf(place.field)),
    };
  });
  return { words, leftOut: count - words.length };
}

/** Returns the field at `fileOffset`, and the item that contains the field if there is one. */
function fieldAt(parts: FieldList, fileOffset: number) {
  const part = parts.childAt(fileOffset);
  if (part === null) return null;
  if (part.kind !== 'item') return { field: part, part: '' };
  const field = part.parts?.().childAt(fileOffset) ?? null;
  return field === null ? null : { field, part: part.label };
}

/** Returns the meaning of a field, including its one-bit flags. */
function meaningOf({ meaning, parts }: StructureField): string {
  const flags: string[] = [];
  const bits = parts?.() ?? null;
  for (let i = 0; bits !== null && i < bits.count; i++) {
    const bit = bits.at(i);
    if (bit?.bits?.length === 1 && bit.name !== '') flags.push(`${bit.name} ${bit.value}`);
  }
  return [meaning, ...flags].filter((text) => text !== '').join(', ');
}
