/** Reads names of variables from the lines of C that a log quotes, where they are certain. */

/** Longest line of source that is read. */
const MAX_LINE = 400;

/** Returns the variable that a line assigns the result of a call to; null if it is not certain. */
export function variableOfCall(source: string, callee: string): string | null {
  if (source.length > MAX_LINE) return null;
  const [before = '', after, more] = source.split(`${callee}(`);
  if (after === undefined || more !== undefined) return null;
  return assigned(before);
}

/** Returns the variable that a line declares or assigns; null if the line does more than that. */
export function assignedVariable(source: string): string | null {
  if (source.length > MAX_LINE) return null;
  const equal = source.indexOf('=');
  if (equal < 0 || source.slice(equal + 1).includes('=')) return null;
  return assigned(source.slice(0, equal + 1));
}

/** `struct val *v = `, `v = (struct val *)`, `if (!(v = `: the name before the last `=`. */
function assigned(before: string): string | null {
  const text = before.replace(/\((?:const |struct |union |enum |unsigned )*\w+ ?\**\)\s*$/, '');
  const name = /([A-Za-z_]\w*)\s*=\s*$/.exec(text)?.[1] ?? null;
  if (name === null || /(?:->|\.)\s*[A-Za-z_]\w*\s*=\s*$/.test(text)) return null;
  return name;
}

/** Returns true if a line follows a pointer variable: `v->a`, `*v`, `v[i]`. */
export function isFollowed(source: string, variable: string): boolean {
  if (source.length > MAX_LINE) return false;
  const name = variable.replaceAll(/\W/g, '');
  return new RegExp(`(?:^|[^\\w.>])(?:${name}\\s*(?:->|\\[)|\\*\\s*${name}(?!\\w))`).test(source);
}

/** Returns true if a line has a variable's name outside of a member's place. */
export function isMentioned(source: string, variable: string): boolean {
  if (source.length > MAX_LINE) return false;
  return new RegExp(`(?:^|[^\\w.>])${variable.replaceAll(/\W/g, '')}(?!\\w)`).test(source);
}

/** A member that a line reads through a pointer: `ip->protocol`. */
export type FollowedMember = { readonly variable: string; readonly member: string };

/** Returns the only `variable->member` of a line, else null. */
export function followedMember(source: string): FollowedMember | null {
  if (source.length > MAX_LINE) return null;
  const found = [...source.matchAll(/(?<![\w>.])([A-Za-z_]\w{0,60})->([A-Za-z_][\w.]{0,80})/g)];
  const [first] = found;
  if (found.length !== 1 || first === undefined) return null;
  const [, variable = '', member = ''] = first;
  return source
    .slice(first.index + first[0].length)
    .trimStart()
    .startsWith('->')
    ? null
    : { variable, member };
}

/** Returns the struct that lines declare a pointer variable to point at: null if none or several. */
export function declaredStruct(sources: Iterable<string>, variable: string): string | null {
  const pattern = new RegExp(
    `\\b(struct \\w{1,80}) \\*\\s?(?:const )?${variable.replaceAll(/\W/g, '')}(?!\\w)`,
  );
  const names = new Set<string>();
  for (const source of sources) {
    if (source.length > MAX_LINE) continue;
    const name = pattern.exec(source)?.[1];
    if (name !== undefined) names.add(name);
  }
  const [only, other] = names;
  return other === undefined ? (only ?? null) : null;
}

/** Returns the function that the first line of a definition names, else null. */
export function definedFunction(source: string): string | null {
  if (source.length > MAX_LINE || /[;=]/.test(source)) return null;
  const macro =
    /\bBPF_(?:K(?:RET)?PROBE|PROG2?|KSYSCALL|STRUCT_OPS(?:_SLEEPABLE)?|U(?:RET)?PROBE|USDT)\(\s*(\w+)/.exec(
      source,
    );
  if (macro !== null) return macro[1] ?? null;
  const [, name] = /^\s*(?:[\w*]+\s+)+\**(\w+)\s*\(/.exec(source) ?? [];
  return name === undefined || /^(?:if|while|for|switch|return|else)$/.test(name) ? null : name;
}
