import { Autocomplete } from '@base-ui/react/autocomplete';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Binary, Braces, Code, FileCode2, Hash, Link2, type LucideIcon, Quote } from 'lucide-react';
import { type MouseEvent, type RefObject, useImperativeHandle, useRef } from 'react';
import type { FindHit, HitWhat } from '#analysis/find/make-hit.ts';
import { drawnName, hexPlace } from '#bytes/text.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { fileById, useSession } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { Kbd } from '#ui/keys.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './PaletteList.module.css';
import { isCommandText, type PaletteAction, type PaletteItem } from './palette-items.ts';
import type { Found, FoundHit } from './use-find.ts';

/** Height of a line in CSS pixels. */
const ROW = 36;
const HEADING = 28;
const OVERSCAN = 6;
const PADDING = 6;

export type PaletteListHandle = {
  readonly showRow: (index: number) => void;
  readonly scrollToTop: () => void;
};

type PaletteListProps = {
  readonly handle: RefObject<PaletteListHandle | null>;
  readonly items: readonly PaletteItem[];
  /** Returns the heading above an item; null if it has none. */
  readonly headingOf: (item: PaletteItem) => string | null;
  /** True if the listed items are hits of an earlier text. */
  readonly isStale: boolean;
  readonly onTake: (item: PaletteItem, event: MouseEvent) => void;
};

/** Shows the list of items. Only visible lines are drawn. */
export function PaletteList({ handle, items, headingOf, isStale, onTake }: PaletteListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const headingAt = (index: number) => {
    const item = items[index];
    return item === undefined ? null : headingOf(item);
  };
  const hasHeading = (index: number) =>
    headingAt(index) !== null && headingAt(index) !== headingAt(index - 1);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW + (hasHeading(index) ? HEADING : 0),
    getItemKey: (index) => `${items[index]?.key ?? index}${hasHeading(index) ? ':first' : ''}`,
    overscan: OVERSCAN,
    paddingStart: PADDING,
    paddingEnd: PADDING,
    scrollPaddingStart: PADDING,
    scrollPaddingEnd: PADDING,
    useFlushSync: false,
  });
  useImperativeHandle(handle, () => ({
    showRow: (index) => rows.scrollToIndex(index, { align: 'auto' }),
    scrollToTop: () => rows.scrollToOffset(0),
  }));
  return (
    <Autocomplete.List
      ref={scroller}
      className={styles.list}
      aria-label="Found"
      data-stale={isStale}
      style={{ height: rows.getTotalSize() }}
    >
      <div role="presentation" className={styles.rows} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={key}
              role="presentation"
              className={styles.place}
              style={{ transform: `translateY(${start}px)` }}
            >
              {hasHeading(index) ? (
                <div role="presentation" aria-hidden className={styles.heading}>
                  {headingOf(item)}
                </div>
              ) : null}
              <Autocomplete.Item
                index={index}
                value={item}
                className={styles.row}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                onClick={(event) => onTake(item, event)}
              >
                <PaletteRow item={item} hasHeading={headingOf(item) === item.group} />
              </Autocomplete.Item>
            </div>
          );
        })}
      </div>
    </Autocomplete.List>
  );
}

/** Shows why the list is empty, and what to do. */
export function NothingFound({ text, found }: { readonly text: string; readonly found: Found }) {
  const why = isCommandText(text)
    ? 'No matching command'
    : (found.failure ?? found.answer?.problem ?? `No matches for ${text.trim()}`);
  return (
    <div className={styles.nothing}>
      <p className="break strong">{drawnName(why)}</p>
      <p className={styles.hint}>Clear to see query examples.</p>
    </div>
  );
}

const ICONS: Readonly<Partial<Record<HitWhat, LucideIcon>>> = {
  'member-name': Braces,
  function: Code,
  section: FileCode2,
  symbol: Hash,
  string: Quote,
  core: Link2,
};

