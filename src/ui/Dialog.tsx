import type { ReactNode } from 'react';
import { LazyPart, lazyComponent } from './LazyPart.tsx';

const DialogWindow = lazyComponent(async () => (await import('./DialogWindow.tsx')).DialogWindow);

export type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Title at the top of the dialog, also its accessible name. */
  readonly title: string;
  readonly description?: string;
  /** Buttons in the footer of the dialog. */
  readonly actions?: ReactNode;
  readonly size?: 'normal' | 'wide';
  readonly children: ReactNode;
};

/** Draws a modal dialog. Escape, the cross or a click outside closes it and restores the focus. */
export function Dialog(props: DialogProps) {
  return (
    <LazyPart isOpen={props.isOpen} onError={props.onClose} onDismiss={props.onClose}>
      <DialogWindow {...props} />
    </LazyPart>
  );
}
