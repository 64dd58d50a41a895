import { Fragment, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { commentsIn, cWordGroup, type Token, tokensOf } from '#analysis/c/tokens.ts';
import { tagKeyword } from '#analysis/types/declarator.ts';
import { visibleLines } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { usePaneHighlight } from '#store/session/highlight.ts';
import { Button } from '#ui/Button.tsx';
import { Code } from '#ui/CopyButton.tsx';
import { classNames } from '#ui/class-names.ts';
import { grouped } from '#ui/grouped.ts';
import styles from './DeclarationCode.module.css';
import {
  type DeclarationPart,
  type DeclarationTargets,
  declarationTargets,
} from './declaration-targets.ts';
import { clipLines, FORM_WORDS, ownDeclarationStart } from './declaration-text.ts';
import { sourceParts, sourceTargets } from './source-parts.ts';
import type { DeclarationForm } from './state.ts';

/** Maximum characters that are shown with colours and links; the rest is plain text or left out. */
const SHOWN_CHARACTERS = 40_000;
const SHOWN_PLAIN = 1_000_000;
/** Characters drawn first, enough to fill the box. The others are drawn after the first paint. */
const SHOWN_FIRST = 6000;

/** CSS pixels of space above the line that is scrolled to. */
const TOP_PADDING = 8;

const NO_TARGETS: DeclarationTargets = new Map();

type DeclarationCodeProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly form: DeclarationForm;
  readonly text: string;
};

/** Shows the text of a type. In C, the names of types are links. */
export function DeclarationCode({ types, type, form, text }: DeclarationCodeProps) {
  const ownStart = useRef<HTMLSpanElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const clipped = useMemo(() => clipLines(text, SHOWN_CHARACTERS), [text]);
  const ownPlace = useMemo(() => ownDeclarationStart(clipped.text, form), [clipped, form]);
  const drawn = useDeferredValue(SHOWN_CHARACTERS, ownPlace + SHOWN_FIRST);
  const parts = useMemo(() => {
    const shown = clipLines(clipped.text, drawn).text;
    if (form === 'source') {
      return keyed(sourceParts(shown, sourceTargets(types, type)), ownPlace);
    }
    const isC = form === 'c' || form === 'header' || form === 'pahole';
    const targets = isC ? withItself(declarationTargets(types, type), types, type) : NO_TARGETS;
    const own = isC ? { type, at: ownNameAt(types, type, shown, ownPlace) } : null;
    return keyed(declarationParts(shown, targets, form, own), ownPlace);
  }, [clipped, drawn, types, type, form, ownPlace]);
  // The rest has no colours, because a browser needs seconds to lay out so many coloured words.
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

/** Adds to each part its offset and whether it contains `ownStart`. If that is 0, no part does. */
function keyed(parts: readonly DeclarationPart[], ownStart: number) {
  let at = 0;
  return parts.map((part) => {
    const place = at;
    at += part.text.length;
    return { at: place, part, isOwnStart: ownStart > 0 && place <= ownStart && ownStart < at };
  });
}

/** Shows a part of the text. Tab skips its link, because "Refers to" has the same links. */
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

/** Keywords of each language; null for the keywords of C. */
const KEYWORDS: Readonly<Record<DeclarationForm, ReadonlySet<string> | null>> = {
  source: null,
  c: null,
  header: null,
  pahole: null,
  raw: new Set(),
  zig: new Set('pub const var extern packed struct union enum opaque align fn comptime'.split(' ')),
  rust: new Set('pub struct union type const static mut fn unsafe extern impl enum'.split(' ')),
  go: new Set('type struct const var'.split(' ')),
};

/** Tokens after which a name is a type. After any other token, it is the declared name. */
const BEFORE_TYPE = new Set(['', ...'{ ; ( , typedef const volatile extern static'.split(' ')]);

/** The shown type, and the index of its name in the text; -1 if the name follows a tag keyword. */
type OwnName = { readonly type: TypeId; readonly at: number };

/** Splits `text` into parts. The joined parts are the whole text. */
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
    // A number may have a suffix of another language, such as `u32` of Rust.
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

/** Returns the name after the tag keyword at token `i`; null if no name follows. */
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

/** Adds the shown type to `targets`, because its declaration and its members can name it. */
function withItself(targets: DeclarationTargets, types: TypeTable, id: TypeId): DeclarationTargets {
  const keyword = tagKeyword(types, id);
  const name = nameOf(types, id);
  return keyword === '' || name === ''
    ? targets
    : new Map([...targets, [`${keyword} ${name}`, id]]);
}

const DECLARED: ReadonlySet<number> = new Set([BtfKind.TYPEDEF, BtfKind.FUNC, BtfKind.VAR]);

/**
 * Returns the index of the declared name in `text`, from `start` on; -1 for the declaration of a
 * tag. For a typedef it is the last occurrence, since a member can have the same name.
 */
export function ownNameAt(types: TypeTable, id: TypeId, text: string, start: number): number {
  const name = nameOf(types, id);
  if (!DECLARED.has(kindOf(types, id)) || !/^\w+$/.test(name)) return -1;
  const names = [...text.slice(start).matchAll(new RegExp(`\\b${name}\\b`, 'g'))];
  const at = (kindOf(types, id) === BtfKind.TYPEDEF ? names.at(-1) : names[0])?.index;
  return at === undefined ? -1 : start + at;
}
