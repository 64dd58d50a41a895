import { Download, FileInput, Link2, MapPin, Trash2 } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import { withPiece } from '#lessons/compose.ts';
import type { LessonProblem } from '#lessons/lesson.ts';
import {
  discardDraft,
  lessonLink,
  type PieceKind,
  pieceOfPlace,
  placeProblems,
  prepareProblems,
  showStepAt,
  stopEditing,
  textWithThisFile,
  typeLesson,
} from '#store/lesson/edit-lesson.ts';
import { type OpenLesson, useLesson } from '#store/lesson/lesson-state.ts';
import { isLinkLocal, LOCAL_LINK, pageAddress } from '#store/page/page-address.ts';
import { useAsync } from '#store/session/hooks.ts';
import { activeFile, announce, session, useSession } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton, CopyField } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { grouped } from '#ui/grouped.ts';
import { Menu } from '#ui/Menu.tsx';
import { saveFile } from '#views/parts/ExportMenu.tsx';
import styles from './LessonEditor.module.css';

/** Shows the Markdown of the open lesson and its problems. */
export function LessonEditor() {
  const open = useLesson((state) => state.open);
  const field = useRef<HTMLTextAreaElement>(null);
  const problemsId = useId();
  const files = useSession((state) => state.files);
  const bytesVersion = useSession((state) => state.bytesVersion);
  // True once the compiler is loaded. Before, the C of right answers is not checked.
  const isReady = useAsync<true>('problems', (put) => {
    void prepareProblems().then(put, () => undefined);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is fetched changes the answer
  const problems = useMemo(
    () =>
      open === null
        ? []
        : [...open.problems, ...placeProblems(open, { ...session.getState(), files })],
    [open, files, bytesVersion, isReady],
  );
  if (open === null) return null;

  const type = (text: string) => {
    if (!typeLesson(text)) announce('This browser keeps no drafts: save the lesson as a file');
  };
  const goTo = (caret: number) => {
    field.current?.focus();
    field.current?.setSelectionRange(caret, caret);
  };
  const insert = (kind: PieceKind) => {
    const piece = pieceOfPlace(kind);
    if (piece === null) {
      announce('Select something in the tool first');
      return;
    }
    const at = field.current?.selectionStart ?? open.text.length;
    const next = withPiece(open.text, at, piece);
    type(next.text);
    // Move the caret once the new text is drawn.
    requestAnimationFrame(() => goTo(next.caret));
  };
  return (
    <section className={styles.editor} aria-label="Text of the lesson">
      <h1 className={styles.title}>Text of the lesson</h1>
      <EditorBar open={open} onText={type} onInsert={insert} />
      <div className={styles.scroller}>
        <div className={styles.sheet}>
          <Lines text={open.text} wrong={new Set(problems.map(({ line }) => line))} />
          <textarea
            ref={field}
            className={styles.field}
            aria-label="Markdown of the lesson"
            aria-invalid={problems.length > 0}
            aria-describedby={problemsId}
            value={open.text}
            spellCheck
            onChange={(event) => type(event.target.value)}
            onSelect={({ currentTarget: { value, selectionStart } }) =>
              void showStepAt(value.slice(0, selectionStart).split('\n').length)
            }
          />
        </div>
      </div>
      <ProblemList
        id={problemsId}
        problems={problems}
        onGo={(problem) => goTo(offsetOf(open.text, problem))}
      />
    </section>
  );
}

type LinesProps = {
  readonly text: string;
  /** Numbers of the lines with a problem, from 1. */
  readonly wrong: ReadonlySet<number>;
};

/** Shows line numbers and marks under the text field. Lines break as in the field. */
function Lines({ text, wrong }: LinesProps) {
  return (
    <div className={styles.lines} aria-hidden>
      {text.split('\n').map((line, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the number is what a line is
          key={index}
          className={styles.line}
          data-wrong={wrong.has(index + 1) ? '' : undefined}
        >
          {line === '' ? '\u200b' : line}
        </div>
      ))}
    </div>
  );
}

type ProblemListProps = {
  readonly id: string;
  readonly problems: readonly LessonProblem[];
  readonly onGo: (problem: LessonProblem) => void;
};

const MAX_DRAFTS = 50;

/** Shows the problems with line and column. A click on a problem selects its line. */
function ProblemList({ id, problems, onGo }: ProblemListProps) {
  return (
    <div id={id} className={styles.box}>
      {problems.length === 0 ? (
        <p className={styles.fine}>No problems.</p>
      ) : (
        <ul className={styles.list}>
          {problems.slice(0, MAX_DRAFTS).map((problem) => (
            <li key={`${problem.line}:${problem.column}:${problem.message}`}>
              <button type="button" className={styles.problem} onClick={() => onGo(problem)}>
                <span className={styles.place}>
                  {problem.line}:{problem.column}
                </span>
                {problem.message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns the offset of a line and column (both from 1), limited to the length of the text. */
export function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}

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

/** Shows the commands of the lesson editor. */
function EditorBar({ open, onText, onInsert }: EditorBarProps) {
  const file = useSession(activeFile);
  const [link, setLink] = useState<{ readonly address: string; readonly note: string } | null>(
    null,
  );

  const makeLink = async () => {
    if (open.lesson === null) return;
    const made = await lessonLink(open.text, open.lesson);
    if (made.link === null) announce(made.note);
    else setLink({ address: pageAddress() + made.link, note: made.note });
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

/** Shows a link to the lesson, and what the link contains. */
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
        {isLinkLocal() ? ` ${LOCAL_LINK}` : ''}
      </p>
      <CopyField className={styles.address} aria-label="Link" rows={4} value={address} />
    </Dialog>
  );
}

/** Returns a file name made from the title, with letters and digits that every system accepts. */
export function fileNameOf(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return `${words === '' ? 'lesson' : words}.md`;
}
