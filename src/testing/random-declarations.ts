/** Random C declarations that the workbench can compile. A seed always gives the same text. */

/** Returns a generator of numbers from 0 to 1 (without 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits repeat soon, so they are left out.
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
  '__be32',
  'size_t',
  '__int128',
];
const FLOATS = ['float', 'double', 'long double'];
const SECTIONS = ['.data.a', '.rodata.b', 'license', '.maps.d'];

/** Returns a text of random declarations that clang accepts. */
export function randomDeclarations(seed: number): string {
  return new Maker(seeded(seed)).text();
}

class Maker {
  readonly #random: () => number;
  /** C texts of the types that can be used by value. */
  readonly #complete: string[] = [];
  readonly #externs: string[] = [];
  /** Names of the variables whose address can be taken. */
  readonly #variables: string[] = [];
  /** Tags to which pointers can refer. */
  readonly #declaredTags: string[] = [];
  #names = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  text(): string {
    const count = 1 + this.#below(5);
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
      () => this.#initialized(),
      () => this.#function(),
      () => this.#callback(),
      () => this.#extern(),
      () => this.#map(),
      () => this.#macro(),
      () => `#pragma pack(${this.#pick(['', '1', '2', '4', 'push, 1', 'pop'])})`,
      () => this.#assertion(),
    ])();
  }

  /** Declares a variable that has an initializer. */
  #initialized(): string {
    const name = this.#name('i');
    const before = this.#pick(['', '', 'static ', 'const ', 'const volatile ', 'static const ']);
    const behind = this.#pick(['', '', ` __attribute__((section("${this.#pick(SECTIONS)}")))`]);
    const number = () => this.#pick(['0', '1', '0x10', "'a'", '-1', '~0u', '2 - 2', 'sizeof(int)']);
    const numbers = () => Array.from({ length: 1 + this.#below(4) }, number).join(', ');
    const address = this.#variables.length > 0 ? `&${this.#pick(this.#variables)}` : '0';
    const text = this.#pick([
      () => `${this.#pick(NUMBERS)} ${name}${behind} = ${number()}`,
      () =>
        `${this.#pick(FLOATS)} ${name}${behind} = ${this.#pick(['0', '0.0', '1.5', '-0.0f', '3'])}`,
      () => `char ${name}[]${behind} = ${this.#pick(['"abc"', '""', '{ "x" }', '"a" "b\\0"'])}`,
      () => `int ${name}[]${behind} = { ${numbers()} }`,
      () => `short ${name}[][2]${behind} = { ${numbers()} }`,
      () => `int ${name}[${4 + this.#below(4)}]${behind} = { [${this.#below(4)}] = ${number()} }`,
      () => `struct { int a, b; } ${name}[]${behind} = { ${numbers()} }`,
      () => `struct { char a; struct { int b, c; } d; } ${name}${behind} = { .d.c = ${number()} }`,
      () => `const char *${name}${behind} = ${this.#pick(['"one"', '"two"', '0'])}`,
      () => `const void *${name}[]${behind} = { ${address}, 0 }`,
    ])();
    if (!before.includes('const') && !behind.includes('rodata') && behind === '')
      this.#variables.push(name);
    return behind !== ''
      ? `${text.replace(/^const /, '')};`
      : `${before.replace(/const (?=.*const)/, '')}${text};`;
  }

  /** Declares a function whose body uses what was declared before it. */
  #function(): string {
    const name = this.#name('f');
    const count = this.#below(5);
    const params = Array.from({ length: count }, (_, i) => {
      const type = this.#pick([...NUMBERS.slice(0, 19), ...this.#pointed()]);
      const tag = this.#below(8) === 0 ? ` __attribute__((btf_decl_tag("p${i}")))` : '';
      return `${this.#pick(['', '', 'const '])}${type} a${i}${tag}`;
    });
    const statements = [
      ...(count > 0 ? ['(void)a0;'] : []),
      ...(this.#externs.length > 0 && this.#below(2) === 0
        ? [`x += ${this.#pick(this.#externs)};`]
        : []),
    ];
    const before = this.#pick([
      '',
      '',
      '',
      '__attribute__((noinline)) ',
      '__attribute__((section("xdp"))) ',
    ]);
    return `${before}int ${name}(${params.join(', ') || 'void'}) { int x = 0; ${statements.join(' ')} return x; }`;
  }

  /**
   * Declares a static function whose address is used, and a function that calls through a pointer.
   */
  #callback(): string {
    // Avoids the letter s, because names such as `s8` are types of the kernel.
    const [name, user, inner] = [this.#name('c'), this.#name('f'), this.#name('local')];
    const type = this.#pick(NUMBERS.slice(0, 19));
    const callback = `static int ${name}(${type} a, void *context) { return 0; }`;
    const caller = this.#pick([
      () =>
        `static long (*const ${inner})(void *, void *) = (void *)181; int ${user}(void *p) { return ${inner}(${this.#pick(['', '&'])}${name}, p); }`,
      () => `void *${this.#pick(['', 'const '])}${user}[] = { ${name}, 0 };`,
      () =>
        `static inline int ${inner}(int a) { static const char text[] = "${inner}"; return a; } int ${user}(int a) { return ${inner}(a) + ${name}(1, 0); }`,
    ])();
    return `${callback}\n${caller}`;
  }

  #extern(): string {
    const name = this.#name('x');
    const behind = this.#pick([
      '',
      ' __attribute__((section(".kconfig")))',
      ' __attribute__((weak))',
    ]);
    this.#externs.push(name);
    return `extern ${this.#pick(['int', 'const long', 'unsigned', '__u32'])} ${name}${behind};`;
  }

  #map(): string {
    const type = () => this.#pick([...NUMBERS.slice(0, 19), ...this.#complete]);
    const inner =
      this.#below(3) === 0 ? `typeof(struct { int (*type)[2]; ${type()} *key; }) *values[];` : '';
    return `struct { int (*type)[${1 + this.#below(9)}]; int (*max_entries)[1 << ${this.#below(9)}]; typeof(${type()}) *key; typeof(${type()}) *value; ${inner} } ${this.#name('m')} __attribute__((section(".maps"), used));`;
  }

  #macro(): string {
    const [count, make] = [this.#name('N'), this.#name('M')];
    return `#define ${count} (${1 + this.#below(4)} * 2)
#define ${make}(type, name, ...) type name ## _t __VA_ARGS__
struct ${this.#name('t')} { ${make}(${this.#pick(NUMBERS)}, a, [${count}]); ${make}(char, b); };
#undef ${count}`;
  }

  #assertion(): string {
    if (this.#complete.length === 0) return '_Static_assert(sizeof(int) == 4, "int");';
    const type = this.#pick(this.#complete);
    return `char ${this.#name('z')}[sizeof(${type}) + _Alignof(${type}) * (${this.#below(3)} + (-1 > 0u))];`;
  }

  #pointed(): string[] {
    return this.#declaredTags.map((tag) => `${tag} *`);
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
      ' __attribute__((btf_decl_tag("on it"), preserve_access_index))',
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
    const attributed = () =>
      `${this.#declarator(this.#base(), this.#name('m'))} ${this.#pick([
        '__attribute__((packed))',
        '__attribute__((btf_decl_tag("m")))',
        '__attribute__((aligned(2)))',
      ])};`;
    const special = () =>
      this.#pick([
        `_Atomic ${this.#pick(NUMBERS)} ${this.#name('m')};`,
        `_Alignas(16) ${this.#pick(NUMBERS)} ${this.#name('m')};`,
        `int __attribute__((btf_type_tag("user"))) *${this.#name('m')};`,
        `struct ${this.#name('fwd')} __attribute__((btf_type_tag("rcu"))) *${this.#name('m')};`,
        `enum ${this.#name('later')} *${this.#name('m')};`,
        `enum { ${this.#name('E')}, ${this.#name('E')} = 4 } ${this.#name('m')};`,
        `typeof(${this.#pick(['int *', '1 + 2L', '(char)1', '1u'])}) ${this.#name('m')};`,
        `int (*${this.#name('m')})(const int, char *const restrict, const char [4], ...);`,
        `char ${this.#name('m')}[sizeof(long) * 2 > 8u ? 'c' - 'a' : 1];`,
      ]);
    const choices = [
      plain,
      plain,
      plain,
      attributed,
      special,
      bits,
      bits,
      ...(depth < 2 ? [nested] : []),
    ];
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
    const [before, behind] = this.#pick([
      ['', ''],
      ['', ''],
      [' : unsigned long', ''],
      ['', ' __attribute__((packed))'],
    ] as const);
    return before !== '' && values.some((value) => value.includes('= -'))
      ? `${tag} { ${values.join(', ')} };`
      : `${tag}${before} { ${values.join(', ')} }${behind};`;
  }

  #typedef(): string {
    const name = this.#name('d');
    const text =
      this.#below(3) === 0
        ? `typedef struct ${this.#body('struct', 1)} ${name};`
        : `typedef ${this.#declarator(this.#base(), name)}${this.#pick(['', '', '', ' __attribute__((aligned(16)))', ' __attribute__((aligned(1)))', ' __attribute__((btf_decl_tag("t")))'])};`;
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
