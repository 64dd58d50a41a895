/** Build, preview and unit tests. The end-to-end tests have their own: e2e/playwright.config.ts. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { BuildEnvironmentOptions, Plugin } from 'vite';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { licencesByText, licencesText } from './scripts/licences.mjs';

/**
 * What the page and its file workers may load and do: nothing from another origin, nothing
 * sent to one. The workers also lose what reaches the network: `src/worker/file.worker.ts`.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  // blob: for the file workers, `src/worker/start-worker.ts`; the other is the service worker.
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  // Text becomes markup nowhere, and a script's address only by src/app/trusted-types.ts.
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ');

/** Only the built page has the policy: the dev server works by inline scripts and styles. */
function contentSecurityPolicy(): Plugin {
  return {
    name: 'btfscope:content-security-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      // A policy holds for what comes after it, so it must be the first element.
      handler: () => [
        {
          tag: 'meta',
          attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
          injectTo: 'head-prepend',
        },
      ],
    },
  };
}

/** Names in the service worker what it keeps: every file of the built page, maps apart. */
function keptForOffline(): Plugin {
  return {
    name: 'btfscope:kept-for-offline',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const worker = bundle['service-worker.js'];
        if (worker?.type !== 'chunk') return;
        const built = Object.values(bundle).filter(
          ({ fileName }) => fileName !== worker.fileName && !fileName.endsWith('.map'),
        );
        const hash = createHash('sha256').update(worker.code);
        for (const file of built) {
          hash.update(file.fileName).update(file.type === 'chunk' ? file.code : file.source);
        }
        const copied = publicFiles();
        for (const file of copied) hash.update(file).update(readFileSync(join(PUBLIC, file)));
        const files = [...built.map(({ fileName }) => fileName), ...copied].toSorted();
        const kept = { version: hash.digest('hex').slice(0, 16), files };
        worker.code = worker.code.replaceAll('BTFSCOPE_KEPT', () => JSON.stringify(kept));
      },
    },
  };
}

/** `virtual:licences`: whose code the page is made of, for the dialog that says so; `licences.txt`, for who has the files. */
function licences(): Plugin {
  const NAME = 'virtual:licences';
  return {
    name: 'btfscope:licences',
    resolveId: (source) => (source === NAME ? `\0${NAME}` : undefined),
    load: (id) =>
      id === `\0${NAME}` ? `export default ${JSON.stringify(licencesByText())}` : undefined,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source: licencesText() });
    },
  };
}

const PUBLIC = fileURLToPath(new URL('public', import.meta.url));

/** What is copied as it is, without the sources of the examples: no view shows those. */
function publicFiles(): string[] {
  return readdirSync(PUBLIC, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(PUBLIC, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('samples/src/'));
}

const port = Number(process.env.PORT ?? 4173);

/** The page: `vite build`. */
const page: BuildEnvironmentOptions = {
  target: 'baseline-widely-available',
  sourcemap: true,
  // The policy allows no data: fonts or scripts, so nothing is inlined.
  assetsInlineLimit: 0,
  // Every browser of the target knows modulepreload.
  modulePreload: { polyfill: false },
  rolldownOptions: {
    input: {
      index: 'index.html',
      'service-worker': 'src/worker/service-worker.ts',
      'btfscope-embed': 'src/app/btf-type.ts',
    },
    output: {
      // The addresses of the other two must stay: browsers have the one, pages of others name the other.
      entryFileNames: ({ name }) => (name === 'index' ? 'assets/[name]-[hash].js' : '[name].js'),
      // A classic script: what it declares must not become names of the page that has it.
      banner: ({ name }) => (name === 'btfscope-embed' ? '(() => {' : ''),
      footer: ({ name }) => (name === 'btfscope-embed' ? '})();' : ''),
      // What the page needs first is one chunk, and what three or more of the others share another:
      // a link to a type would wait for more than a hundred files otherwise. What those modules import
      // is shared by as many and in one of the two, so that no circle comes about.
      codeSplitting: {
        groups: [
          {
            name: 'page',
            test: (id) => !/\/(service-worker|btf-type)\.ts$/.test(id),
            tags: ['$initial'],
            priority: 1,
          },
          { name: 'shared', minShareCount: 3 },
        ],
      },
    },
  },
};

/** The command, for Node: `vite build --ssr src/cli/main.ts`. One folder that needs no node_modules beside it. */
const command: BuildEnvironmentOptions = {
  outDir: 'dist-cli',
  target: 'node20',
  copyPublicDir: false,
  rolldownOptions: {
    output: {
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
      // Less to read at each start. Names of functions stay, for the stack of a bug report.
      minify: {
        compress: false,
        mangle: { toplevel: false, keepNames: true },
        codegen: true,
      },
      // A file costs a millisecond or two, however short it is, and 100 kB that are not needed two or
      // three. What nearly all commands need is one file, and what many need another; what those
      // import is needed by as many and in them too, so that no circle comes about. The module
      // that awaits the command is apart, as are programs of the bench: none that they load may
      // wait for them.
      codeSplitting: {
        groups: [
          {
            name: 'start',
            test: (id) => !/\/cli\/main\.ts$|\/scripts\//.test(id),
            tags: ['$initial'],
            priority: 3,
          },
          { name: 'open', minShareCount: 16, priority: 2 },
          { name: 'shared', minShareCount: 12, priority: 1 },
        ],
      },
    },
  },
};

const LIBRARY = 'library';

/**
 * The library: `vite build --mode library`. A file for each module, not minified, so that who
 * bundles it leaves out what is not used.
 */
const library: BuildEnvironmentOptions = {
  outDir: 'dist-lib',
  target: 'baseline-widely-available',
  copyPublicDir: false,
  minify: false,
  lib: { entry: 'src/lib/main.ts', formats: ['es'] },
  rolldownOptions: {
    output: {
      preserveModules: true,
      preserveModulesRoot: 'src',
      // The declarations have the comments for users.
      comments: { jsdoc: false },
      // npm leaves folders of that name out of a package.
      entryFileNames: ({ name }) => `${name.replaceAll('node_modules', 'packages')}.js`,
    },
  },
};

/**
 * The cards of the verifier's rules in the module that reads them: each would be a module of its own,
 * and 165 requests of a page that explains a log.
 */
function cardsInOneModule(): Plugin {
  const folder = join(SOURCES, 'analysis/verifier');
  return {
    name: 'btfscope:cards-in-one-module',
    enforce: 'pre',
    transform(code, id) {
      if (id !== join(folder, 'cards.ts')) return undefined;
      const paths = readdirSync(join(folder, 'cards'))
        .toSorted()
        .map((file) => `./cards/${file}`);
      const texts = paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]);
      const glob = /import\.meta\.glob<string>\([^)]*\)/;
      if (!glob.test(code)) this.error('src/analysis/verifier/cards.ts has no glob of its cards');
      return code.replace(glob, () => JSON.stringify(Object.fromEntries(texts)));
    },
  };
}

