/** Keys that work in every view, and where the focus goes after a key. */
import { useEffect } from 'react';
import { showTab } from '#store/address/navigation.ts';
import { pageExtension } from '#store/address/page-extension.ts';
import { closeBeside, openBeside, panesOf, workIn, workInOther } from '#store/session/panes.ts';
import { modelOf, session } from '#store/session/session.ts';
import { tabsOf } from '#store/session/views.ts';
import {
  IN_SIGHT,
  onKeyDown,
  PANE_BODY,
  TypeAhead,
  type TypedAhead,
  typeInto,
  useKeys,
} from '#ui/keys.tsx';
import { DIGITS, PAGE_KEYS } from './keys.ts';

export function usePageKeys(on: {
  readonly onFind: (typed?: TypedAhead) => void;
  readonly onOpen: () => void;
  readonly onHelp: () => void;
}): void {
  useKeys(PAGE_KEYS, (action, { key, code }) => {
    if (action === 'view') return goToTab(DIGITS.indexOf(key), 'here');
    if (action === 'beside') return goToTab(DIGITS.indexOf(code.slice(-1)), 'beside');
    if (action === 'pane') return workInOther();
    if (action === 'find') on.onFind();
    else if (action === 'filter') onceShown((typed) => focusFilter(typed) || on.onFind(typed));
    else if (action === 'open') on.onOpen();
    else if (action === 'help') on.onHelp();
    else if (action === 'back' && !pageExtension().step(-1)) history.back();
    else if (action === 'forward' && !pageExtension().step(1)) history.forward();
    return true;
  });
}

function goToTab(index: number, where: 'here' | 'beside'): boolean {
  const panes = panesOf(session.getState());
  if (panes === null) return false;
  const { first, second } = panes;
  const model = modelOf(first.file);
  const view = model === null ? undefined : tabsOf(model)[index];
  if (view === undefined) return false;
  if (where === 'beside') {
    const isOpen = second?.file.id === first.file.id && second.view === view;
    if (isOpen) closeBeside();
    else openBeside(view);
  } else {
    workIn('first');
    showTab(view);
  }
  return true;
}

/** Returns the current pane, else the document. Keys go there while nothing has the focus. */
function currentPart(): ParentNode {
  return document.querySelector('main [data-current="true"]') ?? document;
}

/** Keys that the user types while a view loads. */
const typeAhead = new TypeAhead('*');

let whileLoading: MutationObserver | undefined;

/** Forgets the filter of a view that loads: the user has opened the palette. */
export function forgetFilter(): void {
  whileLoading?.disconnect();
  typeAhead.take();
}

/** Calls `act` once the current view has loaded, with the keys that were typed until then. */
function onceShown(act: (typed: TypedAhead) => void): void {
  const isShown = () => currentPart().querySelector(`[data-loading]${IN_SIGHT}`) === null;
  if (isShown()) {
    act(typeAhead.take());
    return;
  }
  typeAhead.start();
  const observer = new MutationObserver(() => {
    if (!isShown()) return;
    observer.disconnect();
    act(typeAhead.take());
  });
  whileLoading = observer;
  // A view that loads may also be hidden, when another one is shown.
  const attributeFilter = ['data-hidden'];
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter });
}

/**
 * Focuses the filter of the view and types into it, or opens it by its button. Returns false without
 * a filter.
 */
function focusFilter(typed: TypedAhead): boolean {
  const part = currentPart();
  const field = part.querySelector<HTMLInputElement>(
    `main input:is([type="search"], [data-filter])${IN_SIGHT}`,
  );
  if (field !== null) {
    field.focus();
    field.select();
    typeInto(field, typed);
    return true;
  }
  const button = part.querySelector<HTMLElement>(`main button[data-filter]${IN_SIGHT}`);
  if (button !== null) typeOnceFocused(typed);
  button?.click();
  return button !== null;
}

/** Types keys into the text field that takes the focus within a second. */
function typeOnceFocused(typed: TypedAhead): void {
  const stop = new AbortController();
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLInputElement)) return;
    stop.abort();
    typeInto(target, typed);
  };
  document.addEventListener('focusin', onFocus, { signal: stop.signal });
  setTimeout(() => stop.abort(), 1000);
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta']);

/** Focuses the view if a key has removed the focused element: the keys of the view need a focus. */
export function useFocusOnView(): void {
  useEffect(
    () =>
      onKeyDown(document, ({ key }) => {
        if (!MODIFIERS.has(key)) keepFocus(LOOKS);
      }),
    [],
  );
  useEffect(() => {
    // A click where nothing can be focused must not move the focus to the view.
    const stop = () => clearTimeout(timer);
    document.addEventListener('pointerdown', stop);
    return () => document.removeEventListener('pointerdown', stop);
  }, []);
}

/** Number of times to look for a lost focus: a closing element may fade for about 0.5 s. */
const LOOKS = 16;
/** Milliseconds between two looks. A timer, since each animation frame paints the page. */
const LOOK_MS = 30;
let timer: ReturnType<typeof setTimeout> | undefined;

function keepFocus(left: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    focusView();
    if (left > 0) keepFocus(left - 1);
  }, LOOK_MS);
}

function focusView(): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const place = currentPart().querySelector<HTMLElement>(`main ${PANE_BODY}`);
  (place ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
}
