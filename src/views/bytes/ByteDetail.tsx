import type { ComponentProps } from 'react';
import { canList } from '#analysis/code/code-listing.ts';
import type { StructureField } from '#analysis/fields/field.ts';
import { childrenOf } from '#analysis/structure/structure.ts';
import type { Endian } from '#bytes/span.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import { termCalled } from '#glossary/find-terms.ts';
import type { SectionIndex } from '#model/ids.ts';
import { hasBpfCode, type ObjectModel } from '#model/object-model.ts';
import { isCode, sectionAt, sectionName } from '#model/sections.ts';
import { useBytes } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { hexByte } from '#ui/hex-marks.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { BitRuler, type RulerPart } from '#views/parts/BitRuler.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { useWriteOffset, type WriteOffset } from '#views/parts/Offset.tsx';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { Term } from '#views/parts/Term.tsx';
import { isPacked } from '#views/parts/use-section-bytes.ts';
import { DetailCard, InsnOnByte, RelocationOnByte, WordOnByte } from './ByteCards.tsx';
import styles from './ByteDetail.module.css';
import { relocationOnByte } from './byte-marks.ts';
import { type FieldLink, innermostLink, linkOf } from './field-links.ts';
import type { ShowBytes } from './HexArea.tsx';
import type { Region } from './regions.ts';

type ByteDetailProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly region: Region;
  readonly fileOffset: number;
  /** Fields that contain the byte, from the file to the innermost field. */
  readonly chain: readonly StructureField[];
  readonly onField: (field: StructureField) => void;
  /** Returns bytes as the hex view shows them: stored or relocated. */
  readonly shown: ShowBytes;
};

/** Shows one byte: offset, section, fields, and the numbers that begin at the byte. */
export function ByteDetail(props: ByteDetailProps) {
  const { id, model, region, fileOffset, chain, onField, shown } = props;
  const section = region.section ?? sectionAt(model.sections, fileOffset);
  const value = useBytes(id, fileOffset, Math.min(fileOffset + 8, model.size));
  const start = section === null ? 0 : (model.sections.fileOffset[section] ?? 0);
  const write = useWriteOffset();
  const hex = hexText(fileOffset);
  const isHex = write(fileOffset) === hex;
  return (
    <div className={styles.detail}>
      <h2 className="size-14">Byte {write(fileOffset)}</h2>
      <FieldTrail chain={chain} onPick={onField} />
      <KeyValue
        items={[
          isHex
            ? { term: 'Decimal', value: grouped(fileOffset), isMono: true }
            : { term: 'Hex', value: hex, isMono: true },
          ...(model.sections.count === 0
            ? []
            : [sectionItem(model, section, write(fileOffset - start))]),
        ]}
      />
      {section === null || isPacked(model, section) ? null : (
        <OwnCards id={id} model={model} section={section} byteOffset={fileOffset - start} />
      )}
      <FieldCard chain={chain} />
      {value === null ? (
        <p>Loading…</p>
      ) : (
        <ByteValues bytes={shown(fileOffset, value)} endian={model.endian} />
      )}
    </div>
  );
}

function sectionItem(
  model: ObjectModel,
  section: SectionIndex | null,
  /** Offset from the start of the section. */
  offset: string,
): KeyValueItem {
  if (section === null) return { term: 'Section', value: 'none' };
  const name = drawnName(sectionName(model.sections, section));
  return { term: 'Section', value: `${name} + ${offset}`, isMono: true };
}

type OwnCardsProps = ComponentProps<typeof InsnOnByte>;

/** Shows cards about the relocations and the instruction at the byte. */
function OwnCards(props: OwnCardsProps) {
  const { model, section, byteOffset } = props;
  const isInsn = isCode(model.sections, section);
  if (isInsn && hasBpfCode(model)) return <InsnOnByte {...props} />;
  if (isInsn && canList(model)) return <WordOnByte {...props} />;
  const start = model.sections.fileOffset[section] ?? 0;
  const reloc = relocationOnByte(model, section, start + byteOffset);
  return reloc === null ? null : <RelocationOnByte model={model} reloc={reloc} />;
}

type ByteValuesProps = {
  /** The selected byte and up to seven bytes after it. */
  readonly bytes: Uint8Array;
  readonly endian: Endian;
};

