/** What stands beside a hit: its numbers, and the word for what it is. Raw names in both. */
import type { FindHit, HitWhat } from '#analysis/find/hit.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { ViewName } from '#store/session.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';

type HitText = {
  /** The view that shows it, and the views that a person stays in when they are there already. */
  readonly views: readonly ViewName[];
  /** What it is; its `what` unless told. */
  readonly word?: (hit: FindHit) => string;
  /** What is known of it, in a few words. */
  readonly about?: (hit: FindHit) => string | undefined;
  /** The number that tells it from its neighbours: an offset, a size, a value. */
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
    about: ({ facts }) => `no member covers these ${countOf(facts.bytes ?? 0, 'byte')}`,
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
  core: { views: ['core'], word: ({ facts }) => facts.word ?? 'CO-RE', about: place },
};

/** `struct`, `member`, `function`: at the end of the line. */
export function hitWord(hit: FindHit): string {
  return HITS[hit.what].word?.(hit) ?? hit.what;
}

/** What is known of it, in a few words; empty where nothing is. */
export function hitAbout(hit: FindHit): string {
  return HITS[hit.what].about?.(hit) ?? '';
}

/** The number that tells it from its neighbours; empty where there is none. */
export function hitNumber(hit: FindHit): string {
  return HITS[hit.what].number?.(hit) ?? '';
}

function typeAbout({ kind, facts }: FindHit): string {
  if (facts.typeText !== undefined) return facts.typeText;
  const noun = itemNoun(kind);
  return noun === null || facts.items === undefined ? '' : countOf(facts.items, noun);
}

function itemNoun(kind: number | null): string | null {
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return 'member';
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return 'enumerator';
    case BtfKind.DATASEC:
      return 'variable';
    default:
      return null;
  }
}

function placeText({ facts: { bitOffset, bits } }: FindHit): string {
  if (bitOffset === undefined) return '';
  const at = offsetText(bitOffset);
  return bits === undefined ? at : `${at}, ${countOf(bits, 'bit')}`;
}

/** `0x18`, and `0x18:3` where it begins inside a byte. */
function offsetText(bitOffset: number): string {
  const rest = bitOffset % 8;
  return `${hexText(Math.floor(bitOffset / 8))}${rest === 0 ? '' : `:${rest}`}`;
}

/** The view to go to from `current`; with `inGraph` the graph, where it can show such a thing. */
export function viewFor(hit: FindHit, current: ViewName, inGraph: boolean): ViewName {
  if (inGraph && hit.selection?.kind === 'type') return 'graph';
  const fitting = HITS[hit.what].views;
  return fitting.includes(current) ? current : (fitting[0] ?? current);
}

/** What to type next when the hit is taken up: a struct's members, a member's own. */
export function completion({ what, kind, title, refine }: FindHit): string {
  if (refine !== null) return refine;
  const hasMembers = kind === BtfKind.STRUCT || kind === BtfKind.UNION;
  return what === 'type' && hasMembers ? `${title}.` : title.replaceAll('[]', '');
}
