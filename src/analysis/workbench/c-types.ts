/**
 * C types with their sizes in clang's 64-bit ABI for BPF. Equal types are one object, since clang's
 * debug information has one node for them; so a `Map` can have types as keys.
 */
import { roundUp } from '#analysis/layout/placement.ts';
import { getOrCreate } from '#bytes/cache.ts';

export type Encoding = 'signed' | 'unsigned' | 'bool';

export type Basic = {
  readonly kind: 'basic';
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly encoding: Encoding | 'float';
};
/** A pointer. `tags` are the pointee's `btf_type_tag` attributes, in the order of the text. */
export type Pointer = {
  readonly kind: 'pointer';
  readonly to: CType;
  readonly tags: readonly string[];
};
/** An `_Atomic` type. clang writes no BTF record for it, so references to it become void. */
export type Atomic = { readonly kind: 'atomic'; readonly of: CType };
/** An array. Nested arrays are one array, outermost dimension first; `[]` is dimension -1. */
export type ArrayOf = {
  readonly kind: 'array';
  readonly of: CType;
  readonly dimensions: readonly number[];
};
export type Qualified = {
  readonly kind: 'qualified';
  readonly by: 'const' | 'volatile' | 'restrict';
  readonly of: CType;
};
export type Typedef = {
  readonly kind: 'typedef';
  readonly name: string;
  readonly of: CType;
  /** Alignment in bytes that replaces the alignment of the named type; 0 for no change. */
  readonly aligned: number;
  readonly declTags: readonly string[];
  /** Number of the address space that the typedef states; absent without one. */
  readonly addressSpace?: number;
};
export type Func = {
  readonly kind: 'func';
  readonly returns: CType;
  readonly params: readonly CType[];
  readonly varargs: boolean;
};
export type Member = {
  readonly name: string;
  readonly type: CType;
  /** Width of a bit-field; null for other members. */
  readonly bits: number | null;
  readonly packed: boolean;
  /** Alignment that `aligned` states, in bytes; 0 without the attribute. */
  readonly aligned: number;
  readonly declTags: readonly string[];
  /** Offset in bits, if the record comes from a kernel's BTF. */
  readonly bitOffset?: number;
};
/** A struct or union. `members` is null until the definition. */
export type RecordType = {
  readonly kind: 'record';
  readonly what: 'struct' | 'union';
  readonly name: string;
  members: readonly Member[] | null;
  packed: boolean;
  aligned: number;
  /** Alignment limit of members by `#pragma pack`, in bytes; 0 without a limit. */
  pack: number;
  declTags: readonly string[];
  /** Size in bytes of a record from a kernel's BTF. The members of such a record have offsets. */
  readonly btfSize?: number;
};
/** Returns a new struct or union without a definition. */
export function newRecord(name: string, what: RecordType['what']): RecordType {
  const attributes = { packed: false, aligned: 0, pack: 0, declTags: [] };
  return { kind: 'record', what, name, members: null, ...attributes };
}

export type EnumType = {
  readonly kind: 'enum';
  readonly name: string;
  values: readonly { readonly name: string; readonly value: bigint }[] | null;
  /** Integer type that the text states for the enum; null if the enumerators' values decide. */
  fixed: EnumShape | null;
  /** Alignment that `aligned` states, in bytes; 0 without the attribute. */
  aligned: number;
};
type Values = readonly { readonly value: bigint }[];
/** Integer type of an enum. `size` is 1, 2, 4 or 8 bytes, or 0 for an enum without values. */
export type EnumShape = {
  readonly signed: boolean;
  readonly size: number;
  /** True if the text states the integer type by the name of a typedef. */
  readonly isNamed?: boolean;
};
/** A C type; null is void. */
export type CType =
  | Basic
  | Pointer
  | Atomic
  | ArrayOf
  | Qualified
  | Typedef
  | Func
  | RecordType
  | EnumType
  | null;

