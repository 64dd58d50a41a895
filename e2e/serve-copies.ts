/** Serves copies of the built page, for tests that change the copies or stop the server. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));

/** Copies the built page into each of `folders`, and serves the copies while `work` runs. */
export async function serveCopies(folders: readonly string[], work: (site: Site) => Promise<void>) {
  const root = mkdtempSync(join(tmpdir(), 'btfscope-offline-'));
  for (const folder of folders) cpSync(DIST, join(root, folder), { recursive: true });
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    try {
      const body = readFileSync(file);
      response.writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  try {
    const { port } = server.address() as AddressInfo;
    await work({ root, address: `http://127.0.0.1:${port}/`, stop });
  } finally {
    stop();
    rmSync(root, { recursive: true, force: true });
  }
}

type Site = {
  /** Path on disk of the folder that contains the copies. */
  readonly root: string;
  readonly address: string;
  /** Stops the server, so that the page has no network. */
  readonly stop: () => void;
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
