import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

type Theme = 'light' | 'dark';

/** Colours that the presentation mode changes. */
const presenting = /:root\[data-presenting\] \{[^}]*\}/.exec(css)?.[0] ?? '';

/** Returns the hex colour of a token in a theme, from the first sheet that has the token. */
function colour(token: string, theme: Theme, sheets: readonly string[]): string {
  const statement = new RegExp(`--${token}: (?:light-dark\\((#\\w{6}), (#\\w{6})\\)|(#\\w{6}));`);
  const stated = sheets.map((sheet) => sheet.match(statement)).find((found) => found !== null);
  const hex = stated?.[3] ?? stated?.[theme === 'light' ? 1 : 2];
  if (hex === undefined) throw new Error(`tokens.css states no colour for --${token}`);
  return hex;
}

/** Returns the relative luminance of a colour, as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ['surface-0', 'surface-1', 'surface-2', 'surface-3', 'surface-overlay'];
const STATUS = ['accent', 'danger', 'warning', 'ok', 'info'];
const tokens = [...css.matchAll(/^ {2}--((?:kind|reloc)-[a-z0-9]+): /gm)].map(
  ([, name = '']) => name,
);
const kinds = tokens.filter((name) => name.startsWith('kind-'));
const relocs = tokens.filter((name) => name.startsWith('reloc-'));

const texts: [string, string][] = [
  ...['text-1', 'text-2', 'text-3', ...STATUS, ...kinds].flatMap((text) =>
    SURFACES.map((surface): [string, string] => [text, surface]),
  ),
  ...[...STATUS, ...kinds, ...relocs].map((tone): [string, string] => [tone, `${tone}-bg`]),
  // Pairs for the text of a callout, of a selected row and of a selected byte.
  ...STATUS.flatMap((tone): [string, string][] => [
    ['text-1', `${tone}-bg`],
    ['text-2', `${tone}-bg`],
  ]),
  ['text-3', 'accent-bg'],
  ...kinds.map((kind): [string, string] => [kind, 'accent-bg']),
  ['text-1', 'selection-bg'],
  ['text-2', 'selection-bg'],
  ['on-accent', 'accent-solid'],
  ['on-accent', 'accent-solid-hover'],
];

const edges = ['border-control', 'focus', 'accent'].flatMap((edge) =>
  ['surface-0', 'surface-1', 'surface-2'].map((surface): [string, string] => [edge, surface]),
);

/** Returns the pairs of colours with a contrast below `ratio`, for the error message. */
function under(
  ratio: number,
  pairs: readonly [string, string][],
  theme: Theme,
  sheets: readonly string[] = [css],
): string[] {
  return pairs.flatMap(([front, ground]) => {
    const found = contrast(colour(front, theme, sheets), colour(ground, theme, sheets));
    return found >= ratio ? [] : [`--${front} on --${ground}: ${found.toFixed(2)}`];
  });
}

describe.each(['light', 'dark'] as const)('%s theme', (theme) => {
  it('has text of 4.5 to 1 on every background (WCAG 1.4.3)', () => {
    expect(under(4.5, texts, theme)).toEqual([]);
  });

  it('has edges and focus rings of 3 to 1 (WCAG 1.4.11)', () => {
    expect(under(3, edges, theme)).toEqual([]);
  });
});

describe.each(['light', 'dark'] as const)('%s theme before an audience', (theme) => {
  const sheets = [presenting, css];

  it('has text of 7 to 1 on every surface (WCAG 1.4.6)', () => {
    const plain = ['text-1', 'text-2', 'text-3', 'accent'].flatMap((text) =>
      SURFACES.map((surface): [string, string] => [text, surface]),
    );
    expect(presenting).toContain('--surface-0');
    expect(under(7, plain, theme, sheets)).toEqual([]);
  });

  it('keeps all else as readable as it was', () => {
    expect(under(4.5, texts, theme, sheets)).toEqual([]);
    expect(under(3, edges, theme, sheets)).toEqual([]);
  });
});

it('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

it('sees all families and the whole relocation scale', () => {
  expect(kinds).toHaveLength(11);
  expect(relocs).toHaveLength(4);
});

it('states a tone for each family and each step', () => {
  for (const token of [...kinds, ...relocs]) {
    expect(css).toContain(`[data-tone="${token}"] {\n  --tone: var(--${token});`);
  }
});
