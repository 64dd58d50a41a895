/** The innermost word of a declarator, `const struct foo`, and the qualifiers around it. */
import { BtfKind, infoKindFlag, kindName } from '#formats/btf/kinds.ts';
import { type Piece, pieceOf } from '#print/byte-text.ts';
import { kindAt, NO_TYPE, wordAt } from './records.ts';
import type { TypeChain, Writing } from './writing.ts';

const VOID = pieceOf('void');
const STRUCT = pieceOf('struct ');
const UNION = pieceOf('union ');
const ENUM = pieceOf('enum ');

const WORDS = new Map<number, string>([
  [BtfKind.VOLATILE, 'volatile'],
  [BtfKind.CONST, 'const'],
  [BtfKind.RESTRICT, 'restrict'],
]);

/** By kind, for kinds that are qualifiers: the word with a space before it. */
export const QUALIFIERS = byKind((word) => ` ${word}`);
/** The same with the space behind. */
const LEADING_QUALIFIERS = byKind((word) => `${word} `);

function byKind(text: (word: string) => string): readonly (Piece | null)[] {
  return Array.from({ length: NO_TYPE + 1 }, (_, kind) => {
    const word = WORDS.get(kind);
    return word === undefined ? null : pieceOf(text(word));
  });
}

/** Is this written with all that it holds where it is used, having no name to be called by? */
export function isInPlace({ records }: Writing, id: number): boolean {
  switch (kindAt(records, id)) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return wordAt(records, id, 0) === 0;
    default:
      return false;
  }
}

/**
 * Writes the qualifiers that stand at the end of the chain, and takes them off it:
 * those of a base type, or of a tag, come before it, `const volatile int`.
 */
export function writeLeadingQualifiers({ records, out }: Writing, chain: TypeChain): void {
  while (chain.length > 0) {
    const word = LEADING_QUALIFIERS[kindAt(records, chain.ids[chain.length - 1] ?? 0)];
    if (word === null || word === undefined) return;
    out.piece(word);
    chain.length--;
  }
}

/**
 * Takes the base off the chain and writes it with the qualifiers before it. False:
 * nothing can be declared by it, and nothing is to be written.
 */
export function writeBase(w: Writing, chain: TypeChain): boolean {
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
      return writeOther(w, chain, id, kind);
  }
}

/** `struct foo`, of a STRUCT, UNION, ENUM, ENUM64 or FWD. */
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

/** void, and what no declarator can end in. */
function writeOther(w: Writing, chain: TypeChain, id: number, kind: number): boolean {
  const { records, out } = w;
  const isNothing = id !== 0 && kind !== NO_TYPE && !w.commented;
  if (isNothing) return false;
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
