/**
 * Names: outside the strings, of strange characters, where none belongs, or
 * missing where one does.
 *
 * Source: "BTF Type Format", section 2.2, `name_off` of each kind.
 */
import { BtfKind, kindName } from '#formats/btf/kinds.ts';
import type { Collected } from './collected.ts';
import { type NameCheck, NameIs } from './name-check.ts';
import { type BlobRecords, RECORDS_PER_STEP, type TypeSubject, typeLabel } from './type-subject.ts';

/** What a kind's own name may be. */
type Rule = 'none' | 'identifier' | 'text' | 'optional';

function ruleOf(kind: number): Rule {
  switch (kind) {
    case BtfKind.PTR:
    case BtfKind.ARRAY:
    case BtfKind.VOLATILE:
    case BtfKind.CONST:
    case BtfKind.RESTRICT:
    case BtfKind.FUNC_PROTO:
      return 'none';
    case BtfKind.FWD:
    case BtfKind.TYPEDEF:
    case BtfKind.FUNC:
    case BtfKind.VAR:
      return 'identifier';
    case BtfKind.INT:
    case BtfKind.FLOAT:
    case BtfKind.DATASEC:
    case BtfKind.DECL_TAG:
    case BtfKind.TYPE_TAG:
      return 'text';
    default:
      return 'optional';
  }
}

export function* findOddNames({ records, names, found }: TypeSubject): Generator<void> {
  for (let i = 0; i < records.count; i++) {
    const kind = records.kinds[i] ?? 0;
    checkOwn(records, names, i, kind, found);
    const item = itemWord(kind);
    if (item !== null) {
      const vlen = records.vlen(i);
      for (let n = 0; n < vlen; n++) {
        const at = records.itemStart(i, n);
        const nameOff = records.u32(at);
        if (nameOff === 0 && kind !== BtfKind.ENUM && kind !== BtfKind.ENUM64) continue;
        const what = names.of(nameOff);
        if (what === NameIs.identifier || what === NameIs.inBase) continue;
        if (what === NameIs.empty && nameOff === 0) {
          found.add('btf.enumerator-unnamed', () => ({
            message: `${typeLabel(records, i)} enumerator ${n}: has no name`,
            span: records.span(at, 4),
          }));
        } else
          report(records, names, nameOff, what, at, `${typeLabel(records, i)} ${item} ${n}`, found);
      }
    }
    if (i % RECORDS_PER_STEP === 0) yield;
  }
}

function itemWord(kind: number): string | null {
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      return 'member';
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return 'enumerator';
    case BtfKind.FUNC_PROTO:
      return 'argument';
    default:
      return null;
  }
}

function checkOwn(
  records: BlobRecords,
  names: NameCheck,
  i: number,
  kind: number,
  found: Collected,
): void {
  if (kind === 0 || kind > BtfKind.ENUM64) return;
  const at = records.start(i);
  const nameOff = records.u32(at);
  const rule = ruleOf(kind);
  const label = typeLabel(records, i);
  if (nameOff === 0) {
    if (rule === 'none' || rule === 'optional') return;
    found.add(`btf.unnamed.${kindName(kind)}`, () => ({
      // GCC for BPF leaves the names of some functions out.
      severity: kind === BtfKind.FUNC ? 'note' : 'warning',
      message: `${label}: ${kindName(kind)} without a name`,
      span: records.span(at, 4),
    }));
    return;
  }
  const what = names.of(nameOff);
  if (rule === 'none') {
    found.add('btf.name-not-wanted', () => ({
      message: `${label}: name on ${kindName(kind)}, which has none`,
      span: records.span(at, 4),
      expected: '0',
      found: what === NameIs.outside ? `${nameOff}` : names.text(nameOff),
    }));
    return;
  }
  if (what === NameIs.identifier || what === NameIs.inBase) return;
  if (rule === 'text' && what === NameIs.text) return;
  report(records, names, nameOff, what, at, label, found);
}

function report(
  records: BlobRecords,
  names: NameCheck,
  nameOff: number,
  what: number,
  offset: number,
  label: string,
  found: Collected,
): void {
  const span = records.span(offset, 4);
  const name = shortened(names.text(nameOff));
  switch (what) {
    case NameIs.outside: {
      const { strBase, strStart, strEnd } = records.types;
      found.add('btf.name-outside', () => ({
        message: `${label}: name offset outside the strings`,
        span,
        expected: `below ${strBase + strEnd - strStart}`,
        found: `${nameOff}`,
      }));
      break;
    }
    case NameIs.empty:
      found.add('btf.name-empty', () => ({
        message: `${label}: its name is an empty string, not offset 0`,
        span,
        expected: '0',
        found: `${nameOff}`,
      }));
      break;
    case NameIs.hidden:
      found.add('btf.name-hidden-characters', () => ({
        message: `${label}: name with characters that do not show, or turn the direction of the text`,
        span,
        found: name,
      }));
      break;
    case NameIs.notUtf8:
      found.add('btf.name-not-utf8', () => ({
        message: `${label}: name with bytes that are no UTF-8, shown as escapes`,
        span,
        found: name,
      }));
      break;
    default:
      // Other languages than C have such names: Rust writes `Option<u32>`.
      found.add('btf.name-not-identifier', () => ({
        severity: 'note',
        message: `${label}: name that is not a C identifier`,
        span,
        found: name,
        advice: 'The kernel rejects BTF with such names.',
      }));
  }
}

function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name;
}
