/**
 * Drives browsers that Playwright does not support, by WebDriver (W3C): Firefox through Marionette,
 * and WebKitGTK's MiniBrowser through WebKitWebDriver.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Sends a command. Parameters and result are JSON; the caller casts the result. */
type Send = (command: Command, params: Record<string, unknown>) => Promise<unknown>;

/**
 * Commands: their name in Marionette, and their path in WebDriver (all POST) with `{id}` for a
 * parameter.
 */
const COMMANDS = {
  navigate: ['WebDriver:Navigate', 'url'],
  run: ['WebDriver:ExecuteAsyncScript', 'execute/async'],
  find: ['WebDriver:FindElement', 'element'],
  type: ['WebDriver:ElementSendKeys', 'element/{id}/value'],
  timeouts: ['WebDriver:SetTimeouts', 'timeouts'],
} as const;
type Command = keyof typeof COMMANDS;

/** Property of a JSON object that contains the id of an element (WebDriver, section 12). */
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

  /** Runs a function in the page. Arguments and result are JSON; the function may be async. */
  async run<T, A extends unknown[]>(work: (...args: A) => T, ...args: A): Promise<Awaited<T>> {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve((${work})(...[...arguments].slice(0, -1)))
        .then((answer) => done({ answer }), (error) => done({ error: String(error) }));`;
    // With `sandbox: null` Marionette runs the script in the page itself, without wrappers.
    const { answer, error } = (await this.#value('run', { script, args, sandbox: null })) as {
      answer: Awaited<T>;
      error?: string;
    };
    if (error !== undefined) throw new Error(error);
    return answer;
  }

  /** Waits until a function returns a truthy value in the page, and returns this value. */
  async until<T, A extends unknown[]>(work: (...args: A) => T, ...args: A): Promise<Awaited<T>> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const value = await this.run(work, ...args);
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited in vain: ${work} of ${JSON.stringify(args)}`);
      await pause(100);
    }
  }

  /** Types text into an element. For a file input `text` is the path of a file. */
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
    // Marionette wraps most results as `{ value }`.
    return (result as { value?: unknown } | null)?.value ?? result;
  }
}

/** Returns true if a program is in the PATH. */
export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}

type StartedBrowser = { readonly version: string; readonly send: Send };
type Session = {
  readonly sessionId: string;
  readonly capabilities: { readonly browserVersion: string };
};

/** Returns the browser that `start` starts. If starting fails, calls `end` to clean up. */
async function browserOf(start: () => Promise<StartedBrowser>, end: () => void): Promise<Browser> {
  try {
    const { version, send } = await start();
    await send('timeouts', { script: PATIENCE_MS });
    return new Browser(version, send, end);
  } catch (error) {
    end();
    throw error;
  }
}

/** Starts Firefox headless with a new profile. */
export function startFirefox(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'btfscope-firefox-'));
  writeFileSync(join(profile, 'user.js'), 'user_pref("marionette.port", 0);');
  const args = ['--headless', '--marionette', '--no-remote', '--profile', profile];
  const firefox = spawn('firefox-esr', args, { stdio: 'ignore' });
  const start = async () => {
    const portFile = join(profile, 'MarionetteActivePort');
    const port = await retry(firefox, () => Number(readFileSync(portFile, 'utf8')) || null);
    const send = marionette(port);
    const session = (await send('WebDriver:NewSession', {})) as Session;
    return {
      version: `Firefox ${session.capabilities.browserVersion}`,
      send: (command: Command, params: object) => send(COMMANDS[command][0], params),
    };
  };
  return browserOf(start, () => {
    firefox.kill();
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
  });
}

/**
 * Connects to Marionette. A message is its length in bytes, a colon, and `[type, id, name or error,
 * body]`.
 */
function marionette(port: number) {
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
      // Ignores the first message, a greeting, which is not a list.
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

/** Starts WebKitGTK's MiniBrowser by its driver, on a virtual display. */
export async function startWebKit(): Promise<Browser> {
  const port = await freePort();
  const args = ['-a', 'WebKitWebDriver', `--port=${port}`];
  // Starts a process group, so that display, driver and browser can be ended together.
  const driver = spawn('xvfb-run', args, { stdio: 'ignore', detached: true });
  const send = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const { value } = (await response.json()) as { value: { message?: string } | null };
    if (!response.ok) throw new Error(`${path}: ${value?.message}`);
    return value;
  };
  const start = async () => {
    const session = (await retry(driver, () => send('', { capabilities: {} }))) as Session;
    return {
      version: `WebKitGTK ${session.capabilities.browserVersion}`,
      send: (command: Command, params: Record<string, unknown>) => {
        const path = COMMANDS[command][1].replace('{id}', String(params.id));
        return send(`/${session.sessionId}/${path}`, params);
      },
    };
  };
  return await browserOf(start, () => {
    if (driver.pid !== undefined && driver.exitCode === null) process.kill(-driver.pid);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Calls `attempt` until it returns a value. Throws if the program ends, or after `PATIENCE_MS`. */
async function retry<T>(program: ChildProcess, attempt: () => T): Promise<NonNullable<Awaited<T>>> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    let failure: unknown = null;
    try {
      const value = await attempt();
      if (value != null) return value;
    } catch (error) {
      failure = error;
    }
    if (program.exitCode !== null || Date.now() > end) {
      throw new Error(`${program.spawnfile} did not start: ${failure}`);
    }
    await pause(100);
  }
}
