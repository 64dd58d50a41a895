/** Writes a type as one line of text, in the language of its unit if it was read from DWARF. */
import { typeExpression, typeTitle } from '#analysis/types/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { isBaseClass } from '#model/dwarf.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, isEnum } from '#model/type-items.ts';
import { hasType, kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { cppTypeText } from './cpp.ts';
import { goTypeText } from './go.ts';
import { rustTypeText } from './rust.ts';
import { languageOf, type SourcedTypes } from './source-types.ts';
import { zigTypeText } from './zig.ts';

const LANGUAGES: ReadonlyMap<string, (s: SourcedTypes, id: TypeId) => string> = new Map([
  ['C++', cppTypeText],
  ['Rust', rustTypeText],
  ['Go', goTypeText],
  ['Zig', zigTypeText],
]);

/** Kinds that have the text of BTF in all languages. */
const { FUNC, VAR, DATASEC, DECL_TAG } = BtfKind;
const AS_IN_BTF: ReadonlySet<number> = new Set([FUNC, VAR, DATASEC, DECL_TAG]);

/** Kinds whose types have no name. */
const { PTR, ARRAY, VOLATILE, CONST, RESTRICT, FUNC_PROTO, TYPE_TAG } = BtfKind;
const NAMELESS: ReadonlySet<number> = new Set([
  PTR,
  ARRAY,
  VOLATILE,
  CONST,
  RESTRICT,
  FUNC_PROTO,
  TYPE_TAG,
]);

/** Maximum characters of a text, as of `typeExpression`. */
const MAX_LENGTH = 200;

/**
 * Returns the text for a reference to `id` in the language of its unit: `int &`, `[]uint8`,
 * `ns::base`; for C, BTF and a type without a name that of `typeExpression`. Not escaped.
 */
export function typeText(t: TypeTable, id: TypeId): string {
  const { places } = t;
  if (places === undefined || !hasType(t, id)) return typeExpression(t, id);
  const kind = kindOf(t, id);
  const source = { types: t, places };
  const write = LANGUAGES.get(languageOf(source, id));
  const isAnonymous = (isComposite(kind) || isEnum(kind)) && nameOf(t, id, 1) === '';
  if (write === undefined || isAnonymous || AS_IN_BTF.has(kind)) return typeExpression(t, id);
  const text = write(source, id);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Returns a name for lists, as `typeTitle`, in the language of the unit. Not escaped. */
export function typeHeading(t: TypeTable, id: TypeId): string {
  return NAMELESS.has(kindOf(t, id)) ? typeText(t, id) : typeTitle(t, id);
}

/** Returns what stands for the name of a member without one: `base class`. */
export function namelessText(t: TypeTable, id: TypeId, index: number): string {
  return isBaseClass(t, id, index) ? BASE_CLASS : '(anon)';
}

export const BASE_CLASS = 'base class';
