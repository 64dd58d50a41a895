/** Checks that each view and selection of each example has an address that restores it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreIndex, relocIndex, sectionIndex, symbolIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION, type Selection } from '#model/selection.ts';
import { memberCount } from '#model/type-items.ts';
import { noteText } from '#store/kept/kept-notes.ts';
import type { Embed } from '#store/session/session.ts';
import { viewKeys } from '#store/session/view-state.ts';
import { viewNames } from '#store/session/views.ts';
import { runs } from '#testing/runs.ts';
import { sampleModel, sampleNames } from '#testing/samples.ts';
import {
  type Address,
  formatAddress,
  NO_PLACE,
  type Place,
  parseAddress,
  START,
} from './address.ts';
import { parseParams, resolveSelection, selectionParams } from './selection-keys.ts';

const RESERVED = [
  ...['file', 'name', 'base', 'target', 'src', 'h', 'embed', 'lesson', 'at', 'of'],
  ...['type', 'member', 'bytes', 'section', 'symbol', 'reloc', 'core', 'step', 'insn'],
];

it('no view keeps something under a key that means something else', () => {
  for (const view of viewNames()) {
    const keys = viewKeys(view);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => RESERVED.includes(key))).toEqual([]);
  }
});

/** Returns a generator of the selections that a user can make in the model. */
function anySelection(model: ObjectModel): fc.Arbitrary<Selection> {
  const choices: fc.Arbitrary<Selection>[] = [
    fc.constant(NO_SELECTION),
    fc.tuple(fc.nat(model.size - 1), fc.nat(200)).map(([start, more]) => ({
      kind: 'bytes',
      start,
      end: Math.min(model.size, start + more + 1),
    })),
  ];
  const oneOf = (count: number, of: (row: number) => Selection) => {
    if (count > 0) choices.push(fc.nat(count - 1).map(of));
  };
  const { types } = model;
  if (types !== null && types.count > 0) {
    const type = fc.nat(types.count - 1).map((i) => typeId(types.firstId + i));
    choices.push(
      type.map((id) => ({ kind: 'type', type: id, memberPath: [] })),
      type.chain((id) =>
        fc.nat(Math.max(0, memberCount(types, id) - 1)).map((index) => ({
          kind: 'type',
          type: id,
          memberPath: memberCount(types, id) > 0 ? [index] : [],
        })),
      ),
    );
  }
  oneOf(model.sections.count, (i) => ({ kind: 'section', section: sectionIndex(i) }));
  oneOf(model.sections.count, (i) => ({ kind: 'insn', section: sectionIndex(i), insnOff: 16 }));
  oneOf(model.symbols.count, (i) => ({ kind: 'symbol', symbol: symbolIndex(i) }));
  oneOf(model.relocations.count, (i) => ({ kind: 'relocation', reloc: relocIndex(i) }));
  oneOf(model.ext.core.count, (i) => ({ kind: 'core', core: coreIndex(i), step: i % 4 || null }));
  return fc.oneof(...choices);
}

const anyKey = fc.oneof(
  fc.constant(`sample:kinds.bpf.o`),
  fc.constant('f'.repeat(64)),
  fc.constant('btf1:Ab_-9'),
);

const anyLesson = fc.oneof(
  fc.constantFrom('btf-header', 'md1:Ab_-9', 'lessons/first.md'),
  fc.string({ minLength: 1, unit: 'grapheme' }),
);
const anyStep = fc.constantFrom('', 'the-magic', 'größe-2');
const anyLinked = fc.constantFrom('', 'sample:kinds.btf');

it('goes to a step of a lesson by an address of its own', () => {
  const address = formatAddress({ ...START, lesson: 'a/b.md', at: 'the-magic' });
  expect(address).toBe('#/?lesson=a%2Fb.md&at=the-magic');
  expect(parseAddress(address)).toMatchObject({
    lesson: 'a/b.md',
    at: 'the-magic',
    linked: '',
    file: '',
    params: new Map(),
  });
});

const anyText = fc.string({ unit: 'grapheme' });

/** Returns a generator of places whose selections are among `params`. */
function anyPlace(params: fc.Arbitrary<Place['params']>): fc.Arbitrary<Place> {
  return fc.constantFrom(...viewNames()).chain((view) =>
    fc.record({
      view: fc.constant(view),
      file: fc.oneof(fc.constant(''), anyKey),
      name: anyText,
      base: fc.oneof(fc.constant(''), anyKey),
      target: fc.oneof(fc.constant(''), fc.constant('none'), anyKey),
      kernels: fc.array(fc.record({ key: anyKey, name: anyText }), { maxLength: 3 }),
      notes: fc.array(
        fc.record({
          place: fc.string({ minLength: 1, unit: 'grapheme' }),
          text: anyText.map((text) => noteText(`n${text}`)),
        }),
        { maxLength: 3 },
      ),
      params,
      viewParams: anyText.map((value) => new Map(viewKeys(view).map((key) => [key, value]))),
    }),
  );
}

