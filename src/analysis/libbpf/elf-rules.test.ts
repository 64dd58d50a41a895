/** Compares verdicts and log lines with libbpf's for the same bytes (`bpftool gen skeleton`). */
import { describe, expect, it } from 'vitest';
import { cstring, u32, u64 } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int } from '#testing/btf-types.ts';
import {
  type ElfSection,
  type ElfSpec,
  type ElfSymbol,
  elfObject,
  rel,
} from '#testing/elf-object.ts';
import { openCheck } from '#testing/open-check.ts';
import { openModel } from '#testing/open-model.ts';
import { checkElf, checkProgramRelocations, type ElfVerdict } from './elf-rules.ts';

/** An object's sections: a program of two instructions, and its license. */
const PROGRAM: ElfSection = { name: 'tc', flags: 6, data: [u64(0xb7n), u64(0x95n)] };
const LICENSE: ElfSection = { name: 'license', flags: 3, data: [cstring('GPL')] };
const MAIN: ElfSymbol = { name: 'main', type: 2, size: 16, shndx: 'tc' };
const REL: ElfSection = {
  name: '.reltc',
  type: 9,
  link: '.symtab',
  info: 'tc',
  entsize: 16,
  data: rel(64, 0, 1, 1),
};

type Change = {
  readonly sections?: readonly ElfSection[];
  readonly symbols?: readonly ElfSymbol[];
} & Omit<ElfSpec, 'sections' | 'symbols'>;

function object({ sections = [PROGRAM, LICENSE], symbols = [MAIN], ...rest }: Change): Uint8Array {
  return elfObject({ sections, symbols, ...rest }).bytes;
}

async function verdictOn(bytes: Uint8Array): Promise<ElfVerdict | null> {
  const model = await openModel('x', bytes);
  const verdict = checkElf(model);
  return verdict?.verdict === 'ok' ? checkProgramRelocations(model) : verdict;
}

const FORMAT = 'LIBBPF_ERRNO__FORMAT';

const REFUSED: readonly (readonly [what: string, change: Change, errno: string, line: string])[] = [
  ['32 bits', { class: 32 }, FORMAT, "elf: 'x' is not a 64-bit ELF object"],
  ['an executable', { header: { type: 2 } }, FORMAT, 'elf: x is not a valid eBPF object file'],
  [
    'another machine',
    { header: { machine: 62 } },
    FORMAT,
    'elf: x is not a valid eBPF object file',
  ],
  [
    'names in a section that does not exist',
    { header: { shstrndx: 99 } },
    FORMAT,
    "elf: failed to get section names strings from x: invalid `Elf' handle",
  ],
  [
    'section headers behind the file',
    { header: { shoff: 1 << 20 } },
    FORMAT,
    "elf: failed to get section names strings from x: invalid `Elf' handle",
  ],
  [
    'no symbol table',
    { symbols: [] },
    'ENOENT',
    "elf: couldn't find symbol table in x, stripped object file?",
  ],
  [
    'two symbol tables',
    { sections: [PROGRAM, { name: 'b', type: 2, link: '.strtab', data: [] }] },
    FORMAT,
    'elf: multiple symbol tables in x',
  ],
  [
    'a section that ends behind the file',
    { sections: [PROGRAM, { ...LICENSE, size: 1 << 20 }] },
    FORMAT,
    'elf: failed to get section(2) license data from x: invalid section header',
  ],
  [
    'half an entry',
    { sections: [PROGRAM, { ...REL, size: 15 }] },
    FORMAT,
    'elf: failed to get section(2) .reltc data from x: invalid data',
  ],
  ['entries of the wrong size', { sections: [PROGRAM, { ...REL, entsize: 24 }] }, FORMAT, ''],
  ['relocations of no section', { sections: [PROGRAM, { ...REL, info: 500 }] }, FORMAT, ''],
  [
    '.BTF without bytes',
    { sections: [{ name: '.BTF', type: 8, size: 24 }], symbols: [{ name: 'a' }] },
    FORMAT,
    '',
  ],
  [
    'an empty license',
    { sections: [PROGRAM, { name: 'license' }] },
    FORMAT,
    'invalid license section in x',
  ],
  [
    'a version of two bytes',
    { sections: [PROGRAM, { name: 'version', data: [cstring('1')] }] },
    FORMAT,
    'invalid kver section in x',
  ],
  [
    'legacy maps',
    { sections: [PROGRAM, { name: 'maps', data: [u32(1)] }] },
    'ENOTSUP',
    "elf: legacy map definitions in 'maps' section are not supported by libbpf v1.0+",
  ],
  [
    'a program that is too long',
    { symbols: [{ ...MAIN, size: 24 }] },
    FORMAT,
    "sec 'tc': program at offset 0 crosses section boundary",
  ],
  [
    'half an instruction',
    { symbols: [{ ...MAIN, size: 12 }] },
    'EINVAL',
    "sec 'tc': corrupted program 'main', offset 0, size 12",
  ],
  [
    'a static program',
    { symbols: [{ ...MAIN, bind: 0 }] },
    'ENOTSUP',
    "sec 'tc': program 'main' is static and not supported",
  ],
  [
    'a symbol that does not exist',
    { sections: [PROGRAM, { ...REL, data: rel(64, 0, 9, 1) }] },
    FORMAT,
    "sec '.reltc': symbol #9 not found for relo #0",
  ],
  [
    'a symbol in a section that does not exist',
    {
      sections: [PROGRAM, { ...REL, data: rel(64, 0, 2, 1) }],
      symbols: [MAIN, { name: 'a', type: 1, shndx: 60_000 }],
    },
    FORMAT,
    "sec '.reltc': corrupted symbol #2 pointing to invalid section #60000 for relo #0",
  ],
  [
    'an entry beside the instructions',
    { sections: [PROGRAM, { ...REL, data: rel(64, 16, 1, 1) }] },
    FORMAT,
    "sec '.reltc': invalid offset 0x10 for relo #0",
  ],
];

