/**
 * What the address of a view says and another store keeps: the form of a text, how
 * the CO-RE tab is looked at. Left out of the address while it is what it is at first.
 */
import { CORE_MODES, setCoreMode, setFreshCandidates, useCoreView } from '#store/core-view.ts';
import type { OpenFile, ViewName } from '#store/session.ts';
import {
  DECLARATION_FORMS,
  setDeclarationForm,
  setTextFormat,
  TEXT_FORMATS,
  useTexts,
} from '#store/texts.ts';
import { keyOfId } from './file-keys.ts';

type Kept = {
  readonly key: string;
  /** What the address says; null: nothing. */
  readonly read: () => string | null;
  /** Takes what an address says, whatever it is. */
  readonly write: (value: string | null) => void;
  /** Would taking it change nothing? */
  readonly holds: (value: string) => boolean;
};

/** One of `values`, the first of them where the text is none. */
function choice<T extends string>(
  key: string,
  values: readonly [T, ...T[]],
  read: () => T,
  write: (value: T) => void,
): Kept {
  const [first] = values;
  const chosen = (text: string | null) => values.find((value) => value === text) ?? first;
  return {
    key,
    read: () => (read() === first ? null : read()),
    write: (text) => write(chosen(text)),
    holds: (text) => chosen(text) === read(),
  };
}

const KEPT: Readonly<Partial<Record<ViewName, readonly Kept[]>>> = {
  types: [
    choice('form', DECLARATION_FORMS, () => useTexts.getState().declaration, setDeclarationForm),
  ],
  text: [choice('as', TEXT_FORMATS, () => useTexts.getState().format, setTextFormat)],
  core: [
    choice('mode', CORE_MODES, () => useCoreView.getState().mode, setCoreMode),
    choice(
      'candidates',
      ['kept', 'fresh'],
      () => (useCoreView.getState().fresh ? 'fresh' : 'kept'),
      (value) => setFreshCandidates(value === 'fresh'),
    ),
  ],
};

/** The keys of `view`. */
export function keptKeys(view: ViewName): readonly string[] {
  return (KEPT[view] ?? []).map(({ key }) => key);
}

/** What the address of `view` says. */
export function keptOf(view: ViewName): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const { key, read } of KEPT[view] ?? []) {
    const value = read();
    if (value !== null) kept.set(key, value);
  }
  return kept;
}

/** Puts the stores in the state that an address of `view` tells; what it does not tell is as at first. */
export function applyKept(view: ViewName, params: ReadonlyMap<string, string>): void {
  for (const { key, write } of KEPT[view] ?? []) write(params.get(key) ?? null);
}

/** Are the stores as an address of `view` tells, in what it does tell? */
export function keptHolds(view: ViewName, params: ReadonlyMap<string, string>): boolean {
  return (KEPT[view] ?? []).every(({ key, holds }) => {
    const value = params.get(key);
    return value === undefined || holds(value);
  });
}

/** The key of the CO-RE target of `file`, where one is chosen and can be named. */
export function targetKeyOf(file: OpenFile): string | null {
  const target = useCoreView.getState().targets.get(file.id);
  return target === undefined ? null : keyOfId(target);
}

/** Calls `listener` whenever something changes that addresses say. Gives back what stops it. */
export function watchKept(listener: () => void): () => void {
  const stops = [useTexts.subscribe(listener), useCoreView.subscribe(listener)];
  return () => {
    for (const stop of stops) stop();
  };
}
