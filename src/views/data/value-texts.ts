/** A variable's value as text: a definition in C, or JSON as bpftool's map dump prints it. */
import type { Value } from '#analysis/values/decode.ts';
import type { Variable } from '#analysis/values/variables.ts';
import { visible, visibleLine } from '#bytes/text.ts';
import { valueJson } from '#print/value-json.ts';
import { declarationText, valueLines } from '#print/value-text.ts';

export const VALUE_FORMS = ['c', 'json', 'plain'] as const;
export type ValueForm = (typeof VALUE_FORMS)[number];

export const FORM_TITLES: Readonly<Record<ValueForm, string>> = {
  c: 'C',
  json: 'JSON',
  plain: 'bpftool',
};

export const FORM_WORDS: Readonly<Record<ValueForm, string>> = {
  c: 'as one would write it; what a relocation fills by name',
  json: 'as under “formatted” of bpftool map dump -j, over several lines',
  plain: 'as bpftool map dump prints it without options',
};

/** What is shown of one array, and of a value as JSON. */
const SHOWN_ELEMENTS = 256;
const SHOWN_PARTS = 4096;
const SHOWN_LINES = 4000;

const STORAGE: Readonly<Record<Variable['linkage'], string>> = {
  static: 'static ',
  global: '',
  weak: '__weak ',
  extern: 'extern ',
};

/** `static const struct foo *name[4]`; names made visible. */
export function declarationOf(
  value: Pick<Value, 'scope' | 'type'>,
  name: string,
  linkage: Variable['linkage'],
): string {
  return visible(`${STORAGE[linkage]}${declarationText(value.scope.types, value.type, name)}`);
}

/** The value in one of the forms, long arrays cut. `before` is what stands in front of it in C. Names made visible. */
export function valueText(value: Value, form: ValueForm, before: string): string {
  if (form !== 'c') return valueJson(value, { isPlain: form === 'plain', limit: SHOWN_PARTS });
  const lines: string[] = [];
  for (const line of valueLines(before, value, { foldZeros: true, maxElements: SHOWN_ELEMENTS })) {
    if (lines.length === SHOWN_LINES) {
      lines.push('/* … more lines are left out */');
      break;
    }
    lines.push(line);
  }
  return shownLines(lines);
}

/** Lines as one text; tabs stay, all else that cannot be seen is made visible. */
export function shownLines(lines: Iterable<string>): string {
  return Array.from(lines, (line) => visibleLine(line)).join('\n');
}
