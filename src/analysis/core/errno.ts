/** The error numbers that libbpf's CO-RE code gives back, negative as it does. */
export const Errno = {
  E2BIG: -7,
  EINVAL: -22,
  ERANGE: -34,
  EOPNOTSUPP: -95,
} as const;
