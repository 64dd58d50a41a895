/**
 * C types with their sizes in the 64-bit ABI that clang uses for BPF. Identical types are one object,
 * as they are one node of clang's debug information, so an object identifies a type in maps.
 */
import { roundUp } from '#analysis/layout/placement.ts';
import { getOrCreate } from '#bytes/cache.ts';

export type Encoding = 'signed' | 'unsigned' | 'bool';

export type Basic = {
  readonly kind: 'basic';
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly encoding: Encoding | 'float';
};
/** `tags` are the `btf_type_tag` of the pointee, in the order of the text. */
export type Pointer = {
  readonly kind: 'pointer';
  readonly to: CType;
  readonly tags: readonly string[];
};
/** A type without a record in clang's BTF: references to it become void. */
export type Atomic = { readonly kind: 'atomic'; readonly of: CType };
/** Directly nested arrays as one array, outermost dimension first; -1 for `[]`. */
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
  /** Alignment in bytes, in place of that of the named type; 0 without one. */
  readonly aligned: number;
  readonly declTags: readonly string[];
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
  /** Bits of a bit-field; null for a plain member. */
  readonly bits: number | null;
  readonly packed: boolean;
  /** Bytes of `aligned`; 0 without it. */
  readonly aligned: number;
  readonly declTags: readonly string[];
  /** Bit offset in a record of a kernel. */
  readonly bitOffset?: number;
};
/** A struct or union. `members` is null before its definition. */
export type RecordType = {
  readonly kind: 'record';
  readonly what: 'struct' | 'union';
  readonly name: string;
  members: readonly Member[] | null;
  packed: boolean;
  aligned: number;
  /** Largest alignment of a member by `#pragma pack`, in bytes; 0 without one. */
  pack: number;
  declTags: readonly string[];
  /** Size in bytes of a kernel's record, whose members have offsets. */
  readonly btfSize?: number;
};
/** Returns a struct or union that is only declared. */
export function newRecord(name: string, what: RecordType['what']): RecordType {
  const attributes = { packed: false, aligned: 0, pack: 0, declTags: [] };
  return { kind: 'record', what, name, members: null, ...attributes };
}

export type EnumType = {
  readonly kind: 'enum';
  readonly name: string;
  values: readonly { readonly name: string; readonly value: bigint }[] | null;
  /** Integer type that the text states; null if the values decide. */
  fixed: EnumShape | null;
  /** Bytes of `aligned`; 0 without it. */
  aligned: number;
};
/** `size` in bytes: 1, 2, 4 or 8; 0 for an enum without values. */
export type EnumShape = { readonly signed: boolean; readonly size: number };
/** null is void. */
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

/** Returns the type without qualifiers and typedefs. */
export function bare(type: CType): CType {
  let at = type;
  while (at !== null && (at.kind === 'qualified' || at.kind === 'typedef')) at = at.of;
  return at;
}

/** Can a member or variable have this type? void, functions and declared records are incomplete. */
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

/** Returns the signedness and size of an enum by its values. */
export function enumShape(type: EnumType): EnumShape {
  if (type.fixed !== null) return type.fixed;
  if (type.values === null) return { signed: false, size: 0 };
  return shapeOfValues(type.values, 4);
}

/** Returns the smallest shape of at least `least` bytes that holds all values. */
export function shapeOfValues(
  values: readonly { readonly value: bigint }[],
  least: number,
): EnumShape {
  const signed = values.some(({ value }) => value < 0n);
  const fits = (bits: number) =>
    values.every(({ value }) =>
      signed ? value === BigInt.asIntN(bits, value) : value === BigInt.asUintN(bits, value),
    );
  return { signed, size: [1, 2, 4].find((size) => size >= least && fits(8 * size)) ?? 8 };
}

export type PlacedMember = Member & {
  /** Bits from the start of the record, as debug information counts. */
  readonly bitOffset: number;
};

export type RecordLayout = {
  /** Members with a name, and structs and unions without one. */
  readonly members: readonly PlacedMember[];
  /** Bytes. */
  readonly size: number;
  readonly align: number;
};

/** Computes sizes and offsets. Lays out each record once. */
export class Layouts {
  readonly #records = new Map<RecordType, RecordLayout>();
  /** Nesting of the kernel's records whose layout is being computed. */
  #depth = 0;

  /** Returns the size in bytes; 0 for a type without one. */
  sizeOf(type: CType): number {
    return this.#extent(type).size;
  }

  /** Returns the bytes of a variable with `elements` elements in its flexible array member. */
  sizeWith(type: CType, elements: number): number {
    const at = bare(type);
    const last = at?.kind === 'record' ? this.layoutOf(at).members.at(-1) : undefined;
    const size = this.sizeOf(type);
    if (elements === 0 || last?.type?.kind !== 'array') return size;
    return Math.max(size, last.bitOffset / 8 + elements * this.sizeOf(last.type.of));
  }

  /** Returns the alignment in bytes; 1 for a type without one. */
  alignOf(type: CType): number {
    return this.#extent(type).align;
  }

