import { lazy, type ReactNode } from 'react';
import { LazyPart } from './LazyPart.tsx';

const DialogWindow = lazy(async () => ({
  default: (await import('./DialogWindow.tsx')).DialogWindow,
}));

export type DialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Shown at the top; the accessible name. */
  readonly title: string;
  readonly description?: string;
  /** Buttons at the foot. */
  readonly actions?: ReactNode;
  readonly size?: 'normal' | 'wide';
  readonly children: ReactNode;
};

/** A modal dialog. Escape, the cross and a press outside close it; the focus goes back to where it was. */
export function Dialog(props: DialogProps) {
  return (
    <LazyPart isOpen={props.isOpen} onError={props.onClose} onDismiss={props.onClose}>
      <DialogWindow {...props} />
    </LazyPart>
  );
}
