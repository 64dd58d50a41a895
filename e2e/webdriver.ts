/**
 * Drives browsers that Playwright has no build of, by WebDriver (W3C): Firefox by Marionette,
 * its own transport of the same commands, and WebKitGTK's MiniBrowser by WebKitWebDriver.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Parameters and result of a command are JSON; each caller names its own. */
type Send = (command: Command, params: Record<string, unknown>) => Promise<unknown>;

/** Commands: Marionette's name, and method and path of WebDriver, of which `{id}` is a parameter. */
const COMMANDS = {
  navigate: ['WebDriver:Navigate', 'POST', 'url'],
  run: ['WebDriver:ExecuteAsyncScript', 'POST', 'execute/async'],
  find: ['WebDriver:FindElement', 'POST', 'element'],
  type: ['WebDriver:ElementSendKeys', 'POST', 'element/{id}/value'],
  timeouts: ['WebDriver:SetTimeouts', 'POST', 'timeouts'],
} as const;
type Command = keyof typeof COMMANDS;

/** Name of the property that holds an element's id (WebDriver, section 12). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const PATIENCE_MS = 60_000;

export class Browser {
  readonly version: string;
  readonly #send: Send;
  readonly #end: () => void;

  constructor(version: string, send: Send, end: () => void) {
    this.version = version;
    this.#send = send;
    this.#end = end;
  }

  async goto(url: string): Promise<void> {
    await this.#send('navigate', { url });
  }

  /** Runs a function of the page with JSON arguments; it may return a promise. */
  async run<T, A extends unknown[]>(work: (...args: A) => T, ...args: A): Promise<Awaited<T>> {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve((${work})(...[...arguments].slice(0, -1)))
        .then((answer) => done({ answer }), (error) => done({ error: String(error) }));`;
    // Marionette: in the page's own objects, not behind its wrappers.
    const { answer, error } = (await this.#value('run', { script, args, sandbox: null })) as {
      answer: Awaited<T>;
      error?: string;
    };
    if (error !== undefined) throw new Error(error);
    return answer;
  }

  /** Waits until the function of the page gives something true. */
  async until<T, A extends unknown[]>(work: (...args: A) => T, ...args: A): Promise<Awaited<T>> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const value = await this.run(work, ...args);
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited in vain: ${work} of ${JSON.stringify(args)}`);
      await pause(100);
    }
  }

  /** Types into the element, or gives a file input the file of that path. */
  async type(selector: string, text: string): Promise<void> {
    const found = await this.#value('find', { using: 'css selector', value: selector });
    const id = (found as Record<string, string>)[ELEMENT];
    await this.#send('type', { id, text });
  }

  close(): void {
    this.#end();
  }

  async #value(command: Command, params: Record<string, unknown>): Promise<unknown> {
    const result = await this.#send(command, params);
    // Marionette wraps most results.
    return (result as { value?: unknown } | null)?.value ?? result;
  }
}

/** Is there a program of that name? */
export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

/** Starts Firefox without a window, with a profile of its own. */
export async function startFirefox(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'btfscope-firefox-'));
  const prefs = { 'marionette.port': 0, 'browser.shell.checkDefaultBrowser': false };
  const lines = Object.entries(prefs).map(([name, value]) => `user_pref("${name}", ${value});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--marionette', '--no-remote', '--profile', profile];
  const process = spawn('firefox-esr', args, { stdio: 'ignore' });
  const end = () => {
    process.kill();
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
  };
  const portFile = join(profile, 'MarionetteActivePort');
  await waitFor(process, () => existsSync(portFile) && readFileSync(portFile, 'utf8') !== '');
  const send = await marionette(Number(readFileSync(portFile, 'utf8')));
  const session = (await send('WebDriver:NewSession', {})) as {
    capabilities: { browserVersion: string };
  };
  const browser = new Browser(
    `Firefox ${session.capabilities.browserVersion}`,
    (command, params) => send(COMMANDS[command][0], params),
    end,
  );
  await send(COMMANDS.timeouts[0], { script: PATIENCE_MS });
  return browser;
}

/** Marionette: each message is its length in bytes, a colon, and `[type, id, name or error, body]`. */
async function marionette(port: number) {
  const socket = createConnection(port, '127.0.0.1');
  const waiting = new Map<number, (error: { message: string } | null, result: unknown) => void>();
  let held = Buffer.alloc(0);
  socket.on('data', (data) => {
    held = Buffer.concat([held, data]);
    for (;;) {
      const colon = held.indexOf(':');
      const end = colon + 1 + Number(held.toString('latin1', 0, Math.max(0, colon)));
      if (colon < 0 || held.length < end) return;
      const message = JSON.parse(held.toString('utf8', colon + 1, end));
      held = held.subarray(end);
      // The first message is a greeting, not an answer.
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3]);
    }
  });
  let last = 0;
  return (name: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      const id = ++last;
      waiting.set(id, (error, result) => {
        if (error === null) resolve(result);
        else reject(new Error(`${name}: ${error.message}`));
      });
      const body = JSON.stringify([0, id, name, params]);
      socket.write(`${Buffer.byteLength(body)}:${body}`);
    });
}

/** Starts WebKitGTK's MiniBrowser by its driver, in a display that nobody sees. */
export async function startWebKit(): Promise<Browser> {
  const port = await freePort();
  const program = spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
  });
  const address = `http://127.0.0.1:${port}/session`;
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(address + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: { message?: string } | null };
    if (!response.ok) throw new Error(`${path}: ${value?.message}`);
    return value;
  };
  const begin = () =>
    send('POST', '', {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] },
        },
      },
    });
  const session = await retried(begin);
  const { sessionId, capabilities } = session as {
    sessionId: string;
    capabilities: { browserVersion: string };
  };
  const browser = new Browser(
    `WebKitGTK ${capabilities.browserVersion}`,
    (command, params) => {
      const [, method, path] = COMMANDS[command];
      return send(method, `/${sessionId}/${path.replace('{id}', String(params.id))}`, params);
    },
    () => {
      if (program.pid !== undefined) process.kill(-program.pid);
    },
  );
  return browser;
}

const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(200);
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Waits until `isReady`; throws when the program ends before. */
async function waitFor(program: ChildProcess, isReady: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!isReady()) {
    if (program.exitCode !== null || Date.now() > end) {
      throw new Error(`${program.spawnfile} did not start`);
    }
    await pause(100);
  }
}
