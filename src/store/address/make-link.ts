/** Makes links to the current place: they name the file, carry a type, or carry the file. */

import { layoutHash } from '#analysis/links/layout-hash.ts';
import { selectionType } from '#analysis/selection/selection.ts';
import { formatTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { KeptNote } from '#store/kept/kept-notes.ts';
import { type Panes, panesOf, type ShownPane } from '#store/session/panes.ts';
import { activeId, modelOf, type OpenFile, session } from '#store/session/session.ts';
import { formatViewState } from '#store/session/view-state.ts';
import { type ViewName, viewOf } from '#store/session/views.ts';
import { type Address, formatAddress, START } from './address.ts';
import { keyOf } from './file-keys.ts';
import { fileInAddress, placeBeside, placeOfPane } from './navigation.ts';
import { notesOf } from './notes.ts';
import {
  formatParams,
  parseParams,
  type SelectionParams,
  selectionParams,
} from './selection-keys.ts';

/** Returns the selected type, if a link can carry it; null if no such type is selected. */
export function linkedType(file: OpenFile): TypeId | null {
  const model = modelOf(file);
  const type = model && selectionType(model, file.selection);
  return type === null || type < 1 ? null : type;
}

/** Returns the panes on the screen if `file` is active, otherwise one pane that shows `file`. */
function panesWith(file: OpenFile): Pick<Panes, 'first' | 'second'> {
  const state = session.getState();
  const panes = activeId(state) === file.id ? panesOf(state) : null;
  return panes ?? { first: { file, view: file.view }, second: null };
}

/** `embed` makes a link for a frame; `withNotes` adds the notes on the file. */
type LinkOptions = { readonly embed?: boolean; readonly withNotes?: boolean };

/** Returns a link that names the file by its key; null while the file's hash is not known. */
export function referenceLink(file: OpenFile, options: LinkOptions = {}): string | null {
  const { first, second } = panesWith(file);
  const key = keyOf(first.file);
  if (key === null) return null;
  return linkToPanes(first, key, options.embed === true ? null : second, options);
}

/** Returns a link that carries the whole file: `key` contains the file. */
export function linkWithFile(file: OpenFile, key: string, options: LinkOptions = {}): string {
  const { first, second } = panesWith(file);
  // The link carries one file, so a second pane with another file is left out.
  const isOwn = first.file.id === file.id && second?.file.id === file.id;
  return isOwn && options.embed !== true
    ? linkToPanes(first, key, second, options)
    : linkToPanes({ file, view: file.view }, key, null, options);
}

function linkToPanes(
  first: ShownPane,
  key: string,
  second: ShownPane | null,
  { embed = false, withNotes = true }: LinkOptions,
): string {
  const { file } = first;
  const types = modelOf(file)?.types ?? null;
  const { selection } = file;
  return formatAddress({
    ...START,
    hasView: true,
    ...placeOfPane(first, key),
    embed,
    layout: types && selection.kind === 'type' ? layoutHash(types, selection.type) : '',
    notes: withNotes ? notesOf(file.id) : [],
    beside: placeBeside(first, second),
  });
}

/** Returns a link that carries `type` and its notes: `key` contains the type. */
export function linkWithType(
  file: OpenFile,
  type: TypeId,
  key: string,
  { embed = false, withNotes = true }: LinkOptions = {},
): string {
  const model = modelOf(file);
  const panes = panesWith(file);
  const isOwn = panes.first.file.id === file.id;
  const { first, second } = isOwn ? panes : { first: { file, view: file.view }, second: null };
  const isShown = isOfTypes(first.view);
  // The link carries one file, so a second pane with another file is left out.
  const isPair = isShown && !embed && second?.file.id === file.id && isOfTypes(second.view);
  const address: Address = {
    ...START,
    hasView: true,
    view: isShown ? first.view : 'types',
    ...fileInAddress(file, key),
    embed,
    viewParams: isShown ? formatViewState(file, first.view) : START.viewParams,
    beside: isPair ? placeBeside(first, second) : null,
  };
  if (model?.types == null) return formatAddress(address);
  const { selection } = file;
  const isOfType = selection.kind === 'type' && selection.type === type;
  const params = selectionParams(model, isOfType ? selection : typeSelection(type));
  const typeKey = formatTypeKey({ ...typeKeyOf(model.types, type), ordinal: 0 });
  return formatAddress({
    ...address,
    params: withType(params, typeKey),
    notes: withNotes ? notesOfType(file, type, typeKey) : [],
  });
}

function withType(params: SelectionParams, typeKey: string): SelectionParams {
  return new Map(params).set('type', typeKey);
}

function isOfTypes(view: ViewName): boolean {
  return viewOf(view)?.isOfTypes === true;
}

/** Returns the notes on a type and its members, with places that name the type by `typeKey`. */
function notesOfType(file: OpenFile, type: TypeId, typeKey: string): readonly KeptNote[] {
  return notesOf(file.id).flatMap(({ place, text, selection }) =>
    selection?.kind === 'type' && selection.type === type
      ? [{ place: formatParams(withType(parseParams(place), typeKey)), text }]
      : [],
  );
}
