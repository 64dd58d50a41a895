// Builds the app, and serves it from a local server.
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, preview } from 'vite';
import { freePort } from '../free-port.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the app into `outDir` instead of dist/, which could be old. Returns `outDir`. */
export async function buildApp(outDir) {
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  return outDir;
}

/**
 * Builds a module of the project for Node into `outDir`, as `npm run build` builds the command.
 * `source` is its path from the root. Returns the path of the built file.
 */
export async function buildProgram(source, outDir) {
  const entry = join(root, source);
  await build({ root, logLevel: 'warn', build: { ssr: entry, outDir, emptyOutDir: true } });
  return join(outDir, `${basename(source, extname(source))}.mjs`);
}

/** Serves the app in `outDir`. Returns its address and a function that stops the server. */
export async function serve(outDir) {
  const port = await freePort();
  const server = await preview({
    root,
    logLevel: 'warn',
    build: { outDir },
    preview: { port, strictPort: true },
  });
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/**
 * Returns the size, compressed with brotli, of the scripts that the page needs to show anything.
 */
export function initialScriptBytes(outDir) {
  const page = readFileSync(join(outDir, 'index.html'), 'utf8');
  // Vite lists the static imports of the entry script as modulepreload.
  const links = page.matchAll(/<(?:script|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"/g);
  return [...links]
    .map(([, file]) => file)
    .filter((file) => file.endsWith('.js'))
    .map((file) => brotliCompressSync(readFileSync(join(outDir, file))).length)
    .reduce((sum, length) => sum + length, 0);
}
