/** The history of a name: its forms in order of first appearance, and the changes between them. */
import { getOrCreate } from '#bytes/cache.ts';
import type { ByteSource } from '#bytes/source.ts';
import { counted } from '#bytes/text.ts';
import { AtlasFile, type FoundEntry } from '#formats/atlas/atlas-file.ts';
import type { KernelInfo } from '#formats/atlas/directory.ts';
import { EntryKind, type EntryKindName } from '#formats/atlas/entry.ts';
import { declared, pointedFunction } from './prototype.ts';
import { enumeratorsOf, kernelRows, layoutOf, prototypeOf } from './questions.ts';

/** Change between forms: `+` added, `-` removed, `~` changed type, width, value or offset. */
export type HistoryChange = { readonly sign: '+' | '-' | '~'; readonly text: string };

/** Item of a form: member, enumerator or parameter. */
export type HistoryItem = {
  /** Name of the member or enumerator, not escaped; for a parameter its position. */
  readonly name: string;
  /** Type and width of a member, type of a parameter, or value of an enumerator. */
  readonly text: string;
  /** Bits from the start of the struct; null for items without an offset. */
  readonly bitOffset: number | null;
  /** Width of a member in bits; 0 for other items. */
  readonly bits: number;
};

type Form = {
  readonly title: string;
  /** Size of the type in bytes; null for functions. */
  readonly size: number | null;
  readonly items: readonly HistoryItem[];
};

export type NumberedForm = Form & {
  /** Numbers of the kernels that have the form, ascending. */
  readonly kernels: readonly number[];
  /** Module with the form, by kernel number, for kernels that have the name only in a module. */
  readonly modules: Readonly<Record<number, string>>;
};

/** All forms of a name in the kernels of an atlas. */
export type NameHistory = {
  readonly kind: EntryKindName;
  readonly name: string;
  readonly forms: readonly NumberedForm[];
};

export type HistoryForm = {
  /** One-line summary of the form: layout, prototype, or number of enumerators. */
  readonly title: string;
  /** Kernels with the form, oldest first: `NAME`, or `NAME (MODULE)` if only a module has it. */
  readonly kernels: readonly string[];
  /** Changes from the previous form to this form. */
  readonly changes: readonly HistoryChange[];
};

export type TypeHistory = {
  readonly kind: EntryKindName;
  readonly name: string;
  readonly forms: readonly HistoryForm[];
};

/** Order in which kinds are tried if only a name is given: types before functions. */
const ORDER = ['struct', 'union', 'enum', 'typedef', 'func'] as const;

/** Returns the history of the first of `kinds` that has `name`. Throws `Malformed` for damage. */
export async function nameHistory(
  atlas: AtlasFile,
  name: string,
  kinds: readonly EntryKindName[] = ORDER,
): Promise<NameHistory | null> {
  for (const kind of kinds) {
    const found = await atlas.find(EntryKind[kind], name);
    if (found !== null) return { kind, name, forms: formsOf(atlas, kind, found) };
  }
  return null;
}

/**
 * Returns the kernels of an atlas, the oldest first, and the history of `name` in them; null if no
 * kernel has it. Throws `Malformed` for damage.
 */
export async function historyInFile(
  file: ByteSource,
  name: string,
): Promise<{ readonly kernels: readonly KernelInfo[]; readonly history: NameHistory } | null> {
  const atlas = await AtlasFile.open(file);
  const history = await nameHistory(atlas, name);
  return history === null ? null : { kernels: atlas.directory.kernels, history };
}

/** Returns the history of the type or function `name` as text. Throws `Malformed` for damage. */
export async function historyOf(atlas: AtlasFile, name: string): Promise<TypeHistory | null> {
  const found = await nameHistory(atlas, name);
  if (found === null) return null;
  const { kind, forms } = found;
  const historyForms = forms.map((form, i) => {
    const before = forms[i - 1];
    return {
      title: form.title,
      kernels: form.kernels.map((kernel) => {
        const module = form.modules[kernel];
        const name = atlas.directory.kernels[kernel]?.name ?? '';
        return module === undefined ? name : `${name} (${module})`;
      }),
      changes: before === undefined ? [] : changesBetween(before, form),
    };
  });
  return { kind, name, forms: historyForms };
}

