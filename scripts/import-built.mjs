// Imports TypeScript of src, or a module of scripts that imports it, after vite has built it.
import { basename, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Builds `path`, relative to the repository, into the folder `out`, and imports the result. */
export async function importBuilt(path, out) {
  await build({
    root: ROOT,
    logLevel: 'error',
    build: { ssr: join(ROOT, path), outDir: out, emptyOutDir: false },
  });
  return import(pathToFileURL(join(out, `${basename(path, extname(path))}.mjs`)));
}
