/**
 * The kernel's log of a BTF blob that it checks (BPF_BTF_LOAD, level 2): a line a
 * type, and at the end what it refuses. Source: kernel/bpf/btf.c, `__btf_verifier_log_type`.
 */
import type { LineReading } from './log-line.ts';

/** What the kernel says of types, longest first where one begins as another. */
const TYPE_ERRORS = [
  'Invalid btf_info kind_flag',
  'Invalid btf_info',
  'Invalid member bits_offset',
  'Invalid member bitfield_size',
  'Invalid member name_offset',
  'Invalid member base type',
  'Invalid member offset',
  'Invalid member',
  'Invalid name_offset',
  'Invalid name',
  'Invalid type_id',
  'Invalid type_size',
  'Invalid kind',
  'Invalid int_data',
  'Invalid size',
  'Invalid index',
  'Invalid elem',
  'Invalid value',
  'Invalid component_idx',
  'Invalid return type',
  'Invalid arg#',
  'Invalid array of int',
  'Invalid func linkage',
  'Invalid offset+size',
  'Invalid offset',
  'Unsupported encoding',
  'Unexpected size',
  'Linkage not supported',
  'Loop detected',
  'Member exceeds struct_size',
  'Member bits_offset exceeds its struct size',
  'Member is not byte aligned',
  'Member is not properly aligned',
  'Not a VAR kind member',
  'Array size overflows U32_MAX',
  'Exceeded max resolving depth',
  'nr_bits exceeds type_size',
  'nr_bits exceeds',
  'nr_copy_bits exceeds',
  'vlen != 0',
  'size != 0',
  'size == 0',
  'type != 0',
  'meta_left',
] as const;

/** What it says of the blob as a whole; such a line says nothing else. */
const BLOB_ERRORS: ReadonlySet<string> = new Set([
  'btf_header not found',
  'hdr_len not found',
  'Invalid magic',
  'Unsupported version',
  'Unsupported flags',
  'Unsupported btf_header',
  'Unsupported section found',
  'Section overlap found',
  'Invalid section offset',
  'Total section length too long',
  'Invalid string section',
  'String section is not at the end',
  'Unaligned type_off',
  'No type found',
  'No data',
  "Type tags don't precede modifiers",
]);

const HEADER =
  /^(magic|version|flags|hdr_len|type_off|type_len|str_off|str_len|btf_total_size): (0x[0-9a-f]{1,16}|\d{1,20})$/;
const TYPE =
  /^\[(\d{1,10})\] (?:INT|PTR|ARRAY|STRUCT|UNION|ENUM|FWD|TYPEDEF|VOLATILE|CONST|RESTRICT|FUNC|FUNC_PROTO|VAR|DATASEC|FLOAT|DECL_TAG|TYPE_TAG|ENUM64|UNKN|Invalid|meta_left)\b/;
const ITEM = /^\t.*(?:type_id=\d|val=-?\d|Invalid)/;

/** What `line` says where the kernel speaks of BTF; `current` is the type of the lines before. */
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

/** The error stands last in its line, with at most a number behind it. */
function faultIn(line: string): Fault | null {
  for (const error of TYPE_ERRORS) {
    const at = line.lastIndexOf(error);
    if (at < 0 || (at > 0 && !' \t'.includes(line[at - 1] ?? ''))) continue;
    const behind = line.slice(at + error.length);
    if (behind !== '' && !/^[ :]?[0-9a-f]+$|^:\d+ meta_needed:\d+$/.test(behind)) continue;
    return { at, error, detail: behind.replace(/^[ :]/, '') };
  }
  return null;
}
