/** Divides the lines of a text into logs, of programs or of tries, and the lines of loaders. */
import {
  BLOCK_SECTION,
  BLOCK_TITLE,
  readDiagnosticBlock,
} from '#formats/verifier-log/diagnostic-block.ts';
import type { LineClass } from '#formats/verifier-log/line.ts';
import type { LineHead } from '#formats/verifier-log/line-reader.ts';
import {
  messageLength,
  readCounts,
  readStackDepths,
  readTime,
} from '#formats/verifier-log/summary.ts';
import {
  AYA,
  BCC,
  BCC_PROGRAM,
  BPFTRACE,
  CILIUM,
  CILIUM_PROGRAM,
  DASHES,
  FRAME_BEGIN,
  FRAME_END,
  IPROUTE2,
  LIBBPF_PROG,
  LIBBPF_REFUSED,
  OMITTED,
  VERISTAT,
  VERISTAT_TABLE,
} from './loader-forms.ts';
import {
  EMPTY,
  IS_NO_HEAD,
  isCutHead,
  type LineKnowledge,
  type LogPart,
  NOTE,
  OpenPart,
  opens,
  type Verdict,
  verdictOf,
} from './log-parts.ts';

/** Number of lines outside of logs that the readers of loaders' lines are asked about. */
const MAX_OUTSIDE = 100_000;
/** Number of lines before the first of the verifier's forms that can belong to its log. */
const MAX_PENDING = 8;
/** Number of lines between the words of a loader about a log and the log. */
const MAX_ANNOUNCED = 16;
/** Characters that are read of a loader's line or a line of a block, and lines that a block keeps. */
const MAX_WORDS = 4096;
const MAX_BLOCK = 4096;

