/**
 * Reads the kernel's log of BPF_BTF_LOAD at level 2: a line for each type, and the error at the
 * end. Source: kernel/bpf/btf.c, `__btf_verifier_log_type`.
 */
import type { BtfEvent, LineReading } from './log-line.ts';

/** Log lines about the blob as a whole, with their meaning. */
const BLOB_ERRORS: ReadonlyMap<string, string> = new Map([
  ['btf_header not found', 'the header is cut off, or the blob is in the other byte order'],
  ['hdr_len not found', 'the blob is too short to be BTF'],
  ['Invalid magic', 'the blob does not begin with 0xeb9f'],
  ['Unsupported version', 'only version 1 is supported'],
  ['Unsupported flags', 'the header has flags; none are defined'],
  [
    'Unsupported btf_header',
    'the header is longer than this kernel supports; newer tools write such headers',
  ],
  ['Unsupported section found', 'there are bytes between or behind the types and the strings'],
  ['Section overlap found', 'types and strings overlap'],
  ['Invalid section offset', 'a section begins past the end'],
  ['Total section length too long', 'a section runs past the end'],
  [
    'Invalid string section',
    'the strings do not begin and end with a NUL, or are longer than 16 MiB',
  ],
  ['String section is not at the end', 'the strings must come last'],
  ['Unaligned type_off', 'the types must begin at a multiple of 4'],
  ['No type found', 'there are no types'],
  ['No data', 'nothing follows the header'],
  ['Exceeded max num of types', 'it has more than 1,048,575 types'],
  ['Max chain length or cycle detected', 'a type refers to itself over modifiers or typedefs'],
  ['Layout section is too big', 'the table of layouts is longer than its kinds'],
  ['Layout section is too small', 'the table of layouts has no room for a kind'],
  ['Unaligned layout_off', 'the table of layouts must begin at a multiple of 4'],
  ["Type tags don't precede modifiers", 'a type tag follows const, volatile, restrict or typedef'],
]);

/**
 * Errors about types, with their meaning. Source: kernel/bpf/btf.c, calls of `btf_verifier_log*`.
 */
const TYPE_ERRORS: ReadonlyMap<string, string> = new Map([
  ['Invalid btf_info', 'info has bits set that this kernel does not support'],
  ['Invalid btf_info kind_flag', 'kind_flag is set where the kind has none'],
  ['Invalid kind', 'the kind is newer than this kernel, or the record is damaged'],
  ['Invalid name_offset', 'the name is outside the string section'],
  ['Invalid name', 'the name is not a C identifier, or the type must not have one'],
  ['Invalid type_id', 'it refers to a type that is missing, has no size, or is of a wrong kind'],
  ['Invalid type_size', 'a float has 2, 4, 8, 12 or 16 bytes'],
  ['Invalid int_data', 'the data of the integer has unknown bits'],
  ['Invalid size', 'a variable is empty, larger than its section, or smaller than its type'],
  ['Invalid index', 'the index of an array must be an integer'],
  ['Invalid elem', 'the elements of an array must have a size'],
  ['Invalid value', 'a tag must have a text'],
  ['Invalid component_idx', 'the tag refers to no member and no argument'],
  ['Invalid return type', 'the function returns a type without a size'],
  ['Invalid arg#', 'an argument has no size, or no name'],
  ['Invalid array of int', 'the elements are integers with an odd number of bits'],
  ['Invalid func linkage', 'extern functions are rejected; libbpf rewrites them before it loads'],
  ['Invalid offset', 'the variables are not in order, or one is outside the section'],
  ['Invalid offset+size', 'a variable runs past the end of the section'],
  ['Unsupported encoding', 'the encoding is a combination, as bpf-gcc writes for char'],
  [
    'Unexpected size',
    'an enum has 1, 2, 4 or 8 bytes; clang writes 0 for one that is only declared',
  ],
  ['Linkage not supported', 'extern variables are rejected; libbpf rewrites them before it loads'],
  ['Loop detected', 'the type contains itself'],
  ['Member exceeds struct_size', 'a member runs past the end of its struct'],
  ['Member bits_offset exceeds its struct size', 'a member begins past the end of its struct'],
  ['Member is not byte aligned', 'a member that is not a bit-field does not begin at a byte'],
  ['Member is not properly aligned', 'a float is not aligned to its size'],
  ['Not a VAR kind member', 'a section contains an entry that is not a variable'],
  ['Array size overflows U32_MAX', 'the array is larger than 4 GiB'],
  ['Exceeded max resolving depth', 'types refer to each other more than 32 deep'],
  ['nr_bits exceeds type_size', 'the integer has more bits than its bytes hold'],
  ['nr_bits exceeds', 'an integer has at most 128 bits'],
  ['nr_copy_bits exceeds', 'an integer has at most 128 bits'],
  ['vlen != 0', 'vlen must be 0 for this kind'],
  ['size != 0', 'size must be 0 for an array'],
  ['size == 0', 'a section has no size, as compilers leave it; libbpf fills it in before it loads'],
  ['type != 0', 'a forward declaration refers to no type'],
  ['meta_left', 'the record runs past the end of the types'],
  ['Invalid member', 'a member refers to a type that is missing or has no size'],
  ['Invalid member name_offset', 'the name of a member is outside the string section'],
  ['Invalid member bits_offset', 'members are not in order, or a member of a union is not at 0'],
  ['Invalid member bitfield_size', 'a bit-field is wider than its type'],
  ['Invalid member base type', 'a bit-field is not of a regular integer'],
  ['Invalid member offset', 'a member that is not a bit-field does not begin at a byte'],
]);

