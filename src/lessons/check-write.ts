/** Checks C that a learner has typed. The compiler of the workbench compiles it. */
import { accessPathOf } from '#analysis/core/playground.ts';
import { accessOfNames } from '#analysis/paths/playground-names.ts';
import { findTypeKey, parseTypeKey } from '#analysis/types/type-key.ts';
import {
  btfDifference,
  compiledTypes,
  layoutDifference,
} from '#analysis/workbench/first-difference.ts';
import { compileDeclarations } from '#analysis/workbench/workbench.ts';
import { counted, visible } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Answer, wrong } from './check-answer.ts';
import { MAX_WRITTEN, type Question, type WriteAsk } from './lesson.ts';

type Written = { readonly types: TypeTable } | { readonly problem: string };

/** Compiles the typed C and `right`. Describes the first difference in what `asks` names. */
export function checkWrite(
  { asks, right }: Extract<Question, { readonly kind: 'write' }>,
  typed: string,
): Answer {
  const wanted = compile(right);
  if ('problem' in wanted)
    return wrong(`The answer of this step does not compile. ${wanted.problem}`);
  const written = compile(typed);
  if ('problem' in written) return wrong(written.problem);
  const difference = differenceOf(asks, written.types, wanted.types);
  return difference === null
    ? { isRight: true, why: rightWords(asks, wanted.types) }
    : wrong(visible(sentence(difference)));
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Compiles C. `problem` is a sentence with line and column if the C is wrong. */
function compile(text: string): Written {
  if (text.length > MAX_WRITTEN) {
    return { problem: `The text has more than ${MAX_WRITTEN} characters.` };
  }
  const { btf, problems } = compileDeclarations(text, 'little');
  const [first] = problems.toSorted((a, b) => a.start - b.start);
  if (first === undefined) return { types: compiledTypes(btf) };
  const before = text.slice(0, first.start).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return { problem: `Line ${before.length}, column ${column}: ${visible(first.message)}.` };
}

function differenceOf(asks: WriteAsk, typed: TypeTable, wanted: TypeTable): string | null {
  switch (asks.what) {
    case 'btf':
      return btfDifference(typed, wanted);
    case 'layout': {
      const key = parseTypeKey(asks.root);
      return key === null || findTypeKey(wanted, key) === null
        ? 'The answer of this step has no such type.'
        : layoutDifference(typed, wanted, key);
    }
    case 'access': {
      const [access, right] = [accessIn(typed, asks), accessIn(wanted, asks)];
      return 'accessStr' in access && 'accessStr' in right && access.accessStr === right.accessStr
        ? null
        : accessWords(asks.path, access, right);
    }
  }
}

type Access = { readonly accessStr: string } | { readonly problem: string };

function accessIn(t: TypeTable, { root, path }: Extract<WriteAsk, { what: 'access' }>): Access {
  const key = parseTypeKey(root);
  const id = key && findTypeKey(t, key);
  if (id === null) return { problem: `There is no \`${root.replace(':', ' ')}\`.` };
  const access = accessOfNames(t, id, path);
  const resolved = 'accessStr' in access ? accessPathOf(t, { root: id, ...access }) : null;
  return resolved === null || resolved.error !== null
    ? { problem: `\`${path}\` leads nowhere in \`${root.replace(':', ' ')}\`.` }
    : { accessStr: resolved.accessStr };
}

function accessWords(path: string, access: Access, right: Access): string {
  if (!('accessStr' in right)) return `The answer of this step is not right. ${right.problem}`;
  if (!('accessStr' in access)) return access.problem;
  return `The access string of \`${path}\` is \`${access.accessStr}\`; it must be \`${right.accessStr}\`.`;
}

function rightWords(asks: WriteAsk, wanted: TypeTable): string {
  switch (asks.what) {
    case 'btf':
      return `The BTF is what the step asks for: ${counted(wanted.count, 'record')}.`;
    case 'layout':
      return `Every member of \`${asks.root.replace(':', ' ')}\` is where it must be.`;
    case 'access': {
      const access = accessIn(wanted, asks);
      return `The access string of \`${asks.path}\` is \`${'accessStr' in access ? access.accessStr : ''}\`.`;
    }
  }
}
