/** Reads the attributes of C declarations that change BTF, and skips others. */
import type { Token } from '#analysis/c/tokens.ts';
import { append } from '#bytes/arrays.ts';
import { literalBytes } from './constants.ts';
import { type Cursor, Fault } from './cursor.ts';

export type Attributes = {
  packed: boolean;
  /** Alignment in bytes that `aligned` states; 0 without the attribute. */
  aligned: number;
  readonly declTags: string[];
  readonly typeTags: string[];
  section: string | null;
  /** Number of the address space; 0 without the attribute. */
  addressSpace: number;
  /** True if `used` keeps the symbol in the object although no code uses it. */
  used: boolean;
  noinline: boolean;
  alwaysInline: boolean;
  common: boolean;
  /** Bytes of an integer or enum that `mode(byte)` or another `mode` states; 0 without one. */
  mode: number;
};

export function noAttributes(): Attributes {
  return {
    packed: false,
    aligned: 0,
    declTags: [],
    typeTags: [],
    section: null,
    addressSpace: 0,
    used: false,
    noinline: false,
    alwaysInline: false,
    common: false,
    mode: 0,
  };
}

/** Maximum tags of a kind on a declaration: each name that it declares has all of them. */
export const MAX_TAGS = 64;
const MAX_ALIGNMENT = 0x10000n;
/** Largest address space of clang, LangAS::Target with 23 bits. */
const MAX_SPACE = 0x7fffffn;
/** Alignment in bytes of `aligned` without a number: the largest alignment of any type for BPF. */
const DEFAULT_ALIGNMENT = 16;
const MODES: Readonly<Record<string, number>> = {
  QI: 1,
  byte: 1,
  HI: 2,
  SI: 4,
  DI: 8,
  word: 8,
  pointer: 8,
};

/** Attributes that do not change BTF, only code, warnings, symbols or values of variables. */
const WITHOUT_EFFECT = new Set(
  `preserve_access_index unused visibility weak counted_by counted_by_or_null
  sized_by nonstring cold hot const pure deprecated warn_unused_result nonnull returns_nonnull
  format format_arg malloc noreturn may_alias transparent_union designated_init no_sanitize
  bpf_fastcall alloc_size assume_aligned flatten gnu_inline no_instrument_function optnone
  externally_visible fallthrough warning error cleanup copy retain internal_linkage
  preserve_static_offset maybe_unused nodiscard fallthrough musttail annotate overloadable nocommon artificial leaf access
  randomize_layout no_randomize_layout gnu_printf scalar_storage_order`.split(/\s+/),
);

/** Functions that `readAttributes` needs from the parser. */
type AttributeParser = {
  readonly cursor: Cursor;
  readConstant(): bigint;
  /** Returns the alignment of the type in `_Alignas(type)`, or null if no type comes next. */
  readAlignmentOfType(): number | null;
  note(message: string, token: Token): void;
};

/** Reads all attributes at the cursor into `attributes`. Throws `Fault` if one is invalid. */
export function readAttributes(parser: AttributeParser, attributes: Attributes): Attributes {
  const { cursor } = parser;
  for (;;) {
    if (cursor.take('__packed')) attributes.packed = true;
    else if (cursor.take('__aligned')) addAlignment(parser, attributes);
    else if (cursor.take('_Alignas')) {
      cursor.expect('(');
      const bytes = parser.readAlignmentOfType() ?? readAlignment(parser);
      cursor.expect(')');
      attributes.aligned = Math.max(attributes.aligned, bytes);
    } else if (cursor.take('__attribute__') || cursor.take('__attribute')) {
      readList(parser, attributes, '(', ')');
    } else if (cursor.peek().text === '[' && cursor.second().text === '[') {
      readList(parser, attributes, '[', ']');
    } else return attributes;
  }
}

/** Reads a list of attributes in double brackets or parentheses, such as `[[…]]` or `((…))`. */
function readList(parser: AttributeParser, list: Attributes, open: string, close: string): void {
  const { cursor } = parser;
  cursor.expect(open);
  cursor.expect(open);
  do readAttribute(parser, list);
  while (cursor.take(','));
  cursor.expect(close);
  cursor.expect(close);
}

function readAttribute(parser: AttributeParser, attributes: Attributes): void {
  const { cursor } = parser;
  const { text } = cursor.peek();
  // An attribute list may have empty entries.
  if (text === ',' || text === ')' || text === ']') return;
  let word = cursor.next();
  // In C23, the name can have a prefix: `gnu::` or `clang::`.
  if (cursor.take(':')) {
    cursor.expect(':');
    word = cursor.next();
  }
  const name = word.text.replace(/^__(.+)__$/, '$1');
  switch (name) {
    case 'packed':
      attributes.packed = true;
      return;
    case 'aligned':
      addAlignment(parser, attributes);
      return;
    case 'btf_decl_tag': {
      const tag = readString(cursor);
      // clang ignores a declaration tag that is repeated.
      if (!attributes.declTags.includes(tag)) attributes.declTags.push(tag);
      if (attributes.declTags.length > MAX_TAGS) throw tooManyTags(word);
      return;
    }
    case 'btf_type_tag':
      attributes.typeTags.push(readString(cursor));
      if (attributes.typeTags.length > MAX_TAGS) throw tooManyTags(word);
      return;
    case 'section':
      attributes.section = readString(cursor);
      return;
    case 'used':
      attributes.used = true;
      return;
    case 'noinline':
      attributes.noinline = true;
      return;
    case 'common':
      attributes.common = true;
      return;
    case 'always_inline':
      attributes.alwaysInline = true;
      return;
    case 'mode': {
      cursor.expect('(');
      const mode = cursor.next();
      attributes.mode = MODES[mode.text.replace(/^__(.+)__$/, '$1')] ?? 0;
      if (attributes.mode === 0) throw new Fault(`mode ${mode.text} is not supported`, mode);
      cursor.expect(')');
      return;
    }
    case 'address_space': {
      cursor.expect('(');
      const space = parser.readConstant();
      if (space < 0n || space > MAX_SPACE) throw new Fault('no such address space', word);
      attributes.addressSpace = Number(space);
      cursor.expect(')');
      return;
    }
    case 'vector_size':
    case 'ext_vector_type':
    case 'alias':
      throw new Fault(`the attribute ${name} is not supported`, word);
  }
  if (cursor.take('(')) cursor.skipGroup();
  if (!WITHOUT_EFFECT.has(name))
    parser.note(`the attribute ${name} is not known here and left out`, word);
}

export function tooManyTags(place: Token): Fault {
  return new Fault(`more than ${MAX_TAGS} tags`, place);
}

function readString(cursor: Cursor): string {
  cursor.expect('(');
  const bytes: number[] = [];
  do {
    const token = cursor.next();
    if (token.kind !== 'string') throw new Fault('a string in quotes was expected', token);
    append(bytes, literalBytes(token));
  } while (cursor.peek().kind === 'string');
  cursor.expect(')');
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function addAlignment(parser: AttributeParser, attributes: Attributes): void {
  let bytes = DEFAULT_ALIGNMENT;
  if (parser.cursor.take('(')) {
    bytes = readAlignment(parser);
    parser.cursor.expect(')');
  }
  attributes.aligned = Math.max(attributes.aligned, bytes);
}

function readAlignment({ cursor, readConstant }: AttributeParser): number {
  const token = cursor.peek();
  const value = readConstant();
  if (value < 1n || value > MAX_ALIGNMENT || (value & (value - 1n)) !== 0n) {
    throw new Fault(`an alignment is a power of two, up to ${MAX_ALIGNMENT}`, token);
  }
  return Number(value);
}
