import type {
  RelocationLayout,
  RelocationMeaning,
  SiteMark,
} from '#analysis/objects/relocation-facts.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import { drawnName } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { wordTextAt } from '#print/alpha-insn.ts';
import { useBytes } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { BitRuler } from '#views/parts/BitRuler.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { relocTone } from '#views/parts/relocation-look.ts';
import { markText, rulerParts, wordOf } from '#views/parts/WordText.tsx';
import styles from './MarkedWords.module.css';

type MarkedWordsProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly meaning: RelocationMeaning;
  readonly layout: RelocationLayout;
};

/** Each word that the entry patches or speaks of, its marked bits, and the word under the layout. */
export function MarkedWords({ id, model, meaning, layout }: MarkedWordsProps) {
  const { marks, site, belongsTo } = meaning;
  if (marks.length === 0) return <p className="small muted">{whyNone(meaning)}</p>;
  return (
    <div className={styles.words} data-tone={relocTone(belongsTo)}>
      {marks.map((mark) => (
        <MarkedWord
          key={`${mark.role}:${mark.span.start}`}
          id={id}
          model={model}
          section={site?.section ?? null}
          mark={mark}
          layout={layout}
        />
      ))}
    </div>
  );
}

function whyNone({ site }: RelocationMeaning): string {
  if (site === null) return 'The entry touches no bytes.';
  return site.bitSize === 0
    ? 'The entry alone does not state which bytes it patches.'
    : 'The bytes that it refers to are outside the section.';
}

type MarkedWordProps = Pick<MarkedWordsProps, 'id' | 'model' | 'layout'> & {
  readonly section: SectionIndex | null;
  readonly mark: SiteMark;
};

function MarkedWord({ id, model, section, mark, layout }: MarkedWordProps) {
  const { start, end } = mark.span;
  const bytes = useBytes(id, start, end);
  if (bytes === null || section === null) return <p className="small muted">Loading…</p>;
  const offset = start - (model.sections.fileOffset[section] ?? 0);
  const address = (model.sections.addr[section] ?? 0n) + BigInt(offset);
  const after = relocatedBytes(model, section, offset, bytes, layout);
  const before = wordOf(bytes, model.endian);
  const then = wordOf(after, model.endian);
  const line = (word: bigint) => ({
    hex: `0x${word.toString(16).padStart(2 * bytes.length, '0')}`,
    insn: bytes.length === 4 ? wordTextAt(model, section, offset, Number(word)) : null,
  });
  return (
    <div className="grid gap-1">
      <p className="small soft">
        <span className={styles.mono}>{hexText(address)}</span> {markText(mark)}
      </p>
      <WordLine label="In the file" {...line(before)} />
      <BitRuler
        label={`Bits at ${hexText(address)}`}
        parts={rulerParts(mark, before, markedValue)}
      />
      {then === before ? (
        <p className="small muted">Unchanged by the layout.</p>
      ) : (
        <WordLine label="With the layout" {...line(then)} isNew />
      )}
    </div>
  );
}

/** The class is what the ruler's part is coloured by. */
function markedValue(value: bigint) {
  return <span className={styles.marked}>{`${value}`}</span>;
}

type WordLineProps = {
  readonly label: string;
  readonly hex: string;
  readonly insn: string | null;
  readonly isNew?: boolean;
};

function WordLine({ label, hex, insn, isNew = false }: WordLineProps) {
  return (
    <p className={styles.line} data-new={isNew}>
      <span className={styles.label}>{label}</span>
      <span className={styles.mono}>{hex}</span>
      {insn === null ? null : <code className={styles.insn}>{drawnName(insn)}</code>}
    </p>
  );
}
