import { beforeAll, describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionAt } from '#model/sections.ts';
import { recordSpan } from '#model/type-table.ts';
import { sampleModel } from '#testing/samples.ts';
import { byteOwner } from './byte-owner.ts';

let model: ObjectModel;
beforeAll(async () => {
  model = await sampleModel('exec_trace.bpf.o');
});

function at(fileOffset: number) {
  const owner = byteOwner(model, sectionAt(model.sections, fileOffset), fileOffset);
  return owner && [owner.what, owner.name, owner.part, owner.go?.selection.kind ?? null];
}

describe('each byte has an owner', () => {
  it('in the ELF header', () => {
    expect(at(0x12)).toEqual(['ELF header', 'e_machine', expect.stringContaining('BPF'), null]);
  });

  it('in the section headers', () => {
    const start = model.sections.headerOffset[5] ?? 0;
    expect(at(start + 3)).toEqual(['Section header', 'kprobe/do_exit', 'header 5', 'section']);
  });

  it('in the symbol table, first and last byte of an entry', () => {
    const start = model.symbols.entryOffset[8] ?? 0;
    const symbol = ['Symbol', 'only_pid', 'symbol 8 of its table', null];
    expect([at(start), at(start + 23)]).toEqual([symbol, symbol]);
    expect(at(start + 24)?.[1]).toBe('only_uid');
  });

  it('in a relocation section', () => {
    const start = model.relocations.entryOffset[5] ?? 0;
    expect(at(start)).toEqual([
      'Relocation entry',
      '.text + 0x0 → session_of',
      'R_BPF_64_32, entry 5',
      'relocation',
    ]);
  });

  it('in .BTF: header, types and strings', () => {
    const { types } = model;
    const blob = types?.fileOffset ?? 0;
    expect(at(blob)?.slice(0, 2)).toEqual(['BTF header', 'magic']);
    const record = types && recordSpan(types, typeId(1));
    expect(at(record?.start ?? 0)).toEqual(['BTF PTR', '[1] int (*)[1]', 'field name_off', 'type']);
    const name = blob + (types?.strStart ?? 0) + 1;
    const [what, text, part] = at(name + 2) ?? [];
    expect([what, part]).toEqual(['BTF string', 'at offset 0x1 of the strings']);
    expect(text).toBe('int');
  });

  it('in .BTF.ext', () => {
    const { core, func, line } = model.ext;
    expect(at(core.recordOffset[0] ?? 0)?.[0]).toBe('CO-RE relocation');
    expect(at(func.recordOffset[1] ?? 0)?.[0]).toBe('func_info');
    expect(at((line.recordOffset[2] ?? 0) + 15)).toEqual([
      'line_info',
      expect.stringMatching(/\.c:\d+$/),
      expect.stringMatching(/^instruction \d+$/),
      'insn',
    ]);
  });

  it('but plain data has none', () => {
    expect(at(model.sections.fileOffset[9] ?? 0)).toBeNull();
  });

  it('is found for every byte without a throw', () => {
    for (let offset = 0; offset < model.size; offset++) at(offset);
  });
});
