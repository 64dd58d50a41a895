/** What lists show of a log: who speaks, what went wrong, which line to look at first. */
import type { LogLine, LogSource } from '#analysis/log/log-line.ts';

export const SOURCE_NAMES: Readonly<Record<LogSource, string>> = {
  libbpf: 'libbpf',
  cilium: 'cilium/ebpf',
  aya: 'aya',
  verifier: 'verifier',
  btf: 'kernel BTF',
};

/** Lines that are shown: all, those that are known, those that tell of a failure. */
export type LineFilter = 'all' | 'known' | 'failures';

const FAILURES: ReadonlySet<string> = new Set([
  'no-match',
  'poisoned',
  'unexpected-insn',
  'offset-ambiguity',
  'value-ambiguity',
  'parse-failed',
  'bitfield-unsatisfied',
  'wrong-access',
  'unexpected-mem-size',
  'value-too-big',
  'unrecognized-insn',
  'unexpected-kind',
  'search-failed',
  'relocation-failed',
  'no-kernel-btf',
  'unresolved',
  'loader-error',
  'invalid-func',
  'poisoned-call',
  'invalid-core',
  'register-type',
  'register-access',
  'btf-error',
]);

/** Does the line tell of something that went wrong? A candidate that does not match may be one of several: it does not. */
export function isFailure({ event }: LogLine): boolean {
  if (event === null) return false;
  if (event.event === 'load-failed') return event.what !== 'log';
  return FAILURES.has(event.event);
}

export type LogCounts = { readonly known: number; readonly failures: number };

export function countsOf(lines: readonly LogLine[]): LogCounts {
  let known = 0;
  let failures = 0;
  for (const line of lines) {
    if (line.event !== null) known += 1;
    if (isFailure(line)) failures += 1;
  }
  return { known, failures };
}

/** Numbers of the lines that pass. */
export function linesThatPass(lines: readonly LogLine[], filter: LineFilter): readonly number[] {
  const passing: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (filter === 'known' && line.event === null) continue;
    if (filter === 'failures' && !isFailure(line)) continue;
    passing.push(index);
  }
  return passing;
}

/** Events that name the field, which the last words of a loader do not. */
const TELLING: ReadonlySet<string> = new Set(['unresolved', 'loader-error', 'parse-failed']);

/**
 * The line to look at first: the first failure that names a type, else the spec above
 * the first failure, else the first that names a type; null where nothing is known.
 */
export function tellingLine(lines: readonly LogLine[]): number | null {
  const telling = lines.findIndex(({ event }) => event !== null && TELLING.has(event.event));
  if (telling >= 0) return telling;
  const failure = lines.findIndex(isFailure);
  if (failure >= 0) return specAbove(lines, failure) ?? failure;
  const spec = lines.findIndex(({ event }) => event?.event === 'spec');
  const known = spec >= 0 ? spec : lines.findIndex(({ event }) => event !== null);
  return known >= 0 ? known : null;
}

/** libbpf names the field once, and then speaks of it by the number of the relocation. */
function specAbove(lines: readonly LogLine[], failure: number): number | null {
  const { prog, reloIndex } = lines[failure] ?? { prog: null, reloIndex: null };
  if (reloIndex === null) return null;
  for (let at = failure - 1; at >= 0; at--) {
    const line = lines[at];
    if (line === undefined || line.reloIndex === null) continue;
    if (line.prog !== prog || line.reloIndex !== reloIndex) return null;
    if (line.event?.event === 'spec') return at;
  }
  return null;
}
