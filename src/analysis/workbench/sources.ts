/**
 * Files of a workbench: the program, then its local headers. Offsets count characters in all texts
 * as if they followed each other, so a place of the program is its offset in the text.
 */

import { memoized } from '#bytes/cache.ts';

export type SourceFile = {
  /** Path relative to the folder of the program, with `/`, such as `maps.bpf.h`. */
  readonly name: string;
  readonly text: string;
};

/** Returns the offset of each file after the program, whose text has `length` characters. */
export function sourceStarts(length: number, headers: readonly SourceFile[]): readonly number[] {
  const starts: number[] = [];
  // One offset between two files can carry the mark of a problem at the end of a file.
  let next = length + 1;
  for (const { text } of headers) {
    starts.push(next);
    next += text.length + 1;
  }
  return starts;
}

export type SourcePlace = {
  /** Index in the list of headers, or -1 for the program. */
  readonly file: number;
  /** Offset in the text of the file. */
  readonly offset: number;
};

/** Returns the file and the offset in it. `starts` are those of `sourceStarts`, or part of them. */
export function sourcePlace(starts: readonly number[], offset: number): SourcePlace {
  const file = starts.findLastIndex((start) => start <= offset);
  return { file, offset: offset - (starts[file] ?? 0) };
}

/** Returns the path without `.` and `..`. A `..` at the start is left out. */
function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/**
 * Returns the index of the header that `#include` of `path` in the file `from` means, or -1: the file
 * beside `from`, else the first whose name ends with the path.
 */
export function includedSource(headers: readonly SourceFile[], path: string, from: string): number {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  const names = pathsOf(headers);
  const [beside, anywhere] = [`/${normalized(folder + path)}`, `/${normalized(path)}`];
  const exact = names.indexOf(beside);
  return exact >= 0 ? exact : names.findIndex((name) => name.endsWith(anywhere));
}

/** Returns the paths of the headers without `.` and `..`, each after a `/`. */
const pathsOf = memoized((headers: readonly SourceFile[]) =>
  headers.map(({ name }) => `/${normalized(name)}`),
);