/**
 * The server of the protocol brings ajv along, to check what a person is asked for. Ours asks
 * nothing, so that ajv stays outside of the package.
 */
function withoutAjv(): Plugin {
  const SHIMS = '@modelcontextprotocol/server/_shims';
  return {
    name: 'btfscope:without-ajv',
    enforce: 'pre',
    resolveId: (source) => (source === SHIMS ? `\0${SHIMS}` : undefined),
    load: (id) =>
      id === `\0${SHIMS}`
        ? `export { default as process } from 'node:process';
           export class DefaultJsonSchemaValidator {
             getValidator() { throw new Error('no JSON schema is checked'); }
           }`
        : undefined,
  };
}

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(fileURLToPath(new URL('package.json', import.meta.url)), 'utf8'),
);

const SOURCES = fileURLToPath(new URL('src', import.meta.url));

/** What `npm run test:long` sets, so that a test has more input. */
const READS_INPUT = /\bprocess\.env\.BTFSCOPE_(LONG|CORPUS)\b/;

/** Returns a function that says whether a test has more input in `npm run test:long`, itself or by modules of `src/testing`. */
function longInput(): (test: string) => boolean {
  const known = new Map<string, boolean>();
  const reads = (file: string): boolean => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    known.set(file, false);
    const text = readFileSync(join(SOURCES, '..', file), 'utf8');
    const paths = [...text.matchAll(/from '(?:#|(?=\.\/))([^']+)'/g)].map(([, path = '']) =>
      posix.join(path.startsWith('./') ? posix.dirname(file) : 'src', path),
    );
    const helpers = paths.filter((path) => path.startsWith('src/testing/'));
    const answered = READS_INPUT.test(text) || helpers.some(reads);
    known.set(file, answered);
    return answered;
  };
  return reads;
}

/** Projects of unit tests: those of components need a simulated page. */
function unitProjects(): TestProjectConfiguration[] {
  const files = ['src', 'editors/vscode/src'].flatMap((folder) =>
    readdirSync(join(SOURCES, '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  );
  // `npm run test:long` comes after `npm test`: only what has more to try is run again.
  const tests = process.env.BTFSCOPE_LONG === undefined ? files : files.filter(longInput());
  return (['node', 'happy-dom'] as const).map((environment) => {
    const include = tests.filter((file) => file.endsWith('x') === (environment === 'happy-dom'));
    return { extends: true, test: { name: environment, environment, include } };
  });
}

export default defineConfig(({ isSsrBuild, mode }) => ({
  // Relative, so that the built page works from any folder of any server.
  base: './',
  define: { BTFSCOPE_VERSION: JSON.stringify(version) },
  plugins:
    mode === LIBRARY
      ? [cardsInOneModule()]
      : isSsrBuild
        ? [withoutAjv()]
        : [react(), licences(), contentSecurityPolicy(), keptForOffline()],
  build: isSsrBuild ? command : mode === LIBRARY ? library : page,
  ssr: { noExternal: true },
  worker: { format: 'es' },
  server: { host: '127.0.0.1' },
  // Whoever asks for a port wants that one; else the next free one will do.
  preview: { host: '127.0.0.1', port, strictPort: process.env.PORT !== undefined },
  test: {
    // The default leaves one core of two idle.
    maxWorkers: availableParallelism(),
    // Long enough on a busy machine: some tests compute for ten seconds. One that never ends is found as well.
    testTimeout: 120_000,
    // One module graph per worker saves most of the loading. So no test replaces a module; what it
    // puts in the place of a function is taken back before the next test.
    isolate: false,
    restoreMocks: true,
    setupFiles: 'src/testing/fresh-session.ts',
    projects: unitProjects(),
  },
}));
