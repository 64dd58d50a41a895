// Writes results for Alpha eCOFF samples: those of an independent reader of headers and entries,
// and the output of GNU objdump. Source: Tru64 UNIX Object File and Symbol Table Format
// Specification, chapters 2 and 4.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './tools.mjs';

/** Names of r_type, as in the dumps of the document. */
const TYPES = [
  'ABS',
  'REFLONG',
  'REFQUAD',
  'GPREL32',
  'LITERAL',
  'LITUSE',
  'GPDISP',
  'BRADDR',
  'HINT',
  'SREL16',
  'SREL32',
  'SREL64',
  'PUSH',
  'STORE',
  'PSUB',
  'PRSHIFT',
  'GPVALUE',
  'GPHIGH',
  'GPLOW',
  'IMMED',
  'TLSLITE',
  'TLSHIGH',
  'TLSLOW',
];
/** Names of R_SN_*, by the value of r_symndx in a local entry. */
const SECTIONS = [
  '',
  '.text',
  '.rdata',
  '.data',
  '.sdata',
  '.sbss',
  '.bss',
  '.init',
  '.lit8',
  '.lit4',
  '.xdata',
  '.pdata',
  '.fini',
  '.lita',
  '*ABS*',
  '.rconst',
  '.tlsdata',
  '.tlsbss',
  '.tlsinit',
];
/** Types of entries in which r_symndx is a distance, a kind of use or an amount, not a section. */
const WITHOUT_SECTION = new Set([5, 6, 15, 16, 19]);
const STORE = 13;
const IMMED = 19;

function readEcoff(bytes) {
  const u16 = (at) => bytes.readUInt16LE(at);
  const u32 = (at) => bytes.readUInt32LE(at);
  const u64 = (at) => Number(bytes.readBigUInt64LE(at));
  const filehdr = {
    f_magic: u16(0),
    f_nscns: u16(2),
    f_timdat: u32(4),
    f_symptr: u64(8),
    f_nsyms: u32(16),
    f_opthdr: u16(20),
    f_flags: u16(22),
  };
  const aouthdr = {
    magic: u16(24),
    vstamp: u16(26),
    tsize: u64(32),
    dsize: u64(40),
    bsize: u64(48),
    entry: u64(56),
    text_start: u64(64),
    data_start: u64(72),
    bss_start: u64(80),
    gprmask: u32(88),
    fprmask: u32(92),
    gp_value: u64(96),
  };
  const sections = Array.from({ length: filehdr.f_nscns }, (_, i) => {
    const at = 24 + filehdr.f_opthdr + 64 * i;
    const name = bytes.toString('latin1', at, at + 8).replace(/\0.*$/, '');
    return {
      index: i,
      file_offset: at,
      name,
      s_paddr: u64(at + 8),
      s_vaddr: u64(at + 16),
      s_size: u64(at + 24),
      s_scnptr: u64(at + 32),
      s_relptr: u64(at + 40),
      s_nreloc: u16(at + 56),
      s_flags: u32(at + 60),
    };
  });
  const symbols = filehdr.f_symptr;
  const strings = u64(symbols + 48 + 8 * 8);
  const external = u64(symbols + 48 + 11 * 8);
  const externals = Array.from({ length: u32(symbols + 44) }, (_, index) => {
    // EXTR: a SYMR of 16 bytes, flags, and the index of the file.
    const at = external + 24 * index;
    const iss = u32(at + 8);
    return {
      index,
      value: u64(at),
      iss,
      name: bytes.toString('latin1', strings + iss, bytes.indexOf(0, strings + iss)),
    };
  });
  const relocations = sections
    .filter(({ s_nreloc: count }) => count > 0)
    .map(({ name, s_relptr: relptr, s_nreloc: count }) => ({
      section: name,
      count,
      entries: Array.from({ length: count }, (_, n) => {
        const at = relptr + 16 * n;
        const bits = u32(at + 12);
        return {
          n,
          file_offset: at,
          vaddr: u64(at),
          symndx: u32(at + 8),
          type: bits & 0xff,
          extern: (bits >>> 8) & 1,
          offset: (bits >>> 9) & 0x3f,
          size: (bits >>> 26) & 0x3f,
        };
      }),
    }));
  return { file_size: bytes.length, filehdr, aouthdr, sections, externals, relocations };
}

/** Names of literal uses, as in the dumps of the document. */
const USES = ['', 'R_LU_BASE', 'R_LU_BYTOFF', 'R_LU_JSR'];
const ABS = 14;

function listedText(entry, externals) {
  if (entry.type === 5) return USES[entry.symndx];
  if (entry.type === 15 && entry.symndx === ABS) return 'R_SN_ABS';
  return symbolText(entry, externals);
}

function symbolText({ type, extern, symndx }, externals) {
  if (extern === 1) return externals[symndx].name;
  return WITHOUT_SECTION.has(type) ? '' : (SECTIONS[symndx] ?? '');
}

