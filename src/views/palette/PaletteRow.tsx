import { Binary, Braces, Code, FileCode2, Hash, Link2, type LucideIcon, Quote } from 'lucide-react';
import type { FindHit, HitWhat } from '#analysis/find/hit.ts';
import { drawnName } from '#bytes/text.ts';
import { Kbd } from '#ui/Kbd.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { hitAbout, hitNumber, hitWord } from './hit-text.ts';
import styles from './PaletteRow.module.css';
import type { PaletteAction, PaletteItem } from './palette-items.ts';

const ICONS: Readonly<Partial<Record<HitWhat, LucideIcon>>> = {
  'member-name': Braces,
  function: Code,
  section: FileCode2,
  symbol: Hash,
  string: Quote,
  core: Link2,
};

/** What one line says. `hasHeading`: does a heading above it tell what sort of thing it is? */
export function PaletteRow({
  item,
  hasHeading,
}: {
  readonly item: PaletteItem;
  readonly hasHeading: boolean;
}) {
  switch (item.source) {
    case 'hit':
      return <HitRow hit={item.hit} />;
    case 'action':
      return (
        <ActionRow
          action={item.action}
          ranges={item.ranges}
          word={hasHeading ? null : GROUP_WORDS[item.group]}
        />
      );
    case 'example':
      return (
        <>
          <code className={styles.example}>{item.example.text}</code>
          <span className={styles.about}>{item.example.finds}</span>
        </>
      );
  }
}

const GROUP_WORDS = {
  Recent: 'recent',
  'Go to': 'view',
  File: 'file',
  Command: 'command',
} as const;

function ActionRow(props: {
  readonly action: PaletteAction;
  readonly ranges: readonly number[];
  readonly word: string | null;
}) {
  const { action, ranges, word } = props;
  // A place or a file is called by names out of files; a command speaks English.
  const isName = action.group === 'Recent' || action.group === 'File';
  return (
    <>
      <span className={styles.icon}>{action.icon}</span>
      <span className={styles.title} data-words={!isName}>
        <Marked text={action.title} ranges={ranges} />
      </span>
      <span className={styles.about}>{drawnName(action.about ?? '')}</span>
      {action.keys === undefined ? null : (
        <span className={styles.keys}>
          {action.keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
      {word === null ? null : <span className={styles.word}>{word}</span>}
    </>
  );
}

function HitRow({ hit }: { readonly hit: FindHit }) {
  const Icon = ICONS[hit.what] ?? Binary;
  return (
    <>
      <span className={styles.icon}>
        {hit.kind === null ? (
          <Icon size={15} aria-hidden />
        ) : (
          <KindBadge kind={hit.kind} decorative />
        )}
      </span>
      <span className={styles.title}>
        {hit.title === '' ? '(no name)' : <Marked text={hit.title} ranges={hit.ranges} />}
      </span>
      <span className={styles.about}>{drawnName(hitAbout(hit))}</span>
      <span className={styles.number}>{hitNumber(hit)}</span>
      <span className={styles.word}>
        {hit.inBase ? 'base ' : ''}
        {hitWord(hit)}
      </span>
    </>
  );
}

/** A name out of the file with the characters marked that were asked for. Hidden characters are written as escapes. */
function Marked({ text, ranges }: { readonly text: string; readonly ranges: readonly number[] }) {
  return (
    <bdi className={styles.text}>
      {markedPieces(text, ranges).map((piece) =>
        piece.isMarked ? (
          <mark key={piece.start}>{drawnName(piece.text)}</mark>
        ) : (
          <span key={piece.start}>{drawnName(piece.text)}</span>
        ),
      )}
    </bdi>
  );
}

type Piece = { readonly start: number; readonly text: string; readonly isMarked: boolean };

/** `ranges`: start and end (exclusive) of each run, ascending; what lies outside the text is left out. */
export function markedPieces(text: string, ranges: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (let i = 0; i + 1 < ranges.length; i += 2) {
    const start = Math.max(at, Math.min(text.length, ranges[i] ?? 0));
    const end = Math.max(start, Math.min(text.length, ranges[i + 1] ?? 0));
    if (start > at) pieces.push({ start: at, text: text.slice(at, start), isMarked: false });
    if (end > start) pieces.push({ start, text: text.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < text.length) pieces.push({ start: at, text: text.slice(at), isMarked: false });
  return pieces;
}
