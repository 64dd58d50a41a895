/** Runs the script that writes the files of a release, on a copy of the package with empty builds. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const project = join(import.meta.dirname, '../..');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'btfscope-release-'));
  mkdirSync(join(folder, 'scripts'));
  for (const name of ['scripts/release-files.mjs', 'scripts/runtimes.mjs', 'package.json']) {
    cpSync(join(project, name), join(folder, name));
  }
  cpSync(join(project, 'package-lock.json'), join(folder, 'package-lock.json'));
  for (const built of ['dist/index.html', 'dist-single/btfscope.html']) {
    mkdirSync(join(folder, built, '..'), { recursive: true });
    writeFileSync(join(folder, built), built);
  }
  const script = join(folder, 'scripts/release-files.mjs');
  execFileSync(process.execPath, [script, join(folder, 'release')], { stdio: 'pipe' });
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const read = (name: string) => readFileSync(join(folder, 'release', name));

it('are the package, the page, the site, the list of packages and the checksums', () => {
  expect(readdirSync(join(folder, 'release')).toSorted()).toEqual([
    'SHA256SUMS',
    expect.stringMatching(/^btfscope-\d+\.\d+\.\d+\.tgz$/),
    'btfscope-site.tar.gz',
    'btfscope.cdx.json',
    'btfscope.html',
  ]);
});

it('have an SBOM with every package of the lock file', () => {
  type Part = { readonly purl: string; readonly version: string };
  const { bomFormat, metadata, components } = JSON.parse(read('btfscope.cdx.json').toString());
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component.purl).toMatch(/^pkg:npm\/btfscope@/);
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  const locked = Object.entries<{ readonly version: string; readonly optional?: boolean }>(
    lock.packages,
  )
    .filter(([path, { optional }]) => path !== '' && optional !== true)
    .map(([path, { version }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `pkg:npm/${name.replace('@', '%40')}@${version}`;
    });
  expect(locked.length).toBeGreaterThan(20);
  const purls = new Set((components as readonly Part[]).map(({ purl }) => purl));
  expect(locked.filter((purl) => !purls.has(purl))).toEqual([]);
});

it('have the checksum of each file', () => {
  const lines = read('SHA256SUMS').toString().trimEnd().split('\n');
  const names = readdirSync(join(folder, 'release')).filter((name) => name !== 'SHA256SUMS');
  expect(lines.toSorted()).toEqual(
    names
      .map((name) => `${createHash('sha256').update(read(name)).digest('hex')}  ${name}`)
      .toSorted(),
  );
});
