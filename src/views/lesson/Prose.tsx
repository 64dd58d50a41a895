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

/** Answer that the texts must not show; null: the texts are whole. */
export const HiddenAnswer = createContext<GivenAnswer | null>(null);

const LOOK: MarkdownLook = {
  inlineCode: (text, isInLink) => <LessonCode text={text} isPlain={isInLink} />,
  code: (text, lang) => <Code text={text} label={lang === '' ? 'Code' : `Code, ${lang}`} />,
  link: (address, inside) => <LessonLink address={address}>{inside}</LessonLink>,
  heading: (inside) => <h4 className={styles.heading}>{inside}</h4>,
  listClass: styles.list,
  quoteClass: styles.quote,
};

/** Draws the Markdown of a lesson: terms have cards, links lead to places of the tool. */
export function Prose({ nodes }: { readonly nodes: readonly RootContent[] }) {
  const hidden = use(HiddenAnswer);
  const words = (text: string) => withoutAnswer(text, hidden, false);
  return (
    <div className={styles.prose}>
      <Markdown nodes={nodes} look={hidden === null ? LOOK : { ...LOOK, words }} />
    </div>
  );
}

type LessonLinkProps = {
  /** As in the Markdown. */
  readonly address: string;
  readonly children: ReactNode;
};

/** Draws a link to a place of the tool or to another page. */
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

/** Target of a link in a lesson. */
type LessonTarget =
  /** `href` is the same place for another tab. */
  | { readonly kind: 'place'; readonly href: string; readonly hash: string }
  | { readonly kind: 'lesson'; readonly href: string }
  | { readonly kind: 'page'; readonly href: string }
  | { readonly kind: 'none' };

/** Returns the target of a Markdown link in the current step. Other pages must be on the web. */
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
  /** Visible text. */
  readonly text: string;
  /** Whether it is in a link or button, which cannot contain a button for the term. */
  readonly isPlain?: boolean;
};

/** Draws inline code, with a card if it is a term. */
function LessonCode({ text: written, isPlain = false }: CodeProps) {
  const text = withoutAnswer(written, use(HiddenAnswer), true);
  const [only, more] = isPlain ? [] : labelPieces(text);
  const term = more === undefined ? (only?.term ?? null) : null;
  return (
    <code className={styles.code}>{term === null ? text : <Term id={term}>{text}</Term>}</code>
  );
}

/** Draws a line with code and emphasis: options, feedback, callouts. */
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