const POINTER_SIZE = 8;
const MAX_NESTED = 256;

/** Returns the type without its outer qualifiers and typedefs. */
export function bare(type: CType): CType {
  let at = type;
  while (at !== null && (at.kind === 'qualified' || at.kind === 'typedef')) at = at.of;
  return at;
}

/** Returns true unless the type is void, a function or a record without definition. */
export function isComplete(type: CType): boolean {
  const at = bare(type);
  switch (at?.kind) {
    case undefined:
    case 'func':
      return false;
    case 'record':
      return at.members !== null;
    case 'enum':
      return at.values !== null;
    case 'array':
      return isComplete(at.of);
    default:
      return true;
  }
}

/** Returns signedness and size of an enum, as its values require. */
export function enumShape(type: EnumType): EnumShape {
  if (type.fixed !== null) return type.fixed;
  if (type.values === null) return { signed: false, size: 0 };
  return shapeOfValues(type.values, 4);
}

/** Smallest integer type of each list of values. */
const shapes = new WeakMap<Values, EnumShape>();

/** Returns the smallest integer type of at least `least` bytes that can represent all values. */
export function shapeOfValues(values: Values, least: number): EnumShape {
  const known = shapes.get(values) ?? smallestShape(values);
  shapes.set(values, known);
  return { ...known, size: Math.max(known.size, least) };
}

function smallestShape(values: Values): EnumShape {
  const signed = values.some(({ value }) => value < 0n);
  const fits = (bits: number) =>
    values.every(({ value }) =>
      signed ? value === BigInt.asIntN(bits, value) : value === BigInt.asUintN(bits, value),
    );
  return { signed, size: [1, 2, 4].find((size) => fits(8 * size)) ?? 8 };
}

export type PlacedMember = Member & {
  /** Offset in bits from the start of the record, as in debug information. */
  readonly bitOffset: number;
};

export type RecordLayout = {
  /** Named members, and unnamed structs and unions. */
  readonly members: readonly PlacedMember[];
  /** Size of the record in bytes. */
  readonly size: number;
  readonly align: number;
};

/** Computes sizes and offsets of types. Each record is laid out once. */
export class Layouts {
  readonly #records = new Map<RecordType, RecordLayout>();
  /** Number of nested kernel records whose layout is being computed. */
  #depth = 0;

  /** Returns the size of a type in bytes, or 0 for a type without a size. */
  sizeOf(type: CType): number {
    return this.#extent(type).size;
  }

  /** Returns the bytes of a variable whose flexible array member has `elements` elements. */
  sizeWith(type: CType, elements: number): number {
    const at = bare(type);
    const last = at?.kind === 'record' ? this.layoutOf(at).members.at(-1) : undefined;
    const size = this.sizeOf(type);
    if (elements === 0 || last?.type?.kind !== 'array') return size;
    return Math.max(size, last.bitOffset / 8 + elements * this.sizeOf(last.type.of));
  }

  /** Returns the alignment of a type in bytes, or 1 for a type without an alignment. */
  alignOf(type: CType): number {
    return this.#extent(type).align;
  }

