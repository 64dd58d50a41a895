/**
 * libbpf's rules for a BTF blob. Each message is the line that libbpf logs. Source: libbpf 1.8,
 * btf.c: btf_parse_raw, btf_parse_hdr, btf_parse_str_sec, btf_parse_type_sec, btf_sanity_check.
 */
import { type BlobTypes, NO_TYPE } from '#analysis/kernel/blob-types.ts';
import type { HeaderFields } from '#analysis/kernel/header-rules.ts';
import type { LibbpfComplaint, Report } from '#analysis/kernel/verdict.ts';
import type { Endian } from '#bytes/span.ts';
import { BTF_HEADER_SIZE, type BtfLayout } from '#formats/btf/header.ts';
import {
  BTF_ENUM,
  BTF_ENUM64,
  BTF_MEMBER,
  BTF_PARAM,
  BTF_TYPE_SIZE,
  BtfKind,
  type BtfStruct,
  kindSpec,
  RELEASED_KIND_MAX,
  thirdWordRole,
} from '#formats/btf/kinds.ts';

/** A broken rule of the header, with its place in the blob. */
type Broken = LibbpfComplaint & { readonly blobOffset: number; readonly length: number };

/** Returns true if libbpf accepts the header. Without a magic number, `endian` is null. */
export function libbpfAcceptsHeader(
  blob: Uint8Array,
  endian: Endian | null,
  h: HeaderFields,
  split: boolean,
  report: Report,
): boolean {
  const broken = brokenHeader(blob, endian, h) ?? brokenStrings(blob, h, split) ?? oddLayout(h);
  if (broken === null) return true;
  const { blobOffset, length } = broken;
  report.libbpf(broken, { typeId: null, blobOffset, length });
  return false;
}

function brokenHeader(blob: Uint8Array, endian: Endian | null, h: HeaderFields): Broken | null {
  const size = blob.length;
  const say = (message: string, blobOffset: number, length: number, rule: string): Broken => ({
    message,
    word: message.replace(/:? .*\d.*$/, ''),
    rule,
    where: 'btf_parse_hdr',
    blobOffset,
    length,
  });
  const where = 'btf_parse_raw';
  if (size < 2) {
    const rule = 'The blob is long enough to hold the magic number.';
    return { ...say('', 0, size, rule), errno: 'EIO', word: 'no magic number', where };
  }
  if (endian === null) {
    const rule = 'The magic number is 0xeb9f in either byte order.';
    return { ...say('', 0, 2, rule), errno: 'EPROTO', word: 'no BTF magic', where };
  }
  if (size < BTF_HEADER_SIZE) {
    return say('BTF header not found', 0, size, 'The blob has at least the 24 bytes of a header.');
  }
  if (endian === 'big' && h.hdrLen < BTF_HEADER_SIZE) {
    const message = `Can't load BTF with non-native endianness due to unsupported header length ${h.hdrLen}`;
    const word = "Can't load BTF with non-native endianness";
    const rule = 'hdr_len is at least 24 in BTF of the other byte order.';
    return { ...say(message, 4, 4, rule), errno: 'EOPNOTSUPP', word };
  }
  if (h.hdrLen > size) {
    const message = `BTF header len ${h.hdrLen} larger than data size ${size}`;
    return say(message, 4, 4, 'hdr_len is at most the size of the blob.');
  }
  if (size - h.hdrLen < h.strOff + h.strLen) {
    const message = `Invalid BTF total size: ${size}`;
    return say(message, 16, 8, 'The strings end inside the blob.');
  }
  return brokenLayout(h, say);
}