describe('libbpf does not open a file with', () => {
  it.each(REFUSED)('%s', async (_what, change, errno, message) => {
    expect(await verdictOn(object(change))).toMatchObject({ verdict: 'refused', errno, message });
  });
});

describe('no rule is broken by a file', () => {
  it.each<readonly [string, Change]>([
    ['with a program', {}],
    ['of the other byte order', { endian: 'big' }],
    ['that does not say its machine', { header: { machine: 0 } }],
    [
      'with a damaged .rel.BTF, which it ignores',
      { sections: [PROGRAM, { ...REL, name: '.rel.BTF', entsize: 3 }] },
    ],
    ['whose REL section links to another section', { sections: [PROGRAM, { ...REL, link: 0 }] }],
  ])('%s', async (_what, change) => {
    expect(await verdictOn(object(change))).toEqual({ verdict: 'ok' });
  });
});

it('says nothing of files whose section headers it cannot read as libelf does', async () => {
  expect(await verdictOn(object({ header: { shentsize: 0 } }))).toBeNull();
});

describe('in the check of a file', () => {
  const { bytes: blob } = btfBlob({ types: [int('int', 4)] });
  const BTF: ElfSection = { name: '.BTF', data: blob };

  it('stops before the fix-ups, and leaves the verdict on the BTF alone', async () => {
    const sections = [PROGRAM, LICENSE, BTF];
    const { check } = await openCheck('x', object({ sections, header: { type: 2 } }));
    expect(check).toMatchObject({
      elf: { verdict: 'refused', errno: FORMAT },
      isObject: true,
      stored: { verdict: { libbpf: { verdict: 'ok' } } },
      loaded: null,
    });
    const sound = await openCheck('x', object({ sections }));
    expect(sound.check).toMatchObject({ elf: { verdict: 'ok' }, loaded: { stopped: null } });
  });

  it('looks at the entries after the fix-ups', async () => {
    const sections = [PROGRAM, LICENSE, BTF, { ...REL, data: rel(64, 1, 1, 1) }];
    const { check } = await openCheck('x', object({ sections }));
    expect(check).toMatchObject({ elf: { where: 'bpf_object__collect_prog_relos' }, loaded: null });
  });
});