/** Returns relocation entries as a dump in the format of the document. */
function listing({ relocations, externals }) {
  const lines = [
    '                        ***RELOCATION INFORMATION***',
    '          Vaddr         Symndx   Type  Off Size Extern  Name',
  ];
  for (const { section, entries } of relocations) {
    lines.push('', `${section}:`);
    for (const entry of entries) {
      const { vaddr, symndx, type, extern, offset, size } = entry;
      const place =
        type === STORE ? `${String(offset).padStart(4)}${String(size).padStart(5)}` : ' '.repeat(9);
      const link = (extern === 1 ? 'extern' : 'local').padEnd(8);
      const hex = vaddr.toString(16).padStart(16, '0');
      lines.push(
        `    0x${hex}${String(symndx).padStart(8)}${TYPES[type].padStart(8)}${place} ${link}${listedText(entry, externals)}`.trimEnd(),
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Moves all sections and symbols. Returns the new values of whole addresses: S + A with the new S.
 */
function applied(file, { sections, externals, relocations, aouthdr }, bytes) {
  const moved = new Map(
    sections.map(({ name, s_vaddr: at }, i) => [name, 0x120000000 + 0x10000 * i + at]),
  );
  const symbols = Object.fromEntries(
    externals.map(({ name }, i) => [name, 0x121000000 + 0x100 * i]),
  );
  const results = [];
  for (const { section, entries } of relocations) {
    const own = sections.find(({ name }) => name === section);
    for (const entry of entries) {
      const size = { 1: 4, 2: 8 }[entry.type];
      if (size === undefined) continue;
      const at = own.s_scnptr + entry.vaddr - own.s_vaddr;
      const before = size === 4 ? bytes.readInt32LE(at) : Number(bytes.readBigInt64LE(at));
      const symbol = symbolText(entry, externals);
      const target = sections.find(({ name }) => name === symbol);
      if (entry.extern === 0 && target === undefined) continue;
      const value =
        entry.extern === 1 ? symbols[symbol] + before : before + moved.get(symbol) - target.s_vaddr;
      results.push({
        section,
        n: entry.n,
        type: TYPES[entry.type],
        extern: entry.extern,
        symbol,
        new_address: moved.get(section) + entry.vaddr - own.s_vaddr,
        before,
        doc: value,
        semantic: value,
      });
    }
  }
  return {
    file,
    layout: Object.fromEntries(moved),
    symbols,
    new_gp: aouthdr.gp_value + 0x120000000,
    results,
  };
}

/** Writes the objects, and for each the results of the reader above and of GNU objdump. */
export function writeEcoff(work, output, samples) {
  const names = readdirSync(samples).filter((name) => name.endsWith('.ecoff'));
  for (const sample of names) {
    const name = sample.replace('.ecoff', '');
    const bytes = readFileSync(join(samples, sample));
    const command = `public/samples/${sample}`;
    output.write(`ecoff/${name}.o`, bytes, command);
    writeFileSync(join(work, `${name}.o`), bytes);
    const read = readEcoff(bytes);
    const dump = attempt(
      ['alpha-linux-gnu-objdump', '-f', '-h', '-t', '-r', '-d', '-s', `${name}.o`],
      { cwd: work },
    );
    output.write(
      `ecoff/${name}.objdump.txt`,
      dump.stdout,
      `alpha-linux-gnu-objdump -f -h -t -r -d -s ${name}.o`,
    );
    // Leaves out IMMED entries, whose meaning depends on their kind; the large corpus has them.
    if (!read.relocations.some(({ entries }) => entries.some(({ type }) => type === IMMED))) {
      output.write(`ecoff/${name}.listing.txt`, listing(read), 'scripts/testdata/ecoff.mjs');
    }
    output.writeJson(`ecoff/${name}.expected.json`, read, 'scripts/testdata/ecoff.mjs');
    const apply = applied(`${name}.o`, read, bytes);
    if (apply.results.length > 0)
      output.writeJson(`ecoff/${name}.apply.json`, apply, 'scripts/testdata/ecoff.mjs');
  }
  const cut = readFileSync(join(samples, 'alpha_branch.ecoff'));
  const whole = readEcoff(cut);
  output.write(
    'ecoff/x_truncated.o',
    cut.subarray(0, whole.sections[0].s_relptr + 8),
    'alpha_branch.o, cut inside its entries',
  );
  output.write('ecoff/x_truncated.objdump.txt', '', 'objdump refuses the file');
  output.writeJson(
    'ecoff/x_truncated.expected.json',
    { truncated: true, filehdr: whole.filehdr },
    'scripts/testdata/ecoff.mjs',
  );
  output.writeJson('ecoff/LINK_REPORT.json', [], 'no links: the large corpus has them');
}
