import { ExternalLink } from 'lucide-react';
import type { RootContent } from 'mdast';
import { createContext, Fragment, type MouseEvent, type ReactNode, use } from 'react';
import { labelPieces } from '#glossary/find-terms.ts';
import { inlinePieces } from '#lessons/lesson-text.ts';
import { type GivenAnswer, withoutAnswer } from '#lessons/right-answer.ts';
import { formatAddress, parseAddress } from '#store/address/address.ts';
import { goToPlace } from '#store/lesson/lesson-player.ts';
import { type OpenLesson, stepNow, useLesson } from '#store/lesson/lesson-state.ts';
import { placeInStep } from '#store/lesson/step-place.ts';
import { Code } from '#ui/CopyButton.tsx';
import { Markdown, type MarkdownLook } from '#views/parts/Markdown.tsx';
import { Term } from '#views/parts/Term.tsx';
import styles from './Prose.module.css';

/** The right answer, which texts of the lesson must hide; null if there is nothing to hide. */
export const HiddenAnswer = createContext<GivenAnswer | null>(null);

const LOOK: MarkdownLook = {
  inlineCode: (text, isInLink) => <LessonCode text={text} isPlain={isInLink} />,
  code: (text, lang) => <Code text={text} label={lang === '' ? 'Code' : `Code, ${lang}`} />,
  link: (address, inside) => <LessonLink address={address}>{inside}</LessonLink>,
  heading: (inside) => <h4 className={styles.heading}>{inside}</h4>,
  listClass: styles.list,
  quoteClass: styles.quote,
};

/** Nothing in it can be pressed. */
const PLAIN: MarkdownLook = {
  ...LOOK,
  inlineCode: (text) => <LessonCode text={text} isPlain />,
  code: (text) => <code>{text}</code>,
  link: (_, inside) => inside,
};

type ProseProps = {
  readonly nodes: readonly RootContent[];
  /** True for a copy of a text, in which nothing can be pressed. */
  readonly isPlain?: boolean;
};

/** Shows the Markdown of a lesson. Terms have glossary cards; links can lead into the tool. */
export function Prose({ nodes, isPlain = false }: ProseProps) {
  const hidden = use(HiddenAnswer);
  const words = (text: string) => withoutAnswer(text, hidden, false);
  const look = isPlain ? PLAIN : LOOK;
  return (
    <div className={styles.prose}>
      <Markdown nodes={nodes} look={hidden === null ? look : { ...look, words }} />
    </div>
  );
}

type LessonLinkProps = {
  /** Address of the link, as in the Markdown. */
  readonly address: string;
  readonly children: ReactNode;
};

/** Shows a link to a place of the tool or to another page. */
function LessonLink({ address, children }: LessonLinkProps) {
  const open = useLesson((state) => state.open);
  const target = open === null ? null : targetOf(open, address);
  switch (target?.kind) {
    case 'place': {
      const { href, hash } = target;
      const go = (event: MouseEvent) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void goToPlace(hash);
      };
      return (
        <a href={href} className={styles.place} onClick={go}>
          {children}
        </a>
      );
    }
    case 'lesson':
      return <a href={target.href}>{children}</a>;
    case 'page':
      return (
        <a href={target.href} target="_blank" rel="noopener noreferrer">
          {children}
          <ExternalLink size={12} aria-hidden className={styles.out} />
        </a>
      );
    default:
      return children;
  }
}

/** Place or page that a link in a lesson leads to. */
type LessonTarget =
  /** `href` is an address that opens the same place in another tab. */
  | { readonly kind: 'place'; readonly href: string; readonly hash: string }
  | { readonly kind: 'lesson'; readonly href: string }
  | { readonly kind: 'page'; readonly href: string }
  | { readonly kind: 'none' };

/** Returns the target of a Markdown link in the current step. Other pages must be http or https. */
export function targetOf(open: OpenLesson, address: string): LessonTarget {
  if (/^https?:\/\//i.test(address)) return { kind: 'page', href: address };
  if (!/^#\/[a-z]*(\?|$)/.test(address)) return { kind: 'none' };
  const { lesson } = parseAddress(address);
  if (lesson !== '') return { kind: 'lesson', href: address };
  const { file, address: place } = placeInStep(open, address);
  const at = stepNow({ open })?.id ?? '';
  const href = formatAddress({ ...place, lesson: open.key, at, file });
  return { kind: 'place', hash: address, href };
}

type CodeProps = {
  /** Text of the code, escaped. */
  readonly text: string;
  /** True in a link or button, which cannot contain the button of a term. */
  readonly isPlain?: boolean;
};

/** Shows inline code. Code that is a glossary term has a card. */
function LessonCode({ text: written, isPlain = false }: CodeProps) {
  const text = withoutAnswer(written, use(HiddenAnswer), true);
  const [only, more] = isPlain ? [] : labelPieces(text);
  const term = more === undefined ? (only?.term ?? null) : null;
  return (
    <code className={styles.code}>{term === null ? text : <Term id={term}>{text}</Term>}</code>
  );
}

/** Shows a line of text with code and emphasis: an option, feedback or a callout. */
export function InlineText({ text, isPlain = false }: CodeProps): ReactNode {
  const hidden = use(HiddenAnswer);
  return inlinePieces(text).map(({ kind, text: words, start }) => (
    <Fragment key={start}>
      {kind === 'code' ? (
        <LessonCode text={words} isPlain={isPlain} />
      ) : kind === 'emphasis' ? (
        <em>{withoutAnswer(words, hidden, false)}</em>
      ) : (
        withoutAnswer(words, hidden, false)
      )}
    </Fragment>
  ));
}
