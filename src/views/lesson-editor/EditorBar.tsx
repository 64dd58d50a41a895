import { Download, FileInput, Link2, MapPin, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  discardDraft,
  lessonLink,
  type PieceKind,
  stopEditing,
  textWithThisFile,
} from '#store/lesson/edit-lesson.ts';
import type { OpenLesson } from '#store/lesson/lesson-state.ts';
import { activeFile, announce, useSession } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { grouped } from '#ui/grouped.ts';
import { Menu } from '#ui/Menu.tsx';
import { saveFile } from '#views/parts/save-file.ts';
import styles from './EditorBar.module.css';

const ICON = 14;

const PIECES: readonly { readonly kind: PieceKind; readonly label: string }[] = [
  { kind: 'show', label: 'The step shows this place' },
  { kind: 'callout', label: 'A pin on what is selected' },
  { kind: 'click', label: 'A question: click what is selected' },
  { kind: 'link', label: 'A link to this place' },
];

type EditorBarProps = {
  readonly open: OpenLesson;
  readonly onText: (text: string) => void;
  readonly onInsert: (kind: PieceKind) => void;
};

/** What an author does beside typing. */
export function EditorBar({ open, onText, onInsert }: EditorBarProps) {
  const file = useSession(activeFile);
  const [link, setLink] = useState<{ readonly address: string; readonly note: string } | null>(
    null,
  );

  const makeLink = async () => {
    if (open.lesson === null) return;
    const made = await lessonLink(open.text, open.lesson);
    if (made.link === null) announce(made.note);
    else setLink({ address: new URL(made.link, document.baseURI).href, note: made.note });
  };
  const takeFile = () => {
    const text = textWithThisFile(open.text);
    if (text === null) announce('The hash of this file is not computed yet');
    else onText(text);
  };
  return (
    <div className={styles.bar}>
      <Menu
        trigger={
          <Button size="small" icon={MapPin}>
            Insert place
          </Button>
        }
        groups={[
          PIECES.map(({ kind, label }) => ({
            id: kind,
            label,
            isDisabled: file === null,
            onSelect: () => onInsert(kind),
          })),
          [
            {
              id: 'object',
              label: 'The lesson is about this file',
              icon: <FileInput size={ICON} aria-hidden />,
              isDisabled: file === null,
              onSelect: takeFile,
            },
          ],
        ]}
      />
      <Button
        size="small"
        onClick={() => saveFile(fileNameOf(open.lesson?.title ?? ''), open.text)}
        icon={Download}
      >
        Save
      </Button>
      <Button
        size="small"
        disabled={open.lesson === null}
        onClick={() => void makeLink()}
        icon={Link2}
      >
        Copy link
      </Button>
      <span className={styles.space} />
      <Button
        size="small"
        variant="quiet"
        aria-label="Discard the draft"
        title="Discard the draft"
        onClick={discardDraft}
        icon={Trash2}
      />
      <Button size="small" variant="primary" onClick={stopEditing}>
        Done
      </Button>
      <LessonLinkDialog link={link} onClose={() => setLink(null)} />
    </div>
  );
}

type LessonLinkDialogProps = {
  readonly link: { readonly address: string; readonly note: string } | null;
  readonly onClose: () => void;
};

/** The link to a lesson, with what it carries. */
function LessonLinkDialog({ link, onClose }: LessonLinkDialogProps) {
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

/** What a lesson is called as a file: its title in letters and digits that every system takes. */
export function fileNameOf(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return `${words === '' ? 'lesson' : words}.md`;
}
