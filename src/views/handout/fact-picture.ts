/** What is known of one record, as terms and values. */

import { type AccessPath, walkAccess } from '#analysis/core/access-path.ts';
import { coreRecord } from '#analysis/core/core-records.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import type { CoreIndex, RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionCount, sectionName } from '#model/sections.ts';
import type { Fact } from './picture.ts';

/** Its type, its symbol, its place, what is computed, and that in words. */
export function relocationFacts(model: ObjectModel, reloc: RelocIndex): Fact[] {
  const { typeName, symbolText, site, formula, numbers, words } = relocationMeaning(model, reloc);
  const place =
    site === null
      ? ''
      : `${sectionName(model.sections, site.section)} + 0x${site.byteOffset.toString(16)}`;
  return told([
    { term: 'Type', value: typeName },
    { term: 'Symbol', value: symbolText },
    { term: 'Patches', value: place },
    { term: 'Computes', value: numbers === '' ? formula : numbers },
    { term: 'In words', value: words },
  ]);
}

/** Its kind, its access string, and what that is in C. */
export function coreFacts(model: ObjectModel, core: CoreIndex): Fact[] {
  const record = coreRecord(model, core);
  const { types } = model;
  const { kindName, accessStr, sectionName: section, insnIndex, func } = record;
  const path = types === null ? null : walkAccess(types, record.root, accessStr, record.kind);
  return told([
    { term: 'Kind', value: kindName },
    { term: 'Begins at', value: types === null ? '' : typeTitle(types, record.root) },
    { term: 'Access string', value: accessStr },
    { term: 'In C', value: path === null || path.error !== null ? '' : path.expression },
    { term: 'As libbpf logs it', value: path === null ? '' : logged(kindName, path) },
    {
      term: 'Instruction',
      value: func === null ? `${section} #${insnIndex}` : `#${func.insnIndex} of ${func.name}`,
    },
  ]);
}

/** `<byte_off> [2] struct foo.a (0:0 @ offset 0)`. */
function logged(kindName: string, { root, spec, error }: AccessPath): string {
  return error === null ? `<${kindName}> [${root}] ${spec}` : '';
}

/** What is in the file. */
export function fileFacts(model: ObjectModel): Fact[] {
  return told([
    { term: 'File', value: model.name },
    { term: 'Size', value: `${model.size} bytes` },
    { term: 'Byte order', value: `${model.endian}-endian` },
    { term: 'Sections', value: count(sectionCount(model.sections)) },
    { term: 'Types', value: count(model.types?.count ?? 0) },
    { term: 'Relocations', value: count(model.relocations.count) },
    { term: 'CO-RE relocations', value: count(model.ext.core.count) },
  ]);
}

function count(n: number): string {
  return n === 0 ? '' : `${n}`;
}

function told(facts: readonly Fact[]): Fact[] {
  return facts.filter(({ value }) => value !== '');
}