function brokenLayout(
  h: HeaderFields,
  say: (message: string, blobOffset: number, length: number, rule: string) => Broken,
): Broken | null {
  const misplaced = 'Invalid BTF data sections layout';
  const types = `type data at ${h.typeOff} + ${h.typeLen}`;
  const order = 'Types come first, then the layout if there is one, then the strings.';
  if (h.typeOff + h.typeLen > h.strOff) {
    const strings = `strings data at ${h.strOff} + ${h.strLen}`;
    return say(`${misplaced}: ${types}, ${strings}`, 8, 8, order);
  }
  if (h.typeOff % 4 !== 0) {
    return say('BTF type section is not aligned to 4 bytes', 8, 4, 'type_off is a multiple of 4.');
  }
  if (h.layoutLen === 0) return null;
  if (h.layoutOff % 4 !== 0) {
    const message = 'BTF layout section is not aligned to 4 bytes';
    return say(message, 24, 4, 'layout_off is a multiple of 4.');
  }
  const layout = `layout data at ${h.layoutOff} + ${h.layoutLen}`;
  if (h.typeOff + h.typeLen > h.layoutOff) {
    return say(`${misplaced}: ${types},  ${layout}`, 24, 8, order);
  }
  if (h.layoutOff + h.layoutLen > h.strOff) {
    return say(`${misplaced}: ${layout}, strings data at ${h.strOff}`, 24, 8, order);
  }
  return null;
}

function brokenStrings(blob: Uint8Array, h: HeaderFields, split: boolean): Broken | null {
  const start = h.hdrLen + h.strOff;
  const end = start + h.strLen;
  const say = (message: string, blobOffset: number, length: number): Broken => {
    const rule = 'The strings are not empty, and begin and end with NUL.';
    return { message, word: message, rule, where: 'btf_parse_str_sec', blobOffset, length };
  };
  const invalid = 'Invalid BTF string section';
  if (split && h.strLen === 0) return null;
  if (h.strLen === 0) return say(invalid, 20, 4);
  if (h.strLen - 1 > 0x7fffffff || blob[end - 1] !== 0) return say(invalid, end - 1, 1);
  if (split || blob[start] === 0) return null;
  return say('Malformed BTF string section, did you forget to provide base BTF?', start, 1);
}

function oddLayout({ layoutLen }: HeaderFields): Broken | null {
  if (layoutLen % 4 === 0) return null;
  const message = 'Invalid BTF kind layout section';
  const rule = 'layout_len is a multiple of 4.';
  const where = 'btf_parse_layout_sec';
  return { message, word: message, rule, where, blobOffset: 28, length: 4 };
}

/** Checks kinds, lengths, string offsets and ids. A big-endian blob must have known kinds only. */
export function checkByLibbpf(
  r: BlobTypes,
  endian: Endian,
  layout: BtfLayout | null,
  report: Report,
): void {
  checkWalk(r, endian, layout, report);
  for (let id = r.firstId; id < r.endId; id++) checkRecord(r, id, report);
}

function checkWalk(r: BlobTypes, endian: Endian, layout: BtfLayout | null, report: Report): void {
  const unsupported = (id: number, kind: number, gap: string) =>
    report.libbpf(
      {
        message: `Unsupported BTF_KIND:${gap}${kind}`,
        word: 'Unsupported BTF_KIND',
        rule: 'The kind is 1 to 19, or the layout section has the size of its records.',
        where: 'btf_type_size',
      },
      r.kindPlace(id),
    );
  for (let id = r.firstId; id < r.endId; id++) {
    const kind = r.kind(id);
    if (kind !== BtfKind.UNKN && kind <= RELEASED_KIND_MAX) continue;
    // libbpf does not know kind 0 either.
    if (layout?.[kind] === undefined) unsupported(id, kind, ' ');
    else if (endian === 'big') unsupported(id, kind, '');
  }
  if (r.stop === null) return;
  const { cause, kind, left } = r.stop;
  const id = r.endId;
  if (cause === 'odd-layout') {
    const word = 'Unsupported info_sz or elem_sz';
    const rule = 'The sizes in the layout section are multiples of 4.';
    const complaint = { message: oddSize(layout, kind), word, rule, where: 'btf_type_size' };
    report.libbpf(complaint, r.kindPlace(id));
  } else if (cause !== 'past-end') {
    unsupported(id, kind, ' ');
  } else {
    const cut = left < BTF_TYPE_SIZE;
    const message = cut ? 'BTF types data is malformed' : `BTF type [${id}] is malformed`;
    const word = cut ? message : 'BTF type is malformed';
    const rule = 'The records fill the type section to its end.';
    const complaint = { message, word, rule, where: 'btf_parse_type_sec' };
    report.libbpf(complaint, r.place(id, 0, cut ? left : BTF_TYPE_SIZE));
  }
}

