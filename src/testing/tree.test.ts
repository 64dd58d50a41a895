/** What must hold of the tree of files as such: its imports, its sizes, and what its texts say of it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TOP = ['src', 'scripts', 'e2e', 'public', 'docs', '.ci', '.github'];
const sources = TOP.flatMap((folder) => filesUnder(folder));
const inSrc = sources.filter((file) => file.startsWith('src/') && /\.(ts|tsx|css)$/.test(file));

const TEXTS = ['README.md', 'src/README.md', 'CONTRIBUTING.md'].filter((file) =>
  existsSync(join(root, file)),
);

describe('src', () => {
  it('is all here', () => {
    expect(inSrc.length).toBeGreaterThan(20);
  });

  it('has no import that begins with ../', () => {
    const climbs = /(?:from|import)\s*\(?\s*(?:url\()?['"]\.\.\//;
    expect(inSrc.filter((file) => climbs.test(read(file)))).toEqual([]);
  });

  it('spreads no list into arguments, which take room on the stack: append() takes a list', () => {
    const spreads = /\.(?:push|unshift)\((?:[^(){}[\]]*,\s*)?\.\.\.|Math\.(?:max|min)\(\s*\.\.\./;
    // An instruction is followed by two at most.
    const few = /\.test\.|^src\/testing\/|^src\/analysis\/load\/reach\.ts$/;
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

describe('paths in texts', () => {
  it.each(TEXTS)('%s names only files that exist', (text) => {
    const missing = pathsIn(read(text)).filter((path) => !resolves(path, dirname(text)));
    expect(missing).toEqual([]);
  });

  it('are recognised in code spans and links, and other text is ignored', () => {
    const text =
      'See `src/bytes/span.ts`, `#bytes/text.ts`, [the rules](CONTRIBUTING.md#rules) and `tokens.css`. ' +
      'Run `npm test`, type `text/html`, write `./y.ts`, `x.test.ts`, `#module/x.ts` or `*.test.ts`, go to [there](https://a.b/c.md).';
    expect(pathsIn(text)).toEqual([
      'src/bytes/span.ts',
      '#bytes/text.ts',
      'tokens.css',
      'CONTRIBUTING.md',
    ]);
  });

  it('are found from the root, from the text, by module and by bare name, or not at all', () => {
    expect(resolves('src/bytes/span.ts', '.')).toBe(true);
    expect(resolves('bytes/', 'src')).toBe(true);
    expect(resolves('#bytes/span.ts', '.')).toBe(true);
    expect(resolves('span.ts', '.')).toBe(true);
    expect(resolves('src/bytes/gone.ts', '.')).toBe(false);
    expect(resolves('#bytes/gone.ts', 'src')).toBe(false);
    expect(resolves('gone.ts', '.')).toBe(false);
  });
});

/** What a text names as a file or folder of ours: by its first folder, or by its extension. `x.ts` stands for any file. */
function pathsIn(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  const spans = [...prose.matchAll(/`([^`\s]+)`/g)].map((match) => match[1] ?? '');
  const links = [...prose.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? '');
  const rooms = readdirSync(join(root, 'src'));
  const isOurs = (path: string) => {
    if (!/^#?[\w.@-]+(\/[\w.@-]+)*\/?$/.test(path) || /^(\.\/|(.*\/)?x\.)/.test(path)) return false;
    const [first = ''] = path.split('/');
    if (path.includes('/')) return first.startsWith('#') || [...TOP, ...rooms].includes(first);
    return /\w\.(ts|tsx|mjs|css|html|json|md|yml)$/.test(path);
  };
  return [...spans, ...links].filter(isOurs);
}

/** `folder` is where the text stands, from the root. */
function resolves(path: string, folder: string): boolean {
  const asRoom = path.startsWith('#') ? path.replace('#', 'src/') : path;
  const places = [join(root, asRoom), join(root, folder, asRoom)];
  if (places.some((place) => existsSync(place))) return true;
  return !path.includes('/') && sources.some((file) => basename(file) === path);
}

function filesUnder(folder: string): readonly string[] {
  const place = join(root, folder);
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => join(place, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(root, path).replaceAll('\\', '/'));
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
