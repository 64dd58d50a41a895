/** Reads the whole content of a line whose class `LineReader` has found. */
import type { LineClass, State, VerifierLine } from './line.ts';
import { isStateAt, readState } from './state.ts';

const INSN = /^ *(\d{1,10}): (?:\(([0-9a-f]{2})\) )?/;
/** State of another instruction in the line of an instruction: ` 17: R0=1`. */
const STATE_AT = / (\d{1,10}):(?= )/g;
const STATE = /^(\d{1,10}):/;
const PLACE = / @ ([^@]{0,512}):(\d{1,10}) {0,64}$/;
const FROM_TO = /^from (\d{1,10}) to (\d{1,10})( \(speculative execution\))?:/;
const TITLE = /^(cur|old) state:/;
const PRUNE = /^(?:(\d{1,10}): safe|from (\d{1,10}) to (\d{1,10}).{0,32}: safe)$/;

/** Returns the content of a line. `head` has the class that a `LineReader` gave for it. */
export function readLine(text: string, head: { readonly class: LineClass }): VerifierLine {
  switch (head.class) {
    case 'insn':
      return readInsn(text);
    case 'state': {
      const index = STATE.exec(text);
      const state = readState(text, index?.[0].length ?? 0, index === null);
      return { class: 'state', i: index === null ? null : Number(index[1]), state };
    }
    case 'source':
      return readSource(text);
    case 'from-to': {
      const [all = '', from, to, speculative] = FROM_TO.exec(text) ?? [];
      return {
        class: 'from-to',
        from: Number(from ?? 0),
        to: Number(to ?? 0),
        isSpeculative: speculative !== undefined,
        state: readState(text, all.length, true),
      };
    }
    case 'state-title': {
      const [all = '', which] = TITLE.exec(text) ?? [];
      const state = readState(text, all.length, true);
      return { class: 'state-title', which: which === 'old' ? 'old' : 'cur', state };
    }
    case 'prune': {
      const [, i, from, to] = PRUNE.exec(text) ?? [];
      return { class: 'prune', i: Number(i ?? to ?? 0), from: from ? Number(from) : null };
    }
    default:
      return { class: head.class };
  }
}

function readInsn(text: string): VerifierLine {
  const [head = '', i = '0', op = ''] = INSN.exec(text) ?? [];
  const base = { class: 'insn', i: Number(i), op } as const;
  // A semicolon without a space before it is inside of a value: `var_off=(0x0; 0xff)`.
  const change = text.indexOf(' ;', head.length);
  if (change >= 0) {
    const state = readState(text, change + 2, false);
    const words = text.slice(head.length, change).trimEnd();
    return { ...base, text: words, state: isEmpty(state) ? null : state, stateAt: null };
  }
  const next = stateIn(text, head.length);
  if (next === null) {
    return { ...base, text: text.slice(head.length).trimEnd(), state: null, stateAt: null };
  }
  return {
    ...base,
    text: text.slice(head.length, next.at).trimEnd(),
    state: readState(text, next.start, true),
    stateAt: next.insn,
  };
}

/** Finds the state of another instruction behind an instruction. */
function stateIn(text: string, from: number): { at: number; start: number; insn: number } | null {
  STATE_AT.lastIndex = from;
  for (let match = STATE_AT.exec(text); match !== null; match = STATE_AT.exec(text)) {
    const start = match.index + match[0].length;
    if (isStateAt(text, start + 1)) return { at: match.index, start, insn: Number(match[1]) };
  }
  return null;
}

function isEmpty({ regs, stack, refs, flags }: State): boolean {
  return regs.size + stack.size + refs.length + flags.length === 0;
}

const BACK_EDGE_INDEX = /^\d{1,10}: /;

function readSource(text: string): VerifierLine {
  const mark = text.startsWith(';') ? /^; ?/.exec(text) : BACK_EDGE_INDEX.exec(text);
  const start = mark?.[0].length ?? 0;
  // Only the last ` @ ` can begin the place: the text of the source may contain others.
  const place = PLACE.exec(text.slice(Math.max(start, text.lastIndexOf(' @ '))));
  if (place === null) return { class: 'source', text: text.slice(start), file: null, line: null };
  return {
    class: 'source',
    text: text.slice(start, text.length - place[0].length),
    file: place[1] ?? '',
    line: Number(place[2]),
  };
}
