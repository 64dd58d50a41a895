import { Collapsible } from '@base-ui/react/collapsible';
import { ChevronRight } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { createPortal } from 'react-dom';
import { Landmark } from './aria.tsx';
import styles from './Panel.module.css';

type PanelProps = {
  readonly title: string;
  /** Content beside the title, such as a count. */
  readonly aside?: ReactNode;
  /** Buttons to the right of the title. */
  readonly actions?: ReactNode;
  /** Whether the body has padding. Pass false for lists and tables. */
  readonly isPadded?: boolean;
  readonly children: ReactNode;
};

/** Draws a section with a title. The section fills its parent; the body scrolls. */
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
  /** Accessible name of the row of controls. */
  readonly label: string;
  readonly children: ReactNode;
  /** Controls at the right end of the row. */
  readonly end?: ReactNode;
};

/** Draws a row of controls. An ARIA toolbar would take the arrow keys from its text fields. */
export function Toolbar({ label, children, end }: ToolbarProps) {
  return (
    <fieldset className={styles.toolbar} aria-label={label}>
      {children}
      {end === undefined ? null : <div className="row gap-2 at-end">{end}</div>}
    </fieldset>
  );
}

/**
 * Element for the toolbar of a view, in the row of the switch between views. Undefined if there is no
 * such row; null until the element is in the page.
 */
export const ToolbarSlot = createContext<HTMLElement | null | undefined>(undefined);

/**
 * Draws the toolbar of a whole view, beside the switch between views if there is one. React hides it
 * with the view: `<Activity>` hides portals, too.
 */
export function ViewToolbar(props: ToolbarProps) {
  const slot = useContext(ToolbarSlot);
  if (slot === undefined) return <Toolbar {...props} />;
  return slot === null ? null : createPortal(<Toolbar {...props} />, slot);
}

type DisclosureProps = {
  readonly title: ReactNode;
  /** Content at the end of the line with the title. */
  readonly aside?: ReactNode;
  /** Whether the content is shown. If set, the parent must follow `onOpenChange`. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly isOpenAtFirst?: boolean;
  readonly children: ReactNode;
};

/** Draws a title that shows and hides content. Hidden content is removed from the page. */
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
  /** Why the panel is empty, or how to fill it. */
  readonly text?: string;
  readonly icon?: ReactNode;
  readonly actions?: ReactNode;
};

/** Draws the text of a panel that has no content. */
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
