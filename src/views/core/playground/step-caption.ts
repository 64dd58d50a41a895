import type { AccessStep } from '#analysis/core/access-path.ts';
import { tagKeyword } from '#analysis/types/declarator.ts';
import { stripped } from '#analysis/types/strip.ts';
import type { TypeTable } from '#model/type-table.ts';

/** A step in a word or two: `->`, `.name`, `[2]`, `(union)`. Raw text. */
export function stepCaption(t: TypeTable, { means, index, name, type }: AccessStep): string {
  switch (means) {
    case 'element-of-pointer':
      return index === 0 ? '*p' : `p[${index}]`;
    case 'array-element':
      return `[${index}]`;
    case 'anonymous-member':
      return `(${tagKeyword(t, stripped(t, type))})`;
    case 'member':
      return `.${name}`;
    case 'enumerator':
    case 'type':
      return name;
  }
}
