/** Error numbers of Linux as loaders print them: `-13`, `-EACCES`, `Permission denied (13)`. */

export type ErrnoEntry = {
  readonly number: number;
  readonly name: string;
  /** The words of the C library or of libbpf; Go prints the former in lower case. */
  readonly words: string;
};

// Source: Linux, include/uapi/asm-generic/errno*.h and include/linux/errno.h; libbpf, libbpf.h.
// biome-ignore format: one row a line
const ROWS: readonly (readonly [number, string, string])[] = [
  [1, 'EPERM', 'operation not permitted'],
  [2, 'ENOENT', 'no such file or directory'],
  [3, 'ESRCH', 'no such process'],
  [4, 'EINTR', 'interrupted system call'],
  [5, 'EIO', 'input/output error'],
  [6, 'ENXIO', 'no such device or address'],
  [7, 'E2BIG', 'argument list too long'],
  [8, 'ENOEXEC', 'exec format error'],
  [9, 'EBADF', 'bad file descriptor'],
  [11, 'EAGAIN', 'resource temporarily unavailable'],
  [12, 'ENOMEM', 'cannot allocate memory'],
  [13, 'EACCES', 'permission denied'],
  [14, 'EFAULT', 'bad address'],
  [16, 'EBUSY', 'device or resource busy'],
  [17, 'EEXIST', 'file exists'],
  [18, 'EXDEV', 'invalid cross-device link'],
  [19, 'ENODEV', 'no such device'],
  [20, 'ENOTDIR', 'not a directory'],
  [21, 'EISDIR', 'is a directory'],
  [22, 'EINVAL', 'invalid argument'],
  [23, 'ENFILE', 'too many open files in system'],
  [24, 'EMFILE', 'too many open files'],
  [27, 'EFBIG', 'file too large'],
  [28, 'ENOSPC', 'no space left on device'],
  [30, 'EROFS', 'read-only file system'],
  [33, 'EDOM', 'numerical argument out of domain'],
  [34, 'ERANGE', 'numerical result out of range'],
  [36, 'ENAMETOOLONG', 'file name too long'],
  [38, 'ENOSYS', 'function not implemented'],
  [40, 'ELOOP', 'too many levels of symbolic links'],
  [61, 'ENODATA', 'no data available'],
  [71, 'EPROTO', 'protocol error'],
  [74, 'EBADMSG', 'bad message'],
  [75, 'EOVERFLOW', 'value too large for defined data type'],
  [84, 'EILSEQ', 'invalid or incomplete multibyte or wide character'],
  [92, 'ENOPROTOOPT', 'protocol not available'],
  [93, 'EPROTONOSUPPORT', 'protocol not supported'],
  [95, 'EOPNOTSUPP', 'operation not supported'],
  [99, 'EADDRNOTAVAIL', 'cannot assign requested address'],
  [110, 'ETIMEDOUT', 'connection timed out'],
  [116, 'ESTALE', 'stale file handle'],
  [126, 'ENOKEY', 'required key not available'],
  [129, 'EKEYREJECTED', 'key was rejected by service'],
  [524, 'ENOTSUPP', 'operation not supported by the kernel'],
  [4000, 'LIBBPF_ERRNO__LIBELF', 'something wrong in libelf'],
  [4001, 'LIBBPF_ERRNO__FORMAT', 'BPF object format invalid'],
  [4002, 'LIBBPF_ERRNO__KVERSION', "'version' section incorrect or lost"],
  [4003, 'LIBBPF_ERRNO__ENDIAN', 'endian mismatch'],
  [4004, 'LIBBPF_ERRNO__INTERNAL', 'internal error in libbpf'],
  [4005, 'LIBBPF_ERRNO__RELOC', 'relocation failed'],
  [4006, 'LIBBPF_ERRNO__LOAD', 'failed to load program'],
  [4007, 'LIBBPF_ERRNO__VERIFY', 'kernel verifier blocks program loading'],
  [4008, 'LIBBPF_ERRNO__PROG2BIG', 'program too big'],
  [4009, 'LIBBPF_ERRNO__KVER', 'incorrect kernel version'],
  [4010, 'LIBBPF_ERRNO__PROGTYPE', "kernel doesn't support this program type"],
  [4011, 'LIBBPF_ERRNO__WRNGPID', 'wrong pid in netlink message'],
  [4012, 'LIBBPF_ERRNO__INVSEQ', 'invalid netlink sequence'],
  [4013, 'LIBBPF_ERRNO__NLPARSE', 'incorrect message parsing'],
];

const ENTRIES: readonly ErrnoEntry[] = ROWS.map(([number, name, words]) => ({
  number,
  name,
  words,
}));
const BY_NUMBER = new Map(ENTRIES.map((entry) => [entry.number, entry]));
const BY_NAME = new Map(ENTRIES.map((entry) => [entry.name, entry]));
/** Entries, the longest words first: `too many open files` begins another. */
const BY_WORDS = ENTRIES.toSorted((a, b) => b.words.length - a.words.length);

const NAME = /^-?(E[A-Z0-9]{2,16}|LIBBPF_ERRNO__[A-Z0-9]{2,16})\b/;
const NUMBER = /^(?:-|(?:unknown error|errno|os error) -?)(\d{1,4})(?![\w.])|^(\d{1,4})$/i;

/** Returns the error that `text` begins with, in any form that loaders print; else null. */
export function errnoIn(text: string): ErrnoEntry | null {
  const name = NAME.exec(text)?.[1];
  if (name !== undefined) return errnoNamed(name);
  const number = NUMBER.exec(text);
  if (number !== null) return BY_NUMBER.get(Number(number[1] ?? number[2])) ?? null;
  const start = text.slice(0, 64).toLowerCase();
  return BY_WORDS.find(({ words }) => start.startsWith(words.toLowerCase())) ?? null;
}

/** Returns the error of a name such as `EACCES`; null for an unknown one. */
export function errnoNamed(name: string): ErrnoEntry | null {
  return BY_NAME.get(name === 'ENOTSUP' ? 'EOPNOTSUPP' : name) ?? null;
}

/** Returns an error as a person reads it: `EINVAL, invalid argument`. */
export function errnoText({ name, words }: ErrnoEntry): string {
  return `${name}, ${words}`;
}
