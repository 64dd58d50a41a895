/**
 * Writes the formats of all messages of libbpf, with the first and the last version that has each:
 * `node scripts/libbpf-messages.mjs CLONE > src/analysis/log/testdata/libbpf-messages.tsv`. CLONE is
 * a clone of github.com/libbpf/libbpf with its tags. The last version is that of its HEAD.
 */
import { execFileSync } from 'node:child_process';

const [clone] = process.argv.slice(2);
if (clone === undefined) throw new Error('usage: node scripts/libbpf-messages.mjs CLONE');

const CALL = /\bpr_(warn|info|debug)(?:_elf)?\s*\(\s*((?:"(?:[^"\\]|\\.)*"|PRI\w+|\s)+)/g;
const PRINT_NUMBERS = { PRIu64: 'lu', PRIx64: 'lx', PRId64: 'ld', PRIu32: 'u', PRIx32: 'x' };

const releases = git('tag', '--sort=version:refname')
  .split('\n')
  .filter((tag) => /^v\d/.test(tag));
const [major, minor] = ['MAJOR', 'MINOR'].map(
  (part) =>
    new RegExp(`LIBBPF_${part}_VERSION (\\d+)`).exec(git('show', 'HEAD:src/libbpf_version.h'))?.[1],
);

const messages = new Map();
for (const revision of [...releases, 'HEAD']) {
  const version = revision === 'HEAD' ? `${major}.${minor}` : revision.replace(/^v|\.0$/g, '');
  for (const [level, format] of messagesAt(revision)) {
    const key = `${level}\t${format}`;
    messages.set(key, { first: version, ...messages.get(key), last: version, level, format });
  }
}
console.log('level\tfirst\tlast\tformat');
const byFormat = [...messages.values()].sort((a, b) => (a.format < b.format ? -1 : 1));
for (const { level, first, last, format } of byFormat) {
  console.log([level, first, last, format].join('\t'));
}

function* messagesAt(revision) {
  const files = git('ls-tree', '--name-only', revision, 'src/').split('\n');
  for (const file of files.filter((name) => /\.[ch]$/.test(name) && !name.endsWith('bpf.h'))) {
    for (const [, level, literals] of git('show', `${revision}:${file}`).matchAll(CALL)) {
      const format = formatOf(literals);
      if (format !== '') yield [level, format];
    }
  }
}

/** Returns the text of adjacent C string literals, without the newline at its end. */
function formatOf(literals) {
  const parts = literals.matchAll(/"((?:[^"\\]|\\.)*)"|(PRI\w+)/g);
  const text = [...parts].map(([, quoted, macro]) => quoted ?? PRINT_NUMBERS[macro] ?? 'lu');
  return text
    .join('')
    .replace(/\\n$/, '')
    .replace(/\\(["\\])/g, '$1');
}

function git(...args) {
  return execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
}
