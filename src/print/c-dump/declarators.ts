/**
 * Writes C declarators: a type around a name, `int (*name[4])(void *)`. Follows the chain of types
 * outwards for the text before the name, and back for the text after the name. Source: libbpf,
 * `btf_dump_emit_type_decl` and `btf_dump_emit_type_chain`.
 */
import { BtfKind, infoKindFlag, infoVlen, kindName } from '#formats/btf/kinds.ts';
import { isNameless } from '#model/names.ts';
import { isComposite, isEnum } from '#model/type-items.ts';
import { type Piece, pieceOf } from '#print/byte-text.ts';
import { ITEMS_AT, isPrototypeLeftOut, kindAt, linkOf, NO_TYPE, PARAM, wordAt } from './records.ts';
import { type Passage, TOO_DEEP, type TypeChain, type Writing } from './writing.ts';

const VOID = pieceOf('void');
const STRUCT = pieceOf('struct ');
const UNION = pieceOf('union ');
const ENUM = pieceOf('enum ');

const WORDS = new Map<number, string>([
  [BtfKind.VOLATILE, 'volatile'],
  [BtfKind.CONST, 'const'],
  [BtfKind.RESTRICT, 'restrict'],
]);

/** Qualifiers by kind, with a space before each; null for other kinds. */
const QUALIFIERS = byKind((word) => ` ${word}`);
const LEADING_QUALIFIERS = byKind((word) => `${word} `);

function byKind(text: (word: string) => string): readonly (Piece | null)[] {
  return Array.from({ length: NO_TYPE + 1 }, (_, kind) => {
    const word = WORDS.get(kind);
    return word === undefined ? null : pieceOf(text(word));
  });
}

/** Returns true if the type has no name: its definition is written in place of a name. */
function isInPlace({ records }: Writing, id: number): boolean {
  const kind = kindAt(records, id);
  return (isComposite(kind) || isEnum(kind)) && wordAt(records, id, 0) === 0;
}

/** Writes and removes the qualifiers at the chain's end: they precede the base, `const int`. */
function writeLeadingQualifiers({ records, out }: Writing, chain: TypeChain): void {
  while (chain.length > 0) {
    const word = LEADING_QUALIFIERS[kindAt(records, chain.ids[chain.length - 1] ?? 0)];
    if (word === null || word === undefined) return;
    out.piece(word);
    chain.length--;
  }
}

/** Removes the base type from the chain and writes it. Returns false if no name may follow. */
function writeBase(w: Writing, chain: TypeChain): boolean {
  const { records, out, names } = w;
  const id = chain.ids[--chain.length] ?? 0;
  const kind = kindAt(records, id);
  switch (kind) {
    case BtfKind.INT:
    case BtfKind.FLOAT:
      writeLeadingQualifiers(w, chain);
      names.writeBaseType(out, id);
      return true;
    case BtfKind.TYPEDEF:
      writeLeadingQualifiers(w, chain);
      names.writeIdentifier(out, id);
      return true;
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
    case BtfKind.FWD:
      writeLeadingQualifiers(w, chain);
      writeTag(w, id);
      return true;
    default:
      return writeUnusualBase(w, chain, id, kind);
  }
}

/** Writes `struct foo` for a STRUCT, UNION, ENUM, ENUM64 or FWD. */
export function writeTag({ records, out, names }: Writing, id: number): void {
  switch (kindAt(records, id)) {
    case BtfKind.STRUCT:
      out.piece(STRUCT);
      break;
    case BtfKind.UNION:
      out.piece(UNION);
      break;
    case BtfKind.FWD:
      out.piece(infoKindFlag(wordAt(records, id, 1)) ? UNION : STRUCT);
      break;
    default:
      out.piece(ENUM);
  }
  names.writeTag(out, id);
}

/** Writes a base type that is void, or of a kind that cannot end a declarator. */
function writeUnusualBase(w: Writing, chain: TypeChain, id: number, kind: number): boolean {
  const { records, out } = w;
  const isOmitted = id !== 0 && kind !== NO_TYPE && !w.commented;
  if (isOmitted) return false;
  writeLeadingQualifiers(w, chain);
  if (id === 0) {
    out.piece(VOID);
  } else if (kind === NO_TYPE) {
    out.latin1(`/* no type [${id}] */`);
  } else {
    out.latin1(`/* ${kindName(kind)} `);
    out.name(records.types, wordAt(records, id, 0)).latin1(' */');
  }
  return true;
}

