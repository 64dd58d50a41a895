/**
 * Rows of an atlas in a table, one block of entries at a time. A condition on a name reads only the block
 * of that name; a form that no condition keeps is not repeated for each kernel.
 */
import { EntryForm } from '#analysis/atlas/entry-form.ts';
import { decodeText } from '#bytes/text.ts';
import type { FoundEntry } from '#formats/atlas/atlas-file.ts';
import type { Entry } from '#formats/atlas/entry.ts';
import type { EntryGoal } from './goals.ts';
import type { Condition } from './predicate.ts';
import {
  type AskedAtlas,
  type AtlasRow,
  type AtlasRows,
  type FormRow,
  HOLDER_COLUMNS,
  type QueryRow,
} from './table.ts';

/** A form of a definition, and the numbers of the kernels and modules that have it. */
type HeldForm = {
  readonly form: EntryForm;
  readonly definition: number;
  readonly kernels: readonly number[];
  readonly modules: readonly number[];
};

/** Yields the forms of an entry, each with its kernels and modules. */
export function* heldForms(found: FoundEntry): Generator<HeldForm, void, undefined> {
  const forms = found.entry.variants.map((_, variant) => new EntryForm(found, variant));
  for (const { variants, kernels, modules } of found.entry.rows) {
    for (const [definition, variant] of variants.entries()) {
      const form = forms[variant];
      if (form !== undefined) yield { form, definition, kernels, modules };
    }
  }
}

/** Returns the entries of a block. Each text is decoded once. */
export function foundEntries(block: {
  readonly strings: readonly Uint8Array[];
  readonly entries: readonly Entry[];
}): FoundEntry[] {
  const { strings, entries } = block;
  const texts: (string | undefined)[] = [];
  const text = (string: number) => {
    texts[string] ??= decodeText(strings[string] ?? new Uint8Array(0));
    return texts[string];
  };
  return entries.map((entry) => ({ entry, strings, text }));
}

/** Yields blocks with all rows that pass the conditions, and more. Throws `Malformed` for a damaged block. */
export async function* atlasRows(
  rows: AtlasRows,
  file: AskedAtlas,
  conditions: readonly Condition<QueryRow>[],
): AsyncGenerator<Iterable<AtlasRow>, void, undefined> {
  const { kernels, modules } = file.atlas.directory;
  if (rows === 'kernels') {
    yield kernels.map((kernel) => ({ file, kernel, module: null }));
    return;
  }
  if (rows === 'modules') {
    yield modules.flatMap((module) => {
      const kernel = kernels[module.kernel];
      return kernel === undefined ? [] : [{ file, kernel, module }];
    });
    return;
  }
  const scan = new FormScan(rows, file, conditions);
  for await (const found of scan.entries()) yield scan.rows(found);
}

/** Returns the definition that a cell of a row names, or its item; null if the cell names neither. */
export function entryGoal(row: AtlasRow, names: 'form' | 'item' | null): EntryGoal | null {
  if (names === null || !('form' in row)) return null;
  const { form, kernel, index } = row as FormRow;
  const kind = form.kindName;
  if (kind === null) return null;
  const items = kind === 'enum' ? form.enumerators : form.members;
  // The history of a function names parameters by position.
  const item = kind === 'func' ? `${index + 1}` : (items[index]?.name ?? '');
  return {
    kind,
    name: form.name,
    item: names === 'item' && item !== '' ? item : null,
    kernel: kernel.name,
  };
}

class FormScan {
  readonly #rows: Exclude<AtlasRows, string>;
  readonly #file: AskedAtlas;
  /** Conditions on the form alone, not on its kernels and modules. */
  readonly #ofForm: readonly Condition<QueryRow>[];
  readonly #name: string | null;
  /** By kernel number: true if the kernel passes the conditions on kernel columns alone. */
  readonly #passesKernel: readonly boolean[];

  constructor(
    rows: Exclude<AtlasRows, string>,
    file: AskedAtlas,
    conditions: readonly Condition<QueryRow>[],
  ) {
    this.#rows = rows;
    this.#file = file;
    const conditionsOn = (isColumn: (column: string) => boolean) =>
      conditions.filter(({ columns }) => columns.every(isColumn));
    this.#ofForm = conditionsOn((column) => column === 'file' || !HOLDER_COLUMNS.has(column));
    const ofKernel = conditionsOn((column) => column === 'file' || column === 'kernel');
    this.#passesKernel = file.atlas.directory.kernels.map((kernel) =>
      passes(ofKernel, { file, kernel, module: null }),
    );
    this.#name =
      conditions.find(({ equals }) => equals?.column === rows.nameColumn)?.equals?.text ?? null;
  }

  /** Yields the entries that may have rows, a block at a time. */
  async *entries(): AsyncGenerator<readonly FoundEntry[], void, undefined> {
    const { atlas } = this.#file;
    if (this.#name !== null) {
      for (const kind of this.#rows.kinds) {
        const found = await atlas.find(kind, this.#name);
        yield found === null ? [] : [found];
      }
      return;
    }
    for await (const block of atlas.entryBlocks(this.#rows.kinds)) yield foundEntries(block);
  }

  *rows(entries: readonly FoundEntry[]): Generator<FormRow, void, undefined> {
    const file = this.#file;
    const { kernels, modules } = file.atlas.directory;
    const [firstKernel] = kernels;
    if (firstKernel === undefined) return;
    for (const found of entries) {
      for (const { form, definition, ...holders } of heldForms(found)) {
        const count = this.#rows.count(form);
        for (let index = 0; index < count; index++) {
          const row = { file, kernel: firstKernel, module: null, form, definition, index };
          if (!passes(this.#ofForm, row)) continue;
          for (const number of holders.kernels) {
            const kernel = kernels[number];
            if (kernel !== undefined && this.#passesKernel[number]) yield { ...row, kernel };
          }
          for (const number of holders.modules) {
            const module = modules[number];
            const kernel = kernels[module?.kernel ?? -1];
            if (module === undefined || kernel === undefined) continue;
            if (this.#passesKernel[module.kernel]) yield { ...row, kernel, module };
          }
        }
      }
    }
  }
}

function passes(conditions: readonly Condition<QueryRow>[], row: AtlasRow): boolean {
  return conditions.every(({ keeps }) => Boolean(keeps(row)));
}
