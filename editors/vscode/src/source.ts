/**
 * Finds a source file by the path that the compiler wrote into an object. The object may be
 * hostile: only files of the workspace and files beside the object are opened.
 */
import type * as vscode from 'vscode';
import type { Api } from './viewer.ts';

export type SourcePlace = {
  /** Path in the object: absolute, or relative to the compiler's folder. */
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1; 0 if unknown. */
  readonly column: number;
};

/** Limit for files with the same name, whose paths are compared. */
const MAX_FILES = 200;

/**
 * Opens the source line, or shows a message if neither the workspace nor the folder of the object
 * has the file.
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
  // `?` in the pattern matches any character; files with another name are filtered out below.
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

/** Returns the folders and the file name of a path with `/` or `\`. */
function partsOf(path: string): readonly string[] {
  return path.split(/[/\\]/).filter((part) => part !== '' && part !== '.' && part !== '..');
}

/** Returns the number of equal parts at the end of both paths. */
function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}
