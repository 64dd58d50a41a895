// Lists the features in the BTF of a kernel, for scripts/build-kernel-features.mjs.
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { enumeratorsOf, paramsOf } from '#model/type-items.ts';
import { kindOf, lastId, nameOf, refOf } from '#model/type-table.ts';
import { openModel } from '#testing/open-model.ts';

/** Enums of include/uapi/linux/bpf.h by kind of feature, each with an enumerator of its own. */
const ENUMS = {
  helper: 'BPF_FUNC_map_lookup_elem',
  'map-type': 'BPF_MAP_TYPE_HASH',
  'map-flag': 'BPF_F_NO_PREALLOC',
  'program-type': 'BPF_PROG_TYPE_XDP',
  'attach-type': 'BPF_TRACE_FENTRY',
};
/** Enumerators that are no features. */
const IGNORED = /^__|_UNSPEC$|_unspec$|_DEPRECATED$|_MAX$/;

/** Kinds of features that are enumerators. */
export const ENUM_KINDS = Object.keys(ENUMS);

/** Returns the features of a kernel: kind, name and, for enumerators, value. */
export async function readFeatures(bytes) {
  const { types: t } = await openModel('vmlinux', bytes);
  const features = [];
  const structs = new Set();
  const ids = Array.from({ length: lastId(t) }, (_, i) => typeId(i + 1));
  for (const id of ids) {
    if (kindOf(t, id) === BtfKind.STRUCT) structs.add(nameOf(t, id));
  }
  for (const id of ids) {
    const kind = kindOf(t, id);
    if (kind === BtfKind.ENUM) features.push(...enumFeatures(enumeratorsOf(t, id)));
    if (kind === BtfKind.DECL_TAG && nameOf(t, id) === 'bpf_kfunc') {
      features.push({ kind: 'kfunc', name: nameOf(t, refOf(t, id)) });
    }
    const ops = kind === BtfKind.STRUCT ? after('bpf_struct_ops_', nameOf(t, id)) : null;
    if (structs.has(ops)) features.push({ kind: 'struct_ops', name: ops });
    const iterator = kind === BtfKind.FUNC ? after('bpf_iter_', nameOf(t, id)) : null;
    if (iterator !== null && iterator !== 'get_info' && takesMeta(t, id))
      features.push({ kind: 'iterator', name: iterator });
  }
  return features;
}

function after(prefix, name) {
  return name.startsWith(prefix) ? name.slice(prefix.length) : null;
}

/** Returns true for an iterator: its first parameter points to struct bpf_iter_meta. */
function takesMeta(t, func) {
  const [meta] = paramsOf(t, refOf(t, func));
  const isPointer = meta !== undefined && kindOf(t, meta.type) === BtfKind.PTR;
  return isPointer && nameOf(t, refOf(t, meta.type)) === 'bpf_iter_meta';
}

function enumFeatures(enumerators) {
  const names = new Set(enumerators.map(({ name }) => name));
  const kind = ENUM_KINDS.find((one) => names.has(ENUMS[one]));
  if (kind === undefined) return [];
  return enumerators
    .filter(({ name }) => !IGNORED.test(name))
    .map(({ name, value }) => ({
      kind,
      name: name.replace('BPF_FUNC_', 'bpf_'),
      value: Number(value),
    }));
}
