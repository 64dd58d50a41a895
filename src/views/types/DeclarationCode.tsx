import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
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
import { scrollParent } from '#ui/use-page-rows.ts';
import { useNear } from '#ui/WhenNear.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './DeclarationCode.module.css';
import {
  type DeclarationPart,
  type DeclarationTargets,
  declarationTargets,
} from './declaration-targets.ts';
import {
  clipLines,
  FORM_WORDS,
  type LineBlock,
  lineBlocks,
  lineCount,
  ownDeclarationStart,
} from './declaration-text.ts';
import { sourceParts, sourceTargets } from './source-parts.ts';
import type { DeclarationForm } from './state.ts';

/** Maximum characters that are shown, and those of a block, which has colours and links. */
const SHOWN_CHARACTERS = 400_000;
const COLOURED_CHARACTERS = 40_000;

const NO_TARGETS: DeclarationTargets = new Map();

type DeclarationCodeProps = {
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly form: DeclarationForm;
  readonly text: string;
  /** Accessible name of the code. */
  readonly label?: string;
};

/**
 * Shows the first lines of a type's own declaration, and all lines when asked. In C, the names of
 * types are links. The page around it scrolls; blocks out of sight have neither colours nor links.
 */
export function DeclarationCode({ types, type, form, text, label }: DeclarationCodeProps) {
  const ownBlock = useRef<HTMLSpanElement>(null);
  /** Distance from the top of the window before all lines were shown, in CSS pixels. */
  const ownTop = useRef(0);
  const [isWhole, setIsWhole] = useState(false);
  const clipped = useMemo(() => clipLines(text, SHOWN_CHARACTERS), [text]);
  const ownPlace = useMemo(() => ownDeclarationStart(clipped.text, form), [clipped, form]);
  const blocks = useMemo(() => lineBlocks(clipped.text, ownPlace), [clipped, ownPlace]);
  const partsOf = useMemo(() => {
    if (form === 'source') {
      const targets = sourceTargets(types, type);
      return (block: LineBlock) => sourceParts(block.text, targets);
    }
    const isC = form === 'c' || form === 'header' || form === 'pahole';
    const targets = isC ? withItself(declarationTargets(types, type), types, type) : NO_TARGETS;
    const own = isC ? ownNameAt(types, type, clipped.text, ownPlace) : -1;
    return (block: LineBlock) =>
      declarationParts(block.text, targets, form, isC ? { type, at: own - block.at } : null);
  }, [clipped, types, type, form, ownPlace]);
  // The own declaration stays where it is on the screen; the browser may have seen to that.
  useLayoutEffect(() => {
    const block = ownBlock.current;
    const page = block === null ? null : scrollParent(block);
    if (!isWhole || block === null || page === null) return;
    page.scrollTop += block.getBoundingClientRect().top - ownTop.current;
  }, [isWhole]);
  const showAll = () => {
    ownTop.current = ownBlock.current?.getBoundingClientRect().top ?? 0;
    setIsWhole(true);
  };
  const { title } = FORM_WORDS[form];
  const { linesLeftOut } = clipped;
  const isFolded = blocks.length > 1 && !isWhole;
  return (
    <>
      <div className={styles.code}>
        <Code
          text={text}
          label={label ?? (form === 'c' ? 'C declaration' : `Declaration as ${title}`)}
        >
          {blocks.map((block) => {
            const isOwn = block.at === ownPlace;
            return isFolded && !isOwn ? null : (
              <Block
                key={block.at}
                box={isOwn ? ownBlock : undefined}
                block={block}
                partsOf={partsOf}
                itself={type}
              />
            );
          })}
        </Code>
      </div>
      {isFolded ? (
        <div>
          <Button size="small" onClick={showAll}>
            Show {linesLeftOut === 0 ? 'all' : 'the first'}{' '}
            {countOf(lineCount(clipped.text), 'line')}
          </Button>
        </div>
      ) : linesLeftOut === 0 ? null : (
        <p className="small muted">
          {grouped(linesLeftOut)} more lines are not shown; the copy is complete.
        </p>
      )}
    </>
  );
}

type BlockProps = {
  /** Reference to the first block of the own declaration, which is drawn in full at once. */
  readonly box: RefObject<HTMLSpanElement | null> | undefined;
  readonly block: LineBlock;
  readonly partsOf: (block: LineBlock) => readonly DeclarationPart[];
  readonly itself: TypeId;
};

/** Shows a block of lines: with colours and links while it is near what the page shows. */
function Block({ box, block, partsOf, itself }: BlockProps) {
  const own = useRef<HTMLSpanElement>(null);
  const place = box ?? own;
  const [isNear, setNear] = useState(box !== undefined);
  useNear(place, setNear, '120px 0px');
  const isColoured = isNear && block.text.length <= COLOURED_CHARACTERS;
  const parts = useMemo(
    () => (isColoured ? keyed(partsOf(block)) : null),
    [isColoured, partsOf, block],
  );
  return (
    <span ref={place} className={styles.block}>
      {parts === null
        ? visibleLines(cutText(block.text))
        : parts.map(({ at, part }) => <Part key={at} part={part} itself={itself} />)}
    </span>
  );
}

/** Returns the text of a block, cut where a hostile name makes it too long. */
function cutText(text: string): string {
  return text.length > COLOURED_CHARACTERS ? `${text.slice(0, COLOURED_CHARACTERS)}…` : text;
}

/** Adds to each part its offset. */
function keyed(parts: readonly DeclarationPart[]) {
  let at = 0;
  return parts.map((part) => {
    const place = at;
    at += part.text.length;
    return { at: place, part };
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
