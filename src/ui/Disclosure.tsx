import { Collapsible } from '@base-ui/react/collapsible';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Disclosure.module.css';

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
