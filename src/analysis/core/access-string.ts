/** Reads the access string of a CO-RE record: "BPF LLVM Relocations", "CO-RE Relocation Record". */
import { stringAt, type TypeTable } from '#model/type-table.ts';

/** Maximum number of indices, as in libbpf (`BPF_CORE_SPEC_MAX_LEN`). */
export const MAX_INDICES = 64;

const MAX_INDEX = 0x7fffffff;

/** Maximum bytes of an access string; 64 indices of ten digits take 703. */
const MAX_BYTES = 4096;
/** Maximum length of a UTF-8 character in bytes. */
const CHARACTER_BYTES = 4;

/** Returns the access string at `offset` of the strings; past 4,096 bytes it ends in `…`. */
export function accessStringAt(t: TypeTable, offset: number): string {
  const text = stringAt(t, offset, MAX_BYTES);
  if (text.length < MAX_BYTES / CHARACTER_BYTES) return text;
  const isWhole = stringAt(t, offset, MAX_BYTES + CHARACTER_BYTES).length === text.length;
  return isWhole ? text : `${text}…`;
}

export type AccessString = {
  /** Valid indices before the first fault. */
  readonly indices: readonly number[];
  /** Sentence about the fault; null for a valid string. */
  readonly error: string | null;
  /** libbpf's negative error number for the fault; 0 for a valid string. */
  readonly errno: number;
};

/** Parses an access string `0:3:1`: decimal digits separated by colons. Never throws. */
export function parseAccessString(text: string): AccessString {
  const indices: number[] = [];
  const stop = (error: string, errno: number = Errno.EINVAL) => ({ indices, error, errno });
  if (text === '') return stop('the access string is empty');
  for (let at = 0; ; ) {
    const end = endOfDigits(text, at);
    const where = `at character ${at + 1} of '${shortened(text)}'`;
    if (end === at) return stop(`a number is missing ${where}`);
    const index = Number(text.slice(at, end));
    if (index > MAX_INDEX) return stop(tooLarge(index, where));
    if (indices.length === MAX_INDICES) {
      return stop(`more than ${MAX_INDICES} indices, which libbpf rejects`, Errno.E2BIG);
    }
    indices.push(index);
    if (end === text.length) return { indices, error: null, errno: 0 };
    if (text[end] !== ':') {
      const what = `'${text.slice(end, end + 1)}' at character ${end + 1} of '${shortened(text)}'`;
      return stop(`${what} is neither a digit nor a colon`);
    }
    at = end + 1;
  }
}

/** Compilers write index 4294967295 for `p[-1]`. */
function tooLarge(index: number, where: string): string {
  return index <= 0xffffffff
    ? `the number ${where} stands for ${index - 2 ** 32}, and libbpf rejects negative indices`
    : `the number ${where} is too large`;
}

/** Returns the index after the decimal digits that begin at `start`. */
export function endOfDigits(text: string, start: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  return end;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Negative error numbers that libbpf's CO-RE code returns. */
export const Errno = {
  E2BIG: -7,
  EINVAL: -22,
  ERANGE: -34,
  EOPNOTSUPP: -95,
} as const;
