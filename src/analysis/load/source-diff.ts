/**
 * Changes of C source as a unified diff (POSIX, "diff -u"), made from single source lines: an
 * object has the text of lines with instructions, not of the lines between.
 */

/** A line of C as an object has it; names are raw text. */
type SourceLine = { readonly file: string; readonly line: number; readonly text: string };

/** Lines of a file that a change replaces; `line` is null if the object does not know it. */
export type Hunk = {
  readonly file: string;
  readonly line: number | null;
  readonly before: readonly string[];
  readonly after: readonly string[];
};

/** Returns the hunks as a unified diff, in the order of files and lines; empty without hunks. */
export function unifiedDiff(hunks: readonly Hunk[]): string {
  const lines: string[] = [];
  const files = new Set(hunks.map(({ file }) => file));
  for (const file of files) {
    const ofFile = hunks
      .filter((hunk) => hunk.file === file)
      .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
    lines.push(
      `--- a/${file.replace(/^(?:\.?\/)+/, '')}`,
      `+++ b/${file.replace(/^(?:\.?\/)+/, '')}`,
    );
    /** Number of lines that the hunks before have added. */
    let added = 0;
    for (const { line, before, after } of ofFile) {
      const start = line ?? 1;
      lines.push(
        `@@ -${start},${before.length} +${start + added},${after.length} @@`,
        ...before.map((text) => `-${text}`),
        ...after.map((text) => `+${text}`),
      );
      added += after.length - before.length;
    }
  }
  return lines.join('\n');
}

/** Returns a hunk that replaces a source line; null if `after` is. */
export function lineHunk(source: SourceLine, after: readonly string[] | null): Hunk | null {
  const { file, line, text } = source;
  return after === null ? null : { file, line, before: [text], after };
}

/** Kinds of simple statements on one line. `head` is what stands before the expression. */
const IF = /^(?<indent>\s*)(?<head>(?:\} else )?if|while) \((?<expr>.*)\)(?<tail>(?: \{)?)$/;
const RETURN = /^(?<indent>\s*)(?<head>return) (?<expr>.+);$/;
const ASSIGNMENT = /^(?<indent>\s*)(?<head>[^=();{}]*[^=();{}\s]) = (?<expr>[^=].*);$/;
const STATEMENT = /^(?<indent>\s*)(?<expr>[^{}]+);$/;

/**
 * Returns the lines that do what `text` does only if `condition` holds; else `otherwise(text)` if
 * it is not null, or nothing, with 0 for a value. Null if `text` is no whole statement.
 */
export function guardedLine(
  text: string,
  condition: string,
  otherwise: ((expression: string) => string | null) | null = null,
): readonly string[] | null {
  const parts = partsOf(text.trimEnd());
  if (parts === null) return null;
  const { kind, indent, head, expr, tail } = parts;
  const other = otherwise === null ? null : otherwise(expr);
  if (otherwise !== null && other === null) return null;
  if (kind === 'if') {
    const guarded =
      other === null
        ? `${condition} && ${inBrackets(expr)}`
        : `${condition} ? ${inBrackets(expr)} : ${inBrackets(other)}`;
    return [`${indent}${head} (${guarded})${tail}`];
  }
  if (kind === 'statement') {
    const lines = [`${indent}if (${condition})`, `${indent}\t${expr};`];
    return other === null ? lines : [...lines, `${indent}else`, `${indent}\t${other};`];
  }
  const equals = kind === 'return' ? '' : ' =';
  return [
    `${indent}${head}${equals} ${condition}`,
    `${indent}\t? ${expr}`,
    `${indent}\t: ${other ?? '0'};`,
  ];
}

type Parts = {
  readonly kind: 'if' | 'return' | 'assignment' | 'statement';
  readonly indent: string;
  readonly head: string;
  readonly expr: string;
  readonly tail: string;
};

function partsOf(text: string): Parts | null {
  const kinds = [
    ['if', IF],
    ['return', RETURN],
    ['assignment', ASSIGNMENT],
    ['statement', STATEMENT],
  ] as const;
  if (/\b(?:for|do|case|default|goto|switch)\b/.test(text)) return null;
  for (const [kind, pattern] of kinds) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const { indent = '', head = '', expr = '', tail = '' } = groups;
    return isBalanced(expr) ? { kind, indent, head, expr, tail } : null;
  }
  return null;
}

/** Returns true if brackets and quotes of an expression are closed, and no statement ends in it. */
function isBalanced(expression: string): boolean {
  const plain = expression.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""');
  if (/["';]/.test(plain.replaceAll('""', '')) || /\/[/*]/.test(plain)) return false;
  let depth = 0;
  for (const character of plain) {
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Returns an expression in brackets, without a second pair. */
function inBrackets(expression: string): string {
  const isSimple = /^[\w.>\-[\]]+$/.test(expression) || /^\w+\([^()]*\)$/.test(expression);
  return isSimple ? expression : `(${expression})`;
}
