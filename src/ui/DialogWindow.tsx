import { Dialog as Primitive } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import buttonStyles from './Button.module.css';
import { classNames } from './class-names.ts';
import type { DialogProps } from './Dialog.tsx';
import styles from './DialogWindow.module.css';

/** Draws the window of a `Dialog`. The code of this file is loaded when a dialog first opens. */
export function DialogWindow(props: DialogProps) {
  const { isOpen, onClose, title, description, actions, size = 'normal', children } = props;
  return (
    <Primitive.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Backdrop className={styles.backdrop} />
        <Primitive.Popup className={styles.popup} data-size={size}>
          <header className={styles.header}>
            <Primitive.Title className={styles.title}>{title}</Primitive.Title>
            {description === undefined ? null : (
              <Primitive.Description className={styles.description}>
                {description}
              </Primitive.Description>
            )}
          </header>
          <div className={styles.body}>{children}</div>
          {actions === undefined ? null : <footer className={styles.footer}>{actions}</footer>}
          {/* The cross is last, so that an opened dialog first focuses its content. */}
          <Primitive.Close
            className={classNames(buttonStyles.button, buttonStyles.icon, styles.close)}
            data-variant="quiet"
            aria-label="Close"
          >
            <X size={16} aria-hidden />
          </Primitive.Close>
        </Primitive.Popup>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
