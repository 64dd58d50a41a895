import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fieldsOf, kept } from './local-storage.ts';

type Name = { readonly name: string };

const storage = new Map<string, string>();
const fake = {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, text: string) => void storage.set(key, text),
  removeItem: (key: string) => void storage.delete(key),
};
const name = kept<Name>('name', {
  parse: (json) => ({ name: String(fieldsOf(json).name ?? '') }),
  format: (value) => (value.name === '' ? undefined : value),
});

beforeEach(() => {
  storage.clear();
  vi.stubGlobal('localStorage', fake);
});
afterEach(() => vi.unstubAllGlobals());

it('reads what was written, and removes the key of an empty value', () => {
  expect(name.read()).toEqual({ name: '' });
  expect(name.write({ name: 'Ada' })).toBe(true);
  expect([name.read(), storage.get('name')]).toEqual([{ name: 'Ada' }, '{"name":"Ada"}']);
  expect(name.write({ name: '' })).toBe(true);
  expect(storage.size).toBe(0);
});

it.each(['', '{', 'null', '[]', '7', 'word'])('reads an empty value from %j', (text) => {
  storage.set('name', text);
  expect(name.read()).toEqual({ name: '' });
});

it('passes text that is no JSON on as a string: earlier versions kept the theme so', () => {
  storage.set('theme', 'dark');
  expect(kept('theme', { parse: (json) => json }).read()).toBe('dark');
});

it('works without storage', () => {
  vi.stubGlobal('localStorage', undefined);
  expect(name.write({ name: 'Ada' })).toBe(false);
  expect(name.read()).toEqual({ name: '' });
});

it('keeps nothing in a frame', () => {
  name.write({ name: 'Ada' });
  vi.stubGlobal('top', {});
  expect(name.write({ name: 'Eve' })).toBe(false);
  expect(name.read()).toEqual({ name: 'Ada' });
});
