/** Tables of objects: relocations, and the CO-RE relocations of .BTF.ext. */

import { coreRecord } from '#analysis/core/core-records.ts';
import { coreTitle } from '#analysis/find/finder.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { integerOf } from '#bytes/text.ts';
import { coreIndex, relocIndex, sectionIndex } from '#model/ids.ts';
import { sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { nameOf } from '#model/type-table.ts';
import {
  columns,
  type FileRow,
  fileColumn,
  type ModelFile,
  NAME_BYTES,
  type Table,
  typeGoal,
} from './table.ts';

type IndexRow = FileRow & { readonly index: number };

function* counted(file: ModelFile, count: number): Generator<IndexRow, void, undefined> {
  for (let index = 0; index < count; index++) yield { file, index };
}

const cut = (text: string) => text.slice(0, NAME_BYTES);

export const relocations = (): Table<IndexRow> => {
  const { text, integer } = columns<IndexRow>();
  const goal = ({ index }: IndexRow): Selection => ({
    kind: 'relocation',
    reloc: relocIndex(index),
  });
  const meaning = ({ file, index }: IndexRow) => relocationMeaning(file.model, relocIndex(index));
  const sectionOf = ({ file, index }: IndexRow) => {
    const { relocations, sections } = file.model;
    return cut(sectionName(sections, sectionIndex(relocations.targetSection[index] ?? -1)));
  };
  return {
    name: 'relocations',
    doc: 'Each relocation entry of an object',
    rows: (file) => counted(file, file.model.relocations.count),
    atlasRows: null,
    columns: [
      fileColumn<IndexRow>(),
      integer('position', 'Number of the entry in the file, from 0', ({ index }) => index, goal),
      text('section', 'The section that it patches', sectionOf, goal),
      integer('r_offset', 'As stored', ({ file, index }) => {
        return integerOf(file.model.relocations.offset[index] ?? 0n);
      }),
      text('type', 'Its type: R_BPF_64_64', (row) => meaning(row).typeName),
      text('symbol', 'Name of the symbol, or of its section', (row) => {
        return cut(meaning(row).symbolText);
      }),
      integer('addend', 'A; null where it cannot be read', (row) => {
        const { addend } = meaning(row);
        return addend === null ? null : integerOf(addend);
      }),
      text('function', 'The function that it patches; may be empty', (row) => {
        const { site } = meaning(row);
        const found = site && functionAt(row.file.model, site.section, site.byteOffset);
        return cut(found?.name ?? '');
      }),
    ],
  };
};

export const coreRelocations = (): Table<IndexRow> => {
  const { text, integer } = columns<IndexRow>();
  const goal = ({ index }: IndexRow): Selection => ({
    kind: 'core',
    core: coreIndex(index),
    step: null,
  });
  const record = ({ file, index }: IndexRow) => coreRecord(file.model, coreIndex(index));
  const root = (row: IndexRow) => typeGoal(record(row).root);
  const rootName = (row: IndexRow) => {
    const { types } = row.file.model;
    return types === null ? '' : nameOf(types, record(row).root, NAME_BYTES);
  };
  const path = ({ file, index }: IndexRow) => cut(coreTitle(file.model, index));
  return {
    name: 'core_relocations',
    doc: 'Each CO-RE relocation of an object',
    rows: (file) => counted(file, file.model.ext.core.count),
    atlasRows: null,
    columns: [
      fileColumn<IndexRow>(),
      integer('position', 'Number of the record in the file, from 0', ({ index }) => index, goal),
      text('section', 'Section of the instruction', (row) => cut(record(row).sectionName)),
      integer('insn_off', 'Bytes from its start to the instruction', (row) => record(row).insnOff),
      text('function', 'Function of the instruction; may be empty', (row) => {
        return cut(record(row).func?.name ?? '');
      }),
      text('kind', 'As libbpf prints it: byte_off', (row) => record(row).kindName),
      integer('type_id', 'Id of the root type', (row) => record(row).root, root),
      text('type', 'Name of the root type; may be empty', rootName, root),
      text('access_str', 'Access string: 0:1', (row) => cut(record(row).accessStr)),
      text('path', 'The same in names: task_struct.pid', path, goal),
    ],
  };
};
