/** Shows attributes of entries: value, and what the value refers to. Source: DWARF 5, 7.5.4. */
import type { FileStructure } from '#analysis/fields/context.ts';
import { makeField, type StructureField } from '#analysis/fields/field.ts';
import { numberText } from '#analysis/fields/struct-fields.ts';
import { lowerBound } from '#bytes/arrays.ts';
import { attempt } from '#bytes/issue.ts';
import { counted, decodeText, hexText } from '#bytes/text.ts';
import {
  attributeName,
  DW_AT,
  DW_FORM,
  encodingName,
  formName,
  tagName,
} from '#formats/dwarf/constants.ts';
import type { AttributePlace } from '#formats/dwarf/die.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import {
  ADDRESS_INDEXES,
  BLOCK_FORMS,
  readIndex,
  STRING_INDEXES,
  UNSIGNED_LEB_FORMS,
} from '#formats/dwarf/forms.ts';
import { languageName } from '#formats/dwarf/language-names.ts';
import { DwarfCursor } from '#formats/dwarf/leb128.ts';
import type { Die } from '#formats/dwarf/reader.ts';
import type { SectionIndex } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { bytesOf, debugSection, stringIn } from './debug-sections.ts';
import type { DecodedUnit } from './decoded-unit.ts';
import { isUnchanged } from './field-run.ts';
import { operationText } from './operations.ts';
import { typeOfEntry } from './type-entries.ts';

/** A unit and where it is. */
export type UnitPlace = DecodedUnit & {
  readonly structure: FileStructure;
  readonly section: SectionIndex;
  /** Offset of the unit in its section. */
  readonly offset: number;
};

const SOURCE = 'DWARF 5, 7.5.4 Attribute Encodings';

/** Returns an attribute that has bytes as a field. */
export function attributeField(
  place: UnitPlace,
  die: Die,
  attribute: AttributePlace,
): StructureField {
  const { at, size, form } = attribute;
  const name = attributeName(attribute.attribute);
  return makeField('field', name, place.bytes.linked.span(at, size), {
    name,
    cType: formName(form),
    source: SOURCE,
    ...(attempt([], () => valueFacts(place, die, attribute)) ?? {}),
  });
}

/** Returns the attributes whose value is in the abbreviation: `DW_AT_external`. Throws `Malformed`. */
export function impliedAttributes(die: Die): string[] {
  return die
    .attributes()
    .filter(({ size }) => size === 0)
    .map(({ attribute, form }) => {
      const value = form === DW_FORM.implicit_const ? ` = ${die.constant(attribute)}` : '';
      return `${attributeName(attribute)}${value}`;
    });
}

/** Returns the name of an entry; empty if it has none, or until it is loaded. */
export function nameOfEntry(place: UnitPlace, row: number): string {
  const { tree, unit } = place;
  return (
    attempt([], () => {
      const die = unit.dieAt(tree.offset[row] ?? 0);
      const name = die.has(DW_AT.name)
        ? die.attributes().find(({ attribute }) => attribute === DW_AT.name)
        : undefined;
      return name === undefined ? '' : stringOf(place, name);
    }) ?? ''
  );
}

type Value = Pick<StructureField, 'value' | 'meaning'> & { readonly selection?: Selection | null };

/** Forms with a fixed size whose number is an offset or an address. */
const HEX_FORMS: ReadonlySet<number> = new Set([
  DW_FORM.addr,
  DW_FORM.sec_offset,
  DW_FORM.strp,
  DW_FORM.line_strp,
  DW_FORM.ref1,
  DW_FORM.ref2,
  DW_FORM.ref4,
  DW_FORM.ref8,
  DW_FORM.ref_addr,
  DW_FORM.ref_sig8,
  DW_FORM.GNU_ref_alt,
  DW_FORM.GNU_strp_alt,
  DW_FORM.strp_sup,
  DW_FORM.ref_sup4,
  DW_FORM.ref_sup8,
]);
/** Forms of references in the unit. */
const UNIT_REFERENCES: ReadonlySet<number> = new Set([
  DW_FORM.ref1,
  DW_FORM.ref2,
  DW_FORM.ref4,
  DW_FORM.ref8,
  DW_FORM.ref_udata,
]);
const isBlock = (form: number) => BLOCK_FORMS.has(form) || form === DW_FORM.data16;

/** Returns the number that the file stores and its meaning. Throws `Malformed`. */
function valueFacts(place: UnitPlace, die: Die, attribute: AttributePlace): Value {
  const { form, at, size } = attribute;
  const { stored } = place.bytes;
  if (form === DW_FORM.string) return { value: null, meaning: `"${stringOf(place, attribute)}"` };
  if (isBlock(form)) return { value: null, meaning: blockText(die, attribute) };
  const { bytes } = place;
  const isLeb = UNSIGNED_LEB_FORMS.has(form);
  if ((isLeb || form === DW_FORM.sdata) && !isUnchanged(bytes, at, at + size)) {
    return { value: null, meaning: 'A relocation changes it' };
  }
  if (form === DW_FORM.sdata) {
    const value = new DwarfCursor(stored, at).sleb();
    return { value: `${value}`, meaning: constantText(attribute.attribute, value) };
  }
  if (!isLeb && ![1, 2, 3, 4, 8].includes(size)) return { value: null, meaning: '' };
  const own = isLeb
    ? new DwarfCursor(stored, at).bigUleb()
    : new DwarfCursor(stored, at).unsigned(size);
  const linked = isLeb ? own : new DwarfCursor(bytes.linked, at).unsigned(size);
  const notation = HEX_FORMS.has(form) ? 'hex' : 'decimal';
  const linkedAs = own === linked ? '' : `${numberText(linked, notation, 8 * size)} once linked`;
  const { text, selection = null } = meaningOf(place, attribute, linked);
  return {
    value: numberText(own, notation, 8 * size),
    meaning: [linkedAs, text].filter((each) => each !== '').join(': '),
    selection,
  };
}

