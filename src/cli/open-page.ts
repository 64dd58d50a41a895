/** `btfscope FILE` or `btfscope open FILE`: opens the file in the page. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ByteSource } from '#bytes/source.ts';
import { visible } from '#bytes/text.ts';
import { type Call, type Command, CommandFailure, flag, UsageError, valued } from './command.ts';
import { openSource } from './open.ts';

export const openPage: Command = {
  name: 'open',
  positionals: ['FILE'],
  options: [
    flag('no-open', 'only print the address, start no browser'),
    valued('port', 'PORT', 'the port of 127.0.0.1; 0 is any free port'),
    flag('json', 'print the address as JSON'),
  ],
  run,
};

/** The folder of the built page. */
const PAGE = fileURLToPath(new URL('../dist/', import.meta.url));

async function run(call: Call): Promise<void> {
  const port = portOf(call.option('port'));
  const source = await openSource(call.io, call.positional(0));
  const { address, close } = await servePage(PAGE, source, port);
  await call.print(
    () => ({ name: source.name, address }),
    () => [`${visible(source.name)} is at ${address}`, 'Press Ctrl+C to stop.'],
  );
  const redirect = call.has('no-open') ? null : openInBrowser(address);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
  });
  redirect?.remove();
  close();
}

function portOf(text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError('--port is not a number from 0 to 65535');
  }
  return Number(text);
}

type Redirect = {
  /** Path of a page that leads to the address. */
  readonly path: string;
  remove(): void;
};

/**
 * Writes a page that leads to `address`, into a folder that only this user can read. The browser is
 * started with its path: every user of the computer can read the words of a process, and the
 * address has the secret that opens the file.
 */
function writeRedirect(address: string): Redirect {
  const folder = mkdtempSync(join(tmpdir(), 'btfscope-'));
  const path = join(folder, 'open.html');
  const quoted = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const text = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${quoted}">`;
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Opens `address` in a browser. A failure is ignored: the address is also printed. */
export function openInBrowser(address: string): Redirect {
  const redirect = writeRedirect(address);
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const given = [...words, redirect.path];
  const browser = spawn(program ?? '', given, { stdio: 'ignore', detached: true });
  browser.on('error', () => undefined);
  browser.unref();
  return redirect;
}

export type ServedPage = {
  readonly address: string;
  close(): void;
};

/** Folder of the opened file in the server's paths, relative to the page. */
const FILES = 'files/';
/** First port to try; the next ports follow. Browsers store the page's data for each port. */
const FIRST_PORT = 4730;
const TRIED_PORTS = 10;
/** Length in bytes of one read and write. */
const PIECE = 1 << 20;

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.json', 'application/json'],
  ['.webmanifest', 'application/manifest+json'],
]);

/** Serves the page and `source` on `port`: 0 = any port, null = a port of a fixed range. */
export async function servePage(
  folder: string,
  source: ByteSource,
  port: number | null,
): Promise<ServedPage> {
  const token = randomBytes(16).toString('base64url');
  const site = siteOf(folder, source);
  const server = createServer((request, response) => {
    answer(request, response, `/${token}/`, site).catch(() => response.destroy());
  });
  const listening = await listen(server, port);
  // The name is encoded twice: for the path of the file, and for the page's address after `#`.
  const place = `src=${FILES}${encodeURIComponent(site.sourceName.slice(FILES.length))}`;
  return {
    address: `http://127.0.0.1:${listening}/${token}/#/overview?${place}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Site = {
  readonly folder: string;
  readonly files: ReadonlySet<string>;
  readonly page: string;
  readonly policy: string;
  readonly source: ByteSource;
  /** Path of the source, relative to the page. */
  readonly sourceName: string;
};

/** Reads the page. Allows it to open `files/` without asking: the user has named the file. */
function siteOf(folder: string, source: ByteSource): Site {
  let page: string;
  try {
    page = readFileSync(join(folder, 'index.html'), 'utf8');
  } catch {
    throw new CommandFailure(
      `cannot read ${join(folder, 'index.html')}: run "npm run build" first`,
    );
  }
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    // Omit the service worker: a page stored for offline use would remain after the server ends.
    .filter((file) => file !== 'service-worker.js');
  return {
    folder,
    page: page.replace(
      '<meta charset',
      `<meta name="btfscope-files" content="${FILES}" />\n    $&`,
    ),
    policy: `${policy.replaceAll('&#39;', "'")}; frame-ancestors 'none'`,
    files: new Set(files),
    source,
    sourceName: FILES + encodeURIComponent(source.name.replaceAll(/\p{Cs}/gu, '\ufffd')),
  };
}

async function listen(server: Server, wanted: number | null): Promise<number> {
  const ports =
    wanted === null
      ? [...Array.from({ length: TRIED_PORTS }, (_, i) => FIRST_PORT + i), 0]
      : [wanted];
  let problem = '';
  for (const port of ports) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      const at = server.address();
      return typeof at === 'object' && at !== null ? at.port : port;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  throw new CommandFailure(`cannot serve the page: ${problem}`);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  root: string,
  site: Site,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  const refuse = (status: number, text: string) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
  };
  // Reject other host names: a foreign name may resolve to this machine (DNS rebinding).
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? ''))
    return refuse(403, 'Wrong host');
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'GET only');
  const path = url.replace(/[?#].*$/s, '');
  if (!path.startsWith(root)) return refuse(404, 'Not found');
  const name = path.slice(root.length) || 'index.html';
  const isSource = name === site.sourceName;
  if (!isSource && !site.files.has(name)) return refuse(404, 'Not found');
  const body = isSource
    ? null
    : name === 'index.html'
      ? Buffer.from(site.page)
      : readFileSync(join(site.folder, name));
  const range = isSource ? rangeOf(headers.range, site.source.size) : null;
  const [start, end] = range ?? [0, body === null ? site.source.size : body.length];
  response.writeHead(range === null ? 200 : 206, {
    ...(range && { 'content-range': `bytes ${start}-${end - 1}/${site.source.size}` }),
    'content-type': TYPES.get(isSource ? '' : extname(name)) ?? 'application/octet-stream',
    'content-length': end - start,
    'content-security-policy': site.policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  if (method === 'GET') {
    if (body === null) await send(site.source, start, end, response);
    else response.write(body);
  }
  response.end();
}

/** Returns the byte range that a header requests; null for the whole file (RFC 9110, 14.2). */
function rangeOf(header: string | undefined, size: number): readonly [number, number] | null {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? '') ?? [];
  const [start, end] = [Number(first), Math.min(Number(last) + 1, size)];
  return start < end ? [start, end] : null;
}

/** Writes bytes of a source as fast as the client reads them. */
async function send(
  source: ByteSource,
  from: number,
  end: number,
  response: ServerResponse,
): Promise<void> {
  for (let start = from; start < end && !response.destroyed; start += PIECE) {
    const bytes = await source.read(start, Math.min(start + PIECE, end));
    // Fail if bytes are missing: the browser then reports a broken download.
    if (bytes.length === 0) throw new Error('the file has become shorter');
    if (!response.write(bytes))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
}
