/** Attributes of C declarations, as far as they change BTF. */
import type { Token } from '#analysis/c/tokens.ts';
import { literalBytes } from './constants.ts';
import { type Cursor, Fault } from './cursor.ts';

export type Attributes = {
  packed: boolean;
  /** Alignment in bytes; 0 without one. */
  aligned: number;
  readonly declTags: string[];
  readonly typeTags: string[];
  section: string | null;
  /** Does the object keep it although nothing uses it? */
  used: boolean;
  noinline: boolean;
  /** Bytes of an integer or enum by `mode(byte)` and others; 0 without one. */
  mode: number;
};

export function noAttributes(): Attributes {
  return {
    packed: false,
    aligned: 0,
    declTags: [],
    typeTags: [],
    section: null,
    used: false,
    noinline: false,
    mode: 0,
  };
}

const MAX_ALIGNMENT = 0x10000n;
/** Bytes of `aligned` without a number: the largest alignment of a type of the target. */
const MAX_ALIGNED = 16;
const MODES: Readonly<Record<string, number>> = {
  QI: 1,
  byte: 1,
  HI: 2,
  SI: 4,
  DI: 8,
  word: 8,
  pointer: 8,
};

/** Attributes that do not change BTF: they concern code, warnings, symbols or values of variables. */
const WITHOUT_EFFECT = new Set(
  `preserve_access_index unused always_inline visibility weak counted_by counted_by_or_null
  sized_by nonstring cold hot const pure deprecated warn_unused_result nonnull returns_nonnull
  format format_arg malloc noreturn may_alias transparent_union designated_init no_sanitize
  bpf_fastcall alloc_size assume_aligned flatten gnu_inline no_instrument_function optnone
  externally_visible fallthrough warning error cleanup copy retain internal_linkage
  preserve_static_offset maybe_unused nodiscard fallthrough musttail annotate overloadable common nocommon artificial leaf access
  randomize_layout no_randomize_layout gnu_printf scalar_storage_order`.split(/\s+/),
);

/** Functions of the parser that the reader of attributes calls. */
type Around = {
  readonly cursor: Cursor;
  readConstant(): bigint;
  /** Returns the alignment of the type in `_Alignas(type)`; null if no type comes next. */
  readAlignmentOfType(): number | null;
  note(message: string, token: Token): void;
};

/** Reads all attributes that come next, and adds them to `found`. Throws `Fault` for an attribute that it cannot read. */
export function readAttributes(around: Around, found: Attributes = noAttributes()): Attributes {
  const { cursor } = around;
  for (;;) {
    if (cursor.take('__packed')) found.packed = true;
    else if (cursor.take('__aligned')) addAlignment(around, found);
    else if (cursor.take('_Alignas')) {
      cursor.expect('(');
      const bytes = around.readAlignmentOfType() ?? readAlignment(around);
      cursor.expect(')');
      found.aligned = Math.max(found.aligned, bytes);
    } else if (cursor.take('__attribute__') || cursor.take('__attribute')) {
      cursor.expect('(');
      cursor.expect('(');
      do readAttribute(around, found);
      while (cursor.take(','));
      cursor.expect(')');
      cursor.expect(')');
    } else if (cursor.peek().text === '[' && cursor.second().text === '[') {
      cursor.next();
      cursor.next();
      do readAttribute(around, found);
      while (cursor.take(','));
      cursor.expect(']');
      cursor.expect(']');
    } else return found;
  }
}

function readAttribute(around: Around, found: Attributes): void {
  const { cursor } = around;
  const { text } = cursor.peek();
  // Nothing between two commas is allowed.
  if (text === ',' || text === ')' || text === ']') return;
  let word = cursor.next();
  // C23: `gnu::` or `clang::` before it.
  if (cursor.take(':')) {
    cursor.expect(':');
    word = cursor.next();
  }
  const name = word.text.replace(/^__(.+)__$/, '$1');
  switch (name) {
    case 'packed':
      found.packed = true;
      return;
    case 'aligned':
      addAlignment(around, found);
      return;
    case 'btf_decl_tag':
      addOnce(found.declTags, readString(cursor));
      return;
    case 'btf_type_tag':
      found.typeTags.push(readString(cursor));
      return;
    case 'section':
      found.section = readString(cursor);
      return;
    case 'used':
      found.used = true;
      return;
    case 'noinline':
      found.noinline = true;
      return;
    case 'mode': {
      cursor.expect('(');
      const mode = cursor.next();
      found.mode = MODES[mode.text.replace(/^__(.+)__$/, '$1')] ?? 0;
      if (found.mode === 0) throw new Fault(`mode ${mode.text} is not supported`, mode);
      cursor.expect(')');
      return;
    }
    case 'address_space':
    case 'vector_size':
    case 'ext_vector_type':
    case 'alias':
      throw new Fault(`the attribute ${name} is not supported`, word);
  }
  if (cursor.take('(')) cursor.skipGroup();
  if (!WITHOUT_EFFECT.has(name))
    around.note(`the attribute ${name} is not known here and left out`, word);
}

/** clang keeps the same tag on the same thing once. */
function addOnce(tags: string[], tag: string): void {
  if (!tags.includes(tag)) tags.push(tag);
}

function readString(cursor: Cursor): string {
  cursor.expect('(');
  const bytes: number[] = [];
  do {
    const token = cursor.next();
    if (token.kind !== 'string') throw new Fault('a string in quotes was expected', token);
    for (const byte of literalBytes(token)) bytes.push(byte);
  } while (cursor.peek().kind === 'string');
  cursor.expect(')');
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function addAlignment(around: Around, found: Attributes): void {
  const { cursor } = around;
  let bytes = MAX_ALIGNED;
  if (cursor.take('(')) {
    bytes = readAlignment(around);
    cursor.expect(')');
  }
  found.aligned = Math.max(found.aligned, bytes);
}

function readAlignment({ cursor, readConstant }: Around): number {
  const token = cursor.peek();
  const value = readConstant();
  if (value < 1n || value > MAX_ALIGNMENT || (value & (value - 1n)) !== 0n) {
    throw new Fault(`an alignment is a power of two, up to ${MAX_ALIGNMENT}`, token);
  }
  return Number(value);
}
