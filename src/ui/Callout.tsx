import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Callout.module.css';

type CalloutProps = {
  readonly severity: 'note' | 'warning' | 'error';
  readonly title: string;
  /** Details: where the problem is, what was expected, what to do. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether screen readers speak the message at once. True for messages that appear later. */
  readonly isAlert?: boolean;
};

const FACES = {
  note: { tone: 'info', Icon: Info, name: 'Note' },
  warning: { tone: 'warning', Icon: TriangleAlert, name: 'Warning' },
  error: { tone: 'danger', Icon: CircleAlert, name: 'Error' },
} as const;

/** Draws a message. An icon, a colour and a word show its severity. */
export function Callout({ severity, title, children, actions, isAlert = false }: CalloutProps) {
  const { tone, Icon, name } = FACES[severity];
  return (
    <div className={styles.callout} data-tone={tone} role={isAlert ? 'alert' : undefined}>
      <Icon size={16} aria-hidden className={styles.icon} />
      <div className="grow break">
        <p className="medium">
          <span className="visually-hidden">{name}: </span>
          {title}
        </p>
        {children === undefined ? null : <div className={styles.text}>{children}</div>}
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}
