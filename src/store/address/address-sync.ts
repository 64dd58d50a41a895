/** Keeps the address bar and the session in sync. Quick moves share one history entry. */

import { activate, otherPane } from '#store/session/panes.ts';
import {
  activeFile,
  activeId,
  fileNow,
  type OpenFile,
  type Session,
  session,
  type Wanted,
} from '#store/session/session.ts';
import { formatAddress, parseAddress } from './address.ts';
import { resumeLink } from './follow-link.ts';
import { currentAddress, kernelsOfPane } from './navigation.ts';
import { pageExtension } from './page-extension.ts';

/** Milliseconds. Moves inside a view share a history entry if less time is between them. */
const BURST = 400;

/** Parts of an address. A change of one of them can add an entry to the browser's history. */
type Entry = {
  readonly view: string;
  readonly file: string;
  /** Keys of the lesson, of its step and of its file. */
  readonly at: string;
  readonly rest: string;
};

/** Parts of the session that decide the address. */
type Seen = {
  readonly file: OpenFile | null;
  readonly beside: OpenFile | null;
  readonly wanted: Wanted | null;
  /** Kernels of both panes, as JSON. Their keys are added when their hashes are known. */
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
    // Opening, changing and closing the second pane each get a new history entry.
    view: `${hasView ? view : ''} ${beside?.view ?? ''}`,
    // The key of declarations changes while the user types; this must not add history entries.
    file: file.startsWith('c1:') ? 'c1:' : [file, name].filter((part) => part !== '').join(' '),
    at: [lesson, at, linked].join(' '),
    // No new entry for an access string's index, a workbench selection, an object's kernels, or a
    // cell of *Load*.
    rest:
      view === 'workbench'
        ? ''
        : formatAddress({
            ...address,
            ...{ file: '', name: '', lesson: '', at: '', linked: '', kernels: [] },
            params: new Map([...params].filter(([key]) => key !== 'step')),
            ...(view === 'load' ? { viewParams: new Map() } : {}),
          }),
  };
}

/** Starts the sync and follows the current address. Returns a function that stops the sync. */
export function startAddressSync(window: Window): () => void {
  let following = 0;
  let lastMove = Number.NEGATIVE_INFINITY;
  let seen: Seen | null = null;

  // Most session changes do not affect the address, which is costly to format (a walk of all
  // types).
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

  /**
   * Stores the file id in the history entry: the address has no `file=` until the hash is known.
   */
  const put = (how: 'pushState' | 'replaceState', address: string) =>
    window.history[how](activeId(session.getState()), '', address);

  /** Returns the new address; null if it is in the address bar or a link waits for a file. */
  const addressNow = (): string | null => {
    const state = session.getState();
    if (activeFile(state) === null && state.wanted !== null) return null;
    const address = currentAddress(state);
    return address === (window.location.hash || '#/') ? null : address;
  };

  /** Returns true if the address gets a new history entry, false if it replaces the current one. */
  const isPlace = (address: string): boolean => {
    const before = entryOf(window.location.hash || '#/');
    const after = entryOf(address);
    if (before.view !== after.view || before.at !== after.at) return true;
    // The hash becomes known shortly after the file is open and only adds `file=` to the address.
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
      const file = fileNow(window.history.state);
      if (file !== null && parseAddress(window.location.hash).file === '') {
        activate(file.id);
      }
      await pageExtension().follow(window.location.hash);
    } finally {
      following--;
    }
    // Replaces the address that the link had by the address that the page writes for this place.
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
