/** The texts of one type: how each is made, and what it is called as a file. */
import type { TypeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { rawRecord } from '#print/btf-raw.ts';
import { cDeclaration } from '#print/c-dump/c-declaration.ts';
import { type HeaderOptions, selfContainedHeader } from '#print/c-dump/header.ts';
import { goDeclaration } from '#print/declarations/go.ts';
import { rustDeclaration } from '#print/declarations/rust.ts';
import { zigDeclaration } from '#print/declarations/zig.ts';
import { paholeOf } from '#print/pahole/pahole.ts';
import type { DeclarationForm } from '#store/texts.ts';

/** What a form is called, and what it is. */
export const FORM_WORDS: Readonly<
  Record<DeclarationForm, { readonly title: string; readonly about: string }>
> = {
  c: { title: 'C', about: 'as bpftool writes it' },
  header: { title: 'Header', about: 'compiles alone, with all that the type needs' },
  pahole: { title: 'pahole', about: 'with offsets, sizes and holes, as pahole -C writes it' },
  raw: { title: 'Raw', about: 'the record, as bpftool lists it' },
  zig: { title: 'Zig', about: 'the same layout, with the types it holds' },
  rust: { title: 'Rust', about: 'the same layout, with the types it holds' },
  go: { title: 'Go', about: 'the same layout, with the types it holds' },
};

/** The text of `id` in `form`; empty where that form has none. Raw text: escape it when drawn. */
export function declarationText(
  types: TypeTable,
  id: TypeId,
  form: DeclarationForm,
  header: HeaderOptions,
): string {
  switch (form) {
    case 'c':
      return cDeclaration(types, id);
    case 'header':
      return selfContainedHeader(types, id, header);
    case 'pahole':
      return isComposite(kindOf(types, id)) ? paholeOf(types, id).trimEnd() : '';
    case 'raw':
      return rawRecord(types, id);
    case 'zig':
      return zigDeclaration(types, id);
    case 'rust':
      return rustDeclaration(types, id);
    case 'go':
      return goDeclaration(types, id);
    default:
      return form satisfies never;
  }
}

const ENDINGS: Readonly<Record<DeclarationForm, string>> = {
  c: '.h',
  header: '.h',
  pahole: '.pahole.txt',
  raw: '.btf.txt',
  zig: '.zig',
  rust: '.rs',
  go: '.go',
};

/** `task_struct.h`. What is no plain character of a name is `_`. */
export function declarationFileName(types: TypeTable, id: TypeId, form: DeclarationForm): string {
  const name = nameOf(types, id).slice(0, 100).replace(/\W/g, '_');
  return `${name === '' ? `type_${id}` : name}${ENDINGS[form]}`;
}

/**
 * Where the declaration of the type itself begins: these forms put before it all
 * that it needs. 0 in the others, and where nothing comes before.
 */
export function ownDeclarationStart(text: string, form: DeclarationForm): number {
  if (form === 'c' || form === 'pahole' || form === 'raw') return 0;
  if (form === 'header') {
    let start = 0;
    for (const { index } of text.matchAll(/^(?:struct|union|enum|typedef)\b/gm)) start = index;
    return start;
  }
  const blank = text.trimEnd().lastIndexOf('\n\n');
  return blank < 0 ? 0 : blank + 2;
}
