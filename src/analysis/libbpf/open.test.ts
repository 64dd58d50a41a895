/** Opens objects of clang with faults, and compares the failures with libbpf's lines. */
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { datasec, int, variable } from '#testing/btf-types.ts';
import { compileBpf } from '#testing/compile-bpf.ts';
import { type ElfSection, elfObject } from '#testing/elf-object.ts';
import { openObject } from '#testing/open-model.ts';
import { loadObject } from './open.ts';
import { errnoNumber, failureText } from './outcome.ts';

const PRELUDE = `
#define SEC(name) __attribute__((section(name), used))
#define __uint(name, val) int (*name)[val]
#define __type(name, val) typeof(val) *name
#define __array(name, val) typeof(val) *name[]
#define __ulong(name, val) enum { name##__value = val } name
#define HIDDEN __attribute__((visibility("hidden")))
typedef int callback(void *);
int use(void *) asm("use");
char LICENSE[] SEC("license") = "GPL";
`;

const MAP = '__uint(type, 1); __type(key, int); __type(value, int); __uint(max_entries, 4);';
const PROGRAM = 'SEC("xdp") int entry(void *ctx) { return 2; }';

async function open(text: string) {
  const { model, source } = await openObject('a.o', compileBpf(`${PRELUDE}${text}`));
  return loadObject(model, source);
}

async function failuresOf(text: string): Promise<string[]> {
  const { failures } = await open(text);
  return failures.map((failure) => `${failureText(failure)} ${errnoNumber(failure)}`);
}

