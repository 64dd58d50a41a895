/**
 * What a view keeps in the address beside the selection: its mode, a depth, the
 * other side. Text by keys of the view's own. Only the view that is shown writes
 * its keys into the address; the others' wait in the session.
 */
import {
  activeFile,
  type FileId,
  fileById,
  type OpenFile,
  patchFile,
  session,
  useSession,
  type ViewName,
  type ViewParams,
} from './session.ts';

/** The keys of each view. None may be a key of the selection (`type`, `bytes`, …), `file` or `name`. */
export const VIEW_PARAMS: Readonly<Partial<Record<ViewName, readonly string[]>>> = {
  types: ['as'],
  bytes: ['layout'],
  relocations: ['layout'],
  graph: ['depth', 'open', 'hide', 'path'],
  data: ['mode'],
  compare: ['with', 'show', 'filter', 'a', 'b'],
};

/** What the file's `view` keeps under `key`, or null. */
export function useViewParam(id: FileId, view: ViewName, key: string): string | null {
  return useSession((state) => fileById(state, id)?.params?.[`${view}:${key}`] ?? null);
}

/** Keeps `value` for the `view` of the file that is looked at; null forgets it. */
export function setViewParam(view: ViewName, key: string, value: string | null): void {
  const file = activeFile(session.getState());
  if (file === null || (file.params?.[`${view}:${key}`] ?? null) === value) return;
  const { [`${view}:${key}`]: _, ...rest } = file.params ?? {};
  patchFile(file.id, { params: value === null ? rest : { ...rest, [`${view}:${key}`]: value } });
}

/** What `view` keeps, in the order of its keys. */
export function paramsOf(file: OpenFile, view: ViewName): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const key of VIEW_PARAMS[view] ?? []) {
    const value = file.params?.[`${view}:${key}`];
    if (value !== undefined) kept.set(key, value);
  }
  return kept;
}

/** The file's parameters with those of `view` put in place of what it kept. */
export function withParams(
  file: OpenFile,
  view: ViewName,
  params: ReadonlyMap<string, string>,
): ViewParams {
  const others = Object.entries(file.params ?? {}).filter(([key]) => !key.startsWith(`${view}:`));
  const own = [...params].map(([key, value]) => [`${view}:${key}`, value] as const);
  return Object.fromEntries([...others, ...own]);
}
