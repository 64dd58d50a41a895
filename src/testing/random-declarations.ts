/** Random C declarations of the workbench's subset, always the same for a seed. */

/** A source of numbers from 0 to 1 (exclusive). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of such a source repeat soon.
    return (state >>> 8) / 0x1000000;
  };
}

const NUMBERS = [
  'char',
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned',
  'unsigned int',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  '_Bool',
  '__u8',
  '__u16',
  '__u32',
  '__u64',
  's32',
  'u64',
];
const FLOATS = ['float', 'double'];

/** A text of a few declarations that clang accepts. */
export function randomDeclarations(seed: number): string {
  return new Maker(seeded(seed)).text();
}

class Maker {
  readonly #random: () => number;
  /** What can be used by value, as it is written. */
  readonly #complete: string[] = [];
  /** Integer types that can be bit-fields, with their bits. */
  readonly #declaredTags: string[] = [];
  #names = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  text(): string {
    const count = 1 + this.#below(4);
    return Array.from({ length: count }, () => this.#declaration()).join('\n');
  }

  #declaration(): string {
    return this.#pick([
      () => this.#namedRecord(),
      () => this.#namedRecord(),
      () => this.#namedRecord(),
      () => this.#namedEnum(),
      () => this.#typedef(),
      () => this.#variable(),
    ])();
  }

  #namedRecord(): string {
    const what = this.#below(5) === 0 ? 'union' : 'struct';
    const tag = `${what} ${this.#name('t')}`;
    this.#declaredTags.push(tag);
    const body = this.#body(what, 0);
    this.#complete.push(tag);
    return `${tag} ${body};`;
  }

  #body(what: string, depth: number): string {
    const count = 1 + this.#below(depth === 0 ? 6 : 3);
    const members = Array.from({ length: count }, () => this.#member(depth));
    if (what === 'struct' && depth === 0 && this.#below(12) === 0) {
      members.push(`${this.#pick(NUMBERS)} ${this.#name('flex')}[];`);
    }
    const attribute = this.#pick([
      '',
      '',
      '',
      '',
      ' __attribute__((packed))',
      ' __attribute__((aligned(16)))',
      ' __attribute__((packed, aligned(4)))',
    ]);
    return `{ ${members.join(' ')} }${attribute}`;
  }

  #member(depth: number): string {
    const plain = () => `${this.#declarator(this.#base(), this.#name('m'))};`;
    const bits = () => {
      const [type, most] = this.#pick([
        ['int', 32],
        ['unsigned int', 32],
        ['unsigned char', 8],
        ['unsigned short', 16],
        ['unsigned long', 64],
        ['__u64', 64],
        ['_Bool', 1],
      ] as const);
      const width = 1 + this.#below(this.#below(3) === 0 ? most : Math.min(most, 9));
      const name = this.#below(9) === 0 ? '' : this.#name('b');
      if (this.#below(14) === 0) return `${type} : 0;`;
      return `${type} ${name} : ${width};`;
    };
    const nested = () => {
      const what = this.#below(2) === 0 ? 'union' : 'struct';
      const name = this.#below(2) === 0 ? '' : ` ${this.#name('n')}`;
      return `${what} ${this.#body(what, depth + 1)}${name};`;
    };
    const choices = [plain, plain, plain, bits, bits, ...(depth < 2 ? [nested] : [])];
    const text = this.#pick(choices)();
    return this.#below(15) === 0 && !text.includes('{') && !text.includes(': ')
      ? text.replace(/;$/, ' __attribute__((aligned(8)));')
      : text;
  }

  #namedEnum(): string {
    const tag = `enum ${this.#name('e')}`;
    const count = 1 + this.#below(4);
    const values = Array.from({ length: count }, () => {
      const name = this.#name('E');
      switch (this.#below(6)) {
        case 0:
          return `${name} = -${this.#below(100)}`;
        case 1:
          return `${name} = 1 << ${this.#below(31)}`;
        case 2:
          return `${name} = 0x${this.#below(65536).toString(16)}`;
        default:
          return name;
      }
    });
    if (this.#below(8) === 0) values.push(`${this.#name('E')} = 0x100000000ULL`);
    this.#complete.push(tag);
    return `${tag} { ${values.join(', ')} };`;
  }

  #typedef(): string {
    const name = this.#name('d');
    const text =
      this.#below(3) === 0
        ? `typedef struct ${this.#body('struct', 1)} ${name};`
        : `typedef ${this.#declarator(this.#base(), name)};`;
    this.#complete.push(name);
    return text;
  }

  #variable(): string {
    const storage = this.#pick(['', '', 'static ']);
    return `${storage}${this.#declarator(this.#base(), this.#name('v'))};`;
  }

  #base(): string {
    const type = this.#pick([
      () => this.#pick(NUMBERS),
      () => this.#pick(NUMBERS),
      () => this.#pick(NUMBERS),
      () => this.#pick(FLOATS),
      () => (this.#complete.length > 0 ? this.#pick(this.#complete) : 'int'),
      () => (this.#complete.length > 0 ? this.#pick(this.#complete) : 'int'),
    ])();
    return `${this.#pick(['', '', '', '', 'const ', 'volatile ', 'const volatile '])}${type}`;
  }

  #declarator(base: string, name: string): string {
    const pointee = () => {
      const tags = [...this.#declaredTags, 'void', 'char', base, `struct ${this.#name('fwd')}`];
      return this.#pick(tags);
    };
    switch (this.#below(9)) {
      case 0:
        return `${pointee()} *${name}`;
      case 1:
        return `${pointee()} ${this.#pick(['', 'const '])}**${name}`;
      case 2:
        return `${base} ${name}[${1 + this.#below(5)}]`;
      case 3:
        return `${base} ${name}[${1 + this.#below(3)}][${1 + this.#below(4)}]`;
      case 4:
        return `${pointee()} *${name}[${1 + this.#below(4)}]`;
      case 5:
        return `int (*${name})(${pointee()} *, ${base.replace(/const |volatile /g, '')})`;
      case 6:
        return `${this.#pick(NUMBERS)} (*${name})[${1 + this.#below(4)}]`;
      default:
        return `${base} ${name}`;
    }
  }

  #name(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(from: readonly T[]): T {
    const found = from[this.#below(from.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  }
}
