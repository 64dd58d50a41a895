/** Compares the fields of some bytes in sample files with exact texts. */
import { describe, expect, it } from 'vitest';
import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { sectionIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { recordSpan } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { declTag, int, typeTag } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleBytes, sampleModel, sectionCalled } from '#testing/samples.ts';
import { childrenOf, fieldsAt, fileField } from './structure.ts';

type Sample = { readonly model: ObjectModel; readonly read: ReadBytes };

async function open(name: string): Promise<Sample> {
  const file = sampleBytes(name);
  return { model: await sampleModel(name), read: (start, end) => file.subarray(start, end) };
}

/** Returns `label = value (meaning)` from the outermost field inside the file to the innermost. */
function chain({ model, read }: Sample, fileOffset: number): string[] {
  return fieldsAt(model, fileOffset, read).slice(1).map(line);
}

function line({ label, value, meaning }: StructureField): string {
  return `${label}${value === null ? '' : ` = ${value}`}${meaning === '' ? '' : ` (${meaning})`}`;
}

function sectionStart({ model }: Sample, name: string): number {
  return model.sections.fileOffset[sectionCalled(model, name)] ?? 0;
}

function recordStart({ model }: Sample, id: number): number {
  const { types } = model;
  return types === null ? 0 : (recordSpan(types, typeId(id))?.start ?? 0);
}

function partsOf(field: StructureField | undefined): StructureField[] {
  const list = field === undefined ? null : childrenOf(field);
  return Array.from({ length: list?.count ?? 0 }, (_, i) => list?.at(i) ?? null).filter(
    (part) => part !== null,
  );
}

/** Returns the field of the type with this title in `kinds.btf`. */
function typeCalled(sample: Sample, title: string): StructureField {
  const blob = partsOf(fileField(sample.model, sample.read))[0];
  const types = partsOf(blob).find(({ label }) => label === 'types');
  const found = partsOf(types).find(({ label }) => label.endsWith(` ${title}`));
  if (found === undefined) throw new Error(`no type ${title}`);
  return found;
}

describe('kind_flag of a tag', () => {
  it.each([
    [declTag('aligned(4)', 1), false, 'the name is the string of a btf_decl_tag'],
    [declTag('aligned(4)', 1), true, 'the name is an attribute itself'],
    [typeTag('address_space(1)', 1), false, 'the name is the string of a btf_type_tag'],
    [typeTag('address_space(1)', 1), true, 'the name is an attribute itself'],
  ])('has a meaning', async (tag, kindFlag, meaning) => {
    const { bytes } = btfBlob({ types: [int('int', 4), { ...tag, kindFlag }] });
    const model = await openModel('t.btf', bytes);
    const sample = { model, read: (start: number, end: number) => bytes.subarray(start, end) };
    const [, info] = partsOf(fieldsAt(model, recordStart(sample, 2), sample.read)[3]);
    const flag = partsOf(info).find(({ label }) => label === 'kind_flag');
    expect(flag && line(flag)).toBe(`kind_flag = ${kindFlag ? 1 : 0} (${meaning})`);
  });
});

describe('the headers of ELF', () => {
  it('names a byte of e_ident', async () => {
    const sample = await open('doc_core.bpf.o');
    expect(chain(sample, 5)).toEqual(['ELF header', 'e_ident[EI_DATA] = 0x1 (little-endian)']);
  });

  it.each(['doc_core.bpf.o', 'doc_core.be.bpf.o'])(
    '%s: sh_type of a section header',
    async (name) => {
      const sample = await open(name);
      const symtab = sectionCalled(sample.model, '.symtab');
      const at = (sample.model.sections.headerOffset[symtab] ?? 0) + 4;
      expect(chain(sample, at).slice(1)).toEqual([`[${symtab}] .symtab`, 'sh_type = 2 (SYMTAB)']);
    },
  );

  it('splits st_info and r_info', async () => {
    const sample = await open('doc_call.bpf.o');
    const { symbols, relocations } = sample.model;
    const info = fieldsAt(sample.model, (symbols.entryOffset[1] ?? 0) + 4, sample.read).at(-1);
    expect(partsOf(info).map(({ name, bits }) => [name, bits?.start, bits?.length])).toEqual([
      ['type', 0, 4],
      ['bind', 4, 4],
    ]);
    const at = (relocations.entryOffset[0] ?? 0) + 8;
    expect(chain(sample, at).slice(-3)).toEqual([
      '[0] R_BPF_64_32 gfunc',
      expect.stringMatching(/^r_info = 0x[0-9a-f]+ \(R_BPF_64_32, gfunc\)$/),
      'type = 10 (R_BPF_64_32)',
    ]);
    expect(chain(sample, at + 4).at(-1)).toMatch(/^sym = \d+ \(gfunc\)$/);
  });

  it('gives every string of a string table', async () => {
    const sample = await open('doc_call.bpf.o');
    const start = sectionStart(sample, '.strtab');
    expect(chain(sample, start)[1]).toBe('"" (Offset 0 of the strings)');
    const second = fieldsAt(sample.model, start + 1, sample.read)[2];
    expect(second?.label).toMatch(/^"[\w.]+"$/);
    expect(second?.span.start).toBe(start + 1);
  });
});