const SPACE = 0x20;
const STAR = 0x2a;
const OPENING = 0x28;
const CLOSING = 0x29;
const POINTER = pieceOf(' *');
const FUNCTION = pieceOf(' (');
const COMMA = pieceOf(', ');
const DOTS = pieceOf('...');
const NO_PARAMETERS = pieceOf('void');
const ATTRIBUTE = pieceOf(' __attribute__((');
const ATTRIBUTE_END = pieceOf('))');
const TAG = pieceOf('btf_type_tag("');
const TAG_END = pieceOf('")');

/**
 * Writes type `id` around the name at `nameOff` (0 = no name) and its suffix `number` (1 = none).
 * If it contains a prototype or a definition, returns a passage that writes it; otherwise null.
 */
export function declarator(
  w: Writing,
  id: number,
  nameOff: number,
  level: number,
  number = 1,
): Passage | null {
  const { chain } = w;
  if (w.chainTypes > MAX_CHAIN_TYPES) {
    w.out.latin1(TOO_DEEP);
    return null;
  }
  const shape = follow(w, id);
  if (shape !== 'plain') {
    const copy = { ids: chain.ids.slice(0, chain.length), length: chain.length };
    return nesting(w, copy, shape, nameOff, level, number);
  }
  if (!writeBase(w, chain)) return null;
  writeBefore(w, chain, nameOff, number);
  for (let i = 0, inner = 0; i < chain.length; i++) {
    const kind = kindAt(w.records, chain.ids[i] ?? 0);
    if (kind === BtfKind.ARRAY) writeLength(w, chain.ids[i] ?? 0, inner);
    if (!isDropped(kind)) inner = kind;
  }
  return null;
}

/** Limit of types in the chains of all nested declarators. A type takes eight bytes of memory. */
const MAX_CHAIN_TYPES = 1 << 21;

/** `nesting`: the chain contains a prototype or an anonymous composite. `loop`: it is endless. */
type Shape = 'plain' | 'nesting' | 'loop';

/** Fills `w.chain` with the types from `id` to the base type. Returns the shape of the chain. */
function follow(w: Writing, id: number): Shape {
  const { records, chain } = w;
  const { ids } = chain;
  let shape: Shape = 'plain';
  let mark = id;
  let limit = 1;
  let count = 0;
  for (let at = id; ; ) {
    ids[count++] = at;
    let next = linkOf(records, at);
    if (next < 0) {
      if (kindAt(records, at) !== BtfKind.FUNC_PROTO) {
        if (isInPlace(w, at)) shape = 'nesting';
        break;
      }
      if (isPrototypeLeftOut(w.choice, at)) {
        ids[count - 1] = 0;
        break;
      }
      shape = 'nesting';
      next = wordAt(records, at, 2);
    }
    if (next === mark) {
      shape = 'loop';
      break;
    }
    // Brent's algorithm finds loops: the mark moves at every power of two.
    if (count === limit) {
      mark = next;
      limit *= 2;
    }
    at = next;
  }
  chain.length = count;
  w.worked(count);
  return shape;
}

/** Writes a declarator that contains a prototype or an anonymous composite. */
function* nesting(
  w: Writing,
  chain: TypeChain,
  shape: Shape,
  nameOff: number,
  level: number,
  number: number,
): Passage {
  const { records, out } = w;
  const copied = chain.length;
  w.chainTypes += copied;
  // Copying long chains takes memory and time: count it as work.
  w.worked(8 * copied);
  const base = chain.ids[chain.length - 1] ?? 0;
  if (shape === 'loop') {
    out.latin1(`/* loop at [${base}] */`);
  } else if (isInPlace(w, base)) {
    chain.length--;
    writeLeadingQualifiers(w, chain);
    yield* once(w, base, w.inPlace(w, base, level));
  } else if (!writeBase(w, chain)) {
    w.chainTypes -= copied;
    return;
  }
  writeBefore(w, chain, nameOff, number);
  for (let i = 0, inner = 0; i < chain.length; i++) {
    const id = chain.ids[i] ?? 0;
    const kind = kindAt(records, id);
    if (kind === BtfKind.ARRAY) {
      writeLength(w, id, inner);
    } else if (kind === BtfKind.FUNC_PROTO) {
      if (inner !== 0) out.byte(CLOSING);
      out.byte(OPENING);
      yield* once(w, id, parameters(w, id, level));
      out.byte(CLOSING);
    }
    if (!isDropped(kind)) inner = kind;
  }
  w.chainTypes -= copied;
}

