/** Checks rules for files: imports, sizes and CSS classes. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const inSrc = filesUnder('src').filter((file) => /\.(ts|tsx|css)$/.test(file));

describe('src', () => {
  it('lists all source files', () => {
    expect(inSrc.length).toBeGreaterThan(20);
  });

  it('has no import that begins with ../', () => {
    const climbs = /(?:from|import)\s*\(?\s*(?:url\()?['"]\.\.\//;
    expect(inSrc.filter((file) => climbs.test(read(file)))).toEqual([]);
  });

  it('spreads no list into arguments, which would fill the stack: append() takes a list', () => {
    const spreads = /\.(?:push|unshift)\((?:[^(){}[\]]*,\s*)?\.\.\.|Math\.(?:max|min)\(\s*\.\.\./;
    // A spread as arguments is safe in reach.ts: an instruction has at most two successors.
    const few = /\.test\.|^src\/testing\/|^src\/analysis\/kernel\/reach\.ts$/;
    const code = inSrc.filter((file) => !few.test(file));
    expect(code.filter((file) => spreads.test(read(file)))).toEqual([]);
  });

  it('has no file of more than 500 lines', () => {
    const lines = (file: string) => read(file).trimEnd().split('\n').length;
    expect(inSrc.filter((file) => lines(file) > 500)).toEqual([]);
  });

  it('has a rule for each class that a component takes from its CSS module', () => {
    const missing: string[] = [];
    let taken = 0;
    for (const file of inSrc.filter((name) => name.endsWith('.tsx'))) {
      const text = read(file);
      for (const [, styles, path] of text.matchAll(/import (\w+) from '(\S+\.module\.css)'/g)) {
        if (styles === undefined || path === undefined) continue;
        const rules = read(
          path.startsWith('#') ? `src/${path.slice(1)}` : join(dirname(file), path),
        );
        for (const [, name = ''] of text.matchAll(new RegExp(`\\b${styles}\\.(\\w+)`, 'g'))) {
          taken++;
          if (!new RegExp(`\\.${name}\\b`).test(rules)) missing.push(`${file}: ${name}`);
        }
      }
    }
    expect(missing).toEqual([]);
    expect(taken).toBeGreaterThan(500);
  });
});

function filesUnder(folder: string): readonly string[] {
  const place = join(root, folder);
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => join(place, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(root, path).replaceAll('\\', '/'));
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
