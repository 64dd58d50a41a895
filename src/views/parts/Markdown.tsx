import type { ListItem, PhrasingContent, RootContent } from 'mdast';
import type { ReactNode } from 'react';
import { visible, visibleLines } from '#bytes/text.ts';
import styles from './Markdown.module.css';

/** Maximum depth of drawn nodes, since a hostile text may be as deep as it is long. */
const MAX_DEPTH = 24;

/** Functions that draw the parts of a Markdown text. Their arguments are already escaped. */
export type MarkdownLook = {
  /** Changes the words of plain text before they are drawn. */
  readonly words?: (text: string) => string;
  readonly inlineCode: (text: string, isInLink: boolean) => ReactNode;
  /** Draws code. `lang` is empty if the text names no language. */
  readonly code: (text: string, lang: string) => ReactNode;
  readonly link: (address: string, inside: ReactNode) => ReactNode;
  readonly heading: (inside: ReactNode) => ReactNode;
  readonly listClass: string | undefined;
  readonly quoteClass: string | undefined;
};

type MarkdownProps = { readonly nodes: readonly RootContent[]; readonly look: MarkdownLook };

/** Shows Markdown without its HTML and its pictures, which could come from another server. */
export function Markdown({ nodes, look }: MarkdownProps): ReactNode {
  return nodesAt(nodes, { look, depth: 0, isInLink: false });
}

type Node = RootContent | PhrasingContent | ListItem;

type Where = {
  readonly look: MarkdownLook;
  readonly depth: number;
  readonly isInLink: boolean;
};

function nodesAt(nodes: readonly Node[], where: Where): ReactNode[] {
  if (where.depth > MAX_DEPTH) return [];
  return nodes.map((node) => (
    <At key={`${node.type} ${node.position?.start.offset}`} node={node} where={where} />
  ));
}

function At({ node, where }: { readonly node: Node; readonly where: Where }): ReactNode {
  const { look, depth, isInLink } = where;
  const below = { look, depth: depth + 1, isInLink: isInLink || node.type === 'link' };
  const inside = () => ('children' in node ? nodesAt(node.children, below) : null);
  switch (node.type) {
    case 'text':
      return markdownText(look.words?.(node.value) ?? node.value);
    case 'paragraph':
      return <p>{inside()}</p>;
    case 'heading':
      return look.heading(inside());
    case 'emphasis':
      return <em>{inside()}</em>;
    case 'strong':
      return <strong>{inside()}</strong>;
    case 'inlineCode':
      return look.inlineCode(markdownText(node.value), isInLink);
    case 'code':
      return look.code(visibleLines(node.value), visible(node.lang ?? ''));
    case 'link':
      return look.link(node.url, inside());
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1} className={look.listClass} data-ordered="">
          {inside()}
        </ol>
      ) : (
        <ul className={look.listClass}>{inside()}</ul>
      );
    case 'listItem':
      return <li>{inside()}</li>;
    case 'blockquote':
      return <blockquote className={look.quoteClass}>{inside()}</blockquote>;
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr />;
    case 'image':
      return markdownText(node.alt ?? '');
    default:
      return inside();
  }
}

const LOOK: MarkdownLook = {
  inlineCode: (text) => <code>{text}</code>,
  code: (text) => <pre className={styles.code}>{text}</pre>,
  link: (_, inside) => inside,
  heading: (inside) => <p className="bold">{inside}</p>,
  listClass: styles.list,
  quoteClass: styles.quote,
};

type PlainMarkdownProps = {
  readonly nodes: readonly RootContent[];
  /** Changes the words of plain text before they are drawn. */
  readonly words?: (text: string) => string;
};

/** Shows Markdown for paper: without glossary cards, and links as plain text. */
export function PlainMarkdown({ nodes, words }: PlainMarkdownProps) {
  return (
    <div className={styles.text}>
      <Markdown nodes={nodes} look={words === undefined ? LOOK : { ...LOOK, words }} />
    </div>
  );
}

/** Returns a text of Markdown without line breaks and with invisible characters escaped. */
export function markdownText(text: string): string {
  return visible(text.replaceAll(/[\n\r\t]+/g, ' '));
}
