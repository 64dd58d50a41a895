import { ExternalLink } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { goToPlace } from '#store/lesson/lesson-player.ts';
import { useLesson } from '#store/lesson/lesson-state.ts';
import styles from './LessonLink.module.css';
import { targetOf } from './lesson-link.ts';

type LessonLinkProps = {
  /** As it stands in the Markdown. */
  readonly address: string;
  readonly children: ReactNode;
};

/** A link in the text of a lesson: goes to a place of the tool, or opens a page elsewhere. */
export function LessonLink({ address, children }: LessonLinkProps) {
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