  #extent(type: CType): Pick<RecordLayout, 'size' | 'align'> {
    const { size, align } = this.#bareExtent(bare(type));
    return { size, align: typedefAlignment(type) ?? align };
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
        // Atomics of up to 8 bytes are widened to a size that one instruction can exchange.
        const whole = [1, 2, 4, 8].find((bytes) => bytes >= size);
        return whole === undefined
          ? { size, align }
          : { size: whole, align: Math.max(whole, align) };
      }
      case 'record':
        return this.layoutOf(at);
      case 'array': {
        const { size, align } = this.#extent(at.of);
        return { size: at.dimensions.reduce((sum, n) => sum * Math.max(0, n), size), align };
      }
      default:
        return { size: 0, align: 1 };
    }
  }

  /** Returns the offsets of the members of a record. */
  layoutOf(record: RecordType): RecordLayout {
    return getOrCreate(this.#records, record, () => this.#lay(record));
  }

  /** Returns the layout of a kernel's record, with the alignment by libbpf's btf_is_struct_packed. */
  #kernelLayout(record: RecordType, size: number): RecordLayout {
    const withoutMembers = { members: [], size, align: 1 };
    // The search for the alignment ends at a record that contains itself.
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
    /** Bits in use. */
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
    // A bit-field does not cross the boundary of its type, and one of width 0 ends the unit. With
    // `#pragma pack` no padding precedes a bit-field.
    const crosses = !isPacked && pack === 0 && (at % natural) + bits > size;
    if (bits === 0 || crosses) at = roundUp(at, align);
    const aligns = name === '' ? 1 : Math.max(align >> 3, atMost(aligned, pack), 1);
    return { at, bits, aligns };
  }
}

/** Returns the smaller alignment. A `limit` of 0 is no limit. */
function atMost(align: number, limit: number): number {
  return limit === 0 ? align : Math.min(align, limit);
}

/** Returns the alignment in bytes that a typedef of the chain states; null without one. */
function typedefAlignment(type: CType): number | null {
  for (let at = type; at?.kind === 'qualified' || at?.kind === 'typedef'; at = at.of) {
    if (at.kind === 'typedef' && at.aligned > 0) return at.aligned;
  }
  return null;
}

/** Number types by their words in alphabetical order, with their names in clang's debug information. */
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

/** Is the word part of the name of a number type? */
export function isNumberWord(word: string): boolean {
  return WORDS.has(word);
}

/** Returns the number type that the words name; null if they name none. */
export function basicOf(words: readonly string[]): Basic | null {
  return BASICS.get(words.toSorted().join(' ')) ?? null;
}

/** Typedefs of the kernel and of libc that need no header here: names with the words of their type. */
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

/** Makes types, one object per type. */
export class Interned {
  readonly #ids = new Map<CType, number>();
  readonly #known = new Map<string, CType>();

  /** `tags` are the `btf_type_tag` of the pointee. */
  pointer(to: CType, tags: readonly string[] = []): Pointer {
    const key = `*${this.#id(to)} ${tags.length > 0 ? JSON.stringify(tags) : ''}`;
    return this.#once(key, () => ({ kind: 'pointer', to, tags }));
  }

  atomic(of: CType): Atomic {
    return this.#once(`a${this.#id(of)}`, () => ({ kind: 'atomic', of }));
  }

  /** Merges an array of arrays into one array of more dimensions. */
  array(of: CType, count: number): ArrayOf {
    const [element, inner] = of?.kind === 'array' ? [of.of, of.dimensions] : [of, []];
    const dimensions = [count, ...inner];
    return this.#once(`[${dimensions}]${this.#id(element)}`, () => ({
      kind: 'array',
      of: element,
      dimensions,
    }));
  }

  /** Qualifies a type; of an array the elements, as in C. */
  qualified(of: CType, by: Qualified['by']): CType {
    if (of?.kind === 'array') {
      const element = this.qualified(of.of, by);
      return of.dimensions.reduceRight<CType>((type, count) => this.array(type, count), element);
    }
    if (of?.kind === 'qualified' && of.by === by) return of;
    return this.#once(`${by} ${this.#id(of)}`, () => ({ kind: 'qualified', by, of }));
  }

  /** Qualifies a type in clang's order: restrict inside volatile inside const. */
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

  /** Returns the type of a parameter: arrays and functions become pointers. */
  decayed(type: CType): CType {
    const at = bare(type);
    if (at?.kind === 'func') return this.pointer(type);
    if (at?.kind === 'array') return this.pointer(this.#elementOf(type, at));
    return type;
  }

  /** Returns the type that one index selects. */
  element(array: ArrayOf): CType {
    const [, ...rest] = array.dimensions;
    return rest.reduceRight<CType>((of, count) => this.array(of, count), array.of);
  }

  /** Returns the element of an array, with the qualifiers of its typedefs. */
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

  // Keys of different kinds begin with different characters, so that the cast is right.
  #once<T extends CType>(key: string, make: () => T): T {
    return getOrCreate(this.#known, key, make) as T;
  }
}