describe('BTF', () => {
  it.each([
    ['kinds.btf', ['vlen', 'unused', 'kind', 'unused', 'kind_flag'], [16, 8, 5, 2, 1]],
    ['kinds_2026.btf', ['vlen', 'kind', 'kind_flag'], [24, 7, 1]],
  ])('%s: the info word', async (name, labels, lengths) => {
    const sample = await open(name);
    const [, info] = partsOf(fieldsAt(sample.model, recordStart(sample, 1), sample.read)[3]);
    expect(partsOf(info).map(({ label }) => label)).toEqual(labels);
    expect(partsOf(info).map(({ bits }) => bits?.length)).toEqual(lengths);
  });

  it('has header, types and strings, with the layout between them since 2026', async () => {
    for (const [name, expected] of [
      ['kinds.btf', ['BTF header', 'types', 'strings']],
      ['kinds_2026.btf', ['BTF header', 'types', 'layout', 'strings']],
    ] as const) {
      const sample = await open(name);
      const blob = partsOf(fileField(sample.model, sample.read))[0];
      expect(partsOf(blob).map(({ label }) => label)).toEqual(expected);
    }
  });

  it('names an inline site by its function, and words of a location by their number', async () => {
    const sample = await open('kinds_2026.btf');
    const [, , , first] = partsOf(typeCalled(sample, 'LOCSEC inline.text'));
    expect(first?.label).toBe('site [0] add');
    expect(partsOf(first).map(line)).toEqual([
      'func = 14 (add())',
      'loc_proto = 99 ((reg5, *(fbreg - 0x20)))',
      'offset = 64 (bytes from the start of the section)',
    ]);
    const location = partsOf(typeCalled(sample, 'LOC_PARAM *(fbreg - 0x20)'));
    expect(location.slice(3).map(({ label }) => label)).toEqual(['flags', 'word [0]', 'word [1]']);
    expect(location[3]?.meaning).toBe('SIGNED REG DEREF OFFSET');
  });

  it('explains the data word of an INT by its bits', async () => {
    const int = typeCalled(await open('kinds.btf'), 'INT int');
    const data = partsOf(int)[3];
    expect(data?.meaning).toBe('32 bits, SIGNED');
    expect(partsOf(data).map(line)).toEqual([
      'bits = 32 (width in bits)',
      'unused = 0',
      'offset = 0 (first bit)',
      'encoding = 1 (SIGNED)',
      'unused = 0',
    ]);
  });

  it('goes to a member from its bytes, and to its type from the id', async () => {
    const sample = await open('doc_core.bpf.o');
    const { types } = sample.model;
    if (types === null) throw new Error('no types');
    const found = Array.from({ length: types.count }, (_, i) => recordStart(sample, i + 1))
      .map((start) => fieldsAt(sample.model, start + 12 + 12 + 4, sample.read))
      .find((fields) => fields[3]?.label.includes('STRUCT') && fields[4]?.label.includes('[1]'));
    const [, , , type, member, field] = found ?? [];
    if (type?.selection?.kind !== 'type') throw new Error('no type is selected');
    expect(member?.selection).toEqual({ ...type.selection, memberPath: [1] });
    expect(member?.cType).toBe('struct btf_member');
    expect(field?.name).toBe('type');
    expect(field?.selection).toMatchObject({ kind: 'type', type: Number(field?.value) });
  });

  it('counts the ids and strings of split BTF from its base', async () => {
    const sample = await open('module.btf');
    const { types } = sample.model;
    const [first] = partsOf(partsOf(partsOf(fileField(sample.model, sample.read))[0])[1]);
    expect(first?.label).toMatch(new RegExp(`^\\[${types?.firstId}\\] `));
  });
});

