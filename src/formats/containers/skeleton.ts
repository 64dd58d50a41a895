/**
 * Finds BPF objects in C text: skeletons of `bpftool gen skeleton` (`.skel.h`), light skeletons of
 * `bpftool gen skeleton -L` with a loader program (`.lskel.h`), and arrays of `xxd -i`. Source:
 * bpftool's gen.c, `print_hex`, `do_skeleton` and `gen_trace`; string literals and integer
 * constants of C11, sections 6.4.5 and 6.4.4.1; the text of xxd 9.
 */
import { startsWith } from '#bytes/arrays.ts';
import type { Issue } from '#bytes/issue.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { counted } from '#bytes/text.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import { findBtf } from './find-btf.ts';
import { type ArchiveMember, type MemberKind, memberKind } from './member.ts';

const ELF_MAGIC = '\x7fELF';
const QUOTE = 0x22;
const BRACE = 0x7b;
const COMMA = 0x2c;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
/** Smallest size in bytes of an object or BTF. */
const MIN_LENGTH = 24;
/** Largest length of a name in characters. Longer names are cut. */
const MAX_NAME_LENGTH = 256;

export type SkeletonContent = {
  readonly members: readonly ArchiveMember[];
  readonly issues: readonly Issue[];
};

/**
 * Returns the ELF files and the BTF in the string literals and arrays of a C text. A loader program
 * is no ELF file: an issue gives its number of instructions. Takes linear time.
 */
export function readSkeleton(text: Uint8Array): SkeletonContent {
  const members: ArchiveMember[] = [];
  const issues: Issue[] = [];
  for (const { fileOffset, span, skeleton, variable } of literals(text)) {
    if (text[fileOffset] === BRACE) {
      const bytes = decodeNumbers(text, fileOffset);
      if (bytes.length < MIN_LENGTH || !startsWith(bytes, ELF_MAGIC)) continue;
      const [name, kind] = [variable || 'object', memberKind('', bytes)];
      const packing = { kind: 'c-numbers' } as const;
      members.push({ name, kind, fileOffset, size: bytes.length, packing });
      continue;
    }
    // The value of a literal is never longer than its text.
    if (span.end - span.start < MIN_LENGTH) continue;
    const bytes = decodeLiteral(text, fileOffset);
    if (bytes.length < MIN_LENGTH) continue;
    const add = (name: string, kind: MemberKind, skip: number, size: number) =>
      members.push({ name, kind, fileOffset, size, packing: { kind: 'c-string', skip } });
    if (startsWith(bytes, ELF_MAGIC)) {
      add(skeleton || variable || 'object', memberKind('', bytes), 0, bytes.length);
    } else if (variable === 'opts_data') {
      const btf = findBtf(bytes)?.span;
      if (btf) add(`${skeleton || 'opts_data'}.btf`, 'BTF', btf.start, btf.end - btf.start);
    } else if (variable === 'opts_insn') {
      issues.push(loaderNote(spanOf(fileOffset, 1), bytes.length));
    }
  }
  return { members, issues };
}

function loaderNote(span: Span, byteLength: number): Issue {
  const insns = counted(Math.floor(byteLength / SLOT_SIZE), 'instruction slot');
  return {
    severity: 'note',
    code: 'skeleton.loader',
    region: 'skeleton',
    message: `The loader program of the light skeleton, ${insns}, is not listed: it has no ELF file`,
    span,
    advice: 'Open the object that the skeleton was made of to see its programs.',
  };
}

type Literal = {
  /** Offset of the first quote of a string, or of the `{` of an array. */
  readonly fileOffset: number;
  /** Span of the literal, including adjacent string literals. */
  readonly span: Span;
  /** Name of the skeleton, from the function before the literal; empty if there is none. */
  readonly skeleton: string;
  /** Name of the variable that the literal is assigned to. */
  readonly variable: string;
};

const SKELETON_FUNCTION = /^(.+)__(?:elf_bytes|create_skeleton|load)$/;
/** Words before a literal that are not the name of its variable. */
const NO_VARIABLE = new Set([
  '__attribute__',
  '__aligned__',
  'aligned',
  'void',
  'const',
  'char',
  'static',
]);

/** Yields string literals (adjacent literals as one), and arrays that begin with a number. */
function* literals(text: Uint8Array): Generator<Literal> {
  let skeleton = '';
  let variable = '';
  for (let at = 0; at < text.length; ) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) {
      const end = literalEnd(text, at);
      yield { fileOffset: at, span: { start: at, end }, skeleton, variable };
      at = end;
    } else if (byte === BRACE && isDigit(text[afterBlanks(text, at + 1)] ?? 0)) {
      const end = numbersEnd(text, at);
      yield { fileOffset: at, span: { start: at, end }, skeleton, variable };
      at = end;
    } else if (byte === APOSTROPHE) {
      at = quotedEnd(text, at);
    } else if (startsWith(text, '/*', at)) {
      at = endOf(text, 0x2f, at + 2, (slash) => text[slash - 1] === 0x2a && slash > at + 2);
    } else if (startsWith(text, '//', at)) {
      at = endOf(text, NEWLINE, at, () => true);
    } else if (isWord(byte)) {
      const start = at;
      while (at < text.length && isWord(text[at] ?? 0)) at++;
      const word = latin1(text.subarray(start, Math.min(at, start + MAX_NAME_LENGTH)));
      skeleton = SKELETON_FUNCTION.exec(word)?.[1] ?? skeleton;
      // Older light skeletons assign to `opts.data` and `opts.insns`.
      if (variable === 'opts' && /^(data|insns)$/.test(word)) variable = `opts_${word.slice(0, 4)}`;
      else if (!NO_VARIABLE.has(word) && !/^\d/.test(word)) variable = word;
    } else {
      at++;
    }
  }
}