/** Collects the parts of a text, line by line. */
export class PartsBuilder {
  readonly #parts: LogPart[] = [];
  readonly #knowledge: LineKnowledge;
  /** Changes the class of a line that was added before. */
  readonly #reclass: (line: number, lineClass: LineClass) => void;
  readonly #classAt: (line: number) => LineClass;
  #open: OpenPart | null = null;
  /** Program and loader of the log that a loader's line announces. */
  #program: string | null = null;
  #loader: string | null = null;
  #told: Verdict | null = null;
  /** Lines outside of a log: the open part of loaders' lines. */
  #outside: {
    kind: 'btf' | 'loader';
    firstLine: number;
    lastLine: number;
    framed: boolean;
  } | null = null;
  /** Lines just before that may belong to a log which begins after them. */
  #pending: { line: number; lineClass: LineClass; isKnown: boolean; isNote: boolean }[] = [];
  /** True after an empty line behind a message: only a block may follow as of the same log. */
  #isAfterGap = false;
  #asked = 0;
  /** True between the lines of dashes of veristat's table. */
  #isTable = false;
  /** Last prefix that has no words of a loader. */
  #plainPrefix = '';
  /** Line of the announcement of `#loader`. */
  #announcedAt = 0;
  /** The last section of a diagnostic block has been read, whose start was cut off. */
  #hasBlockTail = false;

  constructor(
    knowledge: LineKnowledge,
    reclass: (line: number, lineClass: LineClass) => void,
    classAt: (line: number) => LineClass,
  ) {
    this.#knowledge = knowledge;
    this.#reclass = reclass;
    this.#classAt = classAt;
  }

  /** True where cilium/ebpf prints a log, each line after a tab. */
  get isOfCilium(): boolean {
    return (this.#open?.loader ?? this.#loader) === 'cilium';
  }

  /** True after a line of the walk, or of the tables before it, of the open log. */
  get hasBegun(): boolean {
    return this.#open?.hasBegun ?? false;
  }

  /** Adds a line. Returns its class, which a later line may change. */
  add(line: number, text: string, head: LineHead, prefix: string): LineClass {
    if (prefix !== '') this.#readPrefix(line, prefix);
    if (this.#outside?.framed) return this.#inBtfFrame(line, text);
    if (this.#isAfterGap && head.class !== 'empty') {
      this.#isAfterGap = false;
      if (head.class !== 'block') this.#dropPending();
    }
    const isWords = head.class === 'other' || head.class === 'source';
    if (isWords || head.class === 'block') {
      const framed = this.#readLoaderLine(line, text);
      if (framed !== null) return framed;
    }
    if (this.#open === null) {
      if (head.class === 'empty') this.#isTable = false;
      this.#hasBlockTail ||= BLOCK_SECTION.test(text);
      if (!opens(head, text)) return this.#addOutside(line, text, head);
      this.#openPart(line);
    } else if (/^func#0 @0$/.test(text) && this.#open.hasWalk) {
      this.#close(line - 1);
      this.#openPart(line);
    }
    return this.#addInside(line, text, head);
  }

  /** Ends the text, whose last line is `lastLine`. Returns the parts in order. */
  finish(lastLine: number): readonly LogPart[] {
    if (this.#open !== null) this.#close(lastLine);
    this.#dropPending();
    this.#closeOutside();
    return this.#parts;
  }

  /** Reads the words of a loader before the first line of a log. */
  #readPrefix(line: number, prefix: string): void {
    if (prefix === this.#plainPrefix) return;
    const isAya = prefix.includes(AYA);
    const isPlain = !isAya && !prefix.includes('load program: ');
    this.#plainPrefix = isPlain ? prefix : '';
    if (isPlain) return;
    if (this.#open !== null) this.#close(line - 1);
    const program = CILIUM_PROGRAM.exec(prefix)?.[1] ?? null;
    this.#announce(line, isAya ? 'aya' : 'cilium', program, 'rejected');
  }

  /** Keeps the loader and the program of the log that begins next. */
  #announce(
    line: number,
    loader: string,
    program: string | null,
    told: Verdict | null = null,
  ): void {
    this.#loader = loader;
    this.#program = program;
    this.#told = told;
    this.#announcedAt = line;
    this.#hasBlockTail = false;
  }

  /** Reads a loader's line that begins or ends a log, or names its program; else returns null. */
  #readLoaderLine(line: number, text: string): LineClass | null {
    const begin = text.includes('-- ') ? FRAME_BEGIN.exec(text) : null;
    if (begin !== null) {
      if (this.#open !== null) this.#close(line - 1);
      this.#markOutside(line, begin[1] === 'BTF' ? 'btf' : 'loader');
      if (begin[1] === 'BTF' && this.#outside !== null) this.#outside.framed = true;
      else {
        // The log of a program that was loaded stands in the same frame.
        const isAnnounced = line - this.#announcedAt <= MAX_ANNOUNCED;
        const told = isAnnounced && this.#loader === 'libbpf' ? this.#told : null;
        this.#announce(line, 'libbpf', LIBBPF_PROG.exec(text)?.[1] ?? this.#program, told);
        this.#openPart(line + 1).isFramed = true;
      }
      return 'loader';
    }
    if (text.includes('-- ') && FRAME_END.test(text)) {
      if (this.#open !== null) this.#close(line - 1);
      this.#markOutside(line, 'loader');
      return 'loader';
    }
    if (text.includes('libbpf: ')) return this.#readLibbpfLine(line, text);
    if (text.includes('load program: ') && !BCC.test(text)) return this.#readCiliumLine(line, text);
    const omitted = text.startsWith('(') ? OMITTED.exec(text) : null;
    if (omitted !== null && omitted.index === 0) {
      if (this.#open === null) this.#openPart(line);
      const part = this.#open;
      if (part !== null) {
        part.omitted = Number(omitted[1]);
        if (part.firstLine === line) part.isHeadCut = true;
        else part.isTailCut = true;
      }
      return 'loader';
    }
    return this.#readToolLine(line, text);
  }

  #readLibbpfLine(line: number, text: string): LineClass | null {
    const program = LIBBPF_PROG.exec(text)?.[1] ?? null;
    if (this.#open !== null) {
      if (this.#open.isFramed) return null;
      this.#close(line - 1);
    }
    this.#markOutside(line, 'loader');
    if (LIBBPF_REFUSED.test(text)) {
      this.#tell(program, 'rejected');
      if (text.includes('load failed: ') || text.includes('program failed: ')) {
        this.#announce(line, 'libbpf', program, 'rejected');
      }
    }
    return 'loader';
  }

  /** Takes a loader's verdict for the log just before, if that one is of the same program. */
  #tell(program: string | null, verdict: Verdict): void {
    const last = this.#parts.findLastIndex(({ kind }) => kind === 'verifier');
    const part = this.#parts[last];
    if (part === undefined || (part.program !== null && part.program !== program)) return;
    if (part.program !== null && part.verdict !== 'unknown') return;
    this.#parts[last] = {
      ...part,
      program: part.program ?? program,
      verdict: part.verdict === 'unknown' ? verdict : part.verdict,
    };
  }

  #readCiliumLine(line: number, text: string): LineClass | null {
    const error = CILIUM.exec(text);
    if (error === null) return null;
    if (this.#open !== null) this.#close(line - 1);
    const words = error[2]?.trim() ?? '';
    if (words === '') this.#markOutside(line, 'loader');
    this.#announce(line, 'cilium', CILIUM_PROGRAM.exec(text)?.[1] ?? null, 'rejected');
    if (words === '') return 'loader';
    this.#dropPending();
    const omitted = OMITTED.exec(words);
    const part = this.#openPart(line);
    this.#open = null;
    part.errorLines.push(line);
    part.excerpt = (omitted === null ? words : words.slice(0, omitted.index)).trim();
    part.omitted = Number(omitted?.[1] ?? 0);
    this.#parts.push(part.toPart(line, 'rejected'));
    return 'loader';
  }

  #readToolLine(line: number, text: string): LineClass | null {
    const veristat = VERISTAT.exec(text);
    if (veristat !== null) {
      if (this.#open !== null) this.#close(line - 1);
      this.#markOutside(line, 'loader');
      this.#announce(line, 'veristat', veristat[2] ?? null, TOLD[veristat[3] ?? '']);
      this.#openPart(line + 1).isFramed = true;
      return 'loader';
    }
    const bpftrace = BPFTRACE.exec(text)?.[1];
    const iproute2 = IPROUTE2.exec(text)?.[1];
    const isBcc = BCC.test(text);
    if (bpftrace !== undefined || iproute2 !== undefined || isBcc) {
      if (this.#open !== null) this.#close(line - 1);
      this.#markOutside(line, 'loader');
      const loader = isBcc ? 'bcc' : bpftrace === undefined ? 'iproute2' : 'bpftrace';
      const told = loader === 'bpftrace' ? null : ('rejected' as const);
      this.#announce(line, loader, bpftrace ?? iproute2 ?? null, told);
      return 'loader';
    }
    const bcc = BCC_PROGRAM.exec(text)?.[1];
    if (bcc !== undefined) {
      if (this.#open !== null) this.#close(line - 1);
      this.#markOutside(line, 'loader');
      this.#tell(bcc, 'rejected');
      return 'loader';
    }
    const isTable = VERISTAT_TABLE.test(text);
    if (!isTable && !this.#isTable && (this.#open !== null || !DASHES.test(text))) return null;
    if (isTable) this.#isTable = text.startsWith('File ') || text.startsWith('-');
    if (this.#open !== null) this.#close(line - 1);
    this.#markOutside(line, 'loader');
    return 'loader';
  }

  #inBtfFrame(line: number, text: string): LineClass {
    if (this.#outside !== null) {
      this.#outside.lastLine = line;
      if (FRAME_END.test(text)) this.#closeOutside();
    }
    return 'loader';
  }

  /** Adds a line to the lines of loaders. */
  #markOutside(line: number, kind: 'btf' | 'loader'): void {
    this.#dropPending();
    if (this.#outside !== null && this.#outside.kind !== kind) this.#closeOutside();
    if (this.#outside === null) {
      this.#outside = { kind, firstLine: line, lastLine: line, framed: false };
    } else this.#outside.lastLine = line;
  }

  #closeOutside(): void {
    if (this.#outside === null) return;
    const { kind, firstLine, lastLine } = this.#outside;
    this.#parts.push({ ...EMPTY, kind, firstLine, lastLine });
    this.#outside = null;
  }

  #addOutside(line: number, text: string, head: LineHead): LineClass {
    if (head.class === 'empty') {
      this.#isAfterGap = this.#pending.some(({ isKnown }) => isKnown);
      if (!this.#isAfterGap) this.#dropPending();
      return 'empty';
    }
    const isSource = head.class === 'source' && text.startsWith(';');
    const isMessage = isSource ? null : this.#knowledge.isMessage(text);
    const source = isMessage === true ? null : this.#sourceOf(text);
    if (source !== null) {
      this.#markOutside(line, source);
      return 'loader';
    }
    if (isMessage === false) this.#dropPending();
    else {
      const lineClass = isSource ? 'source' : 'other';
      const isKnown = isMessage === true;
      this.#pending.push({ line, lineClass, isKnown, isNote: NOTE.test(text) });
      if (this.#pending.length > MAX_PENDING) this.#pending.shift();
    }
    return 'unknown';
  }

  #sourceOf(text: string): 'btf' | 'loader' | null {
    if (this.#asked === MAX_OUTSIDE) return null;
    this.#asked += 1;
    return this.#knowledge.sourceOf(text.slice(0, MAX_WORDS));
  }

  /** Leaves the lines before alone; messages of the verifier among them are a log of their own. */
  #dropPending(): void {
    const first = this.#pending.find(({ isKnown }) => isKnown);
    const last = this.#pending.at(-1);
    this.#pending = first === undefined ? [] : this.#pending;
    if (first === undefined || last === undefined) return;
    const part = this.#openPart(last.line + 1);
    part.isHeadCut = true;
    this.#close(last.line);
  }

  #openPart(line: number): OpenPart {
    const pending = this.#pending;
    this.#pending = [];
    const first = pending[0]?.line ?? line;
    const run = pending.findLastIndex(({ lineClass }) => lineClass !== 'other');
    this.#closeOutside();
    const isAnnounced = line - this.#announcedAt <= MAX_ANNOUNCED;
    const part = new OpenPart(first);
    part.hasBlockTail = this.#hasBlockTail;
    this.#hasBlockTail = false;
    if (isAnnounced) {
      part.program = this.#program;
      part.loader = this.#loader;
      part.told = this.#told;
    }
    part.runStart = pending[run + 1]?.line ?? -1;
    part.runEnd = line - 1;
    part.hasMessage = pending.some(({ lineClass, isNote }) => lineClass === 'other' && !isNote);
    part.isKnown = pending.some(({ isKnown }) => isKnown);
    for (const each of pending) this.#reclass(each.line, each.lineClass);
    this.#open = part;
    this.#program = null;
    this.#loader = null;
    this.#told = null;
    return part;
  }

  #addInside(line: number, text: string, head: LineHead): LineClass {
    const part = this.#open;
    if (part === null) return head.class;
    let lineClass = head.class;
    if (lineClass === 'other') {
      const isMessage = this.#knowledge.isMessage(text);
      if (isMessage === false) {
        lineClass = this.#sourceOf(text) === null ? 'unknown' : 'loader';
      }
    }
    if (!part.hasHead && !IS_NO_HEAD.has(lineClass)) {
      part.hasHead = true;
      part.isHeadCut ||= isCutHead(head, text);
    }
    this.#noteRun(part, line, text, lineClass);
    this.#noteLevel(part, line, lineClass, text);
    if (lineClass === 'block') this.#addBlockLine(part, line, text);
    if (lineClass !== 'summary' && lineClass !== 'empty') part.lastClass = lineClass;
    if (lineClass === 'summary') this.#addSummary(part, line, text);
    return lineClass === 'other' ? this.#addMessage(part, line, text) : lineClass;
  }

  /** Reads the summary in the line of a message. Returns the class of the line. */
  #addMessage(part: OpenPart, line: number, text: string): LineClass {
    const summary = text.slice(messageLength(text));
    if (summary === '') return 'other';
    this.#reclass(line, 'other');
    this.#addSummary(part, line, summary);
    return this.#classAt(line);
  }

  /** Follows the messages at the end: only those just before the summary are the verdict. */
  #noteRun(part: OpenPart, line: number, text: string, lineClass: LineClass): void {
    part.hasBlockTail ||= BLOCK_SECTION.test(text);
    if (lineClass === 'other') {
      if (part.runStart < 0) part.runStart = line;
      part.runEnd = line;
      part.hasMessage ||= !NOTE.test(text);
      part.isKnown = this.#knowledge.isMessage(text) === true;
      return;
    }
    if (lineClass === 'empty' || lineClass === 'block' || lineClass === 'summary') return;
    if (lineClass === 'loader' || lineClass === 'unknown') return;
    part.runStart = -1;
    if (part.hasWalk) part.hasMessage = false;
  }

  #noteLevel(part: OpenPart, line: number, lineClass: LineClass, text: string): void {
    switch (lineClass) {
      case 'insn':
        part.hasWalk = true;
        return;
      case 'state':
      case 'from-to':
      case 'prune':
      case 'mark_precise':
        part.hasWalk = true;
        part.bareInsns = false;
        // Up to Linux 6.3, level 1 has lines about precision, in another spelling.
        part.hasLevel2 ||= text.startsWith('mark_precise: ');
        return;
      case 'func':
        part.hasLevel2 ||= text.startsWith('func#');
        return;
      case 'listing':
      case 'liveness':
      case 'scc':
        part.hasLevel2 = true;
        // Rows of the tables before the walk, whose titles were cut off.
        if (part.bareInsns && part.hasWalk) {
          for (let i = part.firstLine; i < line; i++) {
            if (this.#classAt(i) === 'insn') this.#reclass(i, 'listing');
          }
          part.isHeadCut = true;
          part.hasWalk = false;
        }
        part.bareInsns = false;
        return;
      default:
    }
  }

  #addBlockLine(part: OpenPart, line: number, text: string): void {
    if (text.startsWith(BLOCK_TITLE) && part.blockStart < 0) part.blockStart = line;
    if (part.blockLines.length < MAX_BLOCK) part.blockLines.push(text.slice(0, MAX_WORDS));
  }

  #addSummary(part: OpenPart, line: number, text: string): void {
    const time = readTime(text);
    const depths = readStackDepths(text);
    part.hasTime ||= time !== null || depths !== null;
    part.timeUsec = time ?? part.timeUsec;
    part.stackDepths = depths ?? part.stackDepths;
    const counts = readCounts(text);
    if (counts === null) return;
    part.summary = { ...counts, timeUsec: part.timeUsec, stackDepths: part.stackDepths };
    this.#close(line);
  }

  /** Ends the open part, whose last line is `lastLine`. */
  #close(lastLine: number): void {
    const part = this.#open;
    this.#open = null;
    if (part === null || lastLine < part.firstLine) return;
    if (part.blockStart >= 0) {
      part.block = readDiagnosticBlock(part.blockLines, part.blockStart);
    }
    part.isTailCut ||= part.summary === null;
    // Without the block, only the messages just before the end are the verdict's.
    if (part.runStart >= 0) this.#takeErrors(part);
    this.#parts.push(part.toPart(lastLine, verdictOf(part)));
  }

  #takeErrors(part: OpenPart): void {
    for (let i = part.runStart; i <= part.runEnd; i++) {
      if (this.#classAt(i) !== 'other') continue;
      this.#reclass(i, 'error');
      part.errorLines.push(i);
    }
  }
}

const TOLD: Readonly<Record<string, Verdict>> = { success: 'accepted', failure: 'rejected' };
