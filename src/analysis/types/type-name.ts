/** Writes a type as one line of text, for lists, titles and member rows. */
import { BtfKind, isKnownKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { locParamsOf } from '#model/type-items.ts';
import { hasType, kindFlagOf, kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { declaratorText, tagText } from './declarator.ts';
import { locationText } from './locations.ts';

/** Maximum characters of a text: more than a row shows, but few enough for a hostile file. */
const MAX_LENGTH = 200;
/** Maximum bytes to read from a name: UTF-8 has up to four bytes per character. */
const MAX_BYTES = 4 * (MAX_LENGTH + 1);

/**
 * Returns the C text for a reference to `id`, cut at MAX_LENGTH: `const struct foo *`, `struct {…}`
 * for an anonymous type, `name()` for a FUNC, the name of a VAR or DATASEC. Not escaped.
 */
export function typeExpression(t: TypeTable, id: TypeId): string {
  const name = nameOf(t, id, MAX_BYTES);
  switch (kindOf(t, id)) {
    case BtfKind.FUNC:
      return bounded(`${name || '(anon)'}()`);
    case BtfKind.VAR:
    case BtfKind.DATASEC:
    case BtfKind.INT:
    case BtfKind.FLOAT:
    case BtfKind.TYPEDEF:
      return bounded(name || '(anon)');
    // The kinds that are most frequent in texts need no declarator.
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
    case BtfKind.FWD:
      return bounded(tagText(t, id, name));
    case BtfKind.DECL_TAG:
      // The name is the whole attribute if kind_flag is set: `aligned(4)`.
      return bounded(`__attribute__((${kindFlagOf(t, id) ? name : `btf_decl_tag("${name}")`}))`);
    case BtfKind.LOC_PARAM:
      return locationText(t, id);
    case BtfKind.LOC_PROTO:
      return locationsText(t, id);
    default:
      return declaratorText(t, id, '', MAX_LENGTH);
  }
}

/** Returns the text of a LOC_PROTO, cut at MAX_LENGTH: `(reg5, const 0x1, <unavailable>)`. */
function locationsText(t: TypeTable, id: TypeId): string {
  const shown = locParamsOf(t, id).slice(0, MAX_LENGTH);
  const texts = shown.map((param) => (param === VOID ? '<unavailable>' : locationText(t, param)));
  return bounded(`(${texts.join(', ')})`);
}

/**
 * Returns a name for lists: the name of the type, `(anon)`, or the C text for kinds without names
 * (PTR, CONST, ARRAY, FUNC_PROTO, TYPE_TAG …). Raw text: escape before rendering.
 */
export function typeTitle(t: TypeTable, id: TypeId): string {
  const kind = kindOf(t, id);
  if (SPELLED.has(kind)) return typeExpression(t, id);
  if (id === VOID) return 'void';
  if (!hasType(t, id)) return `[${id}]`;
  return bounded(nameOf(t, id, MAX_BYTES) || (isKnownKind(kind) ? '(anon)' : kindName(kind)));
}

/** Kinds whose types have no name. */
const { PTR, ARRAY, VOLATILE, CONST, RESTRICT, FUNC_PROTO, TYPE_TAG } = BtfKind;
const SPELLED: ReadonlySet<number> = new Set([
  ...[PTR, ARRAY, VOLATILE, CONST, RESTRICT, FUNC_PROTO, TYPE_TAG],
  ...[BtfKind.LOC_PARAM, BtfKind.LOC_PROTO],
]);

function bounded(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
