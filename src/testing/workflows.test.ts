/** Checks that `npm test` runs all workflow commands that need no network and no tag. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Commands of the workflows that `npm test` does not run, with the reason. */
const LEFT_OUT = new Map([
  ['npm ci --ignore-scripts', 'installs from the registry'],
  ['npm test', 'is the gate itself'],
  ["git config --global --add safe.directory '*'", 'sets up the container of the job'],
  ['.ci/run', 'runs npm test and npm run test:long in a clone'],
  ['node scripts/check-vscode.mjs', 'needs vsce from the registry; npm test builds what it packs'],
  [
    'test "$GITHUB_REF_NAME" = "v$(npm pkg get version | tr -d \'"\')"',
    'needs the tag of a release',
  ],
  [
    'npm pkg set repository.type=git "repository.url=git+https://github.com/$GITHUB_REPOSITORY.git"',
    'changes package.json for the release',
  ],
  [
    'npm publish --provenance --access public --ignore-scripts ./release/*.tgz',
    'publishes; check-package.mjs runs it with --dry-run',
  ],
  [
    'gh release create "$GITHUB_REF_NAME" --verify-tag --generate-notes release/*',
    'makes the release at GitHub',
  ],
]);
/** Text that identifies a command in scripts/test.mjs if it is written differently there. */
const OTHER_WORDS = new Map([
  ['npm run build:single', '-vscode.mjs`]'],
  ['npm run docs:api', "['node', 'scripts/build-api-docs.mjs', '--optional']"],
  ['node scripts/release-files.mjs release', "['node', 'scripts/release-files.mjs', join("],
]);

const commands = ['ci', 'release'].flatMap((name) =>
  [...read(`.github/workflows/${name}.yml`).matchAll(/^ +(?:- )?run: (.*)$/gm)].map(
    ([, command = '']) => command,
  ),
);

describe('the workflows', () => {
  it('have commands, each on one line', () => {
    expect(commands.length).toBeGreaterThan(15);
    expect(commands.filter((command) => /^[|>]/.test(command))).toEqual([]);
  });

  it('contain every command of the exception lists', () => {
    const gone = [...LEFT_OUT.keys(), ...OTHER_WORDS.keys()].filter(
      (command) => !commands.includes(command),
    );
    expect(gone).toEqual([]);
  });

  const gate = read('scripts/test.mjs');
  it.each([...new Set(commands)].filter((command) => !LEFT_OUT.has(command)))(
    '%s runs in npm test',
    (command) => {
      const words = command.split(' ').map((word) => `'${word}'`);
      expect(gate).toContain(OTHER_WORDS.get(command) ?? `[${words.join(', ')}`);
    },
  );
});
