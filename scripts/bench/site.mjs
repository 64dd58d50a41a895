// Builds the app, and serves it from a local server.
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, preview } from 'vite';
import { freePort } from '../free-port.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the app into `outDir`, so that no old dist/ is measured. Returns `outDir`. */
export async function buildApp(outDir) {
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  return outDir;
}

/**
 * Builds a module of the project (path from the root) for Node into `outDir`, as `npm run build`
 * builds the command. Returns the path of the result.
 */
export async function buildProgram(source, outDir) {
  const entry = join(root, source);
  await build({ root, logLevel: 'warn', build: { ssr: entry, outDir, emptyOutDir: true } });
  return join(outDir, `${basename(source, extname(source))}.mjs`);
}

/** Serves the built app. Returns the address and a function that stops the server. */
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
 * Returns the bytes of the script that the page needs before it shows anything, compressed with
 * brotli.
 */
export function initialScriptBytes(outDir) {
  const page = readFileSync(join(outDir, 'index.html'), 'utf8');
  // The entry script and its static imports, which Vite lists as modulepreload.
  const links = page.matchAll(/<(?:script|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"/g);
  return [...links]
    .map(([, file]) => file)
    .filter((file) => file.endsWith('.js'))
    .map((file) => brotliCompressSync(readFileSync(join(outDir, file))).length)
    .reduce((sum, length) => sum + length, 0);
}