  #extent(type: CType): Pick<RecordLayout, 'size' | 'align'> {
    let count = 1;
    let aligned: number | null = null;
    for (let of = type; ; ) {
      aligned ??= typedefAlignment(of);
      const at = bare(of);
      if (at?.kind !== 'array') {
        const { size, align } = this.#bareExtent(at);
        return { size: size * count, align: aligned ?? align };
      }
      count = at.dimensions.reduce((product, n) => product * Math.max(0, n), count);
      of = at.of;
    }
  }

  #bareExtent(at: CType): Pick<RecordLayout, 'size' | 'align'> {
    const scalar = (size: number) => ({ size, align: size });
    switch (at?.kind) {
      case 'basic':
        return scalar(at.size);
      case 'pointer':
        return scalar(POINTER_SIZE);
      case 'enum': {
        const { size } = enumShape(at);
        return { size, align: at.aligned > 0 ? Math.max(at.aligned, size) : size };
      }
      case 'atomic': {
        const { size, align } = this.#extent(at.of);
        // Atomics of up to 8 bytes grow to the size of an operand of an atomic instruction.
        const whole = [1, 2, 4, 8].find((bytes) => bytes >= size);
        return whole === undefined
          ? { size, align }
          : { size: whole, align: Math.max(whole, align) };
      }
      case 'record':
        return this.layoutOf(at);
      default:
        return { size: 0, align: 1 };
    }
  }

  /** Returns size, alignment and member offsets of a record. */
  layoutOf(record: RecordType): RecordLayout {
    return getOrCreate(this.#records, record, () => this.#lay(record));
  }

  /** Returns a kernel record's layout. libbpf's btf_is_struct_packed decides the alignment. */
  #kernelLayout(record: RecordType, size: number): RecordLayout {
    const withoutMembers = { members: [], size, align: 1 };
    // If the record contains itself, the search for its alignment uses this layout.
    this.#records.set(record, withoutMembers);
    if (this.#depth > MAX_NESTED) return withoutMembers;
    this.#depth += 1;
    const members = (record.members ?? []).map((member) => ({
      ...member,
      bitOffset: member.bitOffset ?? 0,
    }));
    const align = members.reduce((most, { type }) => Math.max(most, this.alignOf(type)), 1);
    const isPacked = members.some(
      ({ type, bits, bitOffset }) => bits === null && bitOffset % (8 * this.alignOf(type)) !== 0,
    );
    this.#depth -= 1;
    const layout = { members, size, align: isPacked || size % align !== 0 ? 1 : align };
    this.#records.set(record, layout);
    return layout;
  }

  #lay(record: RecordType): RecordLayout {
    if (record.btfSize !== undefined) return this.#kernelLayout(record, record.btfSize);
    const isUnion = record.what === 'union';
    const placed: PlacedMember[] = [];
    let align = 1;
    /** Number of bits in use by the members so far. */
    let end = 0;
    for (const member of record.members ?? []) {
      const isPacked = record.packed || member.packed;
      const from = isUnion ? 0 : end;
      const { at, bits, aligns } =
        member.bits === null
          ? this.#placePlain(member, from, isPacked, record.pack)
          : this.#placeBits(member, member.bits, from, isPacked, record.pack);
      align = Math.max(align, aligns);
      end = Math.max(end, at + bits);
      if (member.name !== '' || (member.bits === null && bare(member.type)?.kind === 'record')) {
        placed.push({ ...member, bitOffset: at });
      }
    }
    align = Math.max(align, record.aligned);
    return { members: placed, size: roundUp(Math.ceil(end / 8), align), align };
  }

  #placePlain({ type, aligned }: Member, from: number, isPacked: boolean, pack: number) {
    const align = atMost(Math.max(isPacked ? 1 : this.alignOf(type), aligned), pack);
    return { at: roundUp(from, 8 * align), bits: 8 * this.sizeOf(type), aligns: align };
  }

  #placeBits(
    { type, name, aligned }: Member,
    bits: number,
    from: number,
    isPacked: boolean,
    pack: number,
  ) {
    const size = 8 * this.sizeOf(type);
    const natural = 8 * (bits > 0 ? atMost(this.alignOf(type), pack) : this.alignOf(type));
    const align = isPacked && bits > 0 ? 1 : natural;
    let at = from;
    if (aligned > 0) at = roundUp(at, 8 * atMost(aligned, pack));
    // A bit-field does not cross the boundary of a unit of its type, and one of width 0 ends the
    // unit. With `#pragma pack` bit-fields may cross it.
    const crosses = !isPacked && pack === 0 && (at % natural) + bits > size;
    if (bits === 0 || crosses) at = roundUp(at, align);
    const aligns = name === '' ? 1 : Math.max(align >> 3, atMost(aligned, pack), 1);
    return { at, bits, aligns };
  }
}

