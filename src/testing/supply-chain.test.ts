/** Checks that all dependencies are pinned and listed, and run no code when installed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type LockEntry = {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
};

const lock: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
  read('package-lock.json'),
);
type Shipped = { readonly name: string; readonly licence: string; readonly text: string };
const shipped: readonly Shipped[] = JSON.parse(
  execFileSync(process.execPath, [join(root, 'scripts/licences.mjs'), '--json'], {
    encoding: 'utf8',
  }),
);
const manifest: {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
} = JSON.parse(read('package.json'));
const dependencies = Object.entries(manifest.devDependencies);
const lockedPackages = Object.entries(lock.packages).filter(([path]) => path !== '');

describe('packages', () => {
  it.each(dependencies)(
    '%s is required in its exact version %s, which is locked',
    (name, version) => {
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-r\.\d+)?$/);
      expect(lock.packages[`node_modules/${name}`]?.version).toBe(version);
    },
  );

  it('are all bundled, so that the package installs nothing else', () => {
    expect(manifest.dependencies).toBeUndefined();
  });

  it('run no scripts when installed', () => {
    expect(
      lockedPackages.filter(([, entry]) => entry.hasInstallScript).map(([path]) => path),
    ).toEqual([]);
    // In .npmrc this setting would also stop `npm pack` from building the package.
    for (const path of [
      '.github/workflows/ci.yml',
      '.github/workflows/release.yml',
      'action.yml',
      'Dockerfile',
    ]) {
      const installs = read(path).match(/\bnpm ci\b.*$/gm);
      expect.soft(installs?.length, path).toBeGreaterThan(0);
      for (const install of installs ?? [])
        expect.soft(install, path).toBe('npm ci --ignore-scripts');
    }
  });

  it('of CI, actions and images, are pinned by hash', () => {
    const workflows = readdirSync(join(root, '.github/workflows')).map(
      (name) => `.github/workflows/${name}`,
    );
    const used = [...workflows, 'action.yml', 'Dockerfile'].flatMap((path) =>
      Array.from(
        read(path).matchAll(/^\s*(?:- )?(?:uses:|container:|image:|FROM) *(\S+)/gm),
        ([, name = '']) => name,
      ),
    );
    expect(used.length).toBeGreaterThan(10);
    const pinned = /^\.\/|@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/;
    expect(used.filter((name) => !pinned.test(name))).toEqual([]);
  });

  it('are locked with a hash, except for packages of other systems', () => {
    const without = lockedPackages.filter(([, { integrity, optional }]) => !integrity && !optional);
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('that the page is made of are under licences that allow it, and bring their texts', () => {
    expect(shipped.length).toBeGreaterThan(20);
    for (const { name, licence, text } of shipped) {
      expect.soft(licence, name).toMatch(/^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause)$/);
      expect.soft(text.length, name).toBeGreaterThan(200);
    }
  });

  it('have the number that the document states', () => {
    expect(read('docs/supply-chain.md')).toContain(`${shipped.length} packages`);
    expect(read('docs/supply-chain.md')).toContain(`${lockedPackages.length} in all`);
  });
});

describe('samples', () => {
  type Sample = { readonly file: string; readonly source: string; readonly command: string };
  const samples: readonly Sample[] = JSON.parse(read('public/samples/index.json'));

  it.each(samples.map((sample) => [sample.file, sample] as const))(
    '%s has a source in the repository and the command that made it',
    (_, { source, command }) => {
      expect(existsSync(join(root, 'public/samples', source))).toBe(true);
      expect(command).not.toBe('');
    },
  );
});

describe('docs/privacy.md', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith('testing'))
    .map((path) => read(join('src', path)));

  it('names everything that a module keeps in the browser, and nothing else', () => {
    const storedKeys = sources.flatMap((text) =>
      [...text.matchAll(/\b(?:kept|createDatabase)(?:<[^(]+>)?\(\s*'(btfscope-[\w-]+)'/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(storedKeys.length).toBeGreaterThan(4);
    // Only `kept` uses `localStorage`, so its calls contain all storage keys.
    expect(sources.filter((text) => /\blocalStorage\b/.test(text))).toHaveLength(1);
    const named = read('docs/privacy.md').matchAll(
      /^\|.*\| .*?`(btfscope-[\w-]+)`(?: and `(btfscope-[\w-]+)`)? \|/gm,
    );
    const documentedKeys = [...named].flatMap(([, ...names]) =>
      names.filter((name) => name !== undefined),
    );
    expect([...new Set(documentedKeys)].sort()).toEqual([...new Set(storedKeys)].sort());
  });

  it('is right that no code uses cookies', () => {
    expect(
      sources.filter((text) =>
        /\bdocument\??\.cookie\b|\bcookieStore\b|\bset-cookie\b/i.test(text),
      ),
    ).toEqual([]);
  });

  it('is right that no site receives a referrer', () => {
    for (const page of ['index.html', 'public/embed.html']) {
      expect(read(page)).toContain('<meta name="referrer" content="no-referrer" />');
    }
  });
});
