import type { ListItem, PhrasingContent, RootContent } from 'mdast';
import type { ReactNode } from 'react';
import { visible } from '#bytes/text.ts';
import { Code } from '#ui/Code.tsx';
import { LessonCode } from './LessonCode.tsx';
import { LessonLink } from './LessonLink.tsx';
import { lessonText } from './lesson-text.ts';
import styles from './Prose.module.css';

/** Nobody writes deeper; what is below is left out, since a hostile text may be as deep as it is long. */
const MAX_DEPTH = 24;

/** Markdown as text nodes, lists, links and code. HTML and pictures are not shown: they would come from elsewhere. */
export function Prose({ nodes }: { readonly nodes: readonly RootContent[] }) {
  return <div className={styles.prose}>{nodesAt(nodes, { depth: 0, isInLink: false })}</div>;
}

type Node = RootContent | PhrasingContent | ListItem;

type Where = { readonly depth: number; readonly isInLink: boolean };

function nodesAt(nodes: readonly Node[], where: Where): ReactNode[] {
  if (where.depth > MAX_DEPTH) return [];
  return nodes.map((node) => (
    <At key={`${node.type} ${node.position?.start.offset}`} node={node} where={where} />
  ));
}

function At({ node, where }: { readonly node: Node; readonly where: Where }): ReactNode {
  const inside = () => {
    const isInLink = where.isInLink || node.type === 'link';
    const below = { depth: where.depth + 1, isInLink };
    return 'children' in node ? nodesAt(node.children, below) : null;
  };
  switch (node.type) {
    case 'text':
      return lessonText(node.value);
    case 'paragraph':
      return <p>{inside()}</p>;
    case 'heading':
      return <h4 className={styles.heading}>{inside()}</h4>;
    case 'emphasis':
      return <em>{inside()}</em>;
    case 'strong':
      return <strong>{inside()}</strong>;
    case 'inlineCode':
      return <LessonCode text={lessonText(node.value)} isPlain={where.isInLink} />;
    case 'code':
      return <Code text={visibleLines(node.value)} label={codeLabel(node.lang ?? null)} />;
    case 'link':
      return <LessonLink address={node.url}>{inside()}</LessonLink>;
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1} className={styles.list} data-ordered="">
          {inside()}
        </ol>
      ) : (
        <ul className={styles.list}>{inside()}</ul>
      );
    case 'listItem':
      return <li>{inside()}</li>;
    case 'blockquote':
      return <blockquote className={styles.quote}>{inside()}</blockquote>;
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr className={styles.rule} />;
    case 'image':
      return lessonText(node.alt ?? '');
    default:
      return inside();
  }
}

/** Line breaks and tabs are part of code; all else that cannot be seen is made visible. */
function visibleLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n');
}

function codeLabel(lang: string | null): string {
  return lang === null || lang === '' ? 'Code' : `Code, ${visible(lang)}`;
}
