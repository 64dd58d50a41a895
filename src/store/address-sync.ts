/**
 * Keeps the address bar and the session in step. Each place a person goes to is
 * an entry in the history; a burst of moves (arrow keys down a list) is one.
 */
import { currentAddress, followAddress } from './navigation.ts';
import { activeFile, session } from './session.ts';

/** Moves closer together than this, in milliseconds, share one history entry. */
const BURST = 400;

/** Starts the sync and goes to the address that the page was opened with. Gives back what stops it. */
export function startAddressSync(window: Window): () => void {
  let following = false;
  let lastPush = 0;
  let lastFile = activeFile(session.getState())?.id;

  const write = () => {
    if (following) return;
    const state = session.getState();
    if (state.files.length === 0 && state.wanted !== null) return;
    const address = currentAddress(state);
    if (address === (window.location.hash || '#/')) return;
    const file = activeFile(state);
    // Until a file is read and its hash is known its address is not complete: no entry of its own.
    const settled = file?.status.step === 'ready' && !window.location.hash.startsWith('#/?');
    const burst = performance.now() - lastPush < BURST && file?.id === lastFile;
    const completes = address.replace(/file=[^&]*&name=[^&]*&?/, '') === window.location.hash;
    if (settled && !burst && !completes) window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
    lastPush = performance.now();
    lastFile = file?.id;
  };

  const follow = async () => {
    following = true;
    try {
      await followAddress(window.location.hash);
    } finally {
      following = false;
    }
    write();
  };

  const onPopState = () => void follow();
  window.addEventListener('popstate', onPopState);
  const unsubscribe = session.subscribe(write);
  if (window.location.hash.length > 2) void follow();
  return () => {
    window.removeEventListener('popstate', onPopState);
    unsubscribe();
  };
}
