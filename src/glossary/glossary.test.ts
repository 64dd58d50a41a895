/** Checks the form of every card, and finds the example of every card in a sample. */
import { beforeAll, describe, expect, it } from 'vitest';
import { selectionSpan } from '#analysis/selection/selection.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { memberAt } from '#model/type-items.ts';
import { hasType } from '#model/type-table.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { ecoffSampleNames, sampleModel, sampleNames } from '#testing/samples.ts';
import { cardOf, GLOSSARY } from './glossary.ts';
import type { Part, Picture, TermCard } from './term.ts';
import { TERM_IDS, TERM_NAMES, termTitle } from './term-names.ts';

const cards = GLOSSARY.flatMap((group) => group.cards);
const each = cards.map((card): [string, TermCard] => [card.id, card]);

describe('the list of terms', () => {
  it('has one card for each name, and names for each card', () => {
    expect(cards.map(({ id }) => id).toSorted()).toEqual([...TERM_IDS].toSorted());
    expect(cardOf('vlen')?.id).toBe('vlen');
  });

  it('spells no two terms alike', () => {
    const spelled = TERM_IDS.flatMap((id) => [
      ...new Set<string>(TERM_NAMES[id].map((name) => name.toLowerCase())),
    ]);
    expect(spelled.filter((name, i) => spelled.indexOf(name) !== i)).toEqual([]);
  });
});

describe('each card', () => {
  it.each(each)('%s has two sentences', (_, { sentences }) => {
    expect(sentences).toHaveLength(2);
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^\S.*[^.]\.$/);
      expect(sentence).not.toMatch(/[.!?]\s+[“A-Z]/);
      expect(sentence.length).toBeLessThan(190);
      // Zig quotes its keywords: @"struct".
      expect(sentence.replace(/@"\w+"/g, '')).not.toMatch(/ {2}|["']/);
    }
  });

  it.each(each)('%s names a document, a section and an address', (_, { source }) => {
    expect(source.document).not.toBe('');
    expect(source.section).not.toBe('');
    expect(new URL(source.address).protocol).toBe('https:');
  });

  it.each(each)('%s links to other terms', (id, { related }) => {
    expect(related.length).toBeGreaterThan(0);
    expect(new Set(related).size).toBe(related.length);
    expect(related).not.toContain(id);
  });

  it.each(each)('%s has a picture that adds up', (_, { picture }) => {
    expect(faultsOf(picture)).toEqual([]);
  });
});

/** Returns the mistakes in a picture of a card, as sentences. */
function faultsOf(picture: Picture): string[] {
  switch (picture.kind) {
    case 'word':
      return [8, 16, 32, 64].includes(picture.bits)
        ? faultsOfParts(picture.parts, picture.bits, picture.lit)
        : [`a word of ${picture.bits} bits`];
    case 'record':
    case 'layout':
      return faultsOfParts(picture.parts, picture.size, picture.lit);
    case 'flow':
      return picture.boxes.length >= 2 &&
        picture.boxes.length <= 5 &&
        picture.lit >= 0 &&
        picture.lit < picture.boxes.length
        ? []
        : ['the lit box is not there'];
    case 'bytes':
      return picture.bytes.every((byte) => byte >= 0 && byte <= 0xff) &&
        picture.start >= 0 &&
        picture.end > picture.start &&
        picture.end <= picture.bytes.length
        ? []
        : ['the lit bytes are not there'];
  }
}

function faultsOfParts(parts: readonly Part[], size: number, lit: string): string[] {
  const faults: string[] = [];
  const byPlace = parts.toSorted((a, b) => a.start - b.start);
  let at = 0;
  for (const { name, start, length } of byPlace) {
    if (start !== at || !(length > 0)) faults.push(`${name} begins at ${start}, not at ${at}`);
    at = start + length;
  }
  if (at !== size) faults.push(`the parts end at ${at}, not at ${size}`);
  const unnamed = lit === '' && parts.some(({ name }) => name === '');
  if (!unnamed && parts.filter(({ name }) => name === lit).length !== 1) {
    faults.push(`${lit} is not one of the parts`);
  }
  return faults;
}

