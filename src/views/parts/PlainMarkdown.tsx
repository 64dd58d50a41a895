import type { ListItem, PhrasingContent, RootContent } from 'mdast';
import type { ReactNode } from 'react';
import { visible } from '#bytes/text.ts';
import styles from './PlainMarkdown.module.css';

/** Nobody writes deeper; a hostile text may be as deep as it is long. */
const MAX_DEPTH = 24;

/** Markdown to be read only, as on paper: without cards, and links as their words. */
export function PlainMarkdown({ nodes }: { readonly nodes: readonly RootContent[] }) {
  return <div className={styles.text}>{drawn(nodes, 0)}</div>;
}

type Node = RootContent | PhrasingContent | ListItem;

function drawn(nodes: readonly Node[], depth: number): ReactNode[] {
  if (depth > MAX_DEPTH) return [];
  return nodes.map((node) => (
    <One key={`${node.type} ${node.position?.start.offset}`} node={node} depth={depth} />
  ));
}

function One({ node, depth }: { readonly node: Node; readonly depth: number }): ReactNode {
  const inside = () => ('children' in node ? drawn(node.children, depth + 1) : null);
  switch (node.type) {
    case 'text':
      return oneLine(node.value);
    case 'paragraph':
      return <p>{inside()}</p>;
    case 'heading':
      return <p className={styles.heading}>{inside()}</p>;
    case 'emphasis':
      return <em>{inside()}</em>;
    case 'strong':
      return <strong>{inside()}</strong>;
    case 'inlineCode':
      return <code>{oneLine(node.value)}</code>;
    case 'code':
      return <pre className={styles.code}>{codeText(node.value)}</pre>;
    case 'list':
      return node.ordered ? (
        <ol className={styles.list} start={node.start ?? 1} data-ordered="">
          {inside()}
        </ol>
      ) : (
        <ul className={styles.list}>{inside()}</ul>
      );
    case 'listItem':
      return <li>{inside()}</li>;
    case 'blockquote':
      return <blockquote className={styles.quote}>{inside()}</blockquote>;
    case 'image':
      return oneLine(node.alt ?? '');
    case 'html':
      return null;
    default:
      return inside();
  }
}

/** Line breaks and tabs are part of code. */
function codeText(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(visible).join('  '))
    .join('\n');
}

/** A line break of Markdown is a space. */
function oneLine(text: string): string {
  return visible(text.replaceAll(/[\n\r\t]+/g, ' '));
}
