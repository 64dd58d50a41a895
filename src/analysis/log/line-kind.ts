/** Tells failures of a log from lines that inform. */
import { type Cases, caseOf } from '#bytes/one-of.ts';
import type { LogEvent, LogLine } from './log-line.ts';

/**
 * `failure` names what went wrong; `verdict` is a failure whose reason other lines, or the verifier's
 * words in the line, give; `information` is no failure.
 */
export type LineKind = 'failure' | 'verdict' | 'information';

/** Returns the kind of a line; null for an unknown line. */
export function lineKind({ event }: Pick<LogLine, 'event'>): LineKind | null {
  return event === null ? null : caseOf(KINDS, 'event', event);
}

const failure = () => 'failure' as const;
const verdict = () => 'verdict' as const;
const information = () => 'information' as const;

const KINDS: Cases<'event', LogEvent, [], LineKind> = {
  spec: information,
  // A candidate that does not match is no failure: the next one may.
  candidate: information,
  'found-candidate': information,
  'no-match': failure,
  patched: information,
  poisoned: failure,
  'unexpected-insn': failure,
  'offset-ambiguity': failure,
  'value-ambiguity': failure,
  'parse-failed': failure,
  'bitfield-unsatisfied': failure,
  'array-access-unsatisfied': failure,
  'wrong-access': failure,
  'unexpected-mem-size': failure,
  'value-too-big': failure,
  'unrecognized-insn': failure,
  'unexpected-kind': failure,
  'search-failed': failure,
  'relocation-failed': verdict,
  'load-failed': ({ what }) => (what === 'log' ? 'information' : 'verdict'),
  'no-kernel-btf': failure,
  'no-attach-type': failure,
  'core-count': information,
  opening: information,
  'kernel-btf': ({ error }) => (error === '0' ? 'information' : 'failure'),
  unresolved: failure,
  'loader-error': failure,
  'invalid-func': failure,
  'poisoned-call': failure,
  'invalid-core': failure,
  insn: information,
  source: information,
  processed: information,
  'register-type': failure,
  'register-access': failure,
  'packet-access': failure,
  'log-mark': information,
  'btf-header': information,
  'btf-type': information,
  'btf-item': information,
  'btf-error': failure,
  failure,
  information,
  verdict,
};

/** Returns the verifier's words in a line of a loader; null if it has none. */
export function verifierTextOf({ event }: Pick<LogLine, 'event'>): string | null {
  return event !== null && 'verifierText' in event ? event.verifierText : null;
}
