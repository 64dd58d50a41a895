/**
 * Whose byte is it: the header field, the row of a table, the type or the string
 * that holds it, in a line, with where to see more of it.
 */
import { coreRecord } from '#analysis/core/core-records.ts';
import { relocationMeaning } from '#analysis/relocation-meaning.ts';
import { typeAtOffset } from '#analysis/selection.ts';
import { typeTitle } from '#analysis/type-name.ts';
import { decodeText, stringEnd } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { type SectionIndex, sectionIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { symbolName } from '#model/symbols.ts';
import { memberAt } from '#model/type-items.ts';
import { kindOf, recordSpan, stringAt, type TypeTable } from '#model/type-table.ts';
import type { ViewName } from '#store/session.ts';
import { symbolLine } from '#views/parts/relocation-look.ts';
import { coreLine } from './byte-marks.ts';
import { type TableRow, tableRowAt } from './table-rows.ts';
import { typeField } from './type-field.ts';

export type ByteOwner = {
  /** What kind of thing it is: `BTF type`, `Symbol`. */
  readonly what: string;
  /** Its name or text. Raw text: escape it when drawn. */
  readonly name: string;
  /** Which part of it the byte is, and what that says. Raw text. */
  readonly part: string;
  readonly go: {
    readonly label: string;
    readonly selection: Selection;
    readonly view: ViewName;
  } | null;
};

/** The owner of the byte at `fileOffset`, `section` being the section around it; null for plain bytes. */
export function byteOwner(
  model: ObjectModel,
  section: SectionIndex | null,
  fileOffset: number,
): ByteOwner | null {
  const row = tableRowAt(model, section, fileOffset);
  return (
    headerOwner(model, fileOffset) ??
    (row === null ? null : rowOwner(model, row)) ??
    (model.types === null
      ? null
      : (typeOwner(model.types, fileOffset) ?? stringOwner(model.types, fileOffset)))
  );
}

function headerOwner(model: ObjectModel, fileOffset: number): ByteOwner | null {
  for (const { title, span, fields } of model.headers) {
    if (fileOffset < span.start || fileOffset >= span.end) continue;
    const field = fields.find((f) => fileOffset >= f.span.start && fileOffset < f.span.end);
    if (field === undefined) return { what: title, name: '', part: '', go: null };
    const meaning = field.meaning === '' ? '' : ` (${field.meaning})`;
    return { what: title, name: field.name, part: `${field.value}${meaning}`, go: null };
  }
  return null;
}

function rowOwner(model: ObjectModel, row: TableRow): ByteOwner {
  switch (row.kind) {
    case 'section-header': {
      const { section } = row;
      return {
        what: 'Section header',
        name: sectionName(model.sections, section),
        part: `header ${section}`,
        go: { label: 'Go to section', selection: { kind: 'section', section }, view: 'bytes' },
      };
    }
    case 'symbol':
      return {
        what: 'Symbol',
        name: symbolName(model.symbols, row.symbol),
        part: `symbol ${model.symbols.indexInTable[row.symbol] ?? 0} of its table`,
        go: null,
      };
    case 'relocation-entry': {
      const { reloc } = row;
      const meaning = relocationMeaning(model, reloc);
      return {
        what: 'Relocation entry',
        name: symbolLine(meaning),
        part: `${meaning.typeName}, entry ${model.relocations.indexInSection[reloc] ?? 0}`,
        go: {
          label: 'Go to relocation',
          selection: { kind: 'relocation', reloc },
          view: 'relocations',
        },
      };
    }
    default:
      return extOwner(model, row);
  }
}

function extOwner(
  model: ObjectModel,
  row: Extract<TableRow, { kind: 'core-record' | 'func-record' | 'line-record' }>,
): ByteOwner {
  if (row.kind === 'core-record') {
    const record = coreRecord(model, row.core);
    return {
      what: 'CO-RE relocation',
      name: coreLine(model, record),
      part: `record ${record.relocIndexInSection} of ${record.sectionName}`,
      go: {
        label: 'Go to CO-RE',
        selection: { kind: 'core', core: row.core, step: null },
        view: 'core',
      },
    };
  }
  const { types, ext } = model;
  const table = row.kind === 'func-record' ? ext.func : ext.line;
  const insnOff = table.insnOff[row.row] ?? 0;
  const at = table.section[row.row] ?? -1;
  const go: ByteOwner['go'] =
    at < 0
      ? null
      : {
          label: 'Go to instruction',
          selection: { kind: 'insn', section: sectionIndex(at), insnOff },
          view: 'code',
        };
  const place = `instruction ${Math.floor(insnOff / 8)}`;
  if (row.kind === 'func-record') {
    const func = typeId(ext.func.typeId[row.row] ?? 0);
    return {
      what: 'func_info',
      name: types === null ? '' : typeTitle(types, func),
      part: place,
      go,
    };
  }
  const lineCol = ext.line.lineCol[row.row] ?? 0;
  const file = types === null ? '' : stringAt(types, ext.line.fileNameOff[row.row] ?? 0);
  return { what: 'line_info', name: `${file}:${lineCol >>> 10}`, part: place, go };
}

function typeOwner(types: TypeTable, fileOffset: number): ByteOwner | null {
  const type = typeAtOffset(types, fileOffset);
  const record = type === null ? null : recordSpan(types, type);
  if (type === null || record === null) return null;
  const kind = kindOf(types, type);
  const field = typeField(kind, fileOffset - record.start);
  const member = field.item?.word === 'member' ? memberAt(types, type, field.item.index) : null;
  const named = member === null || member.name === '' ? '' : ` ${member.name}`;
  const item = field.item === null ? 'field ' : `${field.item.word} ${field.item.index}${named}: `;
  return {
    what: `BTF ${kindName(kind)}`,
    name: `[${type}] ${typeTitle(types, type)}`,
    part: field.name === '' ? '' : `${item}${field.name}`,
    go: {
      label: 'Go to type',
      selection: typeSelection(type, member === null ? [] : [member.index]),
      view: 'types',
    },
  };
}

/** Longer strings than this are cut: they are shown in a line. */
const MAX_SHOWN = 120;

function stringOwner(types: TypeTable, fileOffset: number): ByteOwner | null {
  if (types.fileOffset === null) return null;
  const at = fileOffset - types.fileOffset;
  if (at < types.strStart || at >= types.strEnd) return null;
  const before = at === types.strStart ? -1 : types.blob.lastIndexOf(0, at - 1);
  const start = Math.max(types.strStart, before + 1);
  const end = Math.min(stringEnd(types.blob, start), types.strEnd, start + MAX_SHOWN);
  return {
    what: 'BTF string',
    name: decodeText(types.blob.subarray(start, end)),
    part: `at offset 0x${(start - types.strStart + types.strBase).toString(16)} of the strings`,
    go: null,
  };
}
