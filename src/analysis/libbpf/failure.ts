/** Where libbpf gives up: the error that the call returns, and its lines. */

export type Failure = {
  /** As errno.h has it, or libbpf's own. */
  readonly errno: string;
  /** What libbpf logs at the level of warnings, without `libbpf: `. Names are raw. */
  readonly lines: readonly string[];
};

/** Of a relocation that libbpf cannot apply. */
export const RELOC = 'LIBBPF_ERRNO__RELOC';

const NUMBERS: Readonly<Record<string, number>> = {
  ENOENT: 2,
  ESRCH: 3,
  E2BIG: 7,
  EINVAL: 22,
  ERANGE: 34,
  EDOM: 33,
  ENOTSUP: 95,
  LIBBPF_ERRNO__FORMAT: 4001,
  LIBBPF_ERRNO__ENDIAN: 4003,
  [RELOC]: 4005,
};

export function failed(errno: string, ...lines: readonly string[]): Failure {
  return { errno, lines };
}

const NAMES = new Map(Object.entries(NUMBERS).map(([name, number]) => [-number, name]));

/** The name of a negative error number. */
export function errnoOf(number: number): string {
  return NAMES.get(number) ?? 'EINVAL';
}

/** The code that the call returns: negative. */
export function errnoNumber({ errno }: Pick<Failure, 'errno'>): number {
  return -(NUMBERS[errno] ?? 22);
}
