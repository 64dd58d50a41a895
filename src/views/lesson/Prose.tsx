import type { RootContent } from 'mdast';
import { Code } from '#ui/Code.tsx';
import { Markdown, type MarkdownLook } from '#views/parts/Markdown.tsx';
import { LessonCode } from './LessonCode.tsx';
import { LessonLink } from './LessonLink.tsx';
import styles from './Prose.module.css';

const LOOK: MarkdownLook = {
  inlineCode: (text, isInLink) => <LessonCode text={text} isPlain={isInLink} />,
  code: (text, lang) => <Code text={text} label={lang === '' ? 'Code' : `Code, ${lang}`} />,
  link: (address, inside) => <LessonLink address={address}>{inside}</LessonLink>,
  heading: (inside) => <h4 className={styles.heading}>{inside}</h4>,
  listClass: styles.list,
  quoteClass: styles.quote,
};

/** Markdown of a lesson: words of the field have cards, and links lead to places of the tool. */
export function Prose({ nodes }: { readonly nodes: readonly RootContent[] }) {
  return (
    <div className={styles.prose}>
      <Markdown nodes={nodes} look={LOOK} />
    </div>
  );
}
