import { describe, expect, it } from 'vitest';
import { relocIndex, symbolIndex, typeId } from '#model/ids.ts';
import { NO_SELECTION, type Selection, typeSelection } from '#model/selection.ts';
import { symbolName } from '#model/symbols.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openObject } from '#testing/open-model.ts';
import { sampleObject, sectionCalled } from '#testing/samples.ts';
import { firstCode, noCode, sectionToShow, selectedInsn } from './CodeView.tsx';
import { parseInsn } from './Listing.tsx';

describe('noCode', () => {
  it('explains BTF blobs, other machines and objects without code', async () => {
    const blob = await openObject('a.btf', btfBlob().bytes);
    expect(noCode(blob.model)?.title).toBe('A BTF blob has no code');
    const { model } = await sampleObject('doc_call.bpf.o');
    expect(noCode(model)).toBeNull();
    const native = { ...model, machine: { number: 62, name: 'x86-64' } };
    expect(noCode(native)?.title).toBe('Instructions of x86-64 are not shown');
    const empty = await openObject('a.o', elfObject().bytes);
    expect(noCode({ ...empty.model, machine: model.machine })?.title).toBe(
      'This object has no code',
    );
  });
});

describe('selectedInsn and sectionToShow', () => {
  it('follow instructions, relocations, symbols and functions', async () => {
    const { model } = await sampleObject('doc_call.bpf.o');
    const text = sectionCalled(model, '.text');
    const sec1 = sectionCalled(model, 'sec1');
    const lfunc = Array.from({ length: model.symbols.count }, (_, i) => symbolIndex(i)).find(
      (symbol) => symbolName(model.symbols, symbol) === 'lfunc',
    );
    if (lfunc === undefined) throw new Error('lfunc has a symbol');
    expect(selectedInsn(model, { kind: 'symbol', symbol: lfunc })).toEqual({
      section: sec1,
      insnOff: 0x18,
    });
    const reloc: Selection = { kind: 'relocation', reloc: relocIndex(1) };
    expect(selectedInsn(model, reloc)).toEqual({ section: text, insnOff: 0x30 });
    expect(sectionToShow(model, reloc, sec1)).toBe(text);
    expect(sectionToShow(model, { kind: 'section', section: sec1 }, text)).toBe(sec1);
    expect(sectionToShow(model, NO_SELECTION, sec1)).toBe(sec1);
    expect(sectionToShow(model, NO_SELECTION, null)).toBe(sec1);
    expect(firstCode(model)).toBe(text);
  });

  it('leaves out sections without code', async () => {
    const { model } = await sampleObject('doc_core.bpf.o');
    const section = sectionCalled(model, '.BTF');
    expect(selectedInsn(model, { kind: 'section', section })).toBeNull();
    expect(selectedInsn(model, typeSelection(typeId(2)))).toBeNull();
    const start = model.sections.fileOffset[section] ?? 0;
    expect(selectedInsn(model, { kind: 'bytes', start, end: start + 1 })).toBeNull();
  });
});

describe('parseInsn', () => {
  const range = { count: 100, functionStart: 40, functionEnd: 60 };

  it('takes numbers of the listing, and behind a plus those of the function', () => {
    expect(parseInsn(' 48 ', range)).toEqual({ ok: true, at: 48 });
    expect(parseInsn('99', range)).toEqual({ ok: true, at: 99 });
    expect(parseInsn('+12', range)).toEqual({ ok: true, at: 52 });
  });

  it('says what there is', () => {
    expect(parseInsn('100', range)).toEqual({
      ok: false,
      problem: 'The section has 100 instruction slots',
    });
    expect(parseInsn('+20', range)).toEqual({
      ok: false,
      problem: 'The function has 20 instruction slots',
    });
    expect(parseInsn('0x10', range)).toMatchObject({ ok: false });
  });
});