function anyAddress(params: fc.Arbitrary<Place['params']>): fc.Arbitrary<Address> {
  return fc
    .record({
      place: anyPlace(params),
      beside: fc.option(anyPlace(params)),
      hasView: fc.boolean(),
      src: fc.constantFrom('', 'objects/größe.o'),
      layout: fc.constantFrom('', '0abc123', 'zzzzzzz'),
      embed: fc.constantFrom<Embed>(false, true, 'light', 'dark'),
      lesson: fc.oneof(fc.constant(''), anyLesson),
      at: anyStep,
      linked: anyLinked,
    })
    .map(({ place, hasView, ...rest }) => ({
      ...place,
      ...rest,
      hasView,
      // Without a view the page shows the overview, which has no state in the address.
      ...(hasView ? {} : { view: 'overview', viewParams: new Map() }),
    }));
}

describe.each(sampleNames())('addresses of %s', (sample) => {
  it('are read back as they were written, with the selection', async () => {
    const model = await sampleModel(sample);
    const selected = anySelection(model);
    const params = selected.map((selection) => selectionParams(model, selection));
    fc.assert(
      fc.property(anyAddress(params), selected, (address, selection) => {
        const text = formatAddress({ ...address, params: selectionParams(model, selection) });
        const back = parseAddress(text);
        expect(back).toEqual({ ...address, params: selectionParams(model, selection) });
        expect(formatAddress(back)).toBe(text);
        expect(resolveSelection(model, back.params)).toEqual({ selection, problem: null });
        // A browser changes no character of the address.
        expect(new URL(text, 'http://localhost/').hash).toBe(text);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('the second pane', () => {
  it('is named by its view, and has what its view keeps in front of nothing else', async () => {
    const beside: Place = { ...NO_PLACE, view: 'text', viewParams: new Map([['as', 'json']]) };
    const address: Address = {
      ...START,
      hasView: true,
      view: 'types',
      file: 'sample:kinds.bpf.o',
      params: parseParams('type=struct:integers'),
      viewParams: new Map([['as', 'layout']]),
      beside,
    };
    const text = formatAddress(address);
    expect(text).toBe(
      '#/types?file=sample:kinds.bpf.o&type=struct:integers&as=layout&beside=text&beside.as=json',
    );
    expect(parseAddress(text)).toEqual(address);
  });

  it('of another file has that file and its selection', async () => {
    const model = await sampleModel('kernel.btf');
    const file = { file: 'a'.repeat(64), name: 'größe & co' };
    const selection: Selection = { kind: 'bytes', start: 1, end: 2 };
    const place: Place = {
      ...NO_PLACE,
      ...file,
      view: 'bytes',
      base: 'b'.repeat(64),
      params: selectionParams(model, selection),
    };
    const text = formatAddress({ ...START, hasView: true, beside: place });
    const { beside, params, file: first } = parseAddress(text);
    expect(first).toBe('');
    expect(params.size).toBe(0);
    expect(beside).toMatchObject({ view: 'bytes', ...file });
    expect(beside?.base).toBe('b'.repeat(64));
    expect(resolveSelection(model, beside?.params ?? new Map()).selection).toEqual(selection);
    expect(new URL(text, 'http://localhost/').hash).toBe(text);
  });

  it('is none where the address names no view, and never that of an old address', () => {
    expect(parseAddress('#/types?beside=nothing&beside.as=x').beside).toBeNull();
    expect(parseAddress('#/types?beside.as=layout').beside).toBeNull();
    expect(parseAddress('#/types?file=sample:kinds.btf&type=struct:s&as=layout').beside).toBeNull();
  });
});

it('any text is read as an address, and written again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...viewNames()), (text, view) => {
      const named = `#/${view}?file=${text}&name=${text}&kernels=${text}`;
      for (const hash of [text, `#/${view}?${text}`, named]) {
        const again = formatAddress({ ...parseAddress(hash), hasView: true, view });
        expect(again.startsWith(`#/${view}`)).toBe(true);
        const written = formatAddress(parseAddress(hash));
        expect(formatAddress(parseAddress(written))).toBe(written);
      }
    }),
  );
});
