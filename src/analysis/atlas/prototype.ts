/** Inserts names into C declarators. */

/** Returns `char name[16]` for the type `char [16]` and a name. */
export function declared(type: string, name: string): string {
  const place = placeOfName(type);
  const before = type.slice(0, place).trimEnd();
  const isTight = name === '' || before.endsWith('*') || before.endsWith('(') || before === '';
  return `${before}${isTight ? '' : ' '}${name}${type.slice(place).trimStart()}`;
}

/**
 * Returns the index at which a declarator's name belongs: after the innermost `(*`, else before the
 * first `[` or `(`, else at the end.
 */
function placeOfName(type: string): number {
  const first = /[([]/.exec(type)?.index ?? type.length;
  let place = first;
  const opening =
    /\((?:\*|(?: |const|volatile|restrict)+(?=\*))+(?: (?:const|volatile|restrict))*/y;
  for (let at = first; at < type.length; ) {
    opening.lastIndex = at;
    const match = opening.exec(type);
    if (match === null) break;
    at += match[0].length;
    place = at;
  }
  return place;
}

/** Returns return type and parameters of a type like `void (*)(int, char *)`; else null. */
export function pointedFunction(
  type: string,
): { readonly returns: string; readonly params: readonly string[] } | null {
  const [, returns, list] = /^(.*?)\(\*\)\((.*)\)$/s.exec(type) ?? [];
  if (returns === undefined || list === undefined) return null;
  const params: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    const character = list[at] ?? ',';
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (character === ',' && depth === 0) {
      params.push(list.slice(start, at).trim());
      start = at + 1;
    }
    // The text closes more parentheses than it opens.
    if (depth < 0) return null;
  }
  return { returns: returns.trim(), params: list === 'void' ? [] : params };
}

/** Returns a function's prototype; a parameter without name and type is shown as `...`. */
export function prototypeText(
  returns: string,
  name: string,
  params: readonly { readonly name: string; readonly type: string }[],
): string {
  const isEmpty = params.length === 0 || (params.length === 1 && params[0]?.type === '');
  const list = isEmpty
    ? 'void'
    : params
        .map((param) => (param.type === '' ? '...' : declared(param.type, param.name)))
        .join(', ');
  return declared(returns, `${name}(${list})`);
}
