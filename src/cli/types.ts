/** Naming a type on the command line: KIND:NAME, KIND:NAME~2 for the third of that name, NAME, or an id. */

import { findTypeKey, parseTypeKey } from '#analysis/types/type-key.ts';
import { visible } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { hasType, type TypeTable } from '#model/type-table.ts';
import { CommandFailure } from './command.ts';

/** Where NAME alone could mean several: what people mean most often comes first. */
const KINDS = [
  'struct',
  'union',
  'enum',
  'enum64',
  'typedef',
  'fwd',
  'int',
  'float',
  'func',
  'var',
];

/** The type that `text` names. Throws a `CommandFailure` where there is none. */
export function namedType(t: TypeTable, text: string): TypeId {
  const found = /^\d+$/.test(text) ? byId(t, Number(text)) : byName(t, text);
  if (found === null) throw new CommandFailure(`there is no type "${visible(text)}"`);
  return found;
}

function byId(t: TypeTable, number: number): TypeId | null {
  const id = typeId(number);
  return hasType(t, id) ? id : null;
}

function byName(t: TypeTable, text: string): TypeId | null {
  if (text.includes(':')) {
    const key = parseTypeKey(text);
    return key === null ? null : findTypeKey(t, key);
  }
  for (const kind of KINDS) {
    const id = findTypeKey(t, { kind, name: text, ordinal: 0 });
    if (id !== null) return id;
  }
  return null;
}
