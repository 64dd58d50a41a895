/** Notes that name what is a guess about static symbols, since bodies are not compiled. */
import {
  type Declared,
  type DeclaredFunction,
  type DeclaredVariable,
  localName,
  type Problem,
} from './declared-places.ts';
import { moduleOrder, Uses } from './module-order.ts';

/**
 * Returns notes for static symbols that clang's optimizer may remove, move or number differently.
 * `conditional` has the static variables of functions that are declared after a condition.
 */
export function staticNotes(
  declared: readonly Declared[],
  conditional: ReadonlySet<string>,
): Problem[] {
  const uses = new Uses(declared);
  const notes = declared.flatMap((item) => {
    if (item.what === 'type') return [];
    const { start, end, name } = item;
    const calls = item.what === 'function' ? uses.guessedCalls(item) : null;
    if (item.what === 'function' && calls !== null) {
      return [{ message: inlineNote(item, calls, uses), start, end }];
    }
    if (!uses.isUncertain(item)) return [];
    const message =
      item.what === 'function'
        ? `clang's optimizer decides whether the static function ${name} stays`
        : `clang's optimizer may leave out the static variable ${localName(name)} and what only it names, or place it elsewhere`;
    return [{ message, start, end }];
  });
  return [...notes, ...localNotes(declared, uses, conditional)];
}

function inlineNote(item: DeclaredFunction, calls: number, uses: Uses): string {
  const taken = uses.isInlined(item) ? 'inlined' : 'kept';
  const times = calls === 1 ? 'once' : `${calls} times`;
  return `clang's optimizer decides whether the static function ${item.name}, called ${times}, is inlined: ${taken} here, a guess; __always_inline or __noinline decides it`;
}

/** Returns notes for static variables of functions: which remain, and their numbers. */
function localNotes(
  declared: readonly Declared[],
  uses: Uses,
  conditional: ReadonlySet<string>,
): Problem[] {
  const locals = moduleOrder(declared).filter(
    (item): item is DeclaredVariable =>
      'what' in item && item.what === 'variable' && item.isStatic && item.name.includes('.'),
  );
  const hasGuess = declared.some(
    (item) =>
      item.what === 'function' &&
      ((item.hasConstants && uses.isLive(item)) || uses.guessedCalls(item) !== null),
  );
  return [
    ...noteAbout(
      locals.filter(({ name, key }) => conditional.has(key ?? name)),
      "clang's optimizer leaves out static variables of code that never runs; kept here, a guess",
    ),
    ...noteAbout(
      locals.filter(({ key }) => hasGuess && key !== undefined),
      'clang also numbers constants that it makes of local variables, so that the numbers here are a guess',
    ),
  ];
}

/** Returns the note at the first variable; it names all of them, without their numbers. */
function noteAbout(variables: readonly DeclaredVariable[], words: string): Problem[] {
  const [first] = variables;
  if (first === undefined) return [];
  const names = new Set(variables.map(({ name, key }) => localName(key ?? name)));
  const message = `${words}: ${[...names].join(', ')}`;
  return [{ message, start: first.start, end: first.end }];
}
