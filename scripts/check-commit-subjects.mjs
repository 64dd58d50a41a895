// Checks commit subjects: `area: change in the imperative`, at most 72 characters.
//   node scripts/check-commit-subjects.mjs FILE   the message in a file, for .githooks/commit-msg
//   node scripts/check-commit-subjects.mjs        the commits since the last release
// Before the first release, checks the commits after the commit that added this file. A clone
// without history passes.
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LONGEST = 72;
const AREA = /^[\w./{}, -]+: (?=\S)/;
/** First words of a change that are no verbs in the imperative. */
const NO_VERBS = new Set(
  'a an the this that these those it there one two each every all some no what who which where when why how'.split(
    ' ',
  ),
);
/** Matches verbs in the imperative that end in -ed, -ing or -s. */
const VERBS_IN_ED_ING_S =
  /^(embed|exceed|feed|need|seed|shed|speed|bring|ping|ring|string|swing|wring|alias|bias|canvas|focus|\w*ss)$/;

/** Returns why a commit subject is rejected; null if it is accepted. */
export function subjectFault(subject) {
  if (subject.length > LONGEST)
    return `${subject.length} characters, at most ${LONGEST} are allowed`;
  const area = AREA.exec(subject)?.[0];
  if (area === undefined)
    return 'expected `area: change`, for example `core: cache candidates by name`';
  const words = subject.slice(area.length).toLowerCase().split(/\s+/);
  const [first = ''] = words;
  const isOtherForm = /^[a-z]+(ed|ing|s)$/.test(first) && !VERBS_IN_ED_ING_S.test(first);
  const isStatement = words.some(
    (word, i) =>
      i < 3 &&
      /^(is|are|was|were)$/.test(word) &&
      !/^(what|that|which|who|where|how|it)$/.test(words[i - 1] ?? ''),
  );
  if (NO_VERBS.has(first) || isOtherForm || isStatement) {
    return `expected the imperative after \`${area.trim()}\`, for example \`cache\`, not \`cached\`, \`caches\` or \`the cache is\``;
  }
  return null;
}

function git(...args) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** Returns the commit subjects since the last release; null if there is no history. */
function recentSubjects() {
  try {
    if (git('rev-parse', '--is-shallow-repository') !== 'false') return null;
    const release = git('tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-v:refname').split(
      '\n',
    )[0];
    const since =
      release ||
      git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'scripts/check-commit-subjects.mjs');
    if (since === '') return [];
    return git('log', '--no-merges', '--format=%s', `${since}..HEAD`)
      .split('\n')
      .filter((subject) => subject !== '');
  } catch {
    return null;
  }
}

if (
  process.argv[1] !== undefined &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
) {
  const file = process.argv[2];
  const subjects =
    file === undefined ? recentSubjects() : [readFileSync(file, 'utf8').split('\n')[0] ?? ''];
  if (subjects === null) console.log('Commit subjects: not checked, there is no history here.');
  // Accepts subjects that git writes. Only the hook accepts fixup and squash, which a rebase
  // removes.
  const fromGit = file === undefined ? /^Revert "/ : /^(Merge |Revert "|(fixup|squash|amend)! )/;
  const faults = (subjects ?? []).flatMap((subject) => {
    const fault = fromGit.test(subject) ? null : subjectFault(subject);
    return fault === null ? [] : [`${subject}\n  ${fault}`];
  });
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
