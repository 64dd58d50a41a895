import { coreRecordsBetween } from '#analysis/core/core-records.ts';
import type { SectionRole } from '#analysis/objects/section-role.ts';
import { otherWord } from '#analysis/relocations/list.ts';
import { entriesByRole, relocationRuns, runRole } from '#analysis/relocations/sections.ts';
import type { Span } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import { formatName, type ObjectModel } from '#model/object-model.ts';
import { useBytes } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { grouped } from '#ui/grouped.ts';
import { hexByte, hexBytes } from '#ui/hex-marks.ts';
import type { KindTone, RelocTone } from '#ui/tone.ts';
import { MAX_COPIED_BYTES } from '#ui/use-byte-selection.ts';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { Offset } from '#views/parts/Offset.tsx';
import { relocTone } from '#views/parts/relocation-look.ts';
import { isPacked } from '#views/parts/use-section-bytes.ts';
import { FIELD_TONES } from './byte-marks.ts';
import type { ShowBytes } from './HexArea.tsx';
import type { Region } from './regions.ts';
import styles from './SelectionBar.module.css';

type SelectionBarProps = {
  readonly id: FileId;
  /** File offsets of the bytes to copy; null if no bytes are selected. */
  readonly span: Span | null;
  /** Number to add to a file offset before it is displayed. */
  readonly shift: number;
  readonly legend: readonly LegendEntry[];
  /** Returns bytes as the hex view shows them: stored or relocated. */
  readonly shown: ShowBytes;
};

/** Shows a bar under the bytes: meaning of the colours, selected range, copy buttons. */
export function SelectionBar({ id, span, shift, legend, shown }: SelectionBarProps) {
  return (
    <div className={styles.bar}>
      <MarkLegend entries={legend} />
      {span === null ? null : (
        <div className={styles.selected}>
          <span className="nowrap">
            <span className="mono strong">
              <Offset text={rangeText(span.start + shift, span.end - 1 + shift)} />
            </span>{' '}
            {countOf(span.end - span.start, 'byte')}
          </span>
          {span.end - span.start > MAX_COPIED_BYTES ? (
            <span>Up to {sizeText(MAX_COPIED_BYTES)} can be copied</span>
          ) : (
            <CopyButtons id={id} span={span} shown={shown} />
          )}
        </div>
      )}
    </div>
  );
}

/** Returns the selected range as `0x40–0x47`, or one offset for a single byte. */
function rangeText(first: number, last: number): string {
  return first === last ? hexText(first) : `${hexText(first)}–${hexText(last)}`;
}

function CopyButtons({
  id,
  span,
  shown,
}: Pick<SelectionBarProps, 'id' | 'shown'> & { readonly span: Span }) {
  const stored = useBytes(id, span.start, span.end);
  if (stored === null) return <span>Loading…</span>;
  const bytes = () => shown(span.start, stored);
  return (
    <span className="wrapping">
      <CopyButton label="Copy as hex" text={() => hexBytes(bytes())} />
      <CopyButton label="Copy as C array" text={() => cArrayText(bytes(), span.start)} />
      <CopyButton label="Copy as base64" text={() => base64Text(bytes())} />
    </span>
  );
}

function MarkLegend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  if (entries.length === 0) return <p className="small muted">No relocations or types</p>;
  return (
    <ul className={styles.legend} aria-label="Colour legend">
      {entries.map(({ tone, word, count }) => (
        <li key={tone} className={styles.entry}>
          <span aria-hidden className={styles.swatch} data-tone={tone} />
          {word} {count === null ? null : <span className="muted">{grouped(count)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Colour in the hex view, and the number of marks that have the colour in the region. */
type LegendEntry = {
  readonly tone: RelocTone | KindTone | 'muted';
  readonly word: string;
  /** Number of marks; null for a colour of fields of BTF records. */
  readonly count: number | null;
};

function wordsOf(model: ObjectModel): readonly (readonly [LegendEntry['tone'], string])[] {
  const format = formatName(model);
  return [
    ['muted', 'BTF types'],
    ['reloc-2', `${format}, program code`],
    ['reloc-1', `${format}, data`],
    ['reloc-4', `${format}, ${otherWord(model)}`],
    ['reloc-3', 'CO-RE'],
  ];
}

/** Colours of the fields of BTF records. */
const FIELD_LEGEND: readonly LegendEntry[] = [
  { tone: FIELD_TONES.name, word: 'Name', count: null },
  { tone: FIELD_TONES.info, word: 'Kind', count: null },
  { tone: FIELD_TONES.type, word: 'Type id', count: null },
  { tone: FIELD_TONES.number, word: 'Number', count: null },
];

/** Returns the colours that occur in `region`. */
export function legendOf(model: ObjectModel, region: Region): LegendEntry[] {
  const { section } = region;
  if (section !== null && isPacked(model, section)) return [];
  const counts = new Map<LegendEntry['tone'], number>();
  for (const [role, count] of section === null
    ? entriesByRole.of(model)
    : rolesOn(model, section)) {
    const tone = relocTone(role);
    counts.set(tone, (counts.get(tone) ?? 0) + count);
  }
  counts.set(
    'reloc-3',
    section === null
      ? model.ext.core.count
      : coreRecordsBetween(model, section, 0, Number.POSITIVE_INFINITY).length,
  );
  if (holdsTypes(model, region)) counts.set('muted', model.types?.count ?? 0);
  const marks = wordsOf(model)
    .map(([tone, word]) => ({ tone, word, count: counts.get(tone) ?? 0 }))
    .filter(({ count }) => count > 0);
  const isOfTypes = counts.has('muted') && (section !== null || model.format === 'btf');
  return isOfTypes ? [...marks, ...FIELD_LEGEND] : marks;
}

function* rolesOn(model: ObjectModel, section: SectionIndex): Generator<[SectionRole, number]> {
  for (const run of relocationRuns(model)) {
    if (model.relocations.targetSection[run.first] !== section) continue;
    yield [runRole(model, run), run.count];
  }
}

function holdsTypes({ types }: ObjectModel, { start, length }: Region): boolean {
  const first = types?.fileOffset ?? null;
  return first !== null && first >= start && first < start + length;
}

const PER_LINE = 12;

/** Returns bytes as a C array, as `xxd -i` writes it, after a comment with the file offset. */
export function cArrayText(bytes: Uint8Array, fileOffset: number): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += PER_LINE) {
    const line = Array.from(bytes.subarray(at, at + PER_LINE), (byte) => `0x${hexByte(byte)}`);
    lines.push(`  ${line.join(', ')}`);
  }
  const head = `/* file offset 0x${fileOffset.toString(16)} */`;
  return `${head}\nunsigned char bytes[${bytes.length}] = {\n${lines.join(',\n')}\n};\n`;
}

/** Maximum number of arguments per call of a function: JavaScript engines have a limit. */
const CHUNK = 8192;

export function base64Text(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary);
}
