import { Fragment, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { commentsIn, cWordGroup, type Token, tokensOf } from '#analysis/c/tokens.ts';
import { tagKeyword } from '#analysis/types/declarator.ts';
import { refersTo } from '#analysis/types/references.ts';
import { visibleLines } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { usePaneHighlight } from '#store/session/highlight.ts';
import { Button } from '#ui/Button.tsx';
import { Code } from '#ui/CopyButton.tsx';
import { classNames } from '#ui/class-names.ts';
import { grouped } from '#ui/grouped.ts';
import styles from './DeclarationCode.module.css';
import { clipLines, FORM_WORDS, ownDeclarationStart } from './declaration-text.ts';
import type { DeclarationForm } from './state.ts';

/** With colours and links, and without them. */
const SHOWN_CHARACTERS = 40_000;
const SHOWN_PLAIN = 1_000_000;
/** More than the box shows at once: the rest of it is drawn a moment later. */
const SHOWN_FIRST = 6000;

/** Pixels that stay above the line that is scrolled to. */
const TOP_PADDING = 8;

const NO_TARGETS: DeclarationTargets = new Map();

type DeclarationCodeProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly form: DeclarationForm;
  readonly text: string;
};

/** The text of a type, with the types that it names as links where it is C. */
export function DeclarationCode({ types, type, form, text }: DeclarationCodeProps) {
  const ownStart = useRef<HTMLSpanElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const clipped = useMemo(() => clipLines(text, SHOWN_CHARACTERS), [text]);
  const ownPlace = useMemo(() => ownDeclarationStart(clipped.text, form), [clipped, form]);
  const drawn = useDeferredValue(SHOWN_CHARACTERS, ownPlace + SHOWN_FIRST);
  const parts = useMemo(() => {
    const isC = form === 'c' || form === 'header' || form === 'pahole';
    const targets = isC ? withItself(declarationTargets(types, type), types, type) : NO_TARGETS;
    const shown = clipLines(clipped.text, drawn).text;
    const own = isC ? { type, at: ownNameAt(types, type, shown, ownPlace) } : null;
    return keyed(declarationParts(shown, targets, form, own), ownPlace);
  }, [clipped, drawn, types, type, form, ownPlace]);
  // A browser takes seconds to lay out so many coloured words.
  const rest = useMemo(
    () => (isWhole ? clipLines(text.slice(clipped.text.length), SHOWN_PLAIN) : null),
    [isWhole, text, clipped],
  );
  useLayoutEffect(() => {
    const mark = ownStart.current;
    const scroller = mark?.closest('[role=group]') ?? null;
    if (mark !== null && scroller !== null) scroller.scrollTop = mark.offsetTop - TOP_PADDING;
  }, []);
  const { title } = FORM_WORDS[form];
  const linesLeftOut = rest === null ? clipped.linesLeftOut : rest.linesLeftOut;
  return (
    <>
      <div className={styles.code}>
        <Code text={text} label={form === 'c' ? 'C declaration' : `Declaration as ${title}`}>
          {parts.map(({ at, part, isOwnStart }) => (
            <Fragment key={at}>
              {isOwnStart ? <span ref={ownStart} /> : null}
              <Part part={part} itself={type} />
            </Fragment>
          ))}
          {rest === null ? null : visibleLines(rest.text)}
        </Code>
      </div>
      {linesLeftOut === 0 ? null : (
        <p className={styles.more}>
          {grouped(linesLeftOut)} more lines are not shown; copy and download are complete.
          {rest === null ? (
            <Button size="small" variant="quiet" onClick={() => setIsWhole(true)}>
              Show all
            </Button>
          ) : null}
        </p>
      )}
    </>
  );
}

/**
 * Each part with its place in the text, which no other part has; one of them is the first at `ownStart`
 * or behind it. Where that is the start of the text, there is nothing to scroll to, and so to measure.
 */
function keyed(parts: readonly DeclarationPart[], ownStart: number) {
  let at = 0;
  return parts.map((part) => {
    const place = at;
    at += part.text.length;
    return { at: place, part, isOwnStart: ownStart > 0 && place <= ownStart && ownStart < at };
  });
}

