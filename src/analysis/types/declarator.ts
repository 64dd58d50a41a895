/**
 * Writes types as C expressions: `int (*[4])(void *)`, anonymous composites as `struct {…}`.
 *
 * The grammar is that of libbpf's C dump (`btf_dump_emit_type_decl`), with spaces in `int [4]` and
 * `int (*)[4]`: libbpf omits the spaces if there is no name. `print/c-dump/` writes declarations
 * that equal bpftool's byte for byte.
 */
import { isReserved } from '#analysis/c/tokens.ts';
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { readParams } from '#model/type-items.ts';
import {
  arrayData,
  hasType,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { LoopGuard } from './loop-guard.ts';
import { type Emission, emit, TextOut } from './text-out.ts';

type DeclaratorStyle = {
  readonly types: TypeTable;
  readonly out: TextOut;
  /** Prototypes being written, at first none. A prototype inside itself is not repeated. */
  readonly open: Set<TypeId>;
  /** True to write type tags. */
  readonly tags: boolean;
};

/** Returns the keyword of a STRUCT, UNION, ENUM, ENUM64 or FWD, else an empty text. */
export function tagKeyword(t: TypeTable, id: TypeId): string {
  switch (kindOf(t, id)) {
    case BtfKind.STRUCT:
      return 'struct';
    case BtfKind.UNION:
      return 'union';
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return 'enum';
    case BtfKind.FWD:
      return kindFlagOf(t, id) ? 'union' : 'struct';
    default:
      return '';
  }
}

/** Returns keyword and name: `struct foo`, or `struct {…}` for an empty name. Not escaped. */
export function tagText(t: TypeTable, id: TypeId, name: string): string {
  const isAnonymous = name === '' && kindOf(t, id) !== BtfKind.FWD;
  return `${tagKeyword(t, id)} ${isAnonymous ? '{…}' : name}`;
}

/**
 * Returns the declaration of `name` with type `id`; without a name, an abstract declarator. Cut
 * with `…` after `maxLength` characters. Names are not escaped: escape before rendering.
 */
export function declaratorText(
  t: TypeTable,
  id: TypeId,
  name: string,
  maxLength: number,
  { tags = true } = {},
): string {
  const out = new TextOut(maxLength);
  emit(declarator({ types: t, out, open: new Set(), tags }, id, name), out);
  return out.full ? `${out}…` : out.toString();
}

function declarator(style: DeclaratorStyle, id: TypeId, name: string): Emission {
  const { ids, cut } = decompose(style.types, id);
  const kept = style.tags ? ids : ids.filter((at) => kindOf(style.types, at) !== BtfKind.TYPE_TAG);
  return chain(style, { ids: kept, cut }, name);
}

/**
 * Type ids of a declaration from the outermost type to the base type. `cut` says why the base type
 * is missing.
 */
type Chain = { readonly ids: TypeId[]; readonly cut: 'loop' | 'depth' | null };

/** Maximum number of types in the chain of one declaration. */
const MAX_LEVELS = 128;

function decompose(t: TypeTable, id: TypeId): Chain {
  const guard = new LoopGuard();
  const ids: TypeId[] = [];
  for (let at = id; ; ) {
    if (guard.cameRound(at)) return { ids, cut: 'loop' };
    if (ids.length >= MAX_LEVELS) return { ids, cut: 'depth' };
    ids.push(at);
    const kind = kindOf(t, at);
    if (kind === BtfKind.ARRAY) at = arrayData(t, at).elemType;
    else if (LEADS_ON.has(kind)) at = typeId(sizeOrTypeOf(t, at));
    else return { ids, cut: null };
  }
}

const QUALIFIERS: ReadonlyMap<number, string> = new Map([
  [BtfKind.VOLATILE, 'volatile'],
  [BtfKind.CONST, 'const'],
  [BtfKind.RESTRICT, 'restrict'],
]);

/** Kinds, other than ARRAY, that a declarator writes around its name or base type. */
const LEADS_ON: ReadonlySet<number> = new Set([
  ...[BtfKind.PTR, BtfKind.TYPE_TAG, BtfKind.FUNC_PROTO],
  ...QUALIFIERS.keys(),
]);

function* chain(style: DeclaratorStyle, links: Chain, name: string): Emission {
  const { types: t, out } = style;
  const { ids } = links;
  if (links.cut === 'loop') out.write(`/* loop at [${ids.at(-1)}] */`);
  else if (links.cut === 'depth') out.write('/* nested too deeply */');
  // True at first if the base type is known, so that `(*name)` has no space before the star.
  let lastWasPtr = links.cut === null;
  for (let id = ids.pop(); id !== undefined && !out.full; id = ids.pop()) {
    const kind = kindOf(t, id);
    switch (kind) {
      case BtfKind.PTR:
        out.write(lastWasPtr ? '*' : ' *');
        break;
      case BtfKind.VOLATILE:
      case BtfKind.CONST:
      case BtfKind.RESTRICT:
        out.write(` ${QUALIFIERS.get(kind)}`);
        break;
      case BtfKind.TYPE_TAG:
        leadingQualifiers(style, ids);
        out.write(` __attribute__((${typeTag(t, id, nameOf(t, id, bytesFor(out)))}))`);
        break;
      case BtfKind.ARRAY:
      case BtfKind.FUNC_PROTO:
        yield suffixed(style, id, ids, name, lastWasPtr);
        return;
      default:
        leadingQualifiers(style, ids);
        baseType(style, id);
    }
    lastWasPtr = kind === BtfKind.PTR;
  }
  out.write(spacedName(name, lastWasPtr));
}

/** Returns a type tag as a C attribute. With kind_flag the tag's name is the whole attribute. */
const typeTag = (t: TypeTable, id: TypeId, name: string) =>
  kindFlagOf(t, id) ? name : `btf_type_tag("${name}")`;

const spacedName = (name: string, lastWasPtr: boolean) =>
  name === '' || lastWasPtr ? name : ` ${name}`;

function topKind(t: TypeTable, ids: readonly TypeId[]): number {
  const id = ids.at(-1);
  return id === undefined ? 0 : kindOf(t, id);
}

function topQualifier(t: TypeTable, ids: readonly TypeId[]): string | undefined {
  return QUALIFIERS.get(topKind(t, ids));
}

/** Writes the qualifiers before a base type: `const volatile int`. */
function leadingQualifiers({ types, out }: DeclaratorStyle, ids: TypeId[]): void {
  for (let word = topQualifier(types, ids); word !== undefined; word = topQualifier(types, ids)) {
    out.write(`${word} `);
    ids.pop();
  }
}

/** Removes qualifiers and tags of arrays and functions, for which C has no syntax. */
function dropModifiers(t: TypeTable, ids: TypeId[]): void {
  while (topQualifier(t, ids) !== undefined || topKind(t, ids) === BtfKind.TYPE_TAG) ids.pop();
}

/** Writes `part`, the text of type `id`, unless the text of `id` is being written already. */
function* once({ open, out }: DeclaratorStyle, id: TypeId, part: Emission): Emission {
  if (open.has(id)) {
    out.write(`/* [${id}] holds itself */`);
    return;
  }
  open.add(id);
  yield part;
  open.delete(id);
}

/** Returns the maximum bytes to read of a name: UTF-8 has up to four bytes per character. */
function bytesFor(out: TextOut): number {
  return 4 * (out.limit + 1);
}

function baseType({ types: t, out }: DeclaratorStyle, id: TypeId): void {
  const name = nameOf(t, id, bytesFor(out));
  const kind = kindOf(t, id);
  if (id === VOID) {
    out.write('void');
  } else if (!hasType(t, id)) {
    out.write(`/* no type [${id}] */`);
  } else if (tagKeyword(t, id) !== '') {
    out.write(tagText(t, id, name));
  } else if (kind === BtfKind.INT || kind === BtfKind.FLOAT || kind === BtfKind.TYPEDEF) {
    out.write(name);
  } else {
    out.write(`/* ${kindName(kind)} ${name} */`);
  }
}

/** Writes an ARRAY or FUNC_PROTO: the rest of the declarator, then dimensions or parameters. */
function* suffixed(
  style: DeclaratorStyle,
  id: TypeId,
  ids: TypeId[],
  name: string,
  lastWasPtr: boolean,
): Emission {
  const { types: t, out } = style;
  const isArray = kindOf(t, id) === BtfKind.ARRAY;
  const space = lastWasPtr ? '' : ' ';
  dropModifiers(t, ids);
  if (ids.length === 0) {
    out.write(space + name);
  } else {
    const isDimension = isArray && topKind(t, ids) === BtfKind.ARRAY;
    out.write(isDimension ? space : isArray ? `${space}(` : ' (');
    yield chain(style, { ids, cut: null }, name);
    if (!isDimension) out.write(')');
  }
  if (isArray) {
    out.write(`[${arrayData(t, id).nelems}]`);
  } else {
    out.write('(');
    yield once(style, id, parameters(style, id));
    out.write(')');
  }
}

function* parameters(style: DeclaratorStyle, id: TypeId): Emission {
  const { types: t, out } = style;
  const vlen = vlenOf(t, id);
  // Read parameters one by one: the length limit may end the text after a few.
  const params = readParams(t, id);
  // clang writes `f(void)` with one parameter of type void.
  if (vlen === 0 || (vlen === 1 && params.type(0) === VOID)) {
    out.write('void');
    return;
  }
  for (let index = 0; index < params.count && !out.full; index++) {
    const type = params.type(index);
    if (index > 0) out.write(', ');
    if (index === vlen - 1 && type === VOID) out.write('...');
    else yield declarator(style, type, '');
  }
}

/** Returns true for an ASCII identifier of C that is not a keyword. */
export function isSpellable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isReserved(name);
}
