import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Search, X } from 'lucide-react';
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react';
import { drawnName } from '#bytes/text.ts';
import { noteVisit, select } from '#store/address/navigation.ts';
import type { PageCommand } from '#store/address/page-extension.ts';
import { activate } from '#store/session/panes.ts';
import { activeFile, announce, fileById, session, useSession } from '#store/session/session.ts';
import { grouped } from '#ui/grouped.ts';
import { Kbd, PANE_BODY, type TypeAhead } from '#ui/keys.tsx';
import { useEnter } from '#ui/SearchBox.tsx';
import { graphState } from '#views/graph/state.ts';
import { GRAMMAR } from './grammar.ts';
import styles from './Palette.module.css';
import {
  completion,
  NothingFound,
  PaletteList,
  type PaletteListHandle,
  viewFor,
} from './PaletteList.tsx';
import { hasHeadings, isCommandText, type PaletteItem, paletteItems } from './palette-items.ts';
import { type Found, scopeOf, useFind } from './use-find.ts';
import { usePlaces } from './use-places.tsx';

type PaletteProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly commands: readonly PageCommand[];
  /** Keys that were typed before the field had the focus. */
  readonly typeAhead: TypeAhead;
};

/** Shows the palette, which finds items of the file, files, views and commands by a few letters. */
export function Palette({ isOpen, onClose, ...rest }: PaletteProps) {
  // A palette that is opened again while it fades out starts with an empty field.
  const [opened, setOpened] = useState({ isOpen, times: 0, from: document.activeElement });
  const hasGone = useRef(false);
  if (opened.isOpen !== isOpen) {
    const from = isOpen ? document.activeElement : opened.from;
    setOpened({ isOpen, times: opened.times + (isOpen ? 1 : 0), from });
  }
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        hasGone.current = false;
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.popup}
          aria-label="Find"
          finalFocus={() => placeAfter(opened.from, hasGone.current)}
        >
          <PaletteBody
            key={opened.times}
            onClose={(isGone) => {
              hasGone.current = isGone;
              onClose();
            }}
            {...rest}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Returns the element that gets the focus on close: the previous one, or the current pane if it is
 * another one. After a hit, a text field does not get the focus back: keys are commands again.
 */
function placeAfter(from: Element | null, hasGone: boolean): HTMLElement | true {
  const before = from?.closest('[data-pane]') ?? null;
  const now = document.querySelector('main [data-pane][data-current="true"]');
  const body = (now ?? document.querySelector('main'))?.querySelector<HTMLElement>(PANE_BODY);
  const isField = from instanceof HTMLInputElement || from instanceof HTMLTextAreaElement;
  if (hasGone && isField) return body ?? true;
  if (before === null || now === null || before === now) return true;
  return body ?? true;
}

type PaletteBodyProps = Omit<PaletteProps, 'isOpen' | 'onClose'> & {
  /** Called with true if the page went to a hit. */
  readonly onClose: (isGone: boolean) => void;
};

/** Shows the field, the list and the footer. The field keeps the focus; arrow keys select items. */
function PaletteBody({ commands, onClose, typeAhead }: PaletteBodyProps) {
  const [text, setText] = useState('');
  const id = useSession((state) => {
    const file = activeFile(state);
    return file?.status.step === 'ready' ? file.id : null;
  });
  const isOpening = useSession((state) => activeFile(state)?.status.step === 'opening');
  const asked = isCommandText(text) ? '' : text.trim();
  const found = useFind(id, asked);
  const { recent, actions, terms } = usePlaces(commands);
  const items = useMemo(
    () =>
      paletteItems(text, {
        recent,
        actions,
        terms,
        examples: id === null ? [] : GRAMMAR,
        hits: found.answer?.hits ?? [],
      }),
    [text, recent, actions, terms, id, found.answer],
  );
  // Also wait while a file is being opened, since it has no hits yet.
  const isWaiting = found.isWaiting || (isOpening && asked !== '' && items.length === 0);
  const highlighted = useRef<PaletteItem | null>(null);
  const list = useRef<PaletteListHandle>(null);

  const take = (item: PaletteItem, inGraph: boolean) => takeItem(item, inGraph, onClose, setText);

  useEffect(() => noteVisit(), []);

  const enter = useEnter(isWaiting, (inGraph: boolean) => {
    const [first] = items;
    if (first !== undefined) take(first, inGraph);
  });

  const change = (next: string) => {
    enter.cancel();
    setText(next);
    list.current?.scrollToTop();
  };

  // When the field gets the focus, it takes the keys that were typed before.
  const takeTyped = () => {
    const typed = typeAhead.take();
    if (typed.end === 'Escape') onClose(false);
    if (typed.text === '') return;
    change(text + typed.text);
    if (typed.end === 'Enter') enter.press(false);
  };

  return (
    <Autocomplete.Root
      open
      inline
      virtualized
      mode="none"
      autoHighlight="always"
      keepHighlight
      items={items}
      value={text}
      itemToStringValue={({ key }) => key}
      onValueChange={(next, { reason }) => {
        // Ignore other reasons: when an item is chosen, the library would insert its key.
        if (reason === 'input-change' || reason === 'input-clear') change(next);
      }}
      onItemHighlighted={(item, { reason, index }) => {
        highlighted.current = item ?? null;
        if (item !== undefined && reason === 'keyboard') list.current?.showRow(index);
      }}
    >
      <PaletteField
        hasFile={id !== null}
        onFocus={takeTyped}
        onKeyDown={(event) => {
          const item = highlighted.current ?? items[0];
          const isTab = event.key === 'Tab' && !event.shiftKey;
          if (event.key === 'Enter' && isWaiting) enter.press(event.altKey);
          else if (event.key === 'Enter' && event.altKey && item !== undefined) take(item, true);
          else if (isTab && item?.source === 'hit') change(completion(item.hit));
          else return;
          event.preventDefault();
          event.preventBaseUIHandler();
        }}
      />
      <PaletteList
        handle={list}
        items={items}
        headingOf={(item) => headingOf(item, text)}
        isStale={found.isWaiting}
        onTake={(item, event) => take(item, event.altKey)}
      />
      {items.length === 0 && !isWaiting ? <NothingFound text={text} found={found} /> : null}
      <PaletteFoot text={asked} found={found} />
    </Autocomplete.Root>
  );
}

