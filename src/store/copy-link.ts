/** Is the dialog shown that offers links? Its button and the palette both open it. */
import { create } from 'zustand';

type CopyLink = {
  readonly isOpen: boolean;
  /** Once it was opened it stays loaded, so that closing it gives the focus back. */
  readonly wasOpen: boolean;
};

export const useCopyLink = create<CopyLink>(() => ({ isOpen: false, wasOpen: false }));

export function showCopyLink(isOpen: boolean): void {
  useCopyLink.setState(({ wasOpen }) => ({ isOpen, wasOpen: wasOpen || isOpen }));
}
