/** Tests of the server of `btfscope FILE`: its responses, and its checks of requests. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { openInBrowser, type ServedPage, servePage } from './open-page.ts';

const NAME = "a b#(1)'%20.o";
const bytes = Uint8Array.from({ length: 3 << 20 }, (_, i) => i * 7);

let folder: string;
let served: ServedPage;
let address: URL;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'btfscope-page-'));
  mkdirSync(join(folder, 'site/assets'), { recursive: true });
  writeFileSync(
    join(folder, 'site/index.html'),
    '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;">\n<meta charset="utf-8" />',
  );
  writeFileSync(join(folder, 'site/assets/a.js'), 'export {};');
  writeFileSync(join(folder, 'site/service-worker.js'), '');
  writeFileSync(join(folder, 'secret'), '');
  served = await servePage(join(folder, 'site'), bufferSource(NAME, bytes), 0);
  address = new URL(served.address);
});
afterAll(() => {
  served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Requests a path unchanged: `fetch` would normalize the path. */
function get(path: string, { host = address.host, method = 'GET', range = '' } = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const { hostname, port } = address;
      const headers = { host, ...(range && { range }) };
      request({ hostname, port, path, method, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks) });
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('the page of btfscope FILE', () => {
  it('has an address on this machine, with 128 random bits', async () => {
    expect(served.address).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}\/#\/overview\?src=files\//,
    );
    const other = await servePage(join(folder, 'site'), bufferSource('a.o', bytes), 0);
    other.close();
    expect(new URL(other.address).pathname).not.toBe(address.pathname);
  });

  it.skipIf(process.platform !== 'linux')(
    'starts the browser with a file that only this user can read',
    async () => {
      const words = join(folder, 'words');
      const program = join(folder, 'xdg-open');
      writeFileSync(
        program,
        `#!/bin/sh\nprintf '%s\\n' "$@" > '${words}.part'\nmv '${words}.part' '${words}'\n`,
        { mode: 0o700 },
      );
      vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
      const { path, remove } = openInBrowser(`${served.address}&x="y"`);
      vi.unstubAllEnvs();
      await vi.waitFor(() => expect(existsSync(words)).toBe(true), 10_000);
      expect(readFileSync(words, 'utf8')).toBe(`${path}\n`);
      expect(path).not.toContain(address.pathname.slice(1, -1));
      expect(readFileSync(path, 'utf8')).toContain(`0; url=${served.address}&amp;x=&quot;y&quot;"`);
      expect(statSync(path).mode & 0o077).toBe(0);
      expect(statSync(dirname(path)).mode & 0o077).toBe(0);
      remove();
      expect(existsSync(dirname(path))).toBe(false);
    },
  );

  it('names the folder that it may open, and has the policy in a header too', async () => {
    const { status, headers, body } = await get(address.pathname);
    expect(status).toBe(200);
    expect(body.toString()).toContain('<meta name="btfscope-files" content="files/" />');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect((await get(`${address.pathname}assets/a.js`)).body.toString()).toBe('export {};');
  });

  it('gives all bytes of the file at the address that the page makes of the link', async () => {
    const src = decodeURIComponent(address.hash.replace(/^.*src=/, ''));
    const { pathname } = new URL(src, address);
    const { status, headers, body } = await get(pathname);
    expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream']);
    expect(Buffer.compare(body, bytes)).toBe(0);
    expect((await get(pathname, { method: 'HEAD' })).headers['content-length']).toBe(`${3 << 20}`);
  });

  it('gives a range of the file, as the page reads an atlas', async () => {
    const { pathname } = new URL(decodeURIComponent(address.hash.replace(/^.*src=/, '')), address);
    const end = await get(pathname, { range: `bytes=${bytes.length - 3}-${bytes.length + 9}` });
    expect([end.status, end.headers['content-range']]).toEqual([
      206,
      `bytes ${bytes.length - 3}-${bytes.length - 1}/${bytes.length}`,
    ]);
    expect(Buffer.compare(end.body, bytes.subarray(-3))).toBe(0);
    for (const range of ['bytes=-3', 'bytes=9-3', `bytes=${bytes.length}-`, 'bytes=0-1,4-5']) {
      expect((await get(pathname, { range })).status, range).toBe(200);
    }
  });

  it.each([
    '',
    'service-worker.js',
    '../secret',
    '..%2fsecret',
    'files/secret',
    'files/',
    'assets',
  ])('has nothing at /%s without the token, or where no file is', async (path) => {
    expect((await get(`/${path}`)).status).toBe(404);
    if (path !== '') expect((await get(address.pathname + path)).status).toBe(404);
  });

  it.each(['evil.example', `evil.example:${80}`, '127.0.0.1.evil.example', '[::1]'])(
    'refuses the host %s, which may have been made to lead here',
    async (host) => {
      expect((await get(address.pathname, { host })).status).toBe(403);
    },
  );

  it('changes nothing: it takes GET and HEAD only', async () => {
    expect((await get(address.pathname, { method: 'POST' })).status).toBe(405);
  });

  it('says why it cannot serve: no page, a port that is taken', async () => {
    const source = bufferSource('a.o', bytes);
    await expect(servePage(folder, source, 0)).rejects.toThrow('run "npm run build" first');
    const taken = Number(address.port);
    await expect(servePage(join(folder, 'site'), source, taken)).rejects.toThrow('EADDRINUSE');
  });
});