function formsOf(atlas: AtlasFile, kind: EntryKindName, found: FoundEntry): NumberedForm[] {
  // Rows whose first definition is the same variant belong to one form.
  const byVariant = new Map<number, { kernels: number[]; modules: Record<number, string> }>();
  const rows = [...kernelRows(atlas, found)].sort(([a], [b]) => a - b);
  for (const [kernel, { row, modules, isOwn }] of rows) {
    const variant = row.variants[0] ?? 0;
    const form = getOrCreate(byVariant, variant, () => ({ kernels: [], modules: {} }));
    form.kernels.push(kernel);
    if (!isOwn) form.modules[kernel] = modules[0] ?? '';
  }
  return Array.from(byVariant, ([variant, own]) => ({ ...formOf(kind, found, variant), ...own }));
}

function formOf(kind: EntryKindName, found: FoundEntry, variant: number): Form {
  const [first = 0, second = 0, ...rest] = found.entry.variants[variant] ?? [];
  switch (kind) {
    case 'struct':
    case 'union': {
      const { id, size, members } = layoutOf(found, variant);
      const items = members.map(({ name, type, bits, bitOffset }) => {
        const width = bits % 8 === 0 ? counted(bits / 8, 'byte') : counted(bits, 'bit');
        return { name, text: `${type}, ${width}`, bitOffset, bits };
      });
      const title = `layout ${id}: ${counted(size, 'byte')}, ${counted(members.length, 'member')}`;
      return { title, size, items };
    }
    case 'enum': {
      const items = enumeratorsOf(found, variant).map(({ name, value }) =>
        placeless(name, `= ${value}`),
      );
      return { title: counted(items.length, 'enumerator'), size: first, items };
    }
    case 'func': {
      const params = [second, ...rest];
      const items = [placeless('returns', found.text(first))];
      for (let at = 1; at < params.length; at += 2) {
        const [name, type] = params.slice(at - 1, at + 1).map(found.text);
        const text = type ? declared(type, name ?? '') : '...';
        items.push(placeless(`${(at + 1) / 2}`, text));
      }
      return { title: prototypeOf(found, variant), size: null, items };
    }
    case 'typedef': {
      const type = found.text(first);
      return {
        title: `${type}, ${counted(second, 'byte')}`,
        size: second,
        items: typedefItems(found.text(found.entry.name), type),
      };
    }
  }
}

/** Prefix of the typedefs that hold tracepoint prototypes (`include/trace/bpf_probe.h`). */
const TRACEPOINT = 'btf_trace_';

function typedefItems(name: string, type: string): readonly HistoryItem[] {
  const pointed = pointedFunction(type);
  if (pointed === null) return [placeless('type', type)];
  // The first parameter of a tracepoint is `__data`, which programs do not receive.
  const params = name.startsWith(TRACEPOINT) ? pointed.params.slice(1) : pointed.params;
  return [
    placeless('returns', pointed.returns),
    ...params.map((param, i) => placeless(`${i + 1}`, param)),
  ];
}

function placeless(name: string, text: string): HistoryItem {
  return { name, text, bitOffset: null, bits: 0 };
}

function changesBetween(before: Form, after: Form): HistoryChange[] {
  const changes: HistoryChange[] = [];
  const [old, now] = [itemsByName(before), itemsByName(after)];
  let moved = 0;
  for (const [name, { text }] of old) {
    if (!now.has(name)) changes.push({ sign: '-', text: `${itemTitle(name)}: ${text}` });
  }
  for (const [name, { text, bitOffset }] of now) {
    const was = old.get(name);
    const title = itemTitle(name);
    if (was === undefined) changes.push({ sign: '+', text: `${title}: ${text}` });
    else if (was.text !== text)
      changes.push({ sign: '~', text: `${title}: ${was.text} → ${text}` });
    else if (was.bitOffset !== bitOffset) moved++;
  }
  if (moved > 0) changes.push({ sign: '~', text: `${counted(moved, 'member')} moved` });
  return changes;
}

/** Returns `argument N` for a parameter, whose name is its number; else the name. */
const itemTitle = (name: string) => (/^\d+$/.test(name) ? `argument ${name}` : name);

/** Returns the items of a form by name; of items with equal names only the last one. */
export function itemsByName({ items }: Pick<Form, 'items'>): ReadonlyMap<string, HistoryItem> {
  return new Map(items.map((item) => [item.name, item]));
}
