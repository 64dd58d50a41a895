/** Checks that the files and folders that documents and comments name exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Top-level folders with the project's files; builds and installations create more folders. */
const FOLDERS = [
  'src',
  'scripts',
  'e2e',
  'editors',
  'public',
  'docs',
  'testdata',
  '.ci',
  '.github',
];
/** Matches paths that a build, a release or an installation creates. */
const MADE = /(^|\/)(node_modules|dist)\/|^docs\/api\/|^btfscope\.(html|cdx\.json)\//;
const files = readdirSync(root, { withFileTypes: true })
  .flatMap((entry) =>
    entry.isFile() ? [entry.name] : FOLDERS.includes(entry.name) ? filesUnder(entry.name) : [],
  )
  .filter((file) => !MADE.test(file));
/** Paths that a text may name: files, folders, and files without their extensions. */
const paths = new Set(files.flatMap((file) => [file, ...stemsOf(file), ...foldersOf(file)]));
const names = new Set(files.map((file) => basename(file)));
const modules = readdirSync(join(root, 'src')).filter((name) => paths.has(`src/${name}`));

const CODE = /^(src|scripts|e2e|editors)\/.*\.(tsx?|mjs|css)$|^[^/]+\.(ts|mjs)$/;
const SHELL = /^\.(ci|github|githooks)\//;
/** Matches file names of the project in comments, which also name pages of other projects. */
const OWN = /\w\.(tsx?|mjs|css)$/;
const OWN_IN_DOCUMENTS = /^(?!claude_desktop_config)[^/]*\w\.(tsx?|mjs|css|html|json|md|yml)$/;
// Leaves out the change log, which has names of former files.
const DOCUMENT = /^(?!CHANGELOG).*\.md$/;

describe('paths', () => {
  it.each([
    ['comments', (file: string) => CODE.test(file) || SHELL.test(file), 700],
    ['documents', (file: string) => DOCUMENT.test(file), 15],
  ] as const)('in %s exist', (_, isRead, least) => {
    const read = files.filter(isRead);
    expect(read.length).toBeGreaterThan(least);
    const missing = read.flatMap((file) =>
      proseOf(file, readFileSync(join(root, file), 'utf8'))
        .flatMap((prose) => pathsIn(prose, DOCUMENT.test(file) ? OWN_IN_DOCUMENTS : OWN))
        .filter((path) => !resolves(path, dirname(file)))
        .map((path) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('are recognised by their module, first folder or ending, and names of other projects are not', () => {
    const text =
      'See `src/bytes/span.ts`, #bytes/text.ts, [the rules](CONTRIBUTING.md#rules), bytes/span and `tokens.css`. ' +
      'Run `npm test`, type `text/html`, write `./y.ts`, `x.test.ts`, `#module/x.ts` or `*.test.ts`, go to [there](https://a.b/src/c.ts). ' +
      'Sources: kernel/bpf/btf.c, lib/ctype.c, src/relo_core.c of libbpf, public/samples/NAME.json.';
    expect(pathsIn(text, OWN_IN_DOCUMENTS)).toEqual([
      'src/bytes/span.ts',
      '#bytes/text.ts',
      'CONTRIBUTING.md',
      'bytes/span',
      'tokens.css',
    ]);
  });

  it('are found from the root, from the folder of the text, by module and by bare name, or not at all', () => {
    expect(resolves('src/bytes/span.ts', '.')).toBe(true);
    expect(resolves('bytes/', 'src')).toBe(true);
    expect(resolves('bytes/span', 'docs')).toBe(true);
    expect(resolves('#bytes/span.ts', '.')).toBe(true);
    expect(resolves('span.ts', '.')).toBe(true);
    expect(resolves('src/bytes/gone.ts', '.')).toBe(false);
    expect(resolves('bytes/gone/', '.')).toBe(false);
    expect(resolves('#bytes/gone.ts', 'src')).toBe(false);
    expect(resolves('gone.ts', '.')).toBe(false);
  });

  it('are searched in comments of each kind, not in code or in a document’s code blocks', () => {
    expect(
      proseOf('src/a.ts', "f('b'); // c\n/** d */ g(); const e = 'https://f';").join('|'),
    ).toBe('// c|/** d */');
    expect(proseOf('.ci/run', 'cd src\n# in src/\n')).toEqual(['# in src/']);
    expect(proseOf('docs/a.md', 'b\n```\nc\n```\n').join('')).toBe('b\n\n');
  });
});

/** Returns the comments of a source file, or the text of a document without its code blocks. */
function proseOf(file: string, text: string): readonly string[] {
  if (file.endsWith('.md')) return [text.replace(/^```[\s\S]*?^```/gm, '')];
  if (SHELL.test(file)) return text.match(/(?<=^|\s)#.*/gm) ?? [];
  return text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm) ?? [];
}

/**
 * Returns the words of a text that can only be paths of the project: with a slash if they begin
 * with its folders or modules, without a slash if they end as in `endings`. Leaves out the
 * placeholders `x.ts`, `NAME` and `#module`, and C sources.
 */
function pathsIn(text: string, endings: RegExp): readonly string[] {
  const WORD = /(?<![\w./:@~<$*{}\\-])#?[\w@.][\w.@-]*(?:\/[\w.@-]+)*\/?(?![\w.@*?{<$/-])/g;
  return [...text.matchAll(WORD)]
    .map(([word]) => word.replace(/\.+$/, ''))
    .filter((path) => {
      if (/^#?module\/|^(.*\/)?x\.|NAME|^\.\.?\//.test(path) || MADE.test(`${path}/`)) return false;
      if (!path.includes('/')) return endings.test(path);
      const [first = ''] = path.split('/');
      const isNamed = path.startsWith('#')
        ? modules.includes(first.slice(1))
        : FOLDERS.includes(first) || modules.includes(first);
      return isNamed && !/\.(c|h|zig)$/.test(path);
    });
}

/** Returns true if a path exists, seen from the root, from src/, or from `folder` (of the text). */
function resolves(path: string, folder: string): boolean {
  const clean = path.replace(/\/$/, '');
  if (!clean.includes('/') && names.has(clean)) return true;
  const places = path.startsWith('#')
    ? [`src/${clean.slice(1)}`]
    : [clean, `src/${clean}`, ...[folder, ...foldersOf(folder)].map((each) => join(each, clean))];
  return places.some((place) => paths.has(place));
}

function filesUnder(folder: string): readonly string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap(({ name }, i) => {
    const path = `${folder}/${name}`;
    if (MADE.test(`${path}/`)) return [];
    return entries[i]?.isDirectory() ? filesUnder(path) : [path];
  });
}

/** Returns the folders above a path, from the innermost to the outermost. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, parts.length - 1 - i).join('/'));
}

/** Returns the path of a file shortened at each dot of its name: `a/b` for `a/b.test.ts`. */
function stemsOf(path: string): readonly string[] {
  const parts = basename(path).split('.');
  return parts.slice(1).map((_, i) => join(dirname(path), parts.slice(0, i + 1).join('.')));
}
