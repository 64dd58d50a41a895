/** Sentences about what became of the entries of a file that was encoded as BTF. */

import type { Reason } from '#analysis/encode/decisions.ts';
import type { KeptApart, ReportRow } from '#analysis/encode/report.ts';
import { hexText, visible } from '#bytes/text.ts';

/** Sentences by reason. `detail` is that of the decision. */
const SENTENCES: Readonly<Record<Reason, (detail: string) => string>> = {
  declaration: () => 'left out: only declared here',
  'no-name': () => 'left out: it has no name',
  'unnamed-parameter': (number) => `left out: parameter ${number} has no name`,
  'no-symbol': (detail) =>
    detail === 'inlined'
      ? 'left out: inlined into its callers, no function symbol has its name'
      : 'left out: no function symbol has its name',
  'unexpected-register': () =>
    'left out: a parameter is not in the register of the calling convention',
  'inconsistent-prototype': (detail) => `left out: functions of the name differ: ${detail}`,
  'uncertain-location': () => 'left out: a packed struct is passed on the stack',
  'reordered-parameters': () => 'left out: the compiler reordered the parameters',
  'optimized-parameters': () => 'left out: the compiler removed parameters',
  'ambiguous-address': () => 'left out: symbols of the name are at several addresses',
  merged: (detail) => `merged with ${detail}`,
  'not-top-level': () => 'left out: declared in a function, struct or namespace',
  artificial: () => 'left out: made by the compiler',
  'no-address': () => 'left out: it has no address',
  section: (section) =>
    section === ''
      ? 'left out: its address is in no section with data'
      : `left out: in section ${section}; feature global_var encodes it`,
  'generated-name': () => 'left out: macros of the kernel made its name',
  'not-in-symtab': () => 'left out: no symbol of its section has its name',
  'invalid-name': () => 'left out: BTF cannot have its name',
  void: () => 'left out: it has no type',
  'after-void': () => 'left out: a variable without a type comes before it in the unit',
  size: () => 'left out: its size is 0, or does not fit into 32 bits',
  unspecified: () => 'left out: references to it become void',
  unsupported: () => 'left out with all below it: pahole does not read it',
  'integer-size': () => 'renamed to __SANITIZED_FAKE_INT__: BTF has no integer of its size',
};

/** Returns what became of an entry, as a sentence without its end. Names are not escaped. */
export function decisionText({ reason, detail }: ReportRow): string {
  return SENTENCES[reason](detail);
}

/** Returns a decision as one line. */
export function decisionLine(row: ReportRow): string {
  const { subject, name, detail, offset } = row;
  const title = subject === 'entry' ? detail : `${subject} ${name === '' ? '(anon)' : name}`;
  return visible(`${title} at ${hexText(offset)}${placeText(row)}: ${decisionText(row)}`);
}

function placeText({ unit, file, line }: ReportRow): string {
  const place = file === '' ? unit : line === 0 ? file : `${file}:${line}`;
  return place === '' ? '' : `, ${place}`;
}

/** Returns why a type remains beside another of its name. Names are not escaped. */
export function apartText({ first, path, why }: KeptApart): string {
  const at = path.length === 0 ? '' : ` at ${path.join('.')}`;
  return `not merged with [${first}]: ${why}${at}`;
}

/** Returns a type that remains beside another of its name as one line. */
export function keptApartLine(apart: KeptApart): string {
  const { kind, name, id, offset } = apart;
  return visible(`${kind} ${name} [${id}] at ${hexText(offset)}: ${apartText(apart)}`);
}
