/**
 * Tests the configurations in docs/hosting.md with real servers: nginx as in the container, and
 * Caddy. Skips servers that are not installed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { freePort } from '../scripts/free-port.mjs';
import { AppPage } from './app-page.ts';
import { test } from './test.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const DIST = fromRoot('dist');
const DOCUMENT = readFileSync(fromRoot('docs/hosting.md'), 'utf8');
/** Headers in the nginx configuration of docs/hosting.md, as name and value. */
const HEADERS = [...DOCUMENT.matchAll(/^add_header (\S+) "?([^";]+|[^"]+)"? always;/gm)].map(
  ([, name = '', value = '']) => [name.toLowerCase(), value] as const,
);

type Server = {
  readonly name: 'nginx' | 'caddy';
  /** Writes the configuration into `folder`; returns the server's command-line arguments. */
  readonly configure: (folder: string, port: number, program: string) => readonly string[];
};

const nginx: Server = {
  name: 'nginx',
  configure: (folder, port, program) => {
    const site = readFileSync(fromRoot('container/btfscope.conf'), 'utf8')
      .replace('listen 8080;', `listen 127.0.0.1:${port};`)
      .replace('root /usr/share/nginx/html;', `root ${DIST};`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    writeFileSync(
      join(folder, 'nginx.conf'),
      [
        'daemon off; master_process off; events {}',
        `pid ${folder}/pid; error_log stderr;`,
        `http { include ${join(program, '../../../etc/nginx/mime.types')};`,
        'default_type application/octet-stream; access_log off;',
        ...temporary.map((name) => `${name}_temp_path ${folder}/temporary;`),
        `${site} }`,
      ].join('\n'),
    );
    return ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'];
  },
};

const caddy: Server = {
  name: 'caddy',
  configure: (folder, port) => {
    const site = /```caddy\n(.*?)```/s.exec(DOCUMENT)?.[1] ?? '';
    const named = site
      .replace('btfscope.example', `http://127.0.0.1:${port}`)
      .replace('/srv/btfscope', DIST);
    writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${named}`);
    return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  },
};

/** Returns the path of a program, or null. Also searches /usr/sbin, where servers are installed. */
function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

for (const server of [nginx, caddy]) {
  const program = findProgram(server.name);

  test(`${server.name} serves the page with the headers of docs/hosting.md`, async ({ page }) => {
    test.skip(program === null, `${server.name} is not installed`);
    if (program === null) return;
    const folder = mkdtempSync(join(tmpdir(), 'btfscope-hosting-'));
    mkdirSync(join(folder, 'temporary'));
    const port = await freePort();
    const args = server.configure(folder, port, program);
    const child = spawn(program, args, { env: { ...process.env, HOME: folder }, stdio: 'ignore' });
    try {
      const address = `http://127.0.0.1:${port}/`;
      await waitForAnswer(child, address);
      const script = readdirSync(join(DIST, 'assets')).find((name) => name.endsWith('.js')) ?? '';
      const style = readdirSync(join(DIST, 'assets')).find((name) => name.endsWith('.css')) ?? '';
      const TYPES = {
        '': /^text\/html/,
        'embed.html': /^text\/html/,
        'service-worker.js': /^(text|application)\/javascript/,
        'btfscope-embed.js': /^(text|application)\/javascript/,
        'manifest.webmanifest': /^application\/manifest\+json/,
        'samples/kinds.btf': /^application\/octet-stream|^$/,
        [`assets/${script}`]: /^(text|application)\/javascript/,
        [`assets/${style}`]: /^text\/css/,
      };
      expect(HEADERS).toHaveLength(3);
      for (const [path, type] of Object.entries(TYPES)) {
        const { status, headers } = await fetch(address + path);
        expect.soft(status, path).toBe(200);
        expect.soft(headers.get('content-type') ?? '', path).toMatch(type);
        for (const [name, value] of HEADERS) expect.soft(headers.get(name), path).toBe(value);
        const cache = path.startsWith('assets/')
          ? 'public, max-age=31536000, immutable'
          : 'no-cache';
        expect.soft(headers.get('cache-control'), path).toBe(cache);
      }
      expect((await fetch(`${address}none.html`)).status).toBe(404);

      const app = new AppPage(page);
      await page.goto(address);
      await app.chooseFile(fromRoot('e2e/fixtures/kinds.btf.xz'));
      expect((await app.opened()).types).toBe(95);
      await page.goto(`${address}embed.html`);
      await expect(page.frameLocator('iframe').first().getByRole('main')).toContainText(
        'list_head',
      );
      app.expectQuiet();
    } finally {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Waits until the server answers. Rejects if the server process ends. */
async function waitForAnswer(child: ChildProcess, address: string): Promise<void> {
  await expect
    .poll(async () => {
      if (child.exitCode !== null) return `ended with ${child.exitCode}`;
      return await fetch(address).then(
        ({ status }) => status,
        () => 'silent',
      );
    })
    .toBe(200);
}
