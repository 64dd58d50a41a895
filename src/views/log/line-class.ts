/** Names and explanations of the classes of a log's lines. */
import type { lineClassOf } from '#analysis/verifier/log-places.ts';

type LineClass = ReturnType<typeof lineClassOf>;

type Words = {
  /** Name in the column of classes. */
  readonly name: string;
  /** Meaning of a line of the class, where its text has no sentence of its own. */
  readonly sentence: string;
};

const UNKNOWN = 'Unknown line. Programs also print lines of their own.';

export const LINE_WORDS: Readonly<Record<LineClass, Words>> = {
  unknown: { name: 'unknown', sentence: UNKNOWN },
  state: { name: 'state', sentence: 'Registers and stack slots before the next instruction.' },
  insn: {
    name: 'instruction',
    sentence: 'Instruction that was checked. The registers that it changed follow the semicolon.',
  },
  source: { name: 'source', sentence: 'Source line of the next instructions.' },
  'from-to': {
    name: 'branch',
    sentence: 'The verifier goes on with another branch. The state is that at the jump.',
  },
  mark_precise: {
    name: 'precision',
    sentence: 'The verifier goes back to find what the exact value of a register depends on.',
  },
  summary: { name: 'summary', sentence: 'Counts of the whole verification.' },
  error: { name: 'error', sentence: 'The reason why the verifier refused the program.' },
  func: { name: 'function', sentence: 'A call, a return, or the check of a function.' },
  'arg-info': { name: 'argument', sentence: 'Type of an argument in the BTF of the kernel.' },
  prune: {
    name: 'pruned',
    sentence: 'This branch ends here: an equal or wider state was already found safe.',
  },
  'state-title': { name: 'state', sentence: 'One of the two states of an infinite loop.' },
  liveness: {
    name: 'liveness',
    sentence: 'Registers or stack slots whose values are read later.',
  },
  scc: { name: 'loop', sentence: 'Entry, exit or back-edge of a loop.' },
  empty: { name: '', sentence: 'An empty line.' },
  other: { name: 'note', sentence: 'A message of the verifier that does not refuse the program.' },
  listing: { name: 'listing', sentence: 'A row of a table that is printed before the check.' },
  block: { name: 'reason', sentence: 'Part of the explanation that the kernel prints.' },
  loader: { name: 'loader', sentence: 'A line of the loader.' },
};