function oddSize(layout: BtfLayout | null, kind: number): string {
  const { infoSz = 0, elemSz = 0 } = layout?.[kind] ?? {};
  const odd = infoSz % 4 === 0 ? `elem_sz ${elemSz}` : `info_sz ${infoSz}`;
  return `Unsupported ${odd} for kind ${kind}`;
}

/** Names that libbpf's log lines use for the items of each kind. */
const ITEM_NAME: ReadonlyMap<BtfStruct | null, string> = new Map<BtfStruct, string>([
  [BTF_MEMBER, 'field name'],
  [BTF_ENUM, 'enum name'],
  [BTF_ENUM64, 'enum name'],
  [BTF_PARAM, 'param name'],
]);

function checkRecord(r: BlobTypes, id: number, report: Report): void {
  const kind = r.kind(id);
  const start = r.offsetOf(id);
  checkString(r, report, id, start, 'type name');
  // libbpf does not check records of newer kinds: it skips them by the layout section.
  if (kind > RELEASED_KIND_MAX) return;
  const role = thirdWordRole(kind);
  // libbpf does not check the return type of a function.
  if (role !== null && role !== 'return') checkId(r, report, id, start + 8);
  const { fixed = null, item = null } = kindSpec(kind) ?? {};
  checkFields(r, report, id, start + BTF_TYPE_SIZE, fixed);
  if (kind === BtfKind.FUNC) checkFunc(r, report, id);
  if (item === null) return;
  const vlen = r.vlen(id);
  let at = start + BTF_TYPE_SIZE;
  for (let index = 0; index < vlen; index++, at += item.size) checkFields(r, report, id, at, item);
}

/** Checks the names and type ids in the struct at `at`. */
function checkFields(
  r: BlobTypes,
  report: Report,
  id: number,
  at: number,
  struct: BtfStruct | null,
): void {
  for (const { holds, offset } of struct?.fields ?? []) {
    if (holds === 'name') checkString(r, report, id, at + offset, ITEM_NAME.get(struct) ?? 'name');
    if (holds === 'type') checkId(r, report, id, at + offset);
  }
}

function checkString(r: BlobTypes, report: Report, id: number, at: number, what: string): void {
  const nameOff = r.u32(at);
  if (r.hasString(nameOff)) return;
  const message = `btf: type [${id}]: invalid ${what} (string offset ${nameOff})`;
  const rule = 'A name offset lies inside the strings.';
  const complaint = { message, word: `invalid ${what}`, rule, where: 'btf_validate_str' };
  report.libbpf(complaint, { typeId: id, blobOffset: at, length: 4 });
}

function checkId(r: BlobTypes, report: Report, id: number, at: number): void {
  const named = r.u32(at);
  if (r.kind(named) !== NO_TYPE || r.isUnread(named)) return;
  const message = `btf: type [${id}]: invalid referenced type ID ${named}`;
  const rule = 'A type id is that of a type that exists.';
  const complaint = { message, word: 'invalid referenced type ID', rule, where: 'btf_validate_id' };
  report.libbpf(complaint, { typeId: id, blobOffset: at, length: 4 });
}

function checkFunc(r: BlobTypes, report: Report, id: number): void {
  const proto = r.sizeOrType(id);
  const kind = r.kind(proto);
  if (kind === BtfKind.FUNC_PROTO || kind === NO_TYPE) return;
  const message = `btf: type [${id}]: referenced type [${proto}] is not FUNC_PROTO`;
  const word = 'referenced type is not FUNC_PROTO';
  const rule = 'A FUNC refers to a FUNC_PROTO.';
  report.libbpf({ message, word, rule, where: 'btf_validate_type' }, r.place(id, 8));
}