type Meaning = { readonly text: string; readonly selection?: Selection | null };

function meaningOf(place: UnitPlace, attribute: AttributePlace, value: bigint): Meaning {
  const { form } = attribute;
  if (isString(form)) return { text: `"${stringOf(place, attribute)}"` };
  if (UNIT_REFERENCES.has(form)) return targetOf(place, Number(value));
  if (form === DW_FORM.ref_addr) return targetOf(place, Number(value) - place.offset);
  if (form === DW_FORM.sec_offset) return { text: sectionText(attribute.attribute) };
  if (ADDRESS_INDEXES.has(form)) return { text: addressText(place, Number(value)) };
  return { text: constantText(attribute.attribute, value) };
}

/** Returns the entry to which a reference leads; `offset` is relative to the unit. */
function targetOf(place: UnitPlace, offset: number): Meaning {
  const { structure, section, tree, unit } = place;
  const { model } = structure;
  const at = place.offset + offset;
  const type = typeOfEntry(model, section, at);
  const start = (model.sections.fileOffset[section] ?? 0) + at;
  const near = lowerBound(tree.offset, offset);
  const isEntry = tree.offset[near] === offset && attempt([], () => unit.dieAt(offset)) !== null;
  const row = isEntry ? near : -1;
  const size = (tree.close[row] ?? 0) - (tree.offset[row] ?? 0);
  const selection: Selection =
    type === null ? { kind: 'bytes', start, end: start + Math.max(1, size) } : typeSelection(type);
  if (row < 0) return { text: 'an entry of another unit', selection };
  const name = nameOfEntry(place, row);
  const title = `${tagName(tree.tag[row] ?? 0)}${name === '' ? '' : ` ${name}`}`;
  return { text: place.offset === 0 ? title : `${hexText(at)} ${title}`, selection };
}

const isString = (form: number) =>
  form === DW_FORM.strp || form === DW_FORM.line_strp || STRING_INDEXES.has(form);

/** Returns the string of an attribute; empty until it is loaded. Throws `Malformed`. */
function stringOf(place: UnitPlace, { form, at, size }: AttributePlace): string {
  const { structure, section, bytes, unit } = place;
  const { linked } = bytes;
  if (form === DW_FORM.string) return decodeText(linked.bytes.subarray(at, at + size - 1));
  const { offsetSize } = unit.header;
  const name = form === DW_FORM.line_strp ? 'line_str' : 'str';
  const strings = debugSection(structure.model, name, section);
  if (form === DW_FORM.strp || form === DW_FORM.line_strp) {
    return stringIn(structure, strings, new DwarfCursor(linked, at).offset(offsetSize)) ?? '';
  }
  const index = readIndex(new DwarfCursor(linked, at), form, STRING_INDEXES);
  if (index === null) return '';
  const offsets = debugSection(structure.model, 'str_offsets', section);
  if (offsets === null) return '';
  const entry = bytesOf(structure, offsets, unit.bases.strOffsets + index * offsetSize, offsetSize);
  if (entry === null || entry.linked.length < offsetSize) return '';
  return stringIn(structure, strings, new DwarfCursor(entry.linked, 0).offset(offsetSize)) ?? '';
}

/** Returns the address `index` of `.debug_addr`; empty until it is loaded. Throws `Malformed`. */
function addressText({ structure, section, unit }: UnitPlace, index: number): string {
  const addresses = debugSection(structure.model, 'addr', section);
  const { addressSize } = unit.header;
  const at = unit.bases.addr + index * addressSize;
  const entry = addresses === null ? null : bytesOf(structure, addresses, at, addressSize);
  if (entry === null || entry.linked.length < addressSize) return '';
  return `${hexText(new DwarfCursor(entry.linked, 0).unsigned(addressSize))} in .debug_addr`;
}

/** Sections to which offsets of attributes lead. */
const OFFSET_SECTIONS: ReadonlyMap<number, string> = new Map([
  [DW_AT.stmt_list, '.debug_line'],
  [DW_AT.ranges, 'a list of ranges'],
  [DW_AT.location, 'a list of locations'],
  [DW_AT.frame_base, 'a list of locations'],
  [DW_AT.str_offsets_base, '.debug_str_offsets'],
  [DW_AT.addr_base, '.debug_addr'],
  [DW_AT.GNU_addr_base, '.debug_addr'],
  [DW_AT.rnglists_base, '.debug_rnglists'],
  [DW_AT.loclists_base, '.debug_loclists'],
]);

function sectionText(attribute: number): string {
  const name = OFFSET_SECTIONS.get(attribute);
  return name === undefined ? '' : `offset of ${name}`.replace('offset of .', 'offset in .');
}

function constantText(attribute: number, value: bigint): string {
  if (attribute === DW_AT.language) return languageName(Number(value));
  return attribute === DW_AT.encoding ? encodingName(Number(value)) : '';
}

/** Returns the operations of an expression, or the number of bytes of a block. */
function blockText(die: Die, { attribute, form, size }: AttributePlace): string {
  const isExpression = form === DW_FORM.exprloc || EXPRESSIONS.has(attribute);
  const block = isExpression ? die.block(attribute) : null;
  if (block === null) return counted(size, 'byte');
  return operationsOf(block, die.unit.header).map(operationText).join(', ');
}

/** Attributes whose block was an expression before DWARF 4. */
const EXPRESSIONS: ReadonlySet<number> = new Set([
  DW_AT.location,
  DW_AT.data_member_location,
  DW_AT.frame_base,
]);
