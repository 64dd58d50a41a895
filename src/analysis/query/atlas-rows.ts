/**
 * Reads the rows of a table from an atlas in blocks of entries. A condition on a name selects a
 * single block. A definition that fails a condition is skipped for all kernels at once.
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

/** One form of a definition, with the indexes of the kernels and modules that have it. */
type HeldForm = {
  readonly form: EntryForm;
  readonly definition: number;
  readonly kernels: readonly number[];
  readonly modules: readonly number[];
};

/** Yields the forms of an entry, each with the kernels and modules that contain the form. */
export function* heldForms(found: FoundEntry): Generator<HeldForm, void, undefined> {
  const forms = found.entry.variants.map((_, variant) => new EntryForm(found, variant));
  for (const { variants, kernels, modules } of found.entry.rows) {
    for (const [definition, variant] of variants.entries()) {
      const form = forms[variant];
      if (form !== undefined) yield { form, definition, kernels, modules };
    }
  }
}

/** Returns the entries of a block. Each text of the block is decoded once. */
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

/** Yields blocks of rows: at least all that pass the conditions. Throws `Malformed` for damage. */
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

/** Returns the definition or item that a cell links to, or null if the cell has no link. */
export function entryGoal(row: AtlasRow, names: 'form' | 'item' | null): EntryGoal | null {
  if (names === null || !('form' in row)) return null;
  const { form, kernel, index } = row as FormRow;
  const kind = form.kindName;
  if (kind === null) return null;
  const items = kind === 'enum' ? form.enumerators : form.members;
  // Links to the history of a function identify its parameters by position.
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
  /** Conditions that depend on the definition alone, not on its kernels and modules. */
  readonly #ofForm: readonly Condition<QueryRow>[];
  readonly #name: string | null;
  /** Indexed by kernel number: true if the kernel passes all conditions on kernel columns. */
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

  /** Yields the entries that may contain rows, one block at a time. */
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