/** Shows the numbers that begin at the selected byte, in the byte order of the file. */
function ByteValues({ bytes, endian }: ByteValuesProps) {
  const [byte] = bytes;
  if (byte === undefined) return null;
  const character = characterOf(byte);
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>
        {endian === 'little' ? 'Little-endian' : 'Big-endian'}
        {character === '' ? null : (
          <span className={styles.ascii}>
            ASCII <span className="mono strong">{character}</span>
          </span>
        )}
      </caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Bits</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {readNumbers(bytes, endian).map(({ bits, hex, unsigned, signed }) => (
          <tr key={bits}>
            <th scope="row">u{bits}</th>
            <td>
              <span className="wrapping spread">
                {hex} <span className="at-end">{grouped(unsigned)}</span>
              </span>
              {signed < 0n ? (
                <span className={styles.signed}>
                  <span className="muted">i{bits}</span> −{grouped(-signed)}
                </span>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Bytes read as one number. */
type NumberReading = {
  readonly bits: 8 | 16 | 32 | 64;
  readonly unsigned: bigint;
  readonly signed: bigint;
  /** Number in hex with its most significant digit first: `0x0000002a`. */
  readonly hex: string;
};

/** Returns `bytes` read as numbers of 8, 16, 32 and 64 bits, if there are enough bytes. */
export function readNumbers(bytes: Uint8Array, endian: Endian): NumberReading[] {
  const readings: NumberReading[] = [];
  for (const bits of [8, 16, 32, 64] as const) {
    const size = bits / 8;
    if (bytes.length < size) break;
    const used = bytes.slice(0, size);
    const digits = [...(endian === 'little' ? used.toReversed() : used)].map(hexByte).join('');
    const unsigned = BigInt(`0x${digits}`);
    readings.push({ bits, unsigned, signed: BigInt.asIntN(bits, unsigned), hex: `0x${digits}` });
  }
  return readings;
}

const CONTROL = [
  ...['NUL', 'SOH', 'STX', 'ETX', 'EOT', 'ENQ', 'ACK', 'BEL', 'BS', 'TAB', 'LF', 'VT', 'FF'],
  ...['CR', 'SO', 'SI', 'DLE', 'DC1', 'DC2', 'DC3', 'DC4', 'NAK', 'SYN', 'ETB', 'CAN', 'EM'],
  ...['SUB', 'ESC', 'FS', 'GS', 'RS', 'US', 'space'],
];

/** Returns an ASCII character, or the name of an invisible one; empty text from 0x80 on. */
export function characterOf(byte: number): string {
  const named = CONTROL[byte];
  if (named !== undefined) return named;
  if (byte === 0x7f) return 'DEL';
  return byte < 0x7f ? String.fromCharCode(byte) : '';
}

const WORDS: Readonly<Record<StructureField['kind'], string>> = {
  file: 'File',
  section: 'Section',
  header: 'Header',
  part: 'Part',
  entry: 'Entry',
  type: 'BTF type',
  item: 'Item',
  field: 'Field',
  bits: 'Bits',
  string: 'String',
  function: 'Function',
  insn: 'Instruction slot',
  variable: 'Variable',
  content: 'Content',
  padding: 'Padding',
  undescribed: 'Undescribed',
};

/** Shows a card about the innermost field: value, meaning, source document and bits. */
function FieldCard({ chain }: { readonly chain: readonly StructureField[] }) {
  const write = useWriteOffset();
  const last = chain.at(-1);
  // If the innermost field is a range of bits, show the number that contains the bits.
  const field = last?.kind === 'bits' ? chain.at(-2) : last;
  if (field === undefined) return null;
  const parts = rulerParts(field);
  // The card of the instruction already links to the instruction.
  const link = chain.some(({ kind }) => kind === 'insn') ? null : innermostLink(chain);
  const fieldLink = field.kind === 'field' ? linkOf(field) : null;
  return (
    <DetailCard
      noun={
        field.cType === '' ? WORDS[field.kind] : `${WORDS[field.kind]}, ${drawnName(field.cType)}`
      }
      title={<FieldTitle field={field} />}
      actions={
        fieldLink === null && link === null ? undefined : (
          <Links links={[fieldLink, link].filter((each) => each !== null)} />
        )
      }
    >
      <KeyValue items={itemsOf(field, write)} />
      {parts.length === 0 ? null : <BitRuler label={`Bits of ${field.label}`} parts={parts} />}
      {field.source === '' ? null : <p className="tiny muted">{field.source}</p>}
    </DetailCard>
  );
}

/** Shows the name of a field, as a link if the glossary has the name. */
function FieldTitle({ field }: { readonly field: StructureField }) {
  const term = termCalled(field.name) ?? termCalled(field.cType);
  const label = drawnName(field.label);
  return term === null ? label : <Term id={term}>{label}</Term>;
}

function itemsOf({ value, meaning, span }: StructureField, write: WriteOffset): KeyValueItem[] {
  const items: KeyValueItem[] = [];
  if (value !== null) items.push({ term: 'Value', value, isMono: true });
  if (meaning !== '') items.push({ term: 'Means', value: drawnName(meaning) });
  const length = countOf(span.end - span.start, 'byte');
  items.push({ term: 'Bytes', value: `${write(span.start)}, ${length}`, isMono: true });
  return items;
}

/** Returns the bit ranges of a number, highest first; an empty list if it has no bit ranges. */
function rulerParts(field: StructureField): RulerPart[] {
  if (field.kind !== 'field' || field.value === null) return [];
  const list = childrenOf(field);
  const parts: RulerPart[] = [];
  for (let i = list.count - 1; i >= 0; i--) {
    const part = list.at(i);
    if (part?.bits === null || part?.bits === undefined) return [];
    parts.push({
      field: part.name,
      length: part.bits.length,
      value: BigInt(part.value ?? 0),
      name: part.name === '' ? undefined : part.value,
      about: drawnName(part.meaning),
    });
  }
  return parts;
}

function Links({ links }: { readonly links: readonly FieldLink[] }) {
  return links.map(({ label, selection, view }) => (
    <SelectButton key={label} selection={selection} view={view}>
      {label}
    </SelectButton>
  ));
}

type FieldTrailProps = {
  /** Fields that contain the byte, from the file to the innermost field. */
  readonly chain: readonly StructureField[];
  readonly onPick: (field: StructureField) => void;
};

/** Shows the fields that contain the byte as breadcrumbs. A click selects the bytes of a field. */
function FieldTrail({ chain, onPick }: FieldTrailProps) {
  return (
    <Landmark as="nav" aria-label="Structure of the byte">
      <ol className={styles.trail}>
        {chain.map((field, depth) => (
          <li
            key={`${field.kind} ${field.span.start}-${field.span.end} ${field.label}`}
            className={styles.step}
          >
            <button
              type="button"
              className={styles.owner}
              aria-current={depth === chain.length - 1 ? 'location' : undefined}
              title={field.cType === '' ? undefined : field.cType}
              onClick={() => onPick(field)}
            >
              {drawnName(field.label)}
            </button>
          </li>
        ))}
      </ol>
    </Landmark>
  );
}
