/** The examples of the page, which `public/samples/index.json` lists. */
import { type BackgroundOptions, openFile } from './files.ts';
import { announce, type FileId } from './session.ts';

/** An example in the list. Other tools, such as bpftool, gave its counts. */
export type Sample = {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly source: string;
  /** Example that is the base of this split BTF; null for other files. */
  readonly base: string | null;
  /** Examples that are kernels on which this object is to be loaded, the oldest first. */
  readonly kernels: readonly string[];
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

/** Returns the list of examples, fetched once; an empty list if it cannot be fetched. */
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

/** Opens an example by its path under `samples/`. Resolves to null if it cannot be opened. */
export async function openSample(
  path: string,
  options: BackgroundOptions = {},
): Promise<FileId | null> {
  // Only listed files are fetched, so that a link cannot make the page request other files.
  const known = (await loadSamples()).find((sample) => sample.file === path);
  if (known === undefined) return null;
  try {
    const name = known.file.split('/').at(-1) ?? known.file;
    const file = new File([await sampleFile(known.file)], name);
    return await openFile(file, { ...options, sample: known.file });
  } catch (error) {
    announce(
      `Could not open ${known.file}: ${error instanceof Error ? error.message : 'it cannot be fetched'}`,
    );
    return null;
  }
}

/** Id of the element with the embedded examples: a JSON object with base64 by file name. */
const EMBEDDED = 'btfscope-samples';

/** Fetches `samples/NAME`. Rejects with an error whose message is a sentence. */
export async function sampleFile(name: string): Promise<Blob> {
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