/** The types are under "Refers to" as well: here they are no tab stops, since there may be hundreds. */
function Part({ part, itself }: { readonly part: DeclarationPart; readonly itself: TypeId }) {
  const { text, role, type } = part;
  const highlight = usePaneHighlight();
  const isUse = type !== null && highlight?.written.has(type) === true;
  if (type === itself) {
    const [keyword = ''] = /^(?:struct|union|enum)\b/.exec(text) ?? [];
    return (
      <span className={isUse ? 'in-use' : undefined}>
        {keyword === '' ? null : <span className={styles.keyword}>{keyword}</span>}
        {visibleLines(text.slice(keyword.length))}
      </span>
    );
  }
  if (type !== null) {
    return (
      <button
        type="button"
        tabIndex={-1}
        className={classNames(styles.link, isUse && 'in-use')}
        onClick={() => select(typeSelection(type))}
      >
        {visibleLines(text)}
      </button>
    );
  }
  return role === 'plain' ? (
    visibleLines(text)
  ) : (
    <span className={styles[role]}>{visibleLines(text)}</span>
  );
}

/** Parts of code: links to types, keywords, numbers, comments. */
type DeclarationPart = {
  readonly text: string;
  readonly role: 'plain' | 'keyword' | 'number' | 'comment';
  /** The type that the text names, or null. */
  readonly type: TypeId | null;
};

/** Keywords of the languages; null: those of C. */
const KEYWORDS: Readonly<Record<DeclarationForm, ReadonlySet<string> | null>> = {
  c: null,
  header: null,
  pahole: null,
  raw: new Set(),
  zig: new Set('pub const var extern packed struct union enum opaque align fn comptime'.split(' ')),
  rust: new Set('pub struct union type const static mut fn unsafe extern impl enum'.split(' ')),
  go: new Set('type struct const var'.split(' ')),
};

/** After these a name is that of a type; after any other token it is the declared name. */
const BEFORE_TYPE = new Set(['', ...'{ ; ( , typedef const volatile extern static'.split(' ')]);

/** A type, and where the text that declares it has its name; -1: where C writes its tag. */
type OwnName = { readonly type: TypeId; readonly at: number };

/** Returns the parts of `text`, in order and complete. */
export function declarationParts(
  text: string,
  targets: DeclarationTargets,
  form: DeclarationForm = 'c',
  own: OwnName | null = null,
): DeclarationPart[] {
  const keywords = KEYWORDS[form];
  const isKeyword = (word: string) => keywords?.has(word) ?? cWordGroup(word) === 'declaration';
  const parts: DeclarationPart[] = [];
  let plainFrom = 0;
  let before = '';
  const add = (part: DeclarationPart, at: number) => {
    if (at > plainFrom) {
      parts.push({ text: text.slice(plainFrom, at), role: 'plain', type: null });
    }
    parts.push(part);
    plainFrom = at + part.text.length;
  };
  let scanned = 0;
  let isInNumber = false;
  const tokens = tokensOf(text);
  for (let i = 0; i < tokens.length; i++) {
    const next = tokens[i];
    if (next === undefined) break;
    const { kind, text: word, start, end: wordEnd } = next;
    for (const comment of commentsIn(text, scanned, start)) {
      const shown = text.slice(comment.start, comment.end);
      add({ text: shown, role: 'comment', type: null }, comment.start);
      isInNumber = false;
    }
    // A suffix that C does not have is part of a number of another language.
    isInNumber = kind === 'number' || (isInNumber && kind === 'word' && start === scanned);
    const tag = isTagKeyword(word) ? tagAfter(text, tokens, i) : null;
    if (tag !== null) i++;
    const end = tag?.end ?? wordEnd;
    const token = text.slice(start, end);
    const type = start === own?.at ? own.type : typeNamed(token, before, targets);
    if (type !== null) add({ text: token, role: 'plain', type }, start);
    else if (isInNumber) add({ text: token, role: 'number', type: null }, start);
    else if (isKeyword(word)) add({ text: word, role: 'keyword', type: null }, start);
    before = token;
    scanned = end;
  }
  if (plainFrom < text.length) {
    parts.push({ text: text.slice(plainFrom), role: 'plain', type: null });
  }
  return parts;
}