/** Returns the heading of an item: its group, or in a search of all files its file. */
function headingOf(item: PaletteItem, text: string): string | null {
  if (hasHeadings(text)) return item.group;
  if (!scopeOf(text).isAll) return null;
  const file = item.source === 'hit' ? fileById(session.getState(), item.file) : null;
  return file === null ? item.group : drawnName(file.name);
}

/** Shows the item, or completes the text in the field to a longer query. */
function takeItem(
  item: PaletteItem,
  inGraph: boolean,
  onClose: (isGone: boolean) => void,
  onText: (text: string) => void,
): void {
  if (item.source === 'example') {
    onText(item.example.text);
    return;
  }
  if (item.source === 'action') {
    onClose(item.group !== 'Command');
    item.action.run();
    return;
  }
  const { hit, file: hitFile } = item;
  if (hit.refine !== null) {
    onText(hitFile === null ? hit.refine : `all: ${hit.refine}`);
    return;
  }
  onClose(true);
  if (hitFile !== null) activate(hitFile);
  const file = activeFile(session.getState());
  if (hit.selection === null) announce('Its bytes are not in the file as such');
  else if (file !== null) {
    const view = viewFor(hit, file.view, inGraph);
    // The Graph view shows paths between types, or types around the selection.
    if (view === 'graph' && inGraph) graphState.set({ path: null }, file.id);
    select(hit.selection, view);
  }
}

type PaletteFieldProps = Pick<
  ComponentProps<typeof Autocomplete.Input>,
  'onFocus' | 'onKeyDown'
> & {
  readonly hasFile: boolean;
};

function PaletteField({ hasFile, ...keys }: PaletteFieldProps) {
  return (
    <div className={styles.field}>
      <Search size={16} aria-hidden className={styles.icon} />
      <Autocomplete.Input
        className={styles.input}
        aria-label="Find anything"
        placeholder={
          hasFile ? 'Find types, members, functions, commands …' : 'Find a command or a file'
        }
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        {...keys}
      />
      <Dialog.Close className={styles.close} aria-label="Close" tabIndex={-1}>
        <span aria-hidden className={styles.escape}>
          <Kbd>Esc</Kbd>
        </span>
        <X size={18} aria-hidden className={styles.cross} />
      </Dialog.Close>
    </div>
  );
}

type PaletteFootProps = {
  /** Text that was searched; empty without a search. */
  readonly text: string;
  readonly found: Found;
};

/** Shows the number of hits, the progress of the index, and the keys of the palette. */
function PaletteFoot({ text, found }: PaletteFootProps) {
  return (
    <footer className={styles.foot}>
      <p className={styles.found} aria-live="polite">
        {footText(text, found)}
      </p>
      <p className={styles.keys} aria-hidden>
        <span>
          <Kbd>↵</Kbd> go
        </span>
        {text === '' ? null : (
          <>
            <span>
              <Kbd>Alt</Kbd>
              <Kbd>↵</Kbd> in the graph
            </span>
            <span>
              <Kbd>Tab</Kbd> complete
            </span>
          </>
        )}
      </p>
    </footer>
  );
}

function footText(text: string, found: Found): string {
  if (text === '') return '';
  if (found.indexing !== null) {
    return `Indexing the names of this file: ${Math.round(100 * found.indexing)} %`;
  }
  const total = found.answer?.total ?? 0;
  const shown = found.answer?.hits.length ?? 0;
  if (total > shown) return `The first ${grouped(shown)} of ${grouped(total)}`;
  if (shown > 0) return `${grouped(shown)} found`;
  return found.isWaiting ? '' : 'Nothing found';
}
