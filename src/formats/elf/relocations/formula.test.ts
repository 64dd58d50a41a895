import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateFormula, formulaNumbers, formulaOf, formulaText } from './formula.ts';

const TERMS: Readonly<Record<string, bigint>> = { S: 0x1234n, A: -4n, P: 0x1000n };
const of = (term: string) => TERMS[term] ?? null;
const resultOf = (text: string) => evaluateFormula(formulaOf(text), of);

describe('a formula', () => {
  it.each([
    ['S+A-P', 0x230n],
    ['S-A*2', 0x123cn],
    ['(S+A)&~3|1', 0x1231n],
    ['1<<4+1', 32n],
    ['-P>>4', -0x100n],
    ['Page(S)-Page(P)', 0n],
    ['A/8', -1n],
    ['(A-4)/4', -2n],
    ['S+Q', null],
    ['Nothing(S)', null],
  ])('%s', (text, value) => {
    expect(resultOf(text)).toBe(value);
  });

  it('divides as a shift to the right does', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (x) => {
        expect(evaluateFormula(formulaOf('X/4'), () => x)).toBe(x >> 2n);
      }),
    );
  });

  it('is written with spaces, and with numbers for its terms', () => {
    expect(formulaText('Page(S+A)-Page(P)')).toBe('Page(S + A) - Page(P)');
    expect(formulaNumbers('Page(S+A)-P', of)).toBe('Page(0x1234 + (-0x4)) - 0x1000');
    expect(formulaNumbers('S+Q', of)).toBe('0x1234 + Q');
  });
});