/** Shows one item. `hasHeading` is true if a heading above it already names its group. */
function PaletteRow(props: { readonly item: PaletteItem; readonly hasHeading: boolean }) {
  const { item, hasHeading } = props;
  switch (item.source) {
    case 'hit':
      return <HitRow hit={item.hit} file={item.file} />;
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
  // Titles of places and files are names from a file. Titles of commands are words of the page.
  const isName = action.group === 'Recent' || action.group === 'File';
  return (
    <>
      <span className={styles.icon}>{action.icon}</span>
      <span className={styles.title} data-words={!isName}>
        <Marked text={action.title} ranges={ranges} />
      </span>
      <span className={styles.about}>{drawnName(action.about ?? '')}</span>
      {action.keys === undefined ? null : (
        <span className="gap-1 rigid flex">
          {action.keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
      {word === null ? null : <span className={styles.word}>{word}</span>}
    </>
  );
}

function HitRow({ hit, file }: FoundHit) {
  const name = useSession((state) => fileById(state, file)?.name ?? null);
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
      {name === null ? null : <span className={styles.about}>{drawnName(name)}</span>}
      <span className={styles.number}>{hitNumber(hit)}</span>
      <span className={styles.word}>
        {hit.inBase ? 'base ' : ''}
        {hitWord(hit)}
      </span>
    </>
  );
}

/** Shows an escaped name with its matching characters marked. */
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

/** Splits a text at its ranges, which are ascending pairs of start and end (exclusive). */
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

/** Texts shown beside a hit, and views that can show the hit. Names are not escaped. */
type HitText = {
  /** Views that can show the hit. The first one is the default. */
  readonly views: readonly ViewName[];
  /** Returns the kind of the hit. Without this function it is `what` of the hit. */
  readonly word?: (hit: FindHit) => string;
  /** Returns a short description of the hit. */
  readonly about?: (hit: FindHit) => string | undefined;
  /** Returns the offset, size or value of the hit. */
  readonly number?: (hit: FindHit) => string | undefined;
};

const place = ({ facts }: FindHit) => facts.place;
const size = ({ facts: { bytes = 0 } }: FindHit) => (bytes > 0 ? countOf(bytes, 'byte') : '');

const HITS: Readonly<Record<HitWhat, HitText>> = {
  type: {
    views: ['types', 'graph', 'text'],
    word: ({ kind }) => (kind === null ? 'type' : kindName(kind)).toLowerCase(),
    about: typeAbout,
    number: ({ facts: { bytes } }) => (bytes === undefined ? '' : countOf(bytes, 'byte')),
  },
  member: { views: ['types', 'graph'], about: ({ facts }) => facts.typeText, number: placeText },
  hole: {
    views: ['types'],
    about: ({ facts }) => `no member at these ${countOf(facts.bytes ?? 0, 'byte')}`,
    number: placeText,
  },
  'member-name': {
    views: ['types'],
    word: () => 'member',
    about: ({ facts }) => `in ${countOf(facts.items ?? 0, 'place')}: show them all`,
  },
  enumerator: { views: ['types', 'text'], about: place, number: ({ facts }) => facts.value },
  function: { views: ['code'], about: place, number: size },
  section: { views: ['bytes', 'relocations'], number: size },
  symbol: { views: ['bytes'], about: place, number: size },
  string: { views: ['bytes'], number: ({ facts }) => facts.word },
  byte: { views: ['bytes'], about: place },
  insn: { views: ['code'], about: place, number: ({ facts }) => facts.word },
  core: { views: ['core'], word: ({ facts }) => facts.word ?? 'CO-RE', about: place },
};

/** Returns the kind of a hit: `struct`, `member`, `function`. */
export function hitWord(hit: FindHit): string {
  return HITS[hit.what].word?.(hit) ?? hit.what;
}

/** Returns a short description of a hit; may be empty. */
export function hitAbout(hit: FindHit): string {
  return HITS[hit.what].about?.(hit) ?? '';
}

/** Returns the offset, size or value of a hit; may be empty. */
export function hitNumber(hit: FindHit): string {
  return HITS[hit.what].number?.(hit) ?? '';
}

function typeAbout({ kind, facts }: FindHit): string {
  if (facts.typeText !== undefined) return facts.typeText;
  const noun = ITEM_NOUNS.get(kind);
  return noun === undefined || facts.items === undefined ? '' : countOf(facts.items, noun);
}

/** Name of the items that `vlen` counts, by kind. */
const ITEM_NOUNS: ReadonlyMap<number | null, string> = new Map([
  [BtfKind.STRUCT, 'member'],
  [BtfKind.UNION, 'member'],
  [BtfKind.ENUM, 'enumerator'],
  [BtfKind.ENUM64, 'enumerator'],
  [BtfKind.DATASEC, 'variable'],
]);

/** Returns the offset `0x18`, or `0x18:3, 5 bits` for a bit-field. */
function placeText({ facts: { bitOffset, bits } }: FindHit): string {
  if (bitOffset === undefined) return '';
  const at = hexPlace(bitOffset);
  return bits === undefined ? at : `${at}, ${countOf(bits, 'bit')}`;
}

/** Returns the view for a hit: Graph for `inGraph`, the current view if it fits, or the default. */
export function viewFor(hit: FindHit, current: ViewName, inGraph: boolean): ViewName {
  if (inGraph && hit.selection?.kind === 'type') return 'graph';
  const fitting = HITS[hit.what].views;
  return fitting.includes(current) ? current : (fitting[0] ?? current);
}

/** Returns the query that continues from a hit, such as a query for the members of a struct. */
export function completion({ what, kind, title, refine }: FindHit): string {
  if (refine !== null) return refine;
  const hasMembers = kind === BtfKind.STRUCT || kind === BtfKind.UNION;
  return what === 'type' && hasMembers ? `${title}.` : title.replaceAll('[]', '');
}