/** Writes `text`, the text of type `id`; only a comment if `id` is being written already. */
function* once({ open, out }: Writing, id: number, text: Passage | null): Passage {
  if (open.has(id)) {
    out.latin1(`/* [${id}] holds itself */`);
    return;
  }
  open.add(id);
  if (text !== null) yield text;
  open.delete(id);
}

function* parameters(w: Writing, id: number, level: number): Passage {
  const { records, out } = w;
  const vlen = infoVlen(wordAt(records, id, 1));
  // clang encodes `f(void)` as a function with one parameter of type void.
  if (vlen === 0 || (vlen === 1 && wordAt(records, id, ITEMS_AT + 1) === 0)) {
    out.piece(NO_PARAMETERS);
    return;
  }
  for (let index = 0; index < vlen; index++) {
    const type = wordAt(records, id, ITEMS_AT + PARAM * index + 1);
    if (index > 0) out.piece(COMMA);
    if (index === vlen - 1 && type === 0) {
      out.piece(DOTS);
      return;
    }
    const nested = declarator(w, type, wordAt(records, id, ITEMS_AT + PARAM * index), level);
    if (nested !== null) yield nested;
    if (w.isPauseDue) yield null;
  }
}

/** Returns true for qualifiers and tags, which have no meaning on arrays and functions in C. */
function isDropped(kind: number): boolean {
  return kind === BtfKind.TYPE_TAG || (QUALIFIERS[kind] ?? null) !== null;
}

function writeBefore(w: Writing, chain: TypeChain, nameOff: number, number: number): void {
  const { records, out, names } = w;
  const { ids } = chain;
  const isNamed = !isNameless(records.types, nameOff);
  let lastWasPtr = false;
  for (let i = chain.length - 1; i >= 0; i--) {
    const id = ids[i] ?? 0;
    const kind = kindAt(records, id);
    if (kind === BtfKind.PTR) {
      if (lastWasPtr) out.byte(STAR);
      else out.piece(POINTER);
      lastWasPtr = true;
    } else if (kind === BtfKind.ARRAY || kind === BtfKind.FUNC_PROTO) {
      while (i > 0 && isDropped(kindAt(records, ids[i - 1] ?? 0))) i--;
      if (i === 0) break;
      const isInArray = kindAt(records, ids[i - 1] ?? 0) === BtfKind.ARRAY;
      if (kind === BtfKind.FUNC_PROTO) out.piece(FUNCTION);
      else if (isNamed && !lastWasPtr) out.byte(SPACE);
      if (kind === BtfKind.ARRAY && !isInArray) out.byte(OPENING);
      lastWasPtr = true;
    } else if (kind === BtfKind.TYPE_TAG) {
      const outer = { ids, length: i };
      writeLeadingQualifiers(w, outer);
      i = outer.length;
      writeTypeTag(w, id);
      lastWasPtr = false;
    } else {
      const word = QUALIFIERS[kind] ?? null;
      if (word !== null) out.piece(word);
      lastWasPtr = false;
    }
  }
  if (!isNamed) return;
  if (!lastWasPtr) out.byte(SPACE);
  names.writeNumbered(out, nameOff, number);
}

/** Writes ` __attribute__((btf_type_tag("name")))`, or `((name))` if kind_flag is set. */
function writeTypeTag({ records, out, names, dialect }: Writing, id: number): void {
  const nameOff = wordAt(records, id, 0);
  out.piece(ATTRIBUTE);
  if (dialect.hasAttributes && infoKindFlag(wordAt(records, id, 1))) {
    names.writeAttribute(out, nameOff);
  } else {
    out.piece(TAG);
    names.writeString(out, nameOff);
    out.piece(TAG_END);
  }
  out.piece(ATTRIBUTE_END);
}

/** Writes an array's `[n]`. `inner` is the kind of the type written before it; 0 = none. */
function writeLength({ records, out }: Writing, id: number, inner: number): void {
  out.latin1(inner === 0 || inner === BtfKind.ARRAY ? '[' : ')[');
  out.decimal(wordAt(records, id, ITEMS_AT + 2)).latin1(']');
}
