/** Keeps the address bar and the session in step. A burst of moves is one entry of the history. */

import { activate, otherPane } from '#store/session/panes.ts';
import {
  activeFile,
  activeId,
  fileById,
  type OpenFile,
  type Session,
  session,
  type Wanted,
} from '#store/session/session.ts';
import { formatAddress, parseAddress } from './address.ts';
import { resumeLink } from './follow-link.ts';
import { currentAddress, kernelsOfPane } from './navigation.ts';
import { pageExtension } from './page-extension.ts';

/** Moves inside a view that are closer together than this, in milliseconds, share one history entry. */
const BURST = 400;

/** What an address is about, for the question whether the next one is a place of its own. */
type Entry = {
  readonly view: string;
  readonly file: string;
  /** Step of a lesson. */
  readonly at: string;
  readonly rest: string;
};

/** The parts of the session that an address is made of. */
type Seen = {
  readonly file: OpenFile | null;
  readonly beside: OpenFile | null;
  readonly wanted: Wanted | null;
  /** Of the kernels beside both panes: their hashes become known later. */
  readonly kernels: string;
};

function seenIn(state: Session): Seen {
  const file = activeFile(state);
  const beside = otherPane(state);
  const panes = [
    ...(file === null ? [] : [{ file, view: file.view }]),
    ...(beside === null ? [] : [beside]),
  ];
  return {
    file,
    beside: beside?.file ?? null,
    wanted: state.wanted,
    kernels: JSON.stringify(panes.map(kernelsOfPane)),
  };
}

function entryOf(hash: string): Entry {
  const address = parseAddress(hash);
  const { view, hasView, file, name, lesson, at, linked, beside, params } = address;
  return {
    // The second pane is opened, closed and changed as a place of its own.
    view: `${hasView ? view : ''} ${beside?.view ?? ''}`,
    // Declarations change with every word that is typed; the place stays.
    file: file.startsWith('c1:') ? 'c1:' : [file, name].filter((part) => part !== '').join(' '),
    at: [lesson, at, linked].join(' '),
    // Three things are no places of their own: the index of an access string, which follows the
    // pointer; the selection in the workbench, which follows the caret; each kernel that is opened
    // for the object.
    rest:
      view === 'workbench'
        ? ''
        : formatAddress({
            ...address,
            ...{ file: '', name: '', lesson: '', at: '', linked: '', kernels: [] },
            params: new Map([...params].filter(([key]) => key !== 'step')),
          }),
  };
}

/** Starts the sync and goes to the address that the page was opened with. Gives back what stops it. */
export function startAddressSync(window: Window): () => void {
  let following = 0;
  let lastMove = Number.NEGATIVE_INFINITY;
  let seen: Seen | null = null;

  // The session also changes with each page of bytes and each sentence of the status;
  // naming a selection may mean a walk over all types, so only what the address says counts.
  const writeIfMoved = () => {
    const state = session.getState();
    resumeLink(state);
    const now = seenIn(state);
    const isSame =
      seen !== null &&
      seen.file === now.file &&
      seen.beside === now.beside &&
      seen.wanted === now.wanted &&
      seen.kernels === now.kernels;
    if (isSame) return;
    seen = now;
    write();
  };

  const write = () => {
    if (following > 0 || pageExtension().isBusy()) return;
    const address = addressNow();
    if (address === null) return;
    put(isPlace(address) ? 'pushState' : 'replaceState', address);
  };

  /** With the id of its file, which the address names only once its hash is known. */
  const put = (how: 'pushState' | 'replaceState', address: string) =>
    window.history[how](activeId(session.getState()), '', address);

  /** The address to be shown; null where it is shown already, or a link still waits for its file. */
  const addressNow = (): string | null => {
    const state = session.getState();
    if (activeFile(state) === null && state.wanted !== null) return null;
    const address = currentAddress(state);
    return address === (window.location.hash || '#/') ? null : address;
  };

  /** Is the address worth an entry beside the one that is shown? */
  const isPlace = (address: string): boolean => {
    const before = entryOf(window.location.hash || '#/');
    const after = entryOf(address);
    if (before.view !== after.view || before.at !== after.at) return true;
    // The hash of a file becomes known a moment after it is open: that completes the address.
    if (before.file !== after.file) return before.file !== '';
    if (before.rest === after.rest) return false;
    const now = performance.now();
    const isBurst = now - lastMove < BURST;
    lastMove = now;
    return !isBurst;
  };

  const follow = async () => {
    following++;
    try {
      const file = fileById(session.getState(), window.history.state);
      if (file !== null && parseAddress(window.location.hash).file === '') {
        activate(file.id);
      }
      await pageExtension().follow(window.location.hash);
    } finally {
      following--;
    }
    // The same place in our words: a link may say more than the address does.
    const address = addressNow();
    if (address !== null) put('replaceState', address);
  };

  const onPopState = () => void follow();
  window.addEventListener('popstate', onPopState);
  const stops = [session.subscribe(writeIfMoved), pageExtension().watch(write)];
  if (window.location.hash.length > 2) void follow();
  return () => {
    window.removeEventListener('popstate', onPopState);
    for (const stop of stops) stop();
  };
}
