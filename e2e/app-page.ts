/**
 * A page of the app for tests. It opens files, reads the status and changes tabs as a user does. It
 * waits for texts and states of the page, never for a length of time. `expectQuiet` fails if the
 * page logged an error or sent a request to another origin.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';

/** A test's file: a path on disk, or name and bytes. */
export type TestFile = string | { readonly name: string; readonly buffer: Uint8Array };

export type Opened = {
  readonly outcome: 'opened';
  readonly name: string;
  readonly types: number;
  readonly sections: number;
  readonly relocations: number;
  readonly coreRelocations: number;
};

export type Status = Opened | Archive | Refused;

export type Archive = {
  readonly outcome: 'archive';
  readonly name: string;
  readonly members: number;
};

export type Refused = {
  readonly outcome: 'refused';
  readonly name: string;
  readonly reason: string;
};

const OPENED =
  /^Opened (.+): ([\d,]+) types?, ([\d,]+) sections?, ([\d,]+) relocations?, ([\d,]+) CO-RE relocations?/s;
const ARCHIVE = /^Opened archive (.+): ([\d,]+) members?/s;
const REFUSED = /^Could not open (.+?): (.+)$/s;

const SINGLE = new URL('../dist-single/btfscope.html', import.meta.url).href;

/** Time limit for opening a kernel on a slow machine, in ms; an object needs a hundredth. */
const OPENING_MS = 25_000;

/** Title of the tab by view, for views that share a tab with other views. */
const TAB_OF: Readonly<Record<string, string>> = {
  Text: 'Types',
  Query: 'Types',
  Check: 'Problems',
  Issues: 'Problems',
};

export class AppPage {
  readonly page: Page;
  readonly #noise: string[] = [];
  #awaited: string | null = null;