describe('an object', () => {
  it.each([
    [
      'of a static map',
      `static struct { ${MAP} } m SEC(".maps"); ${PROGRAM}`,
      ["map 'm': unsupported map linkage static. -95"],
    ],
    [
      'of a hidden map',
      `struct { ${MAP} } m SEC(".maps") HIDDEN; ${PROGRAM}`,
      ["map 'm': unsupported map linkage static. -95"],
    ],
    [
      'of three maps, two of them with faults',
      `struct { ${MAP} __uint(pinning, 16); } a SEC(".maps");
       struct { ${MAP} } b SEC(".maps");
       struct { ${MAP} __uint(colour, 1); } c SEC(".maps"); ${PROGRAM}`,
      ["map 'a': invalid pinning value 16. -22", "map 'c': unknown field 'colour'. -95"],
    ],
    [
      'of an inner map that is pinned',
      `struct { __uint(type, 12); __type(key, int); __uint(max_entries, 1);
         __array(values, struct { ${MAP} __uint(pinning, 0); }); } m SEC(".maps"); ${PROGRAM}`,
      ["map 'm.inner': inner def can't be pinned. -22"],
    ],
    [
      'of a variable in .maps that is no struct',
      `int m SEC(".maps"); ${PROGRAM}`,
      ["map 'm': unexpected def kind var. -22"],
    ],
    [
      'of a struct without members in .maps',
      `struct {} m SEC(".maps"); ${PROGRAM}`,
      [
        'The size of section .maps cannot be found in the ELF file. -2',
        "map 'm': map type isn't specified. -22",
      ],
    ],
    [
      'of two arenas',
      `struct { __uint(type, 33); __uint(map_flags, 1024); __uint(max_entries, 1); } m SEC(".maps");
       struct { __uint(type, 33); __uint(map_flags, 1024); __uint(max_entries, 1); } n SEC(".maps");
       ${PROGRAM}`,
      ["map 'n': only single ARENA map is supported (map 'm' is also ARENA) -22"],
    ],
    [
      'of an arena that is too small',
      `struct { __uint(type, 33); __uint(map_flags, 1024); __uint(max_entries, 1); } m SEC(".maps");
       char big[8192] SEC(".addr_space.1") = {1}; ${PROGRAM}`,
      [
        "elf: sec '.addr_space.1': declared ARENA map size (4096) is too small to hold global __arena variables of size 8192 -7",
      ],
    ],
    [
      'of variables in an arena that is missing',
      `struct { ${MAP} } m SEC(".maps"); int v SEC(".addr_space.1") = 1; ${PROGRAM}`,
      [
        `elf: sec '.addr_space.1': to use global __arena variables the ARENA map should be explicitly declared in SEC(".maps") -2`,
      ],
    ],
    [
      'of a program array with a subprogram and a variable',
      `int v = 1; int sub(void *ctx) { return 1; } ${PROGRAM}
       struct { __uint(type, 3); __type(key, int); __uint(max_entries, 3);
         __array(values, callback); } m SEC(".maps") = {
         .values = { (void *)&entry, (void *)&sub, (void *)&v } };`,
      [
        ".maps relo #1: 'sub' isn't a valid program reference -3",
        ".maps relo #2: 'v' isn't a valid program reference -3",
      ],
    ],
    [
      'of an array of maps with a program',
      `struct inner { ${MAP} }; ${PROGRAM}
       struct { __uint(type, 12); __type(key, int); __uint(max_entries, 1);
         __array(values, struct inner); } m SEC(".maps") = { .values = { (void *)&entry } };`,
      [".maps relo #0: 'entry' isn't a BTF-defined map -4005"],
    ],
    [
      'of a variable in an unknown section',
      `int v SEC("mydata") = 1; SEC("xdp") int entry(void *ctx) { return v; }`,
      ["prog 'entry': bad map relo against 'v' in section 'mydata' -4005"],
    ],
    [
      'of a call of a program',
      `SEC("xdp") __attribute__((noinline)) int entry(void *ctx) { return *(volatile int *)ctx; }
       SEC("tc") int other(void *ctx) { return entry(ctx); }`,
      ["prog 'other': bad call relo against 'entry' in section 'xdp' -4005"],
    ],
    [
      'of a function that is defined nowhere',
      'SEC("xdp") int entry(void *ctx) { return use(ctx); }',
      [expect.stringMatching(/^failed to find BTF for extern 'use' \[\d+\] section: -2 -2$/)],
    ],
    [
      'of an option without a size',
      `extern const char CONFIG_HOST[] SEC(".kconfig");
       SEC("xdp") int entry(void *ctx) { return CONFIG_HOST[0]; }`,
      ["failed to alloc map 'a.kconfig' content buffer: -EINVAL -22"],
    ],
  ])('%s', async (_name, text, failures) => {
    expect(await failuresOf(text)).toEqual(failures);
  });

  it('has the map_extra of an arena as __ulong states it', async () => {
    const { failures, maps } = await open(`struct {
      __uint(type, 33); __uint(map_flags, 1024); __uint(max_entries, 10);
      __ulong(map_extra, 1ull << 44); } arena SEC(".maps"); ${PROGRAM}`);
    expect([failures, maps[0]?.extra]).toEqual([[], 1n << 44n]);
  });

  it('has no programs if all functions are in .text', async () => {
    const { failures, programs, notes } = await open('int lone(void *ctx) { return 0; }');
    expect([failures, programs]).toEqual([[], []]);
    expect(notes).toEqual([
      "libbpf before 1.5 takes the only function of the object as a program and fails to load it: prog 'lone': missing BPF prog type, check ELF section name '.text'",
    ]);
    expect((await open('int a(void *x) { return 0; } int b(void *x) { return 1; }')).notes).toEqual(
      [],
    );
  });

  it('has a note if the kernel refuses its BTF', async () => {
    const types = [
      int('int', 4),
      variable('a', 1),
      variable('b', 1),
      datasec('.data', 8, [
        [2, 0, 4],
        [3, 0, 4],
      ]),
    ];
    const { bytes } = elfObject({
      sections: [
        { name: '.data', flags: 3, data: new Uint8Array(8) },
        { name: '.BTF', data: btfBlob({ types }).bytes },
      ],
      symbols: [
        { name: 'a', size: 4, type: 1, shndx: '.data' },
        { name: 'b', value: 4, size: 4, type: 1, shndx: '.data' },
      ],
    });
    const { model, source } = await openObject('a.o', bytes);
    const { failures, notes } = await loadObject(model, source);
    expect([failures, notes]).toEqual([
      [],
      [
        'Linux 6.18 refuses the BTF of the object (Invalid offset in type [4]): libbpf warns of it, and loads maps and programs without types.',
      ],
    ]);
  });

  it('maps a section of variables into memory only if one of them is visible', async () => {
    const flags = async (text: string) => (await open(`${text} ${PROGRAM}`)).maps[0]?.flags;
    expect(await flags('int a SEC(".data.x") = 1;')).toBe(1024n);
    expect(await flags('HIDDEN int a SEC(".data.x") = 1;')).toBe(0n);
  });

  it('warns of an option without a size before the failure', async () => {
    const { openWarnings } = await open(`extern const char CONFIG_HOST[] SEC(".kconfig");
      SEC("xdp") int entry(void *ctx) { return CONFIG_HOST[0]; }`);
    expect(openWarnings).toEqual(["failed to resolve size of extern (kcfg) 'CONFIG_HOST': 0"]);
  });
});

describe('sections that libbpf skips', () => {
  const code = { name: 'xdp', flags: 6, data: new Uint8Array(16).fill(0xb7) };
  const other = { name: 'other', flags: 3, data: new Uint8Array(8) };
  const infosOf = async (sections: readonly ElfSection[]) => {
    const symbols = [{ name: 'entry', size: 16, type: 2, shndx: 'xdp' }];
    const { bytes } = elfObject({ sections, symbols });
    const { model, source } = await openObject('a.o', bytes);
    return (await loadObject(model, source)).openInfos;
  };

  it('are logged with their numbers', async () => {
    const rel = { name: '.relother', type: 9, entsize: 16, info: 'other', data: [] };
    expect(await infosOf([code, other, rel, { name: 'n', type: 8, size: 5 }])).toEqual([
      'elf: skipping unrecognized data section(2) other',
      'elf: skipping relo section(3) .relother for section(2) other',
      'elf: skipping section(4) n (size 5)',
    ]);
  });

  it('are logged up to the section that libbpf refuses', async () => {
    const maps = { name: 'maps', flags: 3, data: new Uint8Array(20) };
    expect(await infosOf([code, other, maps, other])).toEqual([
      'elf: skipping unrecognized data section(2) other',
    ]);
  });
});