/** Returns the smaller of an alignment and a limit. A limit of 0 means no limit. */
function atMost(align: number, limit: number): number {
  return limit === 0 ? align : Math.min(align, limit);
}

/** Returns the alignment in bytes that the type's chain of typedefs states, or null. */
function typedefAlignment(type: CType): number | null {
  for (let at = type; at?.kind === 'qualified' || at?.kind === 'typedef'; at = at.of) {
    if (at.kind === 'typedef' && at.aligned > 0) return at.aligned;
  }
  return null;
}

/** Number types by their words in alphabetical order; names as in clang's debug information. */
const BASICS: ReadonlyMap<string, Basic> = new Map(
  (
    [
      ['char', 'char', 1, 'signed'],
      ['char signed', 'signed char', 1, 'signed'],
      ['char unsigned', 'unsigned char', 1, 'unsigned'],
      ['short|int short|short signed|int short signed', 'short', 2, 'signed'],
      ['short unsigned|int short unsigned', 'unsigned short', 2, 'unsigned'],
      ['int|signed|int signed', 'int', 4, 'signed'],
      ['unsigned|int unsigned', 'unsigned int', 4, 'unsigned'],
      ['long|int long|long signed|int long signed', 'long', 8, 'signed'],
      ['long unsigned|int long unsigned', 'unsigned long', 8, 'unsigned'],
      ['long long|int long long|long long signed|int long long signed', 'long long', 8, 'signed'],
      ['long long unsigned|int long long unsigned', 'unsigned long long', 8, 'unsigned'],
      ['__int128|__int128 signed', '__int128', 16, 'signed'],
      ['__int128 unsigned', 'unsigned __int128', 16, 'unsigned'],
      ['_Bool', '_Bool', 1, 'bool'],
      ['float', 'float', 4, 'float'],
      ['double', 'double', 8, 'float'],
      ['double long', 'long double', 8, 'float'],
    ] as const
  ).flatMap(([words, name, size, encoding]) => {
    const basic: Basic = { kind: 'basic', name, size, encoding };
    return words.split('|').map((key) => [key, basic] as const);
  }),
);

const WORDS = new Set([...BASICS.keys()].flatMap((key) => key.split(' ')));

/** Returns true if the word is part of the spelling of a number type. */
export function isNumberWord(word: string): boolean {
  return WORDS.has(word);
}

/** Returns the number type that the words spell, or null. */
export function basicOf(words: readonly string[]): Basic | null {
  return BASICS.get(words.toSorted().join(' ')) ?? null;
}

/** Typedefs of the kernel and libc that need no header here: names, and the words of their type. */
export const PRELUDE: ReadonlyMap<string, string> = new Map(
  [
    ['signed char', '__s8 int8_t'],
    ['unsigned char', '__u8 uint8_t'],
    ['short', '__s16 int16_t'],
    ['unsigned short', '__u16 uint16_t umode_t'],
    ['int', '__s32 int32_t pid_t'],
    ['unsigned int', '__u32 uint32_t uid_t gid_t gfp_t'],
    ['long', 'int64_t ssize_t ptrdiff_t intptr_t'],
    ['unsigned long', 'uint64_t size_t uintptr_t'],
    ['long long', '__s64 loff_t'],
    ['unsigned long long', '__u64'],
    ['__int128', '__int128_t'],
    ['unsigned __int128', '__uint128_t'],
    ['_Bool', 'bool'],
    ['__s8', 's8'],
    ['__u8', 'u8'],
    ['__s16', 's16'],
    ['__u16', 'u16 __le16 __be16 __sum16'],
    ['__s32', 's32'],
    ['__u32', 'u32 __le32 __be32 __wsum'],
    ['__s64', 's64'],
    ['__u64', 'u64 __le64 __be64'],
    ['u32', 'dev_t'],
  ].flatMap(([words = '', names = '']) => names.split(' ').map((name) => [name, words] as const)),
);

