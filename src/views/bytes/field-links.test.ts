import { beforeAll, describe, expect, it } from 'vitest';
import type { ReadBytes } from '#analysis/fields/field.ts';
import { fieldsAt } from '#analysis/structure/structure.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { recordSpan } from '#model/type-table.ts';
import { sampleBytes, sampleModel, sectionCalled } from '#testing/samples.ts';
import { innermostLink, linkOf, selectionOfField } from './field-links.ts';

const NAME = 'exec_trace.bpf.o';
let model: ObjectModel;
let read: ReadBytes;
beforeAll(async () => {
  const file = sampleBytes(NAME);
  model = await sampleModel(NAME);
  read = (start, end) => file.subarray(start, end);
});

const chain = (fileOffset: number) => fieldsAt(model, fileOffset, read);
const goes = (fileOffset: number) => innermostLink(chain(fileOffset))?.selection ?? null;

function recordStart(id: number): number {
  return (model.types && recordSpan(model.types, typeId(id))?.start) ?? 0;
}

describe('links of a byte', () => {
  it('from tables to what their rows speak of', () => {
    expect(goes((model.sections.headerOffset[5] ?? 0) + 3)).toEqual({
      kind: 'section',
      section: 5,
    });
    expect(goes(model.relocations.entryOffset[5] ?? 0)).toEqual({ kind: 'relocation', reloc: 5 });
    expect(goes(recordStart(1))).toEqual({ kind: 'type', type: 1, memberPath: [] });
    const { core, line } = model.ext;
    expect(goes(core.recordOffset[2] ?? 0)).toEqual({ kind: 'core', core: 2, step: null });
    expect(goes(line.recordOffset[2] ?? 0)).toMatchObject({ kind: 'insn' });
  });

  it('from code to the instruction, from headers and plain bytes nowhere', () => {
    const text = model.sections.fileOffset[sectionCalled(model, '.text')] ?? 0;
    expect(goes(text + 9)).toMatchObject({ kind: 'insn', insnOff: 8 });
    expect([goes(0x12), goes(model.sections.fileOffset[1] ?? 0)]).toEqual([null, null]);
  });

  it('from the id of a type to that type, distinct from its own record', () => {
    const [field] = chain(recordStart(1) + 8).toReversed();
    const type = Number(field?.value);
    expect(field && linkOf(field)).toMatchObject({
      label: 'Go to referenced type',
      selection: { kind: 'type', type },
    });
    expect(goes(recordStart(1) + 8)).toMatchObject({ kind: 'type', type: 1 });
  });
});

describe('what picking a field selects', () => {
  it('is the thing itself where its bytes are the ones that are lit for it', () => {
    const owners = chain(recordStart(1));
    const selections = owners.map((field) => selectionOfField(model, field).kind);
    expect(owners.map(({ kind }) => kind)).toEqual(['file', 'section', 'part', 'type', 'field']);
    expect(selections).toEqual(['bytes', 'section', 'bytes', 'type', 'bytes']);
  });

  it('is its bytes where the thing lies elsewhere', () => {
    const owners = chain(model.relocations.entryOffset[0] ?? 0);
    const entry = owners.find(({ kind }) => kind === 'entry');
    expect(entry && selectionOfField(model, entry)).toEqual({ kind: 'bytes', ...entry?.span });
  });
});
