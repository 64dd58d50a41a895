/** Compares the lists of keys with the keys that the page and the views handle. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bindingOf, type KeyBinding } from '#ui/keys.tsx';
import { BYTES_KEYS } from '#views/bytes/keys.ts';
import { COMPARE_KEYS } from '#views/compare/keys.ts';
import { GRAPH_KEYS } from '#views/graph/keys.ts';
import { GROUP_KEYS } from '#views/relocations/keys.ts';
import { TEXT_KEYS } from '#views/text/keys.ts';
import { DIGITS, PAGE_KEYS } from './keys.ts';

const NO_MODIFIER = { ctrlKey: false, metaKey: false, altKey: false };
const press = (key: string, ctrlKey = false) =>
  bindingOf({ ...NO_MODIFIER, key, ctrlKey }, PAGE_KEYS);

describe('what works everywhere', () => {
  it('is bound by the table', () => {
    expect(press('k', true)?.action).toBe('find');
    expect(press('K', true)?.action).toBe('find');
    expect(bindingOf({ ...NO_MODIFIER, key: 'k', metaKey: true }, PAGE_KEYS)?.action).toBe('find');
    expect(press('0')?.action).toBe('view');
    expect(press('/')?.action).toBe('filter');
    expect(press('[')?.action).toBe('back');
  });

  it('takes Shift with a digit by the place of the key, and what is a digit only with Shift as one', () => {
    const shifted = (key: string, code: string) =>
      bindingOf({ ...NO_MODIFIER, key, code, shiftKey: true }, PAGE_KEYS)?.action;
    expect(shifted('!', 'Digit1')).toBe('beside');
    expect(shifted('"', 'Digit2')).toBe('beside');
    expect(shifted('1', 'Digit1')).toBe('view');
    expect(shifted('?', 'Slash')).toBe('help');
    expect(bindingOf({ ...NO_MODIFIER, key: '&', code: 'Digit1' }, PAGE_KEYS)).toBeNull();
  });

  it('leaves other keys and those of the browser alone', () => {
    expect(press('k')).toBeNull();
    expect(press('1', true)).toBeNull();
    expect(press('f')).toBeNull();
    expect(press('F5')).toBeNull();
    expect(bindingOf({ ...NO_MODIFIER, key: 'o', altKey: true }, PAGE_KEYS)).toBeNull();
  });

  it('has a digit for each of the first ten tabs', () => {
    expect(DIGITS).toHaveLength(10);
    expect(DIGITS[0]).toBe('1');
    expect(DIGITS[9]).toBe('0');
  });
});

const SCOPES: Record<string, readonly KeyBinding[]> = {
  BYTES_KEYS,
  COMPARE_KEYS,
  GRAPH_KEYS,
  GROUP_KEYS,
  PAGE_KEYS,
  TEXT_KEYS,
};
const strokes = (bindings: readonly KeyBinding[]) =>
  bindings.flatMap(({ on, withCommand = false }) => on.map((key) => `${withCommand}${key}`));

describe('a table', () => {
  it.each(Object.entries(SCOPES))('%s binds no key twice', (_, bindings) => {
    const all = strokes(bindings);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(Object.entries(SCOPES))(
    '%s clashes with nothing that works everywhere',
    (_, bindings) => {
      if (bindings === PAGE_KEYS) return;
      const page = strokes(PAGE_KEYS);
      for (const key of strokes(bindings)) expect(page).not.toContain(key);
    },
  );
});

const SOURCES = ['.', '../views', '../ui']
  .flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), {
      recursive: true,
      withFileTypes: true,
    }),
  )
  .filter(({ name }) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((entry) => ({
    name: entry.name,
    text: readFileSync(join(entry.parentPath, entry.name), 'utf8'),
  }));

describe('the sources', () => {
  it('listen for keys in one place', () => {
    const listeners = SOURCES.filter(({ text }) => /addEventListener\(\s*'keydown'/.test(text));
    expect(listeners.map(({ name }) => name)).toEqual(['keys.tsx']);
  });

  it('compare with no single key that no table has', () => {
    for (const { name, text } of SOURCES) {
      expect(text.match(/\bkey [!=]== '(\S)'/g) ?? [], name).toEqual([]);
    }
  });

  it.each(Object.keys(SCOPES))('bind %s', (scope) => {
    const binders = SOURCES.filter(
      ({ text }) => text.includes(`useKeys(${scope},`) || text.includes(`, ${scope})`),
    );
    expect(binders).toHaveLength(1);
  });
});
