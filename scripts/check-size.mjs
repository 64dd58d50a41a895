// Fails if the first script of the page, or the script for pages that embed types, is too large.
// Needs dist/. Scripts that load later do not count (workers, dynamic imports).
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const LIMIT = 110_000;
/** Limit for `btfscope-embed.js` in bytes, not compressed. */
const MAX_EMBED = 3000;

const dist = new URL('../dist/', import.meta.url);
const page = readFileSync(new URL('index.html', dist), 'utf8');
// The entry script and its static imports, which Vite lists as modulepreload.
const files = [...page.matchAll(/<(?:script|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"/g)]
  .map((match) => match[1])
  .filter((file) => file.endsWith('.js'));
if (files.length === 0) throw new Error('dist/index.html loads no script');

let total = 0;
for (const file of files) {
  const size = brotliCompressSync(readFileSync(new URL(file, dist))).length;
  total += size;
  console.log(`${kilobytes(size).padStart(9)}  ${file}`);
}
console.log(
  `${kilobytes(total).padStart(9)}  in all, of ${kilobytes(LIMIT)}, compressed by brotli`,
);
if (total > LIMIT) {
  console.error('Too much. Import what is not needed at once with import(), or do without it.');
  process.exitCode = 1;
}

const embedSize = readFileSync(new URL('btfscope-embed.js', dist)).length;
console.log(`${kilobytes(embedSize).padStart(9)}  btfscope-embed.js, of ${kilobytes(MAX_EMBED)}`);
if (embedSize > MAX_EMBED) {
  console.error('Too much for the pages of others.');
  process.exitCode = 1;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
