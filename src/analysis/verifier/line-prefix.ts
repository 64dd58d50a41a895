/**
 * Finds what a logger wrote before each line of a log: `Nov 29 00:27:01 host app[12]: `, `[ 12.3] `,
 * `my-agent-1  | `, a tab. The form of the prefix is learned from the first line in which the text
 * of a loader or of the verifier follows it; numbers in it may change from line to line, and the
 * names of days, months and levels.
 */

/** Texts that only logs have, at the start of their lines. */
const LOG_TEXT =
  /(?<![\w.])(?:func#\d{1,10} @\d{1,10}$|processed \d{1,10} insns \(limit |Live regs before insn:$|Verification failed: [A-Z]|Validating [^ ]{1,512}\(\) func#\d|mark_precise: frame\d|last_idx -?\d{1,10} first_idx|from \d{1,10} to \d{1,10}(?: \(speculative execution\))?: |\d{1,10}: (?:\([0-9a-f]{2}\) |frame\d{1,5}: R|R\d{1,2}(?:_[rwD]{1,4})?=)|libbpf: |-- (?:BEGIN|END) (?:PROG|BTF) LOAD LOG --)/;
/** Start of a walked instruction; in a table before the walk, the same text follows blanks. */
const INSN_TEXT = /^(\d{1,10}): \(/;
/** Places of the index of a row in these tables. Source: kernel/bpf/liveness.c, Linux 7.1. */
const ROW_PLACES = 3;

/** Longest prefix that is looked for, in characters. */
const MAX_LENGTH = 512;
/** Number of forms that one text may have: of the logger, and of the container around it. */
const MAX_FORMS = 4;
/** Smallest number of blanks that stand for a prefix; fewer are an indentation of the log. */
const MIN_BLANKS = 12;

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'digits' | 'blanks' | 'word' };

/** Words that differ between lines of one logger. */
const CHANGING_WORD =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|t|z|i|w|e|d|f|am|pm|trace|debug|dbg|info|inf|notice|warn|warning|wrn|err|error|crit|critical|fatal|stdout|stderr|kern)$/i;

/** Finds the length of the prefix of each line of a text. */
export class PrefixFinder {
  readonly #forms: (readonly Token[])[] = [];
  /** Blanks of the length of the last prefix: journalctl writes them before the next lines. */
  #blanks = '';
  /** Last prefix of the first form: most lines have the prefix of the line before. */
  #last = '';

  /** Returns the length of the prefix of `text`, in a form that was learned before; else 0. */
  lengthOf(text: string): number {
    // Each form ends in a fixed text, so that what follows a prefix does not change its length.
    if (this.#last !== '' && text.startsWith(this.#last)) return this.#last.length;
    for (const [i, form] of this.#forms.entries()) {
      const length = matchForm(form, text);
      if (length <= 0) continue;
      this.#last = i === 0 && length < text.length ? text.slice(0, length) : '';
      return this.#keep(length);
    }
    return this.#blanks !== '' && text.startsWith(this.#blanks) ? this.#blanks.length : 0;
  }

  /** Learns the form of the prefix of `text`. Returns its length; 0 if no text of a log follows. */
  learn(text: string): number {
    const at = text.slice(0, 2 * MAX_LENGTH).search(LOG_TEXT);
    if (at <= 0 || at > MAX_LENGTH) return 0;
    const prefix = text.slice(0, at);
    if (mayBeRow(prefix, text.slice(at))) return 0;
    // The one line of an error of cilium/ebpf quotes the log after its own words.
    if (!isPrefix(prefix) || (prefix.includes('load program: ') && !prefix.endsWith('\t')))
      return 0;
    this.#forms.unshift(tokensOf(prefix));
    this.#last = '';
    if (this.#forms.length > MAX_FORMS) this.#forms.pop();
    return this.#keep(at);
  }

  #keep(length: number): number {
    if (length >= MIN_BLANKS && length !== this.#blanks.length) this.#blanks = ' '.repeat(length);
    return length;
  }
}

/** True if the blanks before an instruction may be those of a row of a table before the walk. */
function mayBeRow(prefix: string, text: string): boolean {
  const index = INSN_TEXT.exec(text)?.[1];
  if (index === undefined) return false;
  if (/[^ ]/.test(prefix)) return prefix.endsWith('  ');
  return prefix.length === ROW_PLACES - index.length;
}

/** True for blanks, and for text that ends in a delimiter or holds a time or a level. */
function isPrefix(prefix: string): boolean {
  return (
    /^\s+$/.test(prefix) || /[\]:|>)}"=-]\s*$|\dZ?[ \t]+$|[A-Z]{4,}[ \t]+$|\t$| F $/.test(prefix)
  );
}

const TOKEN = /[0-9]+|[ ]+|[A-Za-z]+|[^0-9 A-Za-z]+/g;

function tokensOf(prefix: string): Token[] {
  const words = prefix.match(TOKEN) ?? [];
  return words.map((text, i): Token => {
    if (/^\d/.test(text)) return { kind: 'digits' };
    // The blanks at the end are fixed: more of them belong to the line.
    if (text.startsWith(' ') && i < words.length - 1) return { kind: 'blanks' };
    return CHANGING_WORD.test(text) ? { kind: 'word' } : { kind: 'text', text };
  });
}

/** Returns the length of the prefix of `form` at the start of `text`; -1 if there is none. */
function matchForm(form: readonly Token[], text: string): number {
  let at = 0;
  for (let i = 0; i < form.length; i++) {
    const token = form[i];
    if (token === undefined) break;
    if (token.kind === 'text') {
      if (!text.startsWith(token.text, at)) {
        // Tools cut blanks at the end of a line, and with them the end of an empty line's prefix.
        const isCut = i === form.length - 1 && text.length < at + token.text.length;
        return isCut && token.text.startsWith(text.slice(at)) ? text.length : -1;
      }
      at += token.text.length;
      continue;
    }
    const end = endOf(token.kind, text, at);
    if (end === at && token.kind !== 'blanks') return -1;
    at = end;
  }
  return at;
}

function endOf(kind: 'digits' | 'blanks' | 'word', text: string, start: number): number {
  let at = start;
  for (; at < text.length && at - start < MAX_LENGTH; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    const belongs =
      kind === 'blanks' ? code === 0x20 : kind === 'word' ? isLetter : code >= 0x30 && code <= 0x39;
    if (!belongs) break;
  }
  return at;
}
