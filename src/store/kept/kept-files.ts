/** Stores copies of opened files in the browser, by hash, for links after a reload. */
import {
  clear,
  createStore as createDatabase,
  del,
  get,
  keys,
  set,
  type UseStore,
} from 'idb-keyval';

/** Limit for a stored copy: copying a larger file costs more than opening it again. */
const MAX_REMEMBERED_BYTES = 256 * 1024 * 1024;

export type Remembered = {
  readonly sha256: string;
  readonly name: string;
  readonly size: number;
  /** Time of the last opening, in milliseconds since 1970. */
  readonly openedAt: number;
};

let database: { readonly details: UseStore; readonly bytes: UseStore } | null = null;

function open() {
  database ??= {
    details: createDatabase('btfscope-files', 'details'),
    bytes: createDatabase('btfscope-bytes', 'bytes'),
  };
  return database;
}

// Runs storage work. Returns `otherwise` if it fails: storage may be full, forbidden or missing.
async function tolerant<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}

/** Stores a copy of `file`. Resolves to false if the file is too large or the storage fails. */
export function remember(sha256: string, file: File): Promise<boolean> {
  if (file.size > MAX_REMEMBERED_BYTES) return Promise.resolve(false);
  return tolerant(async () => {
    const details: Remembered = { sha256, name: file.name, size: file.size, openedAt: Date.now() };
    // The bytes are copied: a `File` on disk cannot be read after the file has changed.
    const bytes = new Blob([await file.arrayBuffer()]);
    // Details come first: the user can remove only a copy that the list shows.
    await set(sha256, details, open().details);
    try {
      await set(sha256, bytes, open().bytes);
    } catch {
      await del(sha256, open().details);
      return false;
    }
    return true;
  }, false);
}

/** Returns the stored file with this hash, or null. */
export function recall(sha256: string): Promise<File | null> {
  return tolerant(async () => {
    const details = await get<Remembered>(sha256, open().details);
    const bytes = await get<Blob>(sha256, open().bytes);
    return details && bytes ? new File([bytes], details.name) : null;
  }, null);
}

/** Returns all stored files, newest first. */
export function listRemembered(): Promise<readonly Remembered[]> {
  return tolerant(async () => {
    const entries = await Promise.all(
      (await keys<string>(open().details)).map((key) => get<Remembered>(key, open().details)),
    );
    return entries.filter((entry) => entry !== undefined).sort((a, b) => b.openedAt - a.openedAt);
  }, []);
}

export function forget(sha256: string): Promise<void> {
  return tolerant(async () => {
    await del(sha256, open().bytes);
    await del(sha256, open().details);
  }, undefined);
}

export function forgetAll(): Promise<void> {
  return tolerant(async () => {
    await clear(open().bytes);
    await clear(open().details);
  }, undefined);
}
