import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sizeOf } from '#analysis/types/sizes.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { enumeratorsOf, membersOf, paramsOf } from '#model/type-items.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { sampleModel, sampleNames } from '#testing/samples.ts';
import type { ModelFile, SqlValue } from './table.ts';
import { TABLES } from './tables.ts';

type Cells = Readonly<Record<string, SqlValue>>;

function rowsOf(name: string, file: ModelFile): Cells[] {
  const table = TABLES.find((one) => one.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return Array.from(table.rows(file), (row) =>
    Object.fromEntries(table.columns.map((column) => [column.name, column.of(row)])),
  );
}

async function fileOf(name: string): Promise<ModelFile> {
  return { name, model: await sampleModel(name) };
}

const idsOf = (types: TypeTable) =>
  Array.from({ length: types.count }, (_, i) => typeId(types.firstId + i));

describe('tables', () => {
  it('have columns of different names, each with a sentence', () => {
    for (const { name, doc, columns } of TABLES) {
      const names = columns.map((column) => column.name);
      expect(new Set(names).size, name).toBe(names.length);
      for (const text of [doc, ...columns.map((column) => column.doc)]) {
        expect(text).toMatch(/[^.]$/);
      }
    }
  });

  it.each(sampleNames())('of %s have the rows of the model', async (name) => {
    const file = await fileOf(name);
    const { types, relocations, ext } = file.model;
    expect(rowsOf('relocations', file)).toHaveLength(relocations.count);
    expect(rowsOf('core_relocations', file)).toHaveLength(ext.core.count);
    if (types === null) return;
    const ids = idsOf(types);
    const listed = rowsOf('types', file);
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect(listed.map((row) => row.name)).toEqual(ids.map((id) => nameOf(types, id)));
    expect(listed.map(({ kind }) => kind)).toEqual(
      ids.map((id) => kindName(kindOf(types, id)).toLowerCase()),
    );
    expect(listed.map(({ size }) => size)).toEqual(
      ids.map((id) => {
        const size = sizeOf(types, id);
        return size === null ? null : Number(size);
      }),
    );
    const members = ids.flatMap((id) => membersOf(types, id).map((member) => ({ id, member })));
    expect(rowsOf('members', file)).toMatchObject(
      members.map(({ id, member }) => ({
        file: name,
        id,
        position: member.index,
        name: member.name,
        type_id: member.type,
      })),
    );
    const values = ids.flatMap((id) => enumeratorsOf(types, id).map(({ value }) => `${value}`));
    expect(rowsOf('enumerators', file).map(({ value }) => `${value}`)).toEqual(values);
    const functions = ids.filter((id) => kindName(kindOf(types, id)) === 'FUNC');
    expect(rowsOf('functions', file).map(({ id }) => id)).toEqual(functions);
    const params = functions.flatMap((id) => paramsOf(types, typeId(sizeOrTypeOf(types, id))));
    expect(rowsOf('params', file).map((row) => row.name)).toEqual(params.map((p) => p.name));
  });

  it('say where bit-fields are, also those that an INT describes', async () => {
    const file = await fileOf('bitfields.bpf.o');
    const fields = rowsOf('members', file).filter(({ bitfield }) => bitfield === true);
    expect(fields.length).toBeGreaterThan(4);
    expect(fields.every(({ bits }) => Number(bits) > 0 && Number(bits) <= 64)).toBe(true);
  });

  it('count holes as pahole does', async () => {
    const careless = rowsOf('types', await fileOf('layout.bpf.o')).find(
      (row) => row.name === 'careless',
    );
    expect(careless).toMatchObject({
      kind: 'struct',
      size: 56,
      holes: 3,
      hole_bits: 160,
      padding_bits: 32,
    });
  });

  it('write prototypes as C declares them', async () => {
    const functions = rowsOf('functions', await fileOf('exec_trace.bpf.o'));
    const exec = functions.find((row) => row.name === 'on_exec');
    expect(exec).toMatchObject({ prototype: 'int on_exec(__u64 *ctx)', params: 1, kfunc: false });
  });

  it('tell kernels from objects and modules', async () => {
    const names = ['kernel.btf', 'exec_trace.bpf.o', 'module.btf'];
    const found = await Promise.all(
      names.map(async (name) => rowsOf('kernels', await fileOf(name))),
    );
    expect(found.map((rows) => rows.length)).toEqual([1, 0, 0]);
    const named = {
      name: 'vmlinux-6.12.1-cloud-amd64.btf',
      model: await sampleModel('kernel.btf'),
    };
    expect(rowsOf('kernels', named)).toMatchObject([
      {
        kernel: '6.12.1-cloud-amd64',
        version: '6.12.1',
        major: 6,
        minor: 12,
        patch: 1,
        rc: null,
        arch: 'amd64',
        flavour: 'cloud',
      },
    ]);
  });

  it('name the function, the field and the symbol of relocations', async () => {
    const file = await fileOf('exec_trace.bpf.o');
    const core = rowsOf('core_relocations', file);
    expect(core.some((row) => row.path === 'task_struct.tgid' && row.kind === 'byte_off')).toBe(
      true,
    );
    expect(core.every((row) => row.function !== '')).toBe(true);
    const entries = rowsOf('relocations', file);
    expect(entries.some((row) => row.type === 'R_BPF_64_64' && row.symbol !== '')).toBe(true);
  });
});

it('docs/query.md has all tables and columns', () => {
  const text = readFileSync(`${import.meta.dirname}/../../../docs/query.md`, 'utf8');
  for (const { name, doc, columns } of TABLES) {
    const rows = columns.map(
      (column) => `| \`${column.name}\` | ${column.type} | ${column.doc} |\n`,
    );
    expect(text).toContain(
      `### ${name}\n\n${doc}.\n\n| column | type | |\n| --- | --- | --- |\n${rows.join('')}`,
    );
  }
});
