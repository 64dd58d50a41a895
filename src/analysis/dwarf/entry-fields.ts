/** Shows a unit of `.debug_info` as fields: header, entries, attributes. Source: DWARF 5, 7.5. */
import type { FileStructure } from '#analysis/fields/context.ts';
import {
  type FieldList,
  makeField,
  paddingField,
  type StructureField,
  sequence,
} from '#analysis/fields/field.ts';
import { attempt } from '#bytes/issue.ts';
import type { Span } from '#bytes/span.ts';
import { hexText } from '#bytes/text.ts';
import { tagName, unitTypeName } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/reader.ts';
import type { SectionIndex } from '#model/ids.ts';
import { attributeField, impliedAttributes, nameOfEntry, type UnitPlace } from './attributes.ts';
import { debugName } from './debug-sections.ts';
import { decodedUnit } from './decoded-unit.ts';
import { FieldRun, faultOf, listOf, notRead } from './field-run.ts';
import { entrySelection } from './type-entries.ts';
import { unitFields } from './unit-chain.ts';

const HEADER_SOURCE = 'DWARF 5, 7.5.1 Unit Headers';
const ENTRY_SOURCE = 'DWARF 5, 7.5.2 Debugging Information Entry';

/** Returns the units of `.debug_info` or `.debug_types`. */
export function infoParts(structure: FileStructure, section: SectionIndex, span: Span): FieldList {
  return unitFields(structure, section, span, (offset, at) => {
    const place = { start: offset, end: offset + at.end - at.start };
    return makeField('part', `unit ${hexText(offset)}`, at, {
      source: HEADER_SOURCE,
      parts: () => unitParts(structure, section, place, at),
    });
  });
}

function unitParts(
  structure: FileStructure,
  section: SectionIndex,
  place: Span,
  at: Span,
): FieldList {
  const decoded = decodedUnit(structure, section, place);
  if (decoded === null) return listOf(at, [], (rest) => makeField('undescribed', 'loading', rest));
  const { bytes } = decoded;
  const run = new FieldRun(bytes, 0, HEADER_SOURCE);
  const isTypes = debugName(structure.model, section) === 'types';
  const fault = faultOf(() => readHeader(run, isTypes));
  const header = run.fields;
  if ('fault' in decoded)
    return listOf(at, header, (rest) => notRead(rest, decoded.fault || fault));
  const { unit, tree } = decoded;
  const headerSpan = { start: at.start, end: at.start + unit.header.firstDie };
  const fields = [
    makeField('header', 'unit header', headerSpan, {
      meaning: `DWARF ${unit.header.version}`,
      source: HEADER_SOURCE,
      parts: () => listOf(headerSpan, header, paddingField),
    }),
  ];
  const unitPlace = { structure, section, offset: place.start, ...decoded };
  if (tree.count > 0) fields.push(entryField(unitPlace, 0));
  return listOf(at, fields, (rest) => paddingField(rest, 'After the last entry of the unit'));
}

function readHeader(run: FieldRun, isTypes: boolean): void {
  const isLong = run.number('unit_length', 4, { notation: 'hex' }) === 0xffffffffn;
  if (isLong) run.number('unit_length', 8, { notation: 'hex' });
  const offsetSize = isLong ? 8 : 4;
  const version = Number(run.number('version', 2));
  let unitType = isTypes ? 2 : 1;
  const readAddressSize = () =>
    run.number('address_size', 1, { meaning: () => 'bytes of an address' });
  const readAbbrevs = () =>
    run.number('debug_abbrev_offset', offsetSize, {
      notation: 'hex',
      meaning: () => 'offset in .debug_abbrev',
    });
  if (version >= 5) {
    const meaning = (value: bigint) => unitTypeName(Number(value));
    unitType = Number(run.number('unit_type', 1, { notation: 'hex', meaning }));
    readAddressSize();
    readAbbrevs();
  } else {
    readAbbrevs();
    readAddressSize();
  }
  if (unitType === 4 || unitType === 5) run.number('dwo_id', 8, { notation: 'hex' });
  if (unitType !== 2 && unitType !== 6) return;
  run.number('type_signature', 8, { notation: 'hex' });
  run.number('type_offset', offsetSize, { notation: 'hex' });
}

/** Returns the entry at `row` of the tree with the entries below it. */
function entryField(place: UnitPlace, row: number): StructureField {
  const { tree, bytes, offset } = place;
  const start = tree.offset[row] ?? 0;
  const own = offset + start;
  const span = bytes.linked.span(start, (tree.close[row] ?? start) - start);
  const tag = tagName(tree.tag[row] ?? 0);
  const name = nameOfEntry(place, row);
  const below = countBelow(place, row);
  return makeField('entry', `${hexText(own)} ${tag}${name === '' ? '' : ` ${name}`}`, span, {
    meaning: below === 0 ? '' : `${below} ${below === 1 ? 'entry' : 'entries'} below it`,
    source: ENTRY_SOURCE,
    selection: entrySelection(place.structure.model, place.section, own),
    parts: () => entryParts(place, row, span),
  });
}

function countBelow({ tree }: UnitPlace, row: number): number {
  return (tree.end[row] ?? row + 1) - row - 1;
}

function entryParts(place: UnitPlace, row: number, span: Span): FieldList {
  const { tree, unit } = place;
  const die = attempt([], () => unit.dieAt(tree.offset[row] ?? 0));
  const own = die === null ? [] : ownFields(place, die);
  const children = childRows(place, row);
  const childStart = (i: number) =>
    place.bytes.linked.span(tree.offset[children[i] ?? 0] ?? 0, 0).start;
  const last = children.at(-1);
  const ownEnd = own.at(-1)?.span.end ?? span.start;
  const end = last === undefined ? ownEnd : place.bytes.linked.span(tree.close[last] ?? 0, 0).start;
  const hasEnd = end < span.end;
  const count = own.length + children.length;
  const startOf = (i: number) => {
    if (i < own.length) return own[i]?.span.start ?? span.start;
    if (i < count) return childStart(i - own.length);
    return i === count ? end : span.end;
  };
  return sequence(hasEnd ? count + 1 : count, startOf, (i) => {
    const child = children[i - own.length];
    return (
      own[i] ??
      (child === undefined
        ? makeField(
            'padding',
            'end of the entries below',
            { start: end, end: span.end },
            {
              meaning: 'A zero ends the list',
              source: ENTRY_SOURCE,
            },
          )
        : entryField(place, child))
    );
  });
}

/** Returns the abbreviation code and the attributes that have bytes. */
function ownFields(place: UnitPlace, die: Die): StructureField[] {
  const run = new FieldRun(place.bytes, die.offset, ENTRY_SOURCE);
  const implied = attempt([], () => impliedAttributes(die)) ?? [];
  faultOf(() => run.uleb('abbreviation', () => abbreviationText(die, implied)));
  const { fields } = run;
  for (const attribute of attempt([], () => die.attributes()) ?? []) {
    if (attribute.size > 0) fields.push(attributeField(place, die, attribute));
  }
  return fields;
}

function abbreviationText(die: Die, implied: readonly string[]): string {
  return [tagName(die.tag), ...implied].join(', ');
}

function childRows({ tree }: UnitPlace, row: number): number[] {
  const end = tree.end[row] ?? 0;
  const rows: number[] = [];
  for (let child = row + 1; child < end; child = tree.end[child] ?? end) rows.push(child);
  return rows;
}
