import type { RootContent } from 'mdast';
import { Markdown, type MarkdownLook } from './Markdown.tsx';
import styles from './PlainMarkdown.module.css';

const LOOK: MarkdownLook = {
  inlineCode: (text) => <code>{text}</code>,
  code: (text) => <pre className={styles.code}>{text}</pre>,
  link: (_, inside) => inside,
  heading: (inside) => <p className="bold">{inside}</p>,
  listClass: styles.list,
  quoteClass: styles.quote,
};

/** Markdown to be read only, as on paper: without cards, and links as their words. */
export function PlainMarkdown({ nodes }: { readonly nodes: readonly RootContent[] }) {
  return (
    <div className={styles.text}>
      <Markdown nodes={nodes} look={LOOK} />
    </div>
  );
}
