/**
 * Opens the source file that an object names. The object may be hostile, so only files in the
 * workspace or beside the object are opened.
 */
import type * as vscode from 'vscode';
import type { Api } from './viewer.ts';

export type SourcePlace = {
  /** Path of the source file as written by the compiler: absolute, or relative to its folder. */
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1; 0 if unknown. */
  readonly column: number;
};

/** Limit of files with the right name whose paths are compared. */
const MAX_FILES = 200;

/**
 * Opens a source line. Shows a message if the file is neither in the workspace nor beside the
 * object.
 */
export async function openSource(api: Api, object: vscode.Uri, place: SourcePlace): Promise<void> {
  const { file, line, column } = place;
  const source = await sourceFile(api, object, file);
  if (source === null) {
    await api.window.showErrorMessage(
      `No file of this workspace ends in ${file}. Open the folder that has the sources.`,
    );
    return;
  }
  const at = new api.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  await api.window.showTextDocument(source, { selection: new api.Range(at, at), preview: true });
}

async function sourceFile(api: Api, object: vscode.Uri, file: string): Promise<vscode.Uri | null> {
  const wantedParts = partsOf(file);
  const name = wantedParts.at(-1);
  if (name === undefined) return null;
  const beside = api.Uri.joinPath(object, '..', name);
  // A `?` matches any character, so the pattern finds more files; the filter below removes them.
  const pattern = `**/${name.replaceAll(/[*?[\]{},!\\]/g, '?')}`;
  const ofWorkspace = await api.workspace.findFiles(pattern, undefined, MAX_FILES);
  const others = ofWorkspace.filter((uri) => `${uri}` !== `${beside}`);
  const files = (await exists(api, beside)) ? [beside, ...others] : others;
  const ranked = files
    .map((uri) => ({ uri, shared: sharedEnd(wantedParts, partsOf(uri.path)) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared);
  return ranked[0]?.uri ?? null;
}

async function exists(api: Api, uri: vscode.Uri): Promise<boolean> {
  try {
    await api.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Splits a path at `/` or `\` into folders and file name. */
function partsOf(path: string): readonly string[] {
  return path.split(/[/\\]/).filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** Returns the number of equal parts at the end of two paths. */
function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}
