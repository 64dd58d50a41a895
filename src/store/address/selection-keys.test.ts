import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreIndex, relocIndex, sectionIndex, symbolIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { memberCount } from '#model/type-items.ts';
import { sampleModel } from '#testing/samples.ts';
import { formatAddress, parseAddress, START } from './address.ts';
import { resolveSelection, selectionParams } from './selection-keys.ts';

const named = { file: 'a'.repeat(64), name: 'prog.o' };

/** Formats a selection for the address, and returns the selection that the address gives. */
function there(model: ObjectModel, selection: Selection): Selection {
  const params = selectionParams(model, selection);
  const address = parseAddress(
    formatAddress({ ...START, hasView: true, view: 'types', ...named, params }),
  );
  expect(address).toMatchObject({ view: 'types', ...named });
  const { selection: back, problem } = resolveSelection(model, address.params);
  expect(problem).toBeNull();
  return back;
}

/** Yields every selection that a user can make in the file. */
function* selections(model: ObjectModel): Generator<Selection> {
  for (let id = 1; id <= (model.types?.count ?? 0); id++) {
    yield { kind: 'type', type: typeId(id), memberPath: [] };
    const members = model.types === null ? 0 : memberCount(model.types, typeId(id));
    for (let index = 0; index < members; index++) {
      yield { kind: 'type', type: typeId(id), memberPath: [index] };
    }
  }
  for (let i = 0; i < model.sections.count; i++) {
    yield { kind: 'section', section: sectionIndex(i) };
    yield { kind: 'insn', section: sectionIndex(i), insnOff: 8 };
  }
  for (let i = 0; i < model.symbols.count; i++) yield { kind: 'symbol', symbol: symbolIndex(i) };
  for (let i = 0; i < model.relocations.count; i++) {
    yield { kind: 'relocation', reloc: relocIndex(i) };
  }
  for (let i = 0; i < model.ext.core.count; i++) {
    yield { kind: 'core', core: coreIndex(i), step: i % 3 === 0 ? null : i % 3 };
  }
}

describe.each(['kinds.bpf.o', 'exec_trace.be.bpf.o', 'data_relocs.bpf.o', 'kinds_2026.btf'])(
  '%s',
  (sample) => {
    let model: ObjectModel;
    beforeAll(async () => {
      model = await sampleModel(sample);
    });

    it('names everything that can be selected so that it is found again', () => {
      for (const selection of selections(model)) expect(there(model, selection)).toEqual(selection);
    });

    it('names any range of bytes', () => {
      const place = fc.tuple(fc.nat(model.size - 1), fc.nat(64));
      fc.assert(
        fc.property(place, ([start, more]) => {
          const end = Math.min(model.size, start + more + 1);
          expect(there(model, { kind: 'bytes', start, end })).toEqual({
            kind: 'bytes',
            start,
            end,
          });
        }),
      );
    });

    it('makes of any text a selection or a sentence', () => {
      const keys = [
        'type',
        'member',
        'bytes',
        'section',
        'symbol',
        'reloc',
        'core',
        'step',
        'insn',
      ];
      const param = fc.tuple(fc.constantFrom(...keys), fc.string());
      fc.assert(
        fc.property(fc.array(param), (params) => {
          const address = parseAddress(`#/bytes?${params.map((p) => p.join('=')).join('&')}`);
          const { selection, problem } = resolveSelection(model, address.params);
          expect(problem === null || selection === NO_SELECTION).toBe(true);
        }),
      );
    });
  },
);

it('reads any text as an address', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseAddress(text).params).toBeInstanceOf(Map);
    }),
  );
});