  constructor(page: Page) {
    this.page = page;
    // `saveData` stops the page from prefetching views, which takes a quarter of a test's time.
    void page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', {
        value: { saveData: true },
        configurable: true,
      });
    });
    page.on('console', (message) => {
      if (message.type() === 'error') this.#noise.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => this.#hear(request.url()));
    page.on('websocket', (socket) => this.#noise.push(`web socket: ${socket.url()}`));
  }

  /**
   * Loads the page; `hash` is the part of the address after `#`. With BTFSCOPE_SINGLE in the
   * environment this is the page in one file, from disk.
   */
  async open(hash = ''): Promise<void> {
    const address = process.env.BTFSCOPE_SINGLE === undefined ? './' : SINGLE;
    await this.page.goto(hash === '' ? address : `${address}#${hash}`);
    await expect(this.fileInput).toBeAttached();
  }

  /** Opens an example of the start page by its title. */
  async openExample(title: string): Promise<void> {
    await this.page.getByRole('button', { name: /^All examples/ }).click();
    await this.page.getByRole('button', { name: `Open example ${title}` }).click();
  }

  get fileInput(): Locator {
    return this.page
      .locator('input[type="file"]')
      .and(this.page.getByLabel('Open file', { exact: true }));
  }

  /** Drags a file over the page and drops it, with the events and the DataTransfer of a browser. */
  async dropFile(file: TestFile): Promise<void> {
    const { name, buffer } = payloadOf(file);
    this.#awaited = name;
    const dataTransfer = await this.page.evaluateHandle(
      ([fileName, base64]) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], fileName));
        return transfer;
      },
      [name, buffer.toString('base64')] as const,
    );
    for (const type of ['dragenter', 'dragover', 'drop']) {
      await this.page.dispatchEvent('body', type, { dataTransfer });
    }
    await dataTransfer.dispose();
  }

  /**
   * Opens a file with the input labelled `Open file`. The browser reads a file given by its path.
   */
  async chooseFile(file: TestFile): Promise<void> {
    this.#awaited = typeof file === 'string' ? basename(file) : file.name;
    await this.fileInput.setInputFiles(
      typeof file === 'string' ? file : { ...payloadOf(file), mimeType: '' },
    );
  }

  /** Waits until the status region tells about the last opened file, and returns that status. */
  async status(): Promise<Status> {
    const about = this.#awaited === null ? '.+' : escapeRegExp(this.#awaited);
    const region = this.page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^\\s*(Opened|Opened archive|Could not open) ${about}: `) })
      .first();
    // Faster than expect(), which polls every 100 ms: too slow for a thousand files.
    await region.waitFor({ state: 'attached', timeout: OPENING_MS });
    return parseStatus((await region.textContent()) ?? '');
  }

  /** Returns the status of the last opened file. Throws if the page rejected the file. */
  async opened(): Promise<Opened> {
    const status = await this.status();
    if (status.outcome === 'refused') throw new Error(`${status.name} refused: ${status.reason}`);
    if (status.outcome === 'archive') throw new Error(`${status.name} is an archive`);
    return status;
  }

  /** Closes a file by its button, and waits until the status region says that it is closed. */
  async close(name: string): Promise<void> {
    await this.#closeButton(name).click();
    await this.#closed(name);
  }

  /**
   * Opens files one after another in one page. Closes each file before the next one, and yields its
   * status. With many files turn the trace off: `test.use({ trace: 'off' })`.
   */
  async *dropMany(files: Iterable<TestFile>): AsyncGenerator<Status> {
    for (const file of files) {
      await this.chooseFile(file);
      const status = await this.status();
      yield status;
      if (status.outcome === 'refused') continue;
      // Faster than a click: the mouse does not move and the layout need not settle.
      await this.#closeButton(status.name).dispatchEvent('click');
      await this.#closed(status.name);
    }
  }

  /** Returns the tab that contains a view. */
  tab(view: string): Locator {
    return this.page.getByRole('tab', { name: TAB_OF[view] ?? view, exact: true });
  }

  /** Opens the tab of a view, then selects the view if the tab has several. */
  async show(view: string): Promise<void> {
    const tab = this.tab(view);
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    const views = this.page.getByRole('radiogroup', { name: TAB_OF[view] ?? view, exact: true });
    const own = views.getByText(new RegExp(`^${view}( \\d+)?$`));
    if ((await own.count()) > 0) await own.first().click();
  }

  /** Fails if the page has logged an error or sent a request to another origin. */
  expectQuiet(): void {
    expect(this.#noise).toEqual([]);
  }

  #closeButton(name: string): Locator {
    return this.page.getByRole('button', { name: `Close ${name}`, exact: true });
  }

  async #closed(name: string): Promise<void> {
    const region = this.page.getByRole('status').filter({ hasText: `Closed ${name}` });
    await region.first().waitFor({ state: 'attached' });
  }

  #hear(url: string): void {
    if (/^(blob|data):/.test(url)) return;
    const own = this.page.url();
    // The first request loads the page itself; the page's address is still about:blank then.
    if (own === 'about:blank' || new URL(url).origin === new URL(own).origin) return;
    this.#noise.push(`request: ${url}`);
  }
}

/** Parses the text of the status region. Throws for any other text. */
function parseStatus(text: string): Status {
  const sentence = text.trim();
  const opened = OPENED.exec(sentence);
  if (opened !== null) {
    const count = (group: number) => Number((opened[group] ?? '').replaceAll(',', ''));
    return {
      outcome: 'opened',
      name: opened[1] ?? '',
      types: count(2),
      sections: count(3),
      relocations: count(4),
      coreRelocations: count(5),
    };
  }
  const archive = ARCHIVE.exec(sentence);
  if (archive !== null) {
    return { outcome: 'archive', name: archive[1] ?? '', members: Number(archive[2]) };
  }
  const refused = REFUSED.exec(sentence);
  if (refused === null) throw new Error(`not what becomes of a file: ${sentence}`);
  return { outcome: 'refused', name: refused[1] ?? '', reason: refused[2] ?? '' };
}

function payloadOf(file: TestFile): { name: string; buffer: Buffer } {
  return typeof file === 'string'
    ? { name: basename(file), buffer: readFileSync(file) }
    : { name: file.name, buffer: Buffer.from(file.buffer) };
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Returns the tag @long; no tag if `given` equals `wanted`, the variant that `npm test` runs. */
export function longUnless(wanted: string, given: string): { tag: string | string[] } {
  return { tag: given === wanted ? [] : '@long' };
}
