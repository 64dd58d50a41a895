import { coreTitle } from '#analysis/find/finder.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { hexText } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Selection } from '#model/selection.ts';
import { symbolName } from '#model/symbols.ts';
import { memberAt } from '#model/type-items.ts';
import { skipModifiers, type TypeTable } from '#model/type-table.ts';

/** Returns the name of a selection: `task_struct.pid`, `.text+0x18`. Null without a selection. */
export function placeTitle(model: ObjectModel, selection: Selection): string | null {
  switch (selection.kind) {
    case 'none':
      return null;
    case 'type':
      return model.types === null
        ? null
        : memberTitle(model.types, selection.type, selection.memberPath);
    case 'bytes':
      return `bytes ${hexText(selection.start)} to ${hexText(selection.end)}`;
    case 'section':
      return sectionName(model.sections, selection.section) || `section ${selection.section}`;
    case 'symbol':
      return symbolName(model.symbols, selection.symbol) || `symbol ${selection.symbol}`;
    case 'relocation':
      return `relocation ${selection.reloc}`;
    case 'core':
      return coreTitle(model, selection.core);
    case 'insn':
      return `${sectionName(model.sections, selection.section)}+${hexText(selection.insnOff)}`;
  }
}

function memberTitle(types: TypeTable, type: TypeId, memberPath: readonly number[]): string {
  let title = typeTitle(types, type);
  let at = skipModifiers(types, type);
  for (const index of memberPath) {
    const member = memberAt(types, at, index);
    if (member === null) break;
    if (member.name !== '') title += `.${member.name}`;
    at = skipModifiers(types, member.type);
  }
  return title;
}
