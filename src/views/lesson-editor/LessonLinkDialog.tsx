import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { grouped } from '#ui/grouped.ts';
import styles from './LessonLinkDialog.module.css';

type LessonLinkDialogProps = {
  readonly link: { readonly address: string; readonly note: string } | null;
  readonly onClose: () => void;
};

/** The link to a lesson, with what it carries. */
export function LessonLinkDialog({ link, onClose }: LessonLinkDialogProps) {
  const { address = '', note = '' } = link ?? {};
  return (
    <Dialog
      isOpen={link !== null}
      onClose={onClose}
      title="Link to this lesson"
      actions={<CopyButton text={address} label="Copy the link" />}
    >
      <p className={styles.note}>
        {note}: {grouped(address.length)} characters.
      </p>
      <textarea
        className={styles.address}
        aria-label="Link"
        readOnly
        rows={4}
        value={address}
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  );
}
