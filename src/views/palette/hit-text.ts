/** What stands beside a hit: its numbers, and the word for what it is. Raw names in both. */
import type { FindHit, HitFacts, HitWhat } from '#analysis/find/hit.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { ViewName } from '#store/session.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';

/** `struct`, `member`, `function`: at the end of the line. */
export function hitWord({ what, kind, facts }: FindHit): string {
  switch (what) {
    case 'type':
      return (kind === null ? 'type' : kindName(kind)).toLowerCase();
    case 'core':
      return facts.word ?? 'CO-RE';
    case 'member-name':
      return 'member';
    default:
      return what;
  }
}

/** What is known of it, in a few words; empty where nothing is. */
export function hitAbout(hit: FindHit): string {
  const { what, facts } = hit;
  switch (what) {
    case 'type':
      return typeAbout(hit);
    case 'member':
      return facts.typeText ?? '';
    case 'hole':
      return `no member covers these ${countOf(facts.bytes ?? 0, 'byte')}`;
    case 'member-name':
      return `in ${countOf(facts.items ?? 0, 'place')}: show them all`;
    case 'enumerator':
    case 'function':
    case 'symbol':
    case 'core':
      return facts.place ?? '';
    case 'section':
    case 'string':
      return '';
  }
}

/** The number that tells it from its neighbours: an offset, a size, a value; empty where there is none. */
export function hitNumber({ what, facts }: FindHit): string {
  switch (what) {
    case 'member':
    case 'hole':
      return placeText(facts);
    case 'enumerator':
      return facts.value ?? '';
    case 'string':
      return facts.word ?? '';
    case 'section':
    case 'function':
    case 'symbol':
      return (facts.bytes ?? 0) > 0 ? countOf(facts.bytes ?? 0, 'byte') : '';
    case 'type':
      return facts.bytes === undefined ? '' : countOf(facts.bytes, 'byte');
    default:
      return '';
  }
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

function placeText({ bitOffset, bits }: HitFacts): string {
  if (bitOffset === undefined) return '';
  const at = offsetText(bitOffset);
  return bits === undefined ? at : `${at}, ${countOf(bits, 'bit')}`;
}

/** `0x18`, and `0x18:3` where it begins inside a byte. */
function offsetText(bitOffset: number): string {
  const rest = bitOffset % 8;
  return `${hexText(Math.floor(bitOffset / 8))}${rest === 0 ? '' : `:${rest}`}`;
}

/** Where a hit leads: which view shows it best, and what Tab makes of its name. */

/** The view that shows it, and the views that a person stays in when they are there already. */
const PLACES: Readonly<Record<HitWhat, readonly ViewName[]>> = {
  type: ['types', 'graph', 'text'],
  member: ['types', 'graph'],
  hole: ['types'],
  'member-name': ['types'],
  enumerator: ['types', 'text'],
  function: ['code'],
  section: ['bytes', 'relocations'],
  symbol: ['bytes'],
  string: ['bytes'],
  core: ['core'],
};

/** The view to go to from `current`; with `inGraph` the graph, where it can show such a thing. */
export function viewFor(hit: FindHit, current: ViewName, inGraph: boolean): ViewName {
  if (inGraph && hit.selection?.kind === 'type') return 'graph';
  const fitting = PLACES[hit.what];
  return fitting.includes(current) ? current : (fitting[0] ?? current);
}

/** What to type next when the hit is taken up: a struct's members, a member's own. */
export function completion({ what, kind, title, refine }: FindHit): string {
  if (refine !== null) return refine;
  const hasMembers = kind === BtfKind.STRUCT || kind === BtfKind.UNION;
  return what === 'type' && hasMembers ? `${title}.` : title.replaceAll('[]', '');
}
