import { append } from '#bytes/arrays.ts';
import { openFolder } from '#store/session/files.ts';

/** Maximum number of files of a folder to read. A dropped disk could have millions. */
const MAX_FILES = 100_000;

type Found = { readonly path: string; readonly file: File };

/** Builds an atlas of the kernels in a dropped folder and opens the atlas. */
export async function openDropped(folder: FileSystemEntry): Promise<void> {
  await openFolder(folder.name, await filesIn(folder));
}

/** Returns all files in a folder and its subfolders, without unreadable files. */
async function filesIn(folder: FileSystemEntry): Promise<readonly Found[]> {
  const found: Found[] = [];
  const open = [folder];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (found.length >= MAX_FILES) break;
    if (isFolder(entry)) append(open, await entriesOf(entry.createReader()));
    else if (isFile(entry)) {
      const file = await fileOf(entry);
      if (file !== null) found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    }
  }
  return found;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(null)));
}

/** Returns all entries of a folder. `readEntries` returns up to 100 per call, then none. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (some.length === 0) return all;
    append(all, some);
  }
}
