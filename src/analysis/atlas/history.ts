/** The history of one name: its forms in the order in which kernels first have them, and what changed. */
import { counted } from '#bytes/text.ts';
import type { AtlasFile, FoundEntry } from '#formats/atlas/atlas-file.ts';
import { EntryKind, type EntryKindName } from '#formats/atlas/entry.ts';
import { enumeratorsOf, kernelRows, layoutOf, prototypeOf } from './questions.ts';

/** `+` added, `-` removed, `~` of another type, width or value, or moved. */
export type HistoryChange = { readonly sign: '+' | '-' | '~'; readonly text: string };

export type HistoryForm = {
  /** The form in a line. */
  readonly title: string;
  /** Names of the kernels that have it, oldest first; with that of the module in parentheses where it is in no kernel itself. */
  readonly kernels: readonly string[];
  /** What differs from the form before. */
  readonly changes: readonly HistoryChange[];
};

export type TypeHistory = {
  readonly kind: EntryKindName;
  readonly name: string;
  readonly forms: readonly HistoryForm[];
};

/** Which is meant by a name alone: types before functions. */
const ORDER = ['struct', 'union', 'enum', 'typedef', 'func'] as const;

/** An item of a form: a member or an enumerator. */
type Item = { readonly text: string; readonly bitOffset: number };
type Form = { readonly title: string; readonly items: ReadonlyMap<string, Item> };

/** The history of the type or function `name`; null where no kernel has one. Throws `Malformed` where that part is damaged. */
export async function historyOf(atlas: AtlasFile, name: string): Promise<TypeHistory | null> {
  for (const kind of ORDER) {
    const found = await atlas.find(EntryKind[kind], name);
    if (found !== null) return { kind, name, forms: formsOf(atlas, kind, found) };
  }
  return null;
}

function formsOf(atlas: AtlasFile, kind: EntryKindName, found: FoundEntry): HistoryForm[] {
  const rows = [...kernelRows(atlas, found)].sort(([a], [b]) => a - b);
  // Rows that differ in their later definitions only are one form.
  const kernelsOf = new Map<number, string[]>();
  for (const [kernel, { row, modules, isOwn }] of rows) {
    const variant = row.variants[0] ?? 0;
    const name = atlas.directory.kernels[kernel]?.name ?? '';
    const names = kernelsOf.get(variant) ?? [];
    names.push(isOwn ? name : `${name} (${modules[0]})`);
    kernelsOf.set(variant, names);
  }
  let before: Form | null = null;
  return Array.from(kernelsOf, ([variant, kernels]) => {
    const form = formOf(kind, found, variant);
    const changes = before === null ? [] : changesBetween(before, form);
    before = form;
    return { title: form.title, kernels, changes };
  });
}

function formOf(kind: EntryKindName, found: FoundEntry, variant: number): Form {
  switch (kind) {
    case 'struct':
    case 'union': {
      const { id, size, members } = layoutOf(found, variant);
      const items = members.map(({ name, type, bits, bitOffset }) => {
        const width = bits % 8 === 0 ? counted(bits / 8, 'byte') : counted(bits, 'bit');
        return [name, { text: `${type}, ${width}`, bitOffset }] as const;
      });
      const title = `layout ${id}: ${counted(size, 'byte')}, ${counted(members.length, 'member')}`;
      return { title, items: new Map(items) };
    }
    case 'enum': {
      const enumerators = enumeratorsOf(found, variant);
      const items = enumerators.map(
        ({ name, value }) => [name, { text: `= ${value}`, bitOffset: 0 }] as const,
      );
      return { title: counted(enumerators.length, 'enumerator'), items: new Map(items) };
    }
    case 'func':
      return { title: prototypeOf(found, variant), items: new Map() };
    case 'typedef': {
      const [type = 0, size = 0] = found.entry.variants[variant] ?? [];
      return { title: `${found.text(type)}, ${counted(size, 'byte')}`, items: new Map() };
    }
  }
}

function changesBetween(before: Form, after: Form): HistoryChange[] {
  const changes: HistoryChange[] = [];
  let moved = 0;
  for (const [name, { text }] of before.items) {
    if (!after.items.has(name)) changes.push({ sign: '-', text: `${name}: ${text}` });
  }
  for (const [name, { text, bitOffset }] of after.items) {
    const old = before.items.get(name);
    if (old === undefined) changes.push({ sign: '+', text: `${name}: ${text}` });
    else if (old.text !== text) changes.push({ sign: '~', text: `${name}: ${old.text} → ${text}` });
    else if (old.bitOffset !== bitOffset) moved++;
  }
  if (moved > 0) changes.push({ sign: '~', text: `${counted(moved, 'member')} moved` });
  return changes;
}