/** Typedefs of `PRELUDE`, by name. */
export const PRELUDE_TYPES = new Map<string, Typedef>();
for (const [name, words] of PRELUDE) {
  const of = PRELUDE_TYPES.get(words) ?? basicOf(words.split(' '));
  PRELUDE_TYPES.set(name, { kind: 'typedef', name, of, aligned: 0, declTags: [] });
}

/** Makes types. Equal types become one object. */
export class Interned {
  readonly #ids = new Map<CType, number>();
  readonly #known = new Map<string, CType>();

  /** Returns a pointer type. `tags` are the pointee's `btf_type_tag` attributes. */
  pointer(to: CType, tags: readonly string[] = []): Pointer {
    const key = `*${this.#id(to)} ${tags.length > 0 ? JSON.stringify(tags) : ''}`;
    return this.#once(key, () => ({ kind: 'pointer', to, tags }));
  }

  atomic(of: CType): Atomic {
    return this.#once(`a${this.#id(of)}`, () => ({ kind: 'atomic', of }));
  }

  /** Returns an array type. An array of arrays becomes one array with more dimensions. */
  array(of: CType, count: number): ArrayOf {
    const [element, inner] = of?.kind === 'array' ? [of.of, of.dimensions] : [of, []];
    const dimensions = [count, ...inner];
    return this.#once(`[${dimensions}]${this.#id(element)}`, () => ({
      kind: 'array',
      of: element,
      dimensions,
    }));
  }

  /** Returns a qualified type. Qualifiers of an array apply to its elements, as in C. */
  qualified(of: CType, by: Qualified['by']): CType {
    if (of?.kind === 'array') {
      const element = this.qualified(of.of, by);
      return of.dimensions.reduceRight<CType>((type, count) => this.array(type, count), element);
    }
    if (of?.kind === 'qualified' && of.by === by) return of;
    return this.#once(`${by} ${this.#id(of)}`, () => ({ kind: 'qualified', by, of }));
  }

  /** Returns a type with its qualifiers in clang's order: restrict inside volatile inside const. */
  withQualifiers(of: CType, qualifiers: ReadonlySet<string>): CType {
    let type = of;
    for (const by of ['restrict', 'volatile', 'const'] as const) {
      if (qualifiers.has(by)) type = this.qualified(type, by);
    }
    return type;
  }

  func(returns: CType, params: readonly CType[], varargs: boolean): Func {
    const key = `(${params.map((param) => this.#id(param))}${varargs ? '…' : ''})${this.#id(returns)}`;
    return this.#once(key, () => ({ kind: 'func', returns, params, varargs }));
  }

  /** Returns the type that a parameter gets: arrays and functions become pointers. */
  decayed(type: CType): CType {
    const at = bare(type);
    if (at?.kind === 'func') return this.pointer(type);
    if (at?.kind === 'array') return this.pointer(this.#elementOf(type, at));
    return type;
  }

  /** Returns the type of `array[i]`, which may be an array itself. */
  element(array: ArrayOf): CType {
    const [, ...rest] = array.dimensions;
    return rest.reduceRight<CType>((of, count) => this.array(of, count), array.of);
  }

  /** Returns the element type of an array, with the qualifiers of the array's typedefs. */
  #elementOf(type: CType, array: ArrayOf): CType {
    let element = this.element(array);
    for (let at = type; at?.kind === 'qualified' || at?.kind === 'typedef'; at = at.of) {
      if (at.kind === 'qualified') element = this.qualified(element, at.by);
    }
    return element;
  }

  #id(type: CType): number {
    return getOrCreate(this.#ids, type, () => this.#ids.size);
  }

  // Types of different kinds have keys with different first characters, so the cast is safe.
  #once<T extends CType>(key: string, make: () => T): T {
    return getOrCreate(this.#known, key, make) as T;
  }
}
