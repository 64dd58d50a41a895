import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { Severity } from '#bytes/issue.ts';
import styles from './SeverityMark.module.css';

const FACES = {
  error: { tone: 'danger', Icon: CircleAlert, word: 'Error' },
  warning: { tone: 'warning', Icon: TriangleAlert, word: 'Warning' },
  note: { tone: 'info', Icon: Info, word: 'Note' },
} as const;

/** Shows the severity of an issue by an icon, a colour and a word. */
export function SeverityMark({ severity }: { readonly severity: Severity }) {
  const { tone, Icon, word } = FACES[severity];
  return (
    <span className={styles.mark} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}
