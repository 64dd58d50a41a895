/** Commands on the selection that work in every view: highlight uses, add a note. */
import { Highlighter, X } from 'lucide-react';
import { useEffect } from 'react';
import { selectionType } from '#analysis/selection/selection.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { typeSelection } from '#model/selection.ts';
import { select } from '#store/address/navigation.ts';
import { loadNotes } from '#store/address/notes.ts';
import { showNotes } from '#store/session/dialogs.ts';
import {
  type Highlight,
  highlightUses,
  removeHighlight,
  useHighlight,
} from '#store/session/highlight.ts';
import type { Panes } from '#store/session/panes.ts';
import {
  activeFile,
  activeFileNow,
  modelOf,
  type OpenFile,
  useSession,
} from '#store/session/session.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { useKeys } from '#ui/keys.tsx';
import { NotesOf } from '#views/notes/NotesParts.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { SELECTION_KEYS } from './keys.ts';
import styles from './SelectionTools.module.css';

/** Binds the keys for the selected type, and draws the bar about the highlighted type. */
export function SelectionTools({ panes }: { readonly panes: Panes }) {
  const ofFirst = useHighlight(panes.first.file);
  const ofSecond = useHighlight(panes.second?.file ?? null);
  const highlight = ofFirst ?? ofSecond;
  useKeys(SELECTION_KEYS, (action, { target }) => {
    if (action === 'plain') {
      // In a menu the key (Escape) closes the menu and keeps the highlight.
      const isInMenu = target instanceof Element && target.closest('[role="menu"]') !== null;
      return !isInMenu && removeHighlight();
    }
    if (action === 'notes') {
      showNotes(true);
      return true;
    }
    return toggleHighlight(highlight);
  });
  return (
    <>
      {highlight === null ? null : <HighlightBar highlight={highlight} />}
      <ShownNotes file={panes.first.file} />
      {panes.second === null ? null : <ShownNotes file={panes.second.file} />}
      <NotesOfActive />
    </>
  );
}

/** Loads the stored notes on a file when the hash of the file is known. */
function ShownNotes({ file }: { readonly file: OpenFile }) {
  const { id, sha256 } = file;
  const model = modelOf(file);
  useEffect(() => {
    if (sha256 !== null && model !== null) void loadNotes(id);
  }, [id, sha256, model]);
  return null;
}

function NotesOfActive() {
  const file = useSession(activeFile);
  return file === null ? null : <NotesOf file={file} />;
}

function toggleHighlight(highlight: Highlight | null): boolean {
  const file = activeFileNow();
  const model = modelOf(file);
  const type = file && model && selectionType(model, file.selection);
  if (file === null || type === null || type < 1) return removeHighlight();
  if (highlight?.type === type && highlight.fileId === file.id) return removeHighlight();
  void highlightUses(file.id, type);
  return true;
}

/** Draws a bar with the highlighted type and the number of uses of the type. */
function HighlightBar({ highlight }: { readonly highlight: Highlight }) {
  const { model, type } = highlight;
  if (model.types === null) return null;
  return (
    <section className={styles.bar} aria-label="Highlighted uses">
      <Highlighter size={14} aria-hidden className="rigid" />
      <p className="grow shrink break">
        Uses of{' '}
        <span className="in-use mono">
          <Name text={typeTitle(model.types, type)} />
        </span>
        : {usesText(highlight)}
      </p>
      <Button size="small" variant="quiet" onClick={() => select(typeSelection(type), 'types')}>
        Show type
      </Button>
      <IconButton
        label="Remove the highlight"
        keys={['Esc']}
        icon={X}
        size="small"
        onClick={removeHighlight}
      />
    </section>
  );
}

/** Returns the number of uses, such as `4 types, 7 references, 2 CO-RE records`. */
function usesText({ users, words, cores, model }: Highlight): string {
  return [
    countOf(users.size, 'type'),
    ...(words.length === 0 ? [] : [countOf(words.length, 'reference')]),
    ...(model.ext.core.count === 0 ? [] : [countOf(cores.size, 'CO-RE record')]),
  ].join(', ');
}
