// Builds the whole app as one .html file that opens from disk: `npm run build:single`.
//
// Script, styles, worker and examples are in the page itself. The policy names the script and the
// styles by their hashes, and allows no request to any server. BTFSCOPE_HOSTED=https://… is the
// address of the same page on a server, which the page uses in its links.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const TARGET = join(root, 'dist-single');
const NAME = 'btfscope.html';
const SAMPLES = join(root, 'public/samples');

const scratch = mkdtempSync(join(tmpdir(), 'btfscope-single-'));
try {
  await buildInto(scratch);
  const page = assemble(scratch);
  mkdirSync(TARGET, { recursive: true });
  writeFileSync(join(TARGET, NAME), page);
  console.log(`${join('dist-single', NAME)}: ${(page.length / 1e6).toFixed(2)} MB`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function buildInto(outDir) {
  return build({
    root,
    logLevel: 'warn',
    plugins: [inlineWorker()],
    worker: { format: 'iife' },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      sourcemap: false,
      cssCodeSplit: false,
      rolldownOptions: { input: 'index.html', output: { codeSplitting: false } },
    },
  });
}

/** Makes Vite embed the worker's script in the page instead of loading it from a file. */
function inlineWorker() {
  return {
    name: 'btfscope:inline-worker',
    enforce: 'pre',
    resolveId(source) {
      return source === './start-worker.ts'
        ? join(root, 'src/worker/start-worker-inline.ts')
        : undefined;
    },
  };
}

function assemble(folder) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const assets = readdirSync(join(folder, 'assets'));
  const read = (ending) => {
    const found = assets.filter((name) => name.endsWith(ending));
    return found.map((name) => readFileSync(join(folder, 'assets', name), 'utf8')).join('\n');
  };
  // Escapes `</script`, which would end the element; in a JavaScript string `<\/` means `</`.
  const script = read('.js').replaceAll('</script', '<\\/script');
  const style = read('.css').replaceAll('</style', '<\\/style');
  const icon = readFileSync(join(root, 'public/favicon.svg')).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data: blob:',
    'worker-src blob: data:',
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
  const strippedPage = page
    .replace(/<script type="module"[^>]*><\/script>/g, '')
    .replace(/<link rel="(?:stylesheet|modulepreload|icon|manifest)"[^>]*>/g, '')
    .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, head) => head + policy);
  if (strippedPage === page) throw new Error('the page that was built is not as expected');
  const head = `${hostedMeta()}<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${icon}" />
    <style>${style}</style>`;
  const body = `<script type="application/json" id="btfscope-samples">${JSON.stringify(samples())}</script>
    <script type="module">${script}</script>`;
  // Passes functions instead of texts, because `replace` interprets `$` in texts.
  return strippedPage
    .replace('</head>', () => `${head}\n  </head>`)
    .replace('</body>', () => `${body}\n  </body>`);
}

/** Returns the meta element with the address of the hosted page; empty if the build has none. */
function hostedMeta() {
  const address = process.env.BTFSCOPE_HOSTED ?? '';
  if (address === '') return '';
  const { href, protocol } = new URL(address);
  if (!/^https?:$/.test(protocol)) throw new Error(`BTFSCOPE_HOSTED is no web address: ${address}`);
  return `<meta name="btfscope-hosted" content="${href.replaceAll('"', '%22')}" />\n    `;
}

/** Returns the examples as base64 by file name. */
function samples() {
  const files = readdirSync(SAMPLES, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ name }) => [name, readFileSync(join(SAMPLES, name)).toString('base64')]),
  );
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
