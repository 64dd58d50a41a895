import { describe, expect, it } from 'vitest';
import { GLOSSARY } from '#glossary/glossary.ts';
import { viewsOf } from '#store/session/views.ts';
import { ecoffSampleNames, sampleModel, sampleNames } from '#testing/samples.ts';
import { matchingGroups } from './Glossary.tsx';

const found = (text: string) =>
  matchingGroups(GLOSSARY, text).flatMap(({ cards }) => cards.map(({ id }) => id));

describe('search in the glossary', () => {
  it('gives all terms for an empty query, in their order', () => {
    expect(matchingGroups(GLOSSARY, '  ')).toBe(GLOSSARY);
  });

  it.each([
    ['vlen', ['vlen', 'info-wide', 'zig-constants']],
    ['kflag', ['kind-flag']],
    ['BPF_CORE_FIELD_SIGNED', ['signed']],
    ['flavor', ['flavour']],
    ['0x0bad2310', ['poison']],
    ['nothing of that sort', []],
  ])('%s', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });

  it('searches what cards say only where no name answers', () => {
    expect(found('leak')).toEqual(['hole']);
    expect(found('hole')).toEqual(['hole', 'pahole-jv']);
  });
});

describe('links of the cards', () => {
  it('is shown in views that the file can have', async () => {
    for (const name of [...sampleNames(), ...ecoffSampleNames()]) {
      const model = await sampleModel(name);
      for (const { id, find } of GLOSSARY.flatMap(({ cards }) => cards)) {
        const place = find?.(model) ?? null;
        if (place !== null) expect(viewsOf(model), `${id} in ${name}`).toContain(place.view);
      }
    }
  });
});
