import { Fragment, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { visibleLines } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { DeclarationForm } from '#store/texts.ts';
import { Button } from '#ui/Button.tsx';
import { Code } from '#ui/Code.tsx';
import { grouped } from '#ui/grouped.ts';
import styles from './DeclarationCode.module.css';
import {
  type DeclarationPart,
  type DeclarationTargets,
  declarationParts,
  declarationTargets,
} from './declaration-parts.ts';
import { clipLines, FORM_WORDS, ownDeclarationStart } from './declaration-text.ts';

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
    const targets = isC ? declarationTargets(types, type) : NO_TARGETS;
    return keyed(declarationParts(clipLines(clipped.text, drawn).text, targets, form), ownPlace);
  }, [clipped, drawn, types, type, form, ownPlace]);
  // A browser takes seconds to lay out so many coloured words.
  const rest = useMemo(
    () => (isWhole ? clipLines(text.slice(clipped.text.length), SHOWN_PLAIN) : null),
    [isWhole, text, clipped],
  );
  useLayoutEffect(() => {
    const mark = ownStart.current;
    const scroller = mark?.closest('[role=region]') ?? null;
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
              <Part part={part} />
            </Fragment>
          ))}
          {rest === null ? null : visibleLines(rest.text)}
        </Code>
      </div>
      {linesLeftOut === 0 ? null : (
        <p className={styles.more}>
          {grouped(linesLeftOut)} more lines are not drawn; copy and download take them all.
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

/** Each part with its place in the text, which no other part has; one of them is the first at `ownStart` or behind it. */
function keyed(parts: readonly DeclarationPart[], ownStart: number) {
  let at = 0;
  return parts.map((part) => {
    const place = at;
    at += part.text.length;
    return { at: place, part, isOwnStart: place <= ownStart && ownStart < at };
  });
}

/** The types are under "Refers to" as well: here they are no tab stops, since there may be hundreds. */
function Part({ part }: { readonly part: DeclarationPart }) {
  const { text, role, type } = part;
  if (type !== null) {
    return (
      <button
        type="button"
        tabIndex={-1}
        className={styles.link}
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
