/** Examples of the page, listed in `public/samples/index.json`. */
import { type BackgroundOptions, openFile } from './files.ts';
import { announce } from './session.ts';

/** Entry of the list. The counts come from bpftool and other tools of the field. */
export type Sample = {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly source: string;
  /** Example that is the base of split BTF, else null. */
  readonly base: string | null;
  readonly endian: 'little' | 'big';
  readonly command: string;
  readonly compiler: string;
  readonly size: number;
  readonly sha256: string;
  readonly types: number;
  readonly relocations: number;
  readonly core: number;
};

let list: Promise<readonly Sample[]> | null = null;

/** Returns the list, fetched once; empty if it cannot be fetched. */
export function loadSamples(): Promise<readonly Sample[]> {
  list ??= fetchList();
  return list;
}

async function fetchList(): Promise<readonly Sample[]> {
  try {
    const index = await (await sampleFile('index.json')).text();
    return JSON.parse(index) as readonly Sample[];
  } catch {
    return [];
  }
}

/** Opens an example by its path under `samples/`. Resolves to false if there is none. */
export async function openSample(path: string, options: BackgroundOptions = {}): Promise<boolean> {
  // Only listed files are fetched: a link cannot make the page request another one.
  const known = (await loadSamples()).find((sample) => sample.file === path);
  if (known === undefined) return false;
  try {
    const name = known.file.split('/').at(-1) ?? known.file;
    const file = new File([await sampleFile(known.file)], name);
    await openFile(file, { ...options, sample: known.file });
    return true;
  } catch (error) {
    announce(
      `Could not open ${known.file}: ${error instanceof Error ? error.message : 'it cannot be fetched'}`,
    );
    return false;
  }
}

/** Id of the element that `scripts/build-single.mjs` writes: a JSON object of base64 by name. */
const EMBEDDED = 'btfscope-samples';

/** Fetches `samples/NAME`. Rejects with a sentence. */
async function sampleFile(name: string): Promise<Blob> {
  const embedded = document.getElementById(EMBEDDED)?.textContent;
  if (embedded !== undefined && embedded !== null) return embeddedFile(embedded, name);
  const response = await fetch(`samples/${name}`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.blob();
}

function embeddedFile(all: string, name: string): Blob {
  const text = (JSON.parse(all) as Readonly<Record<string, string>>)[name];
  if (text === undefined) throw new Error('this page does not carry it');
  return new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
}