describe('.BTF.ext', () => {
  it('splits line_col, and goes from a record to its instruction', async () => {
    const sample = await open('exec_trace.bpf.o');
    const { line: lines } = sample.model.ext;
    const at = (lines.recordOffset[0] ?? 0) + 12;
    const fields = fieldsAt(sample.model, at, sample.read);
    const lineCol = fields.find(({ name }) => name === 'line_col');
    const word = lines.lineCol[0] ?? 0;
    expect(lineCol?.meaning).toBe(`line ${word >>> 10}, column ${word & 0x3ff}`);
    expect(partsOf(lineCol).map(line)).toEqual([
      `column = ${word & 0x3ff}`,
      `line = ${word >>> 10}`,
    ]);
    const record = fields.find(({ cType }) => cType === 'struct bpf_line_info');
    expect(record?.selection).toEqual({
      kind: 'insn',
      section: lines.section[0],
      insnOff: lines.insnOff[0],
    });
  });

  it('names the size of records, blocks and their headers', async () => {
    const sample = await open('exec_trace.bpf.o');
    const { core } = sample.model.ext;
    const first = core.recordOffset[0] ?? 0;
    expect(chain(sample, first - 12).at(-1)).toBe('rec_size = 16 (bytes of one record)');
    expect(chain(sample, first - 4).at(-1)).toMatch(/^num_info = \d+ \(records that follow\)$/);
    expect(fieldsAt(sample.model, first, sample.read).at(-2)?.selection).toEqual({
      kind: 'core',
      core: 0,
      step: null,
    });
  });
});

describe('code and data', () => {
  it.each([
    ['doc_ld_imm64.bpf.o', ['dst_reg', 'src_reg']],
    ['doc_ld_imm64.be.bpf.o', ['src_reg', 'dst_reg']],
  ])('%s: both halves of a load, and the nibbles of the registers', async (name, nibbles) => {
    const sample = await open(name);
    const start = sectionStart(sample, '.text');
    const [, section, func, insn, code] = fieldsAt(sample.model, start, sample.read);
    expect(section?.label).toBe('.text');
    expect(func?.kind).toBe('function');
    expect(insn?.label).toBe('insn 0');
    expect(partsOf(code).map(line)).toEqual([
      'class = 0 (BPF_LD, loads of constants)',
      'size = 3 (BPF_DW, 8 bytes)',
      'mode = 0 (BPF_IMM, 64-bit constant)',
    ]);
    const registers = fieldsAt(sample.model, start + 1, sample.read).at(-1);
    expect(partsOf(registers).map((part) => part.name)).toEqual(nibbles);
    const second = fieldsAt(sample.model, start + 12, sample.read);
    expect(second.at(-2)?.meaning).toBe('Second half of the load of a 64-bit constant');
    expect(second.at(-2)?.selection).toMatchObject({ kind: 'insn', insnOff: 0 });
    expect(second.at(-1)?.meaning).toBe('upper half of the constant');
  });

  it('distinguishes a constant that looks like a load from a load', async () => {
    const file = sampleBytes('doc_ld_imm64.bpf.o');
    const sample = await open('doc_ld_imm64.bpf.o');
    const start = sectionStart(sample, '.text');
    // The slot after a load stays its second half even if it begins with the opcode of a load.
    file[start + 8] = 0x18;
    const model = await openModel('changed.o', file);
    const read: ReadBytes = (from, to) => file.subarray(from, to);
    const meanings = [0, 8, 16, 24].map((at) => fieldsAt(model, start + at, read)[3]?.meaning);
    expect(meanings[1]).toMatch(/^Second half/);
    expect(meanings[2]).not.toMatch(/^Second half/);
  });

  it('reads variables by their types, and a map definition member by member', async () => {
    const sample = await open('exec_trace.bpf.o');
    expect(chain(sample, sectionStart(sample, 'license')).slice(1)).toEqual([
      'LICENSE ("GPL")',
      '[0] = 71',
    ]);
    const map = fieldsAt(sample.model, sectionStart(sample, '.maps'), sample.read)[2];
    expect(partsOf(map).map(({ label }) => label)).toEqual(
      expect.arrayContaining(['type', 'max_entries']),
    );
  });

  it('lists every section by its name, each where its bytes are', async () => {
    const sample = await open('data_relocs.be.bpf.o');
    const { sections } = sample.model;
    for (let i = 1; i < sections.count; i++) {
      if ((sections.byteLength[i] ?? 0) === 0) continue;
      const field = fieldsAt(sample.model, sections.fileOffset[i] ?? 0, sample.read)[1];
      expect(field?.label).toBe(sectionName(sections, sectionIndex(i)));
      expect(field?.selection).toEqual({ kind: 'section', section: i });
    }
  });
});

it('has a field for the bytes after the known fields of the optional header', async () => {
  const sample = sampleBytes('alpha_gpdisp.ecoff');
  const file = new Uint8Array(sample.length + 1);
  file.set(sample.subarray(0, 104));
  file.set(sample.subarray(104), 105);
  // Sets f_opthdr.
  file[20] = 81;
  const model = await openModel('long', file);
  const [, header, byte] = fieldsAt(model, 104, (start, end) => file.subarray(start, end));
  expect(header).toMatchObject({ label: 'optional header', span: { start: 24, end: 105 } });
  expect(byte).toMatchObject({ kind: 'padding', span: { start: 104, end: 105 } });
});
