/**
 * Finds the class of each line of a verifier's log, in one pass. The class is found by the form of
 * the line, and by the table or block that the line is in. Source: Linux 5.4 to 7.3,
 * kernel/bpf/verifier.c, log.c, liveness.c, backtrack.c, states.c, diagnostics.c.
 */
import { BLOCK_TITLE, isSectionTitle } from './diagnostic-block.ts';
import type { LineClass } from './line.ts';
import { isStateAt } from './state.ts';

export type LineHead = { readonly class: LineClass; readonly insn: number };

type Form = readonly [form: RegExp, lineClass: LineClass];

/** Forms of lines by their first character. */
const FORMS: ReadonlyMap<string, readonly Form[]> = new Map<string, readonly Form[]>([
  ['(', [[/^\(\d{1,10}(?:,\d{1,10})*\) (?:frame \d|live stack update )/, 'liveness']]],
  ['L', [[/^Live regs before insn:\s*$/, 'liveness']]],
  [
    'c',
    [
      [/^(?:caller|callee):\s*$/, 'func'],
      [/^cur state:/, 'state-title'],
    ],
  ],
  ['o', [[/^old state:/, 'state-title']]],
  ['F', [[/^Func#\d{1,10} (?:\('.*'\) )?is (?:safe for any args|global and )/, 'func']]],
  ['S', [[/^SCC (?:enter|exit|backedge) /, 'scc']]],
  [
    'V',
    [
      [/^Validating .*\(\) func#\d{1,10}\.\.\.$/, 'func'],
      [new RegExp(`^${BLOCK_TITLE}`), 'block'],
    ],
  ],
  ['a', [[/^arg JOIN insn \d/, 'listing']]],
  [
    'f',
    [
      [/^func#\d{1,10} @\d{1,10}$/, 'func'],
      [/^func '.*' arg\d{1,3} has btf_id \d{1,10} type /, 'arg-info'],
      [/^from \d{1,10} to \d{1,10}(?: \(speculative execution\))?: safe$/, 'prune'],
      [/^from \d{1,10} to \d{1,10}(?: \(speculative execution\))?:/, 'from-to'],
      [/^frame \d{1,10}: propagating /, 'mark_precise'],
    ],
  ],
  ['l', [[/^last_idx -?\d{1,10} first_idx -?\d/, 'mark_precise']]],
  ['m', [[/^mark_precise: frame\d/, 'mark_precise']]],
  [
    'p',
    [
      [/^processed \d{1,10} insns\b/, 'summary'],
      [/^parent (?:already had|didn't have) regs=/, 'mark_precise'],
      [/^propagating (?:r|fp-?)\d/, 'mark_precise'],
    ],
  ],
  [
    'r',
    [
      [/^regs=[0-9a-f]{1,16} stack=[0-9a-f]{1,16} before /, 'mark_precise'],
      [/^returning from callee:\s*$/, 'func'],
    ],
  ],
  [
    's',
    [
      [/^stack depth \d{1,10}(?:\+\d{1,10})*(?: max \d{1,10})?$/, 'summary'],
      [/^stack use\/def .*:$/, 'listing'],
      [/^subprog#\d{1,10}\b.*(?::|\.\.\.)$/, 'listing'],
    ],
  ],
  [
    't',
    [
      [/^to caller at \d{1,10}:$/, 'func'],
      [/^topo_order\[\d{1,10}\] = /, 'listing'],
    ],
  ],
  ['v', [[/^verification time \d{1,20} usec$/, 'summary']]],
]);

/** Table or block that a line begins; other lines of known form are of the walk. */
const INSIDE: ReadonlyMap<LineClass, 'listing' | 'block'> = new Map([
  ['listing', 'listing'],
  ['block', 'block'],
]);

const INDEX = /^( *)(\d{1,10}): ?/;
const INSN = /\([0-9a-f]{2}\) |BUG_|<invalid /y;
/** Row of live registers, with the number of the loop's component before the index. */
const LIVE_REGISTERS = /^ *(?:\d{1,10} +)?(\d{1,10}): [.0-9]{10} \([0-9a-f]{2}\) /;
const head = (lineClass: LineClass, insn = -1): LineHead => ({ class: lineClass, insn });
const HEADS = new Map<LineClass, LineHead>();
/** Returns the head of a line that names no instruction. */
function plain(lineClass: LineClass): LineHead {
  let known = HEADS.get(lineClass);
  if (known === undefined) {
    known = head(lineClass);
    HEADS.set(lineClass, known);
  }
  return known;
}

/** Reads the lines of a log in order. A line that has no form of the log is `other`. */
export class LineReader {
  /** Table or block that the next line may belong to. Set it to read earlier lines again. */
  inside: 'walk' | 'listing' | 'block' = 'walk';

  /** Returns the class of the next line, and the instruction that it is about, else -1. */
  read(text: string): LineHead {
    if (this.inside === 'block') {
      const line = this.#readBlockLine(text);
      if (line !== null) return line;
    }
    const first = text.charCodeAt(0);
    if (first <= 0x39 && (first >= 0x30 || first === 0x20)) return this.#readIndexed(text);
    if (first === 0x3b) return plain('source');
    if (text.trim() === '') return plain('empty');
    return this.#readWords(text);
  }

  /** Reads a line that begins with a digit or a space. */
  #readIndexed(text: string): LineHead {
    const index = INDEX.exec(text);
    if (index === null) return this.#readIndented(text);
    const [all, blanks, digits] = index;
    const insn = Number(digits);
    INSN.lastIndex = all.length;
    if (INSN.test(text)) {
      if (this.inside === 'listing' || blanks !== '') {
        this.inside = 'listing';
        return head('listing', insn);
      }
      return head('insn', insn);
    }
    if (LIVE_REGISTERS.test(text)) return head('liveness', insn);
    if (blanks !== '') return plain('other');
    this.inside = 'walk';
    if (text.length === all.length || isStateAt(text, all.length)) return head('state', insn);
    if (text.length === all.length + 4 && text.endsWith('safe')) return head('prune', insn);
    // Up to Linux 6.1, the source of a back-edge has the instruction's index before it.
    return head('source', insn);
  }

  #readIndented(text: string): LineHead {
    const start = text.search(/[^ ]/);
    if (start < 0) return plain('empty');
    if (isStateAt(text, start)) return plain('state');
    const live = LIVE_REGISTERS.exec(text);
    return live === null ? plain('other') : head('liveness', Number(live[1]));
  }

  #readWords(text: string): LineHead {
    for (const [form, lineClass] of FORMS.get(text[0] ?? '') ?? []) {
      if (!form.test(text)) continue;
      if (lineClass === 'state-title') return plain(lineClass);
      this.inside = INSIDE.get(lineClass) ?? 'walk';
      if (lineClass !== 'from-to' && lineClass !== 'prune') return plain(lineClass);
      return head(lineClass, Number(/ to (\d{1,10})/.exec(text)?.[1] ?? -1));
    }
    if (isStateAt(text, 0)) return plain('state');
    this.inside = 'walk';
    return plain('other');
  }

  /** Reads a line of a block: indented, empty, or a title. Returns null for another line. */
  #readBlockLine(text: string): LineHead | null {
    if (text === '' || text.startsWith('  ') || isSectionTitle(text)) return plain('block');
    this.inside = 'walk';
    return null;
  }
}
