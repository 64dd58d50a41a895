/**
 * The address bar is the state. What stands behind `#` names a view, a file
 * and a selection by keys that outlast a build:
 *
 *   #/types?file=sample:kinds.bpf.o&type=struct:task_struct&member=mm/pgd
 *   #/bytes?file=<sha-256>&name=prog.o&bytes=.text@0x10-0x18
 *   #/relocations?file=…&reloc=.reltc@0x28      #/core?file=…&core=tc@0x10&step=2
 *
 * Any text is a legal input: what cannot be read is left out and told.
 */
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { decodeKey, encodeKey, splitOnce } from './address-text.ts';
import { formatSelection } from './selection-keys.ts';
import { VIEWS, type ViewName } from './session.ts';

/** The address, read but not yet looked up in a model. */
export type Address = {
  readonly view: ViewName;
  /** `sample:PATH`, a SHA-256 in hex, or empty. */
  readonly file: string;
  /** Name of the file, for the sentence that asks for it. */
  readonly name: string;
  /** The selection's parameters as they stand, still percent-encoded. */
  readonly params: ReadonlyMap<string, string>;
};

const SELECTION_PARAMS = [
  'type',
  'member',
  'bytes',
  'section',
  'symbol',
  'reloc',
  'core',
  'step',
  'insn',
];

/** Reads what stands behind `#`. Total: anything gives an address. */
export function parseAddress(hash: string): Address {
  const text = hash.replace(/^#\/?/, '');
  const [path = '', query = ''] = splitOnce(text, '?');
  const params = new Map<string, string>();
  for (const part of query.split('&')) {
    const [key, value = ''] = splitOnce(part, '=');
    if (key !== undefined && key !== '') params.set(key, value);
  }
  return {
    view: VIEWS.find((view) => view === path) ?? 'overview',
    file: decodeKey(params.get('file') ?? ''),
    name: decodeKey(params.get('name') ?? ''),
    params: new Map([...params].filter(([key]) => SELECTION_PARAMS.includes(key))),
  };
}

/** The address of a view of a file with a selection, `#` first. */
export function formatAddress(
  view: ViewName,
  file: { readonly id: string; readonly name: string } | null,
  model: ObjectModel | null,
  selection: Selection,
): string {
  const params: string[] = [];
  if (file !== null) {
    params.push(`file=${encodeKey(file.id)}`);
    if (!file.id.startsWith('sample:')) params.push(`name=${encodeKey(file.name)}`);
  }
  if (model !== null) params.push(...formatSelection(model, selection));
  return `#/${view}${params.length > 0 ? `?${params.join('&')}` : ''}`;
}