/** Returns the end of the digits, commas and spaces that follow the `{` at `start`. */
function numbersEnd(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && isInNumbers(text[at] ?? 0)) at++;
  return at;
}

function isInNumbers(byte: number): boolean {
  return isWord(byte) || byte === COMMA || isBlank(byte);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isWord(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Returns the offset after the first `byte` from `at` that `counts` accepts, or the text's end. */
function endOf(text: Uint8Array, byte: number, at: number, counts: (at: number) => boolean) {
  let offset = text.indexOf(byte, at);
  while (offset >= 0 && !counts(offset)) offset = text.indexOf(byte, offset + 1);
  return offset < 0 ? text.length : offset + 1;
}

/** Returns the offset after the literal that opens at `start`, at its quote or the line's end. */
function quotedEnd(text: Uint8Array, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const byte = text[at];
    if (byte === BACKSLASH) at += text[at + 1] === 0x0d && text[at + 2] === NEWLINE ? 2 : 1;
    else if (byte === quote || byte === NEWLINE) return at + 1;
  }
  return text.length;
}

/** Returns the end of the last of several literals that only spaces separate. */
function literalEnd(text: Uint8Array, start: number): number {
  for (let end = quotedEnd(text, start); ; ) {
    const next = afterBlanks(text, end);
    if (text[next] !== QUOTE) return end;
    end = quotedEnd(text, next);
  }
}

function afterBlanks(text: Uint8Array, start: number): number {
  let at = start;
  while (at < text.length && isBlank(text[at] ?? 0)) at++;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE;
}

/** C constants from 0 to 255. The longest is octal. */
const BYTE_NUMBER = /^(?:0x[0-9a-f]{1,2}|0[0-7]{0,3}|[1-9]\d{0,2})$/i;
const MAX_NUMBER_LENGTH = 4;

/** Decodes the numbers after the `{` at `start`, up to the first that is not a byte. */
export function decodeNumbers(text: Uint8Array, start: number): Uint8Array {
  // A number with its comma has at least two characters.
  const bytes = new Uint8Array((numbersEnd(text, start) - start) >> 1);
  let length = 0;
  for (let at = afterBlanks(text, start + 1); isWord(text[at] ?? 0); ) {
    const from = at;
    while (isWord(text[at] ?? 0) && at - from <= MAX_NUMBER_LENGTH) at++;
    const word = latin1(text.subarray(from, at));
    const value = BYTE_NUMBER.test(word)
      ? Number.parseInt(word, /^0x/i.test(word) ? 16 : word.startsWith('0') ? 8 : 10)
      : 256;
    if (value > 0xff) break;
    bytes[length++] = value;
    at = afterBlanks(text, at);
    if (text[at] !== COMMA) break;
    at = afterBlanks(text, at + 1);
  }
  return bytes.subarray(0, length);
}

const SIMPLE_ESCAPES: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 }),
);

/** Decodes the C string literal at `start` and adjacent literals. Wide escapes become one byte. */
export function decodeLiteral(text: Uint8Array, start: number): Uint8Array {
  const end = literalEnd(text, start);
  const bytes = new Uint8Array(end - start);
  let length = 0;
  for (let at = start; at < end && text[at] === QUOTE; at = afterBlanks(text, at)) {
    const stop = quotedEnd(text, at);
    at++;
    while (at < stop && text[at] !== QUOTE && text[at] !== NEWLINE) {
      if (text[at] !== BACKSLASH) {
        bytes[length++] = text[at++] ?? 0;
        continue;
      }
      const decoded = escapeAt(text, at + 1, stop);
      if (decoded.value !== null) bytes[length++] = decoded.value;
      at = decoded.end;
    }
    at = stop;
  }
  return bytes.subarray(0, length);
}

/** Decodes the escape after a backslash. The value is null for an escaped line end. */
function escapeAt(
  text: Uint8Array,
  start: number,
  stop: number,
): { readonly value: number | null; readonly end: number } {
  const first = String.fromCharCode(text[start] ?? 0);
  if (first === '\n') return { value: null, end: start + 1 };
  if (first === '\r') return { value: null, end: start + (text[start + 1] === NEWLINE ? 2 : 1) };
  const isHex = first === 'x';
  const [base, most] = isHex ? [16, stop - start] : [8, 3];
  let at = isHex ? start + 1 : start;
  let value = 0;
  const digitsStart = at;
  for (; at < stop && at - digitsStart < most; at++) {
    const digit = Number.parseInt(String.fromCharCode(text[at] ?? 0), base);
    if (Number.isNaN(digit)) break;
    value = (value * base + digit) & 0xff;
  }
  if (at > digitsStart) return { value, end: at };
  return { value: SIMPLE_ESCAPES.get(first) ?? text[start] ?? 0, end: start + 1 };
}
