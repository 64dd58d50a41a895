import type { StructureField } from '#analysis/fields/field.ts';
import { childrenOf } from '#analysis/structure/structure.ts';
import { drawnName } from '#bytes/text.ts';
import { termCalled } from '#glossary/find-terms.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { BitRuler, type RulerPart } from '#views/parts/BitRuler.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { SelectButton } from '#views/parts/SelectButton.tsx';
import { Term } from '#views/parts/Term.tsx';
import { DetailCard } from './ByteCards.tsx';
import styles from './FieldCard.module.css';
import { type FieldLink, innermostLink, linkOf } from './field-links.ts';

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
  undescribed: 'Not described',
};

/** The innermost owner of the byte: its value, what that means, which document says so, and its bits. */
export function FieldCard({ chain }: { readonly chain: readonly StructureField[] }) {
  const last = chain.at(-1);
  // Bits are told with the number that they are of.
  const owner = last?.kind === 'bits' ? chain.at(-2) : last;
  if (owner === undefined) return null;
  const parts = rulerParts(owner);
  // The card of an instruction leads there itself.
  const link = chain.some(({ kind }) => kind === 'insn') ? null : innermostLink(chain);
  const own = owner.kind === 'field' ? linkOf(owner) : null;
  return (
    <DetailCard
      what={
        owner.cType === '' ? WORDS[owner.kind] : `${WORDS[owner.kind]}, ${drawnName(owner.cType)}`
      }
      title={<FieldTitle owner={owner} />}
      actions={
        own === null && link === null ? undefined : (
          <Links links={[own, link].filter((each) => each !== null)} />
        )
      }
    >
      <KeyValue items={itemsOf(owner)} />
      {parts.length === 0 ? null : <BitRuler label={`Bits of ${owner.label}`} parts={parts} />}
      {owner.source === '' ? null : <p className="tiny muted">{owner.source}</p>}
    </DetailCard>
  );
}

/** Its name; where that is one of a document, the word has its card. */
function FieldTitle({ owner }: { readonly owner: StructureField }) {
  const term = termCalled(owner.name) ?? termCalled(owner.cType);
  const label = drawnName(owner.label);
  return term === null ? label : <Term id={term}>{label}</Term>;
}

function itemsOf({ value, meaning, span }: StructureField): KeyValueItem[] {
  const items: KeyValueItem[] = [];
  if (value !== null) items.push({ term: 'Value', value, isMono: true });
  if (meaning !== '') items.push({ term: 'Means', value: drawnName(meaning) });
  const length = countOf(span.end - span.start, 'byte');
  items.push({ term: 'Bytes', value: `${hexText(span.start)}, ${length}`, isMono: true });
  return items;
}

/** The groups of bits from the highest down; none where the number is whole. */
function rulerParts(owner: StructureField): RulerPart[] {
  if (owner.kind !== 'field' || owner.value === null) return [];
  const list = childrenOf(owner);
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
  /** From the file in. */
  readonly chain: readonly StructureField[];
  readonly onPick: (owner: StructureField) => void;
};

/** The owners of a byte from the outside in; each marks its bytes when it is clicked. */
export function FieldTrail({ chain, onPick }: FieldTrailProps) {
  return (
    <nav aria-label="Structure of the byte">
      <ol className={styles.trail}>
        {chain.map((owner, depth) => (
          <li key={keyOf(owner)} className={styles.step}>
            <button
              type="button"
              className={styles.owner}
              aria-current={depth === chain.length - 1 ? 'location' : undefined}
              title={owner.cType === '' ? undefined : owner.cType}
              onClick={() => onPick(owner)}
            >
              {drawnName(owner.label)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** An owner and its only part may have the same bytes, but not the same name too. */
function keyOf({ kind, label, span }: StructureField): string {
  return `${kind} ${span.start}-${span.end} ${label}`;
}
