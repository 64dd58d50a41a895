/** The table of keys against what is bound: by itself, and by the views. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BINDINGS, COMMAND_KEY, DIGITS, VIEW_KEYS } from './keys.ts';
import { bindingOf } from './use-keys.ts';

const press = (key: string, ctrlKey = false) => bindingOf({ key, ctrlKey, metaKey: false });

describe('what works everywhere', () => {
  it('is bound by the table', () => {
    expect(press('k', true)?.action).toBe('find');
    expect(press('K', true)?.action).toBe('find');
    expect(bindingOf({ key: 'k', ctrlKey: false, metaKey: true })?.action).toBe('find');
    expect(press('0')?.action).toBe('view');
    expect(press('/')?.action).toBe('filter');
    expect(press('[')?.action).toBe('back');
  });

  it('leaves other keys and those of the browser alone', () => {
    expect(press('k')).toBeNull();
    expect(press('1', true)).toBeNull();
    expect(press('f')).toBeNull();
    expect(press('F5')).toBeNull();
  });

  it('binds no key twice', () => {
    const all = BINDINGS.flatMap(({ on, withCommand }) => on.map((key) => `${withCommand}${key}`));
    expect(new Set(all).size).toBe(all.length);
  });

  it('has a digit for each of the first ten tabs', () => {
    expect(DIGITS).toHaveLength(10);
    expect(DIGITS[0]).toBe('1');
    expect(DIGITS[9]).toBe('0');
  });
});

const VIEWS_FOLDER = join(import.meta.dirname, '../views');

/** Characters that the sources of a view compare a key with. */
function boundIn(folder: string): Set<string> {
  const found = new Set<string>();
  for (const file of readdirSync(join(VIEWS_FOLDER, folder), {
    recursive: true,
    encoding: 'utf8',
  })) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) continue;
    const text = readFileSync(join(VIEWS_FOLDER, folder, file), 'utf8');
    for (const [, key = ''] of text.matchAll(/\bkey [!=]== '(\S)'/g)) found.add(key);
  }
  return found;
}

/** Characters that the table tells of a view; with Ctrl they are written in capitals. */
function toldOf(folder: string): Set<string> {
  const rows = VIEW_KEYS.filter((group) => group.folder === folder).flatMap(({ rows: r }) => r);
  const keys = rows.flatMap((row) => row.keys).filter((key) => key !== COMMAND_KEY);
  return new Set(keys.map((key) => key.toLowerCase()).filter((key) => /^[a-z+=-]$/.test(key)));
}

describe('what views bind', () => {
  const folders = readdirSync(VIEWS_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  it.each(folders)('%s is told', (folder) => {
    const told = toldOf(folder);
    const bound = boundIn(folder);
    for (const key of bound) expect(told, `${key} is bound in views/${folder}`).toContain(key);
    for (const key of told) expect(bound, `${key} is told of views/${folder}`).toContain(key);
  });
  it('clash with nothing that works everywhere', () => {
    for (const folder of folders) {
      for (const key of boundIn(folder)) expect(press(key), `${key} in ${folder}`).toBeNull();
    }
  });
});