const isTagKeyword = (word: string) => word === 'struct' || word === 'union' || word === 'enum';

/** Returns the name after the tag keyword that is token `i`; null without one. */
function tagAfter(text: string, tokens: readonly Token[], i: number): Token | null {
  const [keyword, name] = [tokens[i], tokens[i + 1]];
  if (keyword === undefined || name?.kind !== 'word') return null;
  return /\S/.test(text.slice(keyword.end, name.start)) ? null : name;
}

function typeNamed(token: string, before: string, targets: DeclarationTargets): TypeId | null {
  const hasKeyword = /\s/.test(token);
  if (!hasKeyword && !BEFORE_TYPE.has(before)) return null;
  return targets.get(token.replace(/\s+/, ' ')) ?? null;
}

/** C text of a reference, `struct foo` or the name of a typedef, with its type. */
export type DeclarationTargets = ReadonlyMap<string, TypeId>;

/** `targets` with the type itself: its own declaration names it too, and so may its members. */
function withItself(targets: DeclarationTargets, types: TypeTable, id: TypeId): DeclarationTargets {
  return tagKeyword(types, id) === '' || nameOf(types, id) === ''
    ? targets
    : new Map([...targets, [`${tagKeyword(types, id)} ${nameOf(types, id)}`, id]]);
}

const DECLARED: ReadonlySet<number> = new Set([BtfKind.TYPEDEF, BtfKind.FUNC, BtfKind.VAR]);

/**
 * Returns the index in `text`, from `start` on, of the declared name: the last occurrence for a
 * typedef, since members may have the same name, else the first. -1 for the declaration of a tag.
 */
export function ownNameAt(types: TypeTable, id: TypeId, text: string, start: number): number {
  const name = nameOf(types, id);
  if (!DECLARED.has(kindOf(types, id)) || !/^\w+$/.test(name)) return -1;
  const found = [...text.slice(start).matchAll(new RegExp(`\\b${name}\\b`, 'g'))];
  const at = (kindOf(types, id) === BtfKind.TYPEDEF ? found.at(-1) : found[0])?.index;
  return at === undefined ? -1 : start + at;
}

/** A hostile struct can lead through the whole file; a kernel's largest needs a few thousand. */
const MAX_VISITS = 20_000;

/**
 * Returns the named types that the declaration of `id` reaches through pointers, arrays,
 * qualifiers, prototypes and anonymous structs, which C writes in place.
 */
export function declarationTargets(types: TypeTable, id: TypeId): DeclarationTargets {
  const targets = new Map<string, TypeId>();
  const seen = new Set<TypeId>([VOID, id]);
  const open: TypeId[] = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { type } of refersTo(types, at)) {
      if (seen.has(type)) continue;
      if (seen.size >= MAX_VISITS) return targets;
      seen.add(type);
      const spelling = spellingOf(types, type);
      if (spelling === null) open.push(type);
      else if (spelling !== '' && !targets.has(spelling)) targets.set(spelling, type);
    }
  }
  return targets;
}

/**
 * Returns the C text of a named type; null for a type that C writes in place, '' for a type
 * without a link.
 */
function spellingOf(types: TypeTable, id: TypeId): string | null {
  const kind = kindOf(types, id);
  // These are written by the type behind them; the name of a tag is no name of a type.
  if (kind === BtfKind.TYPE_TAG || kind === BtfKind.VAR || kind === BtfKind.FUNC) return null;
  const name = nameOf(types, id);
  if (name === '') return null;
  // A link at every int would hide the others.
  if (kind === BtfKind.INT || kind === BtfKind.FLOAT) return '';
  const keyword = tagKeyword(types, id);
  return keyword === '' ? name : `${keyword} ${name}`;
}
