/** Compares the fields of bytes of DWARF with exact texts, and all fields with the bytes. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { fieldsAt, fileField } from '#analysis/structure/structure.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, lastId, nameOf } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';
import { sectionCalled } from '#testing/samples.ts';
import { walkStructure } from '#testing/walk-structure.ts';

type Sample = { readonly file: Uint8Array; readonly model: ObjectModel; readonly read: ReadBytes };

/** Opens an object of `testdata/dwarf/`: DWARF 5 by GCC, DWARF 4 by clang, or both linked. */
async function open(name: 'gcc.o' | 'clang.o' | 'shared.o'): Promise<Sample> {
  const file = new Uint8Array(readFileSync(`testdata/dwarf/${name}`));
  const model = await openModel(name, file);
  return { file, model, read: (start, end) => file.subarray(start, end) };
}

/** Returns the fields inside of a section that contain its byte `offset`, from the outermost. */
function chain({ model, read }: Sample, section: string, offset: number): string {
  const start = model.sections.fileOffset[sectionCalled(model, section)] ?? 0;
  return fieldsAt(model, start + offset, read)
    .slice(2)
    .map(line)
    .join(' › ');
}

function line({ label, value, meaning }: StructureField): string {
  return `${label}${value === null ? '' : ` = ${value}`}${meaning === '' ? '' : ` (${meaning})`}`;
}

function typeCalled({ types }: ObjectModel, kind: number, name: string): TypeId {
  if (types === null) throw new Error('no types');
  for (let id = types.firstId; id <= lastId(types); id++) {
    if (kindOf(types, typeId(id)) === kind && nameOf(types, typeId(id)) === name) return typeId(id);
  }
  throw new Error(`no type ${name}`);
}

describe('fields of .debug_ sections', () => {
  it.each(['gcc.o', 'clang.o', 'shared.o'] as const)(
    '%s: cover all bytes, with the numbers that the bytes state',
    async (name) => {
      const { file, model, read } = await open(name);
      const { kinds } = walkStructure(fileField(model, read), file, model.endian);
      expect(kinds.get('entry')).toBeGreaterThan(300);
    },
  );

  it('names unit, entry and attribute of a byte of .debug_info', async () => {
    const gcc = await open('gcc.o');
    expect(chain(gcc, '.debug_info', 2)).toBe(
      'unit 0x0 › unit header (DWARF 5) › unit_length = 0x348',
    );
    const unit = 'unit 0x0 › 0xc DW_TAG_compile_unit first.c (64 entries below it)';
    expect(chain(gcc, '.debug_info', 0x40)).toBe(
      `${unit} › 0x3a DW_TAG_base_type long long unsigned int › DW_AT_name = 0x0 (0xab once linked: "long long unsigned int")`,
    );
    expect(chain(gcc, '.debug_info', 0xc0)).toBe(
      `${unit} › 0xaf DW_TAG_structure_type differs (1 entry below it) › 0xbb DW_TAG_member a › DW_AT_type = 0xa8 (DW_TAG_base_type int)`,
    );
  });

  it('reads strings and addresses by their index', async () => {
    const linked = await open('shared.o');
    expect(chain(linked, '.debug_info', 0x10)).toMatch(/ › DW_AT_name = 1 \("first\.c"\)$/);
    expect(chain(linked, '.debug_info', 0x90)).toMatch(
      / › DW_AT_call_return_pc = 6 \(0x1026 in \.debug_addr\)$/,
    );
    expect(chain(linked, '.debug_str_offsets', 0xc)).toMatch(
      /^string offsets 0x0 › entries › \[1\]/,
    );
  });

  it('names abbreviations, opcodes of lines and entries of lists', async () => {
    const clang = await open('clang.o');
    expect(chain(clang, '.debug_abbrev', 0x40)).toBe(
      'abbreviations 0x0 (Table of abbreviations of a unit) › 4 DW_TAG_subprogram › form = 11 (DW_FORM_data1)',
    );
    expect(chain(clang, '.debug_line', 0x40)).toBe(
      'line table 0x0 › line number program › DW_LNS_set_column (0x6: file 1, line 17) › operand = 3',
    );
    expect(chain(clang, '.debug_loc', 0x25)).toBe('location 1 › expression (DW_OP_reg15)');
  });

  it('tells of lists that view numbers of GCC interrupt', async () => {
    expect(chain(await open('gcc.o'), '.debug_loclists', 0x25)).toMatch(
      /^locations 0x0 › lists \(Lists and pairs of view numbers of GCC/,
    );
  });

  it('names what is read up to a damaged entry', async () => {
    const { file, model } = await open('gcc.o');
    const start = model.sections.fileOffset[sectionCalled(model, '.debug_info')] ?? 0;
    const damaged = file.slice();
    // No table has this abbreviation.
    damaged[start + 0xc] = 0x7f;
    const sample = {
      file: damaged,
      model: await openModel('gcc.o', damaged),
      read: model && ((from: number, to: number) => damaged.subarray(from, to)),
    };
    expect(chain(sample, '.debug_info', 0x40)).toBe(
      'unit 0x0 › not read (.debug_info: no abbreviation 127)',
    );
  });
});

describe('types and their entries', () => {
  it.each(['gcc.o', 'shared.o'] as const)(
    '%s: a type leads to its entry and back',
    async (name) => {
      const sample = await open(name);
      const { model, read } = sample;
      const shared = typeCalled(model, BtfKind.STRUCT, 'shared');
      const span = selectionSpan(model, typeSelection(shared));
      const field = fieldsAt(model, span?.start ?? 0, read).find(
        ({ selection }) => selection?.kind === 'type',
      );
      expect(field).toMatchObject({ span, selection: typeSelection(shared) });
      expect(field?.label).toMatch(/^0x[\da-f]+ DW_TAG_structure_type shared$/);
    },
  );
});

it('has the bytes of a first unit of an unknown version', async () => {
  const { file, model } = await open('gcc.o');
  const damaged = file.slice();
  // The version follows the length.
  damaged[(model.sections.fileOffset[sectionCalled(model, '.debug_info')] ?? 0) + 4] = 9;
  const read: ReadBytes = (start, end) => damaged.subarray(start, end);
  const sample = { file: damaged, model: await openModel('gcc.o', damaged), read };
  expect(chain(sample, '.debug_info', 2)).toBe('unit 0x0 › unit_length = 0x348');
  expect(chain(sample, '.debug_info', 0x360)).toMatch(/^unit 0x34c › /);
});