describe('examples of cards', () => {
  const models: ObjectModel[] = [];
  beforeAll(async () => {
    for (const name of [...sampleNames(), ...ecoffSampleNames()]) {
      models.push(await sampleModel(name));
    }
    // No sample has a section .BTF_ids, which only kernels and whole modules have.
    const sections = [{ name: '.BTF_ids', flags: 2, data: new Uint8Array(8) }];
    models.push(await openModel('ids.ko', elfObject({ sections, symbols: [] }).bytes));
  });

  it.each(each)('%s has its example in a sample, inside the file', (id, { find }) => {
    if (find === null) return;
    const places = models.flatMap((model) => {
      const place = find(model);
      if (place === null) return [];
      expect(isLegal(model, place.selection), `${id} in ${model.name}`).toBe(true);
      return [place];
    });
    expect(places.length, `${id} in no example`).toBeGreaterThan(0);
  });

  it('are missing in an empty file, without an exception', async () => {
    const model = models[0];
    if (model === undefined) throw new Error('no example');
    for (const { id, find } of cards) {
      const place = find?.({ ...model, types: null, headers: [] }) ?? null;
      expect(place === null || isLegal(model, place.selection), id).toBe(true);
    }
  });
});

/** Returns true if the selection exists in the file. */
function isLegal(model: ObjectModel, selection: Selection): boolean {
  switch (selection.kind) {
    case 'none':
      return false;
    case 'type': {
      const { types } = model;
      const member = selection.memberPath[0];
      if (types === null || !hasType(types, selection.type)) return false;
      return member === undefined || memberAt(types, selection.type, member) !== null;
    }
    case 'bytes':
      return selection.start >= 0 && selection.start < selection.end && selection.end <= model.size;
    case 'section':
      return selection.section > 0 && selection.section < model.sections.count;
    case 'symbol':
      return selection.symbol < model.symbols.count;
    case 'relocation':
      return selection.reloc < model.relocations.count;
    case 'core':
      return selection.core < model.ext.core.count;
    case 'insn':
      return selectionSpan(model, selection) !== null;
  }
}

describe('the example of a card', () => {
  it.each([
    ['hdr-len', 'kinds.btf', { kind: 'bytes', start: 4, end: 8 }],
    ['magic', 'kinds.btf', { kind: 'bytes', start: 0, end: 2 }],
    ['layout-section', 'kinds_2026.btf', { kind: 'bytes', start: 24, end: 28 }],
    ['type-id', 'kinds.btf', { kind: 'type', type: 1, memberPath: [] }],
  ] as const)('%s in %s', async (id, sample, selection) => {
    const place = cardOf(id)?.find?.(await sampleModel(sample));
    expect(place?.selection).toEqual(selection);
  });

  it.each([
    ['layout-section', 'kinds.btf'],
    ['gp', 'kinds.bpf.o'],
    ['kind-int', 'alpha_data.ecoff'],
    ['core', 'kinds.bpf.o'],
    ['split-btf', 'kernel.btf'],
  ] as const)('%s is not in %s', async (id, sample) => {
    expect(cardOf(id)?.find?.(await sampleModel(sample))).toBeNull();
  });

  it('finds a struct with a bit-field at that member', async () => {
    const model = await sampleModel('bitfields.bpf.o');
    const place = cardOf('bitfield-size')?.find?.(model);
    if (place?.selection.kind !== 'type' || model.types === null) throw new Error('not found');
    const [index = -1] = place.selection.memberPath;
    const member = memberAt(model.types, place.selection.type, index);
    expect(member?.bitfieldSize).toBeGreaterThan(0);
    expect(termTitle('bitfield-size')).toBe('bitfield_size');
  });
});
