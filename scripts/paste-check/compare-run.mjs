// Compares the BTF of the workbench with clang's, for scripts/paste-check.mjs.

import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import { openModel } from '#testing/open-model.ts';
import { rawLines } from '#testing/raw-lines.ts';
import { differences } from '#testing/same-btf.ts';

/** Returns a kernel for `compare` from its BTF. */
export async function openKernel(name, bytes) {
  const { types } = await openModel(name, new Uint8Array(bytes));
  return { name, types };
}

/**
 * Returns the outcome for a program: `files` are the program and its headers, `object` is what clang
 * made of it. `lines` has the problems, or the differences.
 */
export async function compare(files, object, kernel) {
  const [program, ...headers] = files;
  const { btf, problems, notes } = compileDeclarations(program.text, 'little', kernel, headers);
  if (problems.length > 0) {
    return { outcome: 'refused', lines: problems.slice(0, 5).map(({ message }) => message) };
  }
  const [theirs, ours] = await Promise.all([linesOf('clang.o', object), linesOf('ours.btf', btf)]);
  const found = differences(theirs, ours);
  const messages = notes.map(({ message }) => message);
  // Notes name a static variable of a function without the number that clang appends.
  const named = new Set(messages.flatMap((note) => note.split(/[^\w.]+/)));
  const isNamed = ({ name }) => named.has(name) || named.has(name.replace(/\.\d+$/, ''));
  const hasNamed = found.differences.some(isNamed);
  const isNoted = (difference) => isNamed(difference) || (difference.isOffset && hasNamed);
  const silent = found.differences.filter((difference) => !isNoted(difference));
  const lines = found.differences.map(({ text }) => text);
  if (silent.length > 0) return { outcome: 'silent', lines: silent.map(({ text }) => text) };
  if (lines.length > 0) return { outcome: 'noted', lines };
  return { outcome: found.isSame ? 'same' : 'documented', lines };
}

async function linesOf(name, bytes) {
  const { types } = await openModel(name, new Uint8Array(bytes));
  return types === null ? [] : rawLines(types);
}
