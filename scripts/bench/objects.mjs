// Finds objects and kernels for measurements.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decompress } from 'fzstd';

const SAMPLES = fileURLToPath(new URL('../../public/samples/', import.meta.url));
const CORPUS = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));

/** Returns the paths of the examples that are objects. */
export function sampleObjects() {
  return readdirSync(SAMPLES)
    .filter((name) => name.endsWith('.o'))
    .map((name) => join(SAMPLES, name));
}

/** Returns the paths of the corpus's objects, unpacked into `scratch`; null without a corpus. */
export function corpusObjects(scratch) {
  const manifest = join(CORPUS, 'objects/MANIFEST.json');
  if (!existsSync(manifest)) return null;
  const { objects, debian, random } = JSON.parse(readFileSync(manifest, 'utf8'));
  const files = [...objects, ...debian].map(({ file }) => file);
  return [...files, ...random.map(({ local }) => local)].map((file, i) => {
    const path = join(CORPUS, file);
    if (!file.endsWith('.zst')) return path;
    const unpacked = join(scratch, `${i}-${basename(file, '.zst')}`);
    writeFileSync(unpacked, decompress(readFileSync(path)));
    return unpacked;
  });
}

/** Returns the paths of the kernels of the corpus; empty without a corpus. */
export function corpusKernels() {
  const folder = join(CORPUS, 'kernels');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.btf(?:\.zst)?$/.test(name))
    .map((name) => join(folder, name));
}

/**
 * Unpacks the corpus's kernels into `folder`. Returns their paths, and their packed size in bytes.
 */
export function unpackedKernels(folder) {
  mkdirSync(folder, { recursive: true });
  let packed = 0;
  const kernels = corpusKernels().map((path) => {
    const to = join(folder, basename(path, '.zst'));
    const bytes = readFileSync(path);
    packed += bytes.length;
    writeFileSync(to, path.endsWith('.zst') ? decompress(bytes) : bytes);
    return to;
  });
  return { kernels, packed };
}
