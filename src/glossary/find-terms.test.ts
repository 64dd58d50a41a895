import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelPieces, termCalled } from './find-terms.ts';
import { TERM_IDS, TERM_NAMES } from './term-names.ts';

const terms = (label: string) =>
  labelPieces(label).flatMap(({ text, term }) => (term === null ? [] : [[text, term]]));

describe('terms in labels', () => {
  it.each([
    ['vlen', [['vlen', 'vlen']]],
    ['Linkage', [['Linkage', 'linkage']]],
    ['CO-RE relocation', [['CO-RE relocation', 'core-relo']]],
    ['.BTF.ext header', [['.BTF.ext header', 'ext-header']]],
    ['Bits of name_off', [['name_off', 'name-off']]],
    ['btf_type.kind_flag', []],
    ['.BTF.unknown', []],
    ['unsigned', []],
    ['member-wise', []],
    ['vlen and vlen', [['vlen', 'vlen']]],
    ['', []],
  ])('%s', (label, expected) => {
    expect(terms(label)).toEqual(expected);
  });

  it('takes names with capitals as they are written, and words in either case', () => {
    expect(termCalled('R_BPF_64_64')).toBe('reloc-64-64');
    expect(termCalled('r_bpf_64_64')).toBeNull();
    expect(termCalled('Access String')).toBe('access-string');
  });

  it('finds every spelling of every term as the whole of a label', () => {
    for (const id of TERM_IDS) {
      for (const name of TERM_NAMES[id]) expect(terms(name), name).toEqual([[name, id]]);
    }
  });

  it('leaves the text of any label as it was, and no term twice', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(...TERM_IDS.flatMap((id) => TERM_NAMES[id])),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const label = words.join(' ');
        const pieces = labelPieces(label);
        expect(pieces.map(({ text }) => text).join('')).toBe(label);
        const ids = pieces.flatMap(({ term }) => term ?? []);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});
