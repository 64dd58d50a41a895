import { Collapsible } from '@base-ui/react/collapsible';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Landmark } from './aria.tsx';
import styles from './Panel.module.css';

type PanelProps = {
  readonly title: string;
  /** Beside the title: a count, a badge. */
  readonly aside?: ReactNode;
  /** At the right of the title: buttons. */
  readonly actions?: ReactNode;
  /** Whether the body keeps a distance from the edges; a list or a table does not. */
  readonly isPadded?: boolean;
  readonly children: ReactNode;
};

/** A section with a title; fills its place, and its body scrolls. */
export function Panel({ title, aside, actions, isPadded = false, children }: PanelProps) {
  const titleId = useId();
  return (
    <Landmark className="column shrink-y tall surface" aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className="ellipsis size-13">
          {title}
        </h2>
        {aside}
        <div className="row gap-1 rigid at-end">{actions}</div>
      </header>
      <div className={styles.body} data-padded={isPadded}>
        {children}
      </div>
    </Landmark>
  );
}

type ToolbarProps = {
  /** Accessible name of the group. */
  readonly label: string;
  readonly children: ReactNode;
  /** At the far end. */
  readonly end?: ReactNode;
};

/**
 * A row of controls over a view. Each control keeps its own tab stop, because
 * text fields are among them and need the arrow keys; so it is a group, not an
 * ARIA toolbar.
 */
export function Toolbar({ label, children, end }: ToolbarProps) {
  return (
    <fieldset className={styles.toolbar} aria-label={label}>
      {children}
      {end === undefined ? null : <div className="row gap-2 at-end">{end}</div>}
    </fieldset>
  );
}

type DisclosureProps = {
  readonly title: ReactNode;
  /** At the end of the title's line. */
  readonly aside?: ReactNode;
  /** With `onOpenChange`: the caller keeps whether it is open. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
};

/** A title that opens and closes what is under it. Closed, its content is not in the page. */
export function Disclosure(props: DisclosureProps) {
  const { title, aside, isOpen, onOpenChange, isOpenAtFirst = false, children } = props;
  return (
    <Collapsible.Root
      open={isOpen}
      defaultOpen={isOpenAtFirst}
      onOpenChange={(open) => onOpenChange?.(open)}
    >
      <Collapsible.Trigger className={styles.trigger}>
        <ChevronRight size={14} aria-hidden className={styles.arrow} />
        <span className="grow">{title}</span>
        {aside}
      </Collapsible.Trigger>
      <Collapsible.Panel className={styles.panel}>{children}</Collapsible.Panel>
    </Collapsible.Root>
  );
}

type EmptyStateProps = {
  readonly title: string;
  /** Why it is empty, or what to do. */
  readonly text?: string;
  readonly icon?: ReactNode;
  readonly actions?: ReactNode;
};

/** What a panel shows when it has nothing to show. */
export function EmptyState({ title, text, icon, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {icon === undefined ? null : <div className={styles.icon}>{icon}</div>}
      <p className="bold size-14">{title}</p>
      {text === undefined ? null : <p className={styles.text}>{text}</p>}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
