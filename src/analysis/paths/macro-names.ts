/**
 * Names that people write for fields of the kernel and that no BTF has, since they are
 * macros: `sk->sk_family` is `sk->__sk_common.skc_family`.
 *
 * Source: the kernel's include/net/sock.h and include/net/inet_sock.h.
 */

const INET: readonly string[] = ['daddr', 'rcv_saddr', 'dport', 'num'];

export type MacroName = {
  /** The member that it stands for. */
  readonly member: string;
  /** How it is reached from the struct that people take it for a member of. */
  readonly access: string;
};

/** What `name` would be a macro for; null where it is none that is known. */
export function macroName(name: string): MacroName | null {
  const [, sock] = /^sk_([a-z]\w*)$/.exec(name) ?? [];
  if (sock !== undefined) {
    return { member: `skc_${sock}`, access: `__sk_common.skc_${sock}` };
  }
  const [, inet] = /^inet_(\w+)$/.exec(name) ?? [];
  if (inet === undefined || !INET.includes(inet)) return null;
  return { member: `skc_${inet}`, access: `sk.__sk_common.skc_${inet}` };
}

/** The macro that people know a member by: `sk_family` of `skc_family`; null for all others. */
export function macroOf(member: string): string | null {
  const [, sock] = /^skc_([a-z]\w*)$/.exec(member) ?? [];
  return sock === undefined ? null : `sk_${sock}`;
}
