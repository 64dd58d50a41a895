/** Reads local headers that are dropped on the workbench or chosen for it. */
import { MAX_DECLARATIONS_BYTES, MAX_HEADERS } from '#analysis/workbench/declarations.ts';
import type { Problem } from '#analysis/workbench/declared-places.ts';
import type { SourceFile } from '#analysis/workbench/sources.ts';
import { counted } from '#bytes/text.ts';
import { announce, type FileId } from '#store/session/session.ts';
import { addHeaders, startOver } from './edit-workbench.ts';

/** File names that the workbench takes. */
const SOURCE = /\.[ch]$/;

/** Adds files to the workbench. The only C file that is no header becomes the program. */
export async function takeSources(id: FileId, files: readonly SourceFile[]): Promise<void> {
  const programs = files.filter(({ name }) => name.endsWith('.c'));
  const [program] = programs;
  const headers = files.filter((file) => !isKnownKernel(file));
  if (program !== undefined && programs.length === 1) {
    const others = headers.filter((file) => file !== program);
    await startOver(id, program.text, others);
  } else await addHeaders(id, headers);
  announce(`${counted(files.length, 'file')} added to the workbench`);
}

/** Returns true for vmlinux.h as bpftool writes it: the workbench takes it from an open kernel. */
function isKnownKernel({ name, text }: SourceFile): boolean {
  return /(^|\/)vmlinux\.h$/.test(name) && text.length > MAX_DECLARATIONS_BYTES / 2;
}

/** Reads C files. Files that are too large for the workbench are left out. */
export async function readSources(
  files: readonly { readonly name: string; readonly file: File }[],
): Promise<SourceFile[]> {
  const sources = files.filter(
    ({ name, file }) => SOURCE.test(name) && file.size <= MAX_DECLARATIONS_BYTES,
  );
  return await Promise.all(
    sources.map(async ({ name, file }) => ({ name, text: await file.text() })),
  );
}

/** Returns the paths of headers that notes name as missing. */
export function missingHeaders(notes: readonly Problem[]): string[] {
  const paths = notes.flatMap(({ message }) => {
    const [, path] = /^(.+) is not included here: /.exec(message) ?? [];
    return path === undefined ? [] : [path.replace(/^(\.\.?\/)+/, '')];
  });
  return [...new Set(paths)];
}

/** Returns true for a C file or a folder. */
export function isSource({ name }: File, entry: FileSystemEntry | null): boolean {
  return entry?.isDirectory === true || SOURCE.test(name);
}

/** Reads dropped C files and those in dropped folders. */
export async function droppedSources(
  files: readonly File[],
  entries: readonly (FileSystemEntry | null)[],
): Promise<SourceFile[]> {
  const known = entries.filter((entry) => entry !== null);
  return await readSources(
    known.length < files.length
      ? files.map((file) => ({ name: file.name, file }))
      : await filesIn(known),
  );
}

/** Returns the C files of dropped entries and of folders in them, at most `MAX_HEADERS`. */
async function filesIn(entries: readonly FileSystemEntry[]) {
  const found: { name: string; file: File }[] = [];
  const waiting = entries.map((entry) => ({ entry, path: '' }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { entry, path } = next;
    if (found.length > MAX_HEADERS) break;
    if (entry.isDirectory) {
      // Names are relative to the dropped folder.
      const inside = path === '' && entries.length === 1 ? '' : `${path}${entry.name}/`;
      for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) {
        waiting.push({ entry: child, path: inside });
      }
    } else if (SOURCE.test(entry.name)) {
      const file = await new Promise<File>((settle, fail) =>
        (entry as FileSystemFileEntry).file(settle, fail),
      );
      found.push({ name: path + entry.name, file });
    }
  }
  return found;
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // A reader gives the entries in parts, the last of which is empty.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((settle, fail) =>
      reader.readEntries(settle, fail),
    );
    if (part.length === 0) return all;
    for (const entry of part) all.push(entry);
  }
}
