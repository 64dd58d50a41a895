/** What is offered while one end of a question is typed. */

import type { TypeQuery } from '#analysis/find/type-search.ts';
import type { FieldName } from '#analysis/paths/field-names.ts';
import { placeOfType } from '#analysis/paths/place-text.ts';
import { typeKeyOf } from '#analysis/types/type-key.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { countOf } from '#views/parts/number-text.ts';

export type PlaceSuggestion = {
  /** Unlike that of all others. */
  readonly key: string;
  /** What is put into the box. Worked out when it is asked for: it may cost a scan of all types. */
  readonly place: string;
  /** BTF_KIND_*; null for a field. */
  readonly kind: number | null;
  /** Raw text. */
  readonly name: string;
  readonly detail: string;
};

const MOST_TYPES = 8;
/** How many fields are asked for. */
export const MOST_FIELDS = 6;

const KINDS = [BtfKind.STRUCT, BtfKind.UNION, BtfKind.TYPEDEF].reduce(
  (mask, kind) => mask | (1 << kind),
  0,
);

/** The search over types for what is typed. */
export function typeQuery(text: string): TypeQuery {
  return { text, kinds: KINDS, order: 'name', descending: false };
}

/** Types and fields, a name that is just what was typed first. */
export function placeSuggestions(
  t: TypeTable,
  typed: string,
  ids: Uint32Array | null,
  fields: readonly FieldName[],
): PlaceSuggestion[] {
  const text = typed.trim();
  if (text === '') return [];
  const head = /^(.*?)(?:\.|->)/.exec(text)?.[1] ?? null;
  const ofFields = fields.map(({ name, count }) => ({
    key: `.${name}`,
    place: fieldPlace(name, head),
    kind: null,
    name: head === null || head === '*' ? name : `${head}.${name}`,
    detail: head === null || head === '*' ? countOf(count, 'member') : 'field',
  }));
  if (head !== null) return ofFields;
  const ofTypes = [...(ids ?? []).slice(0, MOST_TYPES)].map((number) => ofType(t, number));
  const isWhole = ({ name }: PlaceSuggestion) => name === text;
  return [
    ...ofTypes.filter(isWhole),
    ...ofFields.filter(isWhole),
    ...ofTypes.filter((one) => !isWhole(one)),
    ...ofFields.filter((one) => !isWhole(one)),
  ];
}

function fieldPlace(name: string, head: string | null): string {
  return `${head === null || head === '' ? '*' : head}.${name}`;
}

function ofType(t: TypeTable, number: number): PlaceSuggestion {
  const id = typeId(number);
  const kind = kindOf(t, id);
  const size = kind === BtfKind.TYPEDEF ? 'typedef' : countOf(sizeOrTypeOf(t, id), 'byte');
  return {
    key: `${number}`,
    get place() {
      return placeOfType(typeKeyOf(t, id));
    },
    kind,
    name: nameOf(t, id),
    detail: size,
  };
}