/** Errors, the longest first, since some are prefixes of others. */
const TYPE_WORDS = [...TYPE_ERRORS.keys()].sort((a, b) => b.length - a.length);

const HEADER =
  /^(magic|version|flags|hdr_len|type_off|type_len|str_off|str_len|btf_total_size): (0x[0-9a-f]{1,16}|\d{1,20})$/;
const TYPE =
  /^\[(\d{1,10})\] (?:INT|PTR|ARRAY|STRUCT|UNION|ENUM|FWD|TYPEDEF|VOLATILE|CONST|RESTRICT|FUNC|FUNC_PROTO|VAR|DATASEC|FLOAT|DECL_TAG|TYPE_TAG|ENUM64|UNKN|Invalid|meta_left)\b/;
const ITEM = /^\t.*(?:type_id=\d|val=-?\d|size=\d{1,10} vlen=|Invalid)/;

/** Returns the reading of a kernel line about BTF, else null. `current`: last named type. */
export function readBtfLine(line: string, current: number | null): LineReading | null {
  const words = line.trim();
  if (BLOB_ERRORS.has(words)) {
    return {
      source: 'btf',
      event: { event: 'btf-error', typeId: null, error: words, detail: '', text: '' },
    };
  }
  const header = HEADER.exec(line);
  if (header !== null) {
    const [, field = '', value = ''] = header;
    return { source: 'btf', event: { event: 'btf-header', field, value } };
  }
  const type = TYPE.exec(line);
  if (type === null && !ITEM.test(line)) return null;
  const typeId = type === null ? current : Number(type[1]);
  const fault = faultIn(line);
  if (fault !== null) {
    const text = line.slice(0, fault.at).trim();
    return {
      source: 'btf',
      event: { event: 'btf-error', typeId, error: fault.error, detail: fault.detail, text },
    };
  }
  return {
    source: 'btf',
    event:
      type === null || typeId === null
        ? { event: 'btf-item', text: words }
        : { event: 'btf-type', typeId, text: line },
  };
}

type Fault = { readonly at: number; readonly error: string; readonly detail: string };

/** Returns the error at the end of a line, or null. Only a number may follow the error. */
function faultIn(line: string): Fault | null {
  for (const error of TYPE_WORDS) {
    const at = line.lastIndexOf(error);
    if (at < 0 || (at > 0 && !' \t'.includes(line[at - 1] ?? ''))) continue;
    const behind = line.slice(at + error.length);
    if (behind !== '' && !/^[ :]?[0-9a-f]+$|^:\d+ meta_needed:\d+$/.test(behind)) continue;
    return { at, error, detail: behind.replace(/^[ :]/, '') };
  }
  return null;
}

/** Returns a sentence that explains an error of the kernel. */
export function explainBtfError(event: Extract<BtfEvent, { event: 'btf-error' }>): string {
  const where = event.typeId === null ? 'the BTF' : `type ${event.typeId} of the BTF`;
  const meaning = BLOB_ERRORS.get(event.error) ?? TYPE_ERRORS.get(event.error);
  const member = /^(\S{1,512}) type_id=(\d{1,10})/.exec(event.text);
  const which = member === null ? '' : ` It is member ${member[1]}, of type ${member[2]}.`;
  return `The kernel rejects ${where}: ${meaning ?? event.error}.${which}`;
}
