/** Suggests a flavour for kernels with a member under another name or in a nested struct. */
import {
  type CoreObject,
  type CoreObjectRecord,
  withoutInsns,
} from '#analysis/core/core-records.ts';
import { essentialName } from '#analysis/core/essential-name.ts';
import type { AccessPath } from '#analysis/core/parse-spec.ts';
import { resolveObject } from '#analysis/core/resolve.ts';
import { findByNameKind, type LoadKernel, targetOfKernel } from '#analysis/kernel/kernel.ts';
import { declaratorText } from '#analysis/types/declarator.ts';
import { ByteReader } from '#bytes/byte-reader.ts';
import { readBtfHeader } from '#formats/btf/header.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { walkTypes } from '#formats/btf/walk.ts';
import { BtfWriter } from '#formats/btf/write.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, standingOn, type TypeTable } from '#model/type-table.ts';

/** Maximum length of a declaration in characters. */
export const MAX_DECLARATION = 400;
/** Maximum number of members to search in a struct and its nested structs. */
const MAX_MEMBERS = 4000;

export type Flavour = {
  /** Path from the struct to the member, as text. */
  readonly text: string;
  /** C code that declares the flavour. */
  readonly declaration: readonly string[];
  /** C code after the declaration that reads the member on all kernels. */
  readonly use: readonly string[];
  /** Returns an expression that reads the member by the flavour; null if it reads otherwise. */
  readonly inFlavour: (expression: string) => string | null;
  /** Returns how the CO-RE record of the code in `lines` resolves on a kernel. */
  readonly on: (kernel: LoadKernel) => 'read' | 'missing' | 'fails';
};

/** Returns a flavour for the first kernel that has the member elsewhere; null if none does. */
export function flavourOf(
  types: TypeTable,
  record: CoreObjectRecord,
  path: AccessPath,
  kernels: readonly LoadKernel[],
): Flavour | null {
  const wanted = path.steps.at(-1)?.name ?? '';
  const name = essentialName(nameOf(types, record.root));
  const isStruct = kindOf(types, skipModifiers(types, record.root)) === BtfKind.STRUCT;
  if (wanted === '' || !isStruct || path.steps.length !== 2) return null;
  for (const { vmlinux } of kernels) {
    const place = vmlinux === null ? null : otherPlace(vmlinux, name, wanted);
    if (vmlinux === null || place === null) continue;
    const flavour = `${name}___other`;
    const text = place.path.join('.');
    const object = readOf(vmlinux, flavour, place);
    const root = declaratorText(types, record.root, '', MAX_DECLARATION);
    return {
      text,
      ...codeOf(vmlinux, flavour, place, root, wanted),
      inFlavour: (expression) => inFlavour(expression, wanted, flavour, text),
      on: (kernel) => {
        const target = targetOfKernel(kernel);
        const [result] = target === null ? [] : resolveObject(object, target);
        if (result === undefined || result.resolveErr !== 0 || result.decision === null) {
          return 'fails';
        }
        return result.decision.poison ? 'missing' : 'read';
      },
    };
  }
  return null;
}

/** Replaces `from->member` and `BPF_CORE_READ(from, member)` by reads of the flavour. */
function inFlavour(
  expression: string,
  member: string,
  flavour: string,
  path: string,
): string | null {
  if (!/^\w+$/.test(member)) return null;
  const read = new RegExp(`\\bBPF_CORE_READ\\(([\\w>-]+), ${member}\\)`, 'g');
  const direct = new RegExp(`\\b(\\w+(?:->\\w+)*)->${member}\\b`, 'g');
  const changed = expression
    .replace(read, (_, from: string) => `BPF_CORE_READ((struct ${flavour} *)${from}, ${path})`)
    .replace(direct, (_, from: string) => `((struct ${flavour} *)${from})->${path}`);
  return changed === expression ? null : changed;
}

function codeOf(
  t: TypeTable,
  flavour: string,
  { path, type }: Place,
  root: string,
  wanted: string,
): Pick<Flavour, 'declaration' | 'use'> {
  const [outer = '', inner] = path;
  const member = declaratorText(t, type, inner ?? outer, MAX_DECLARATION);
  const declared =
    inner === undefined
      ? [`    ${member};`]
      : ['    struct {', `        ${member};`, `    } ${outer};`];
  return {
    declaration: [`struct ${flavour} {`, ...declared, '} __attribute__((preserve_access_index));'],
    use: [
      `if (bpf_core_field_exists(${root}, ${wanted}))`,
      `    value = BPF_CORE_READ(p, ${wanted});`,
      'else',
      `    value = BPF_CORE_READ((struct ${flavour} *)p, ${path.join('.')});`,
    ],
  };
}

/** Path of a member (its name, perhaps after the name of a nested struct), and its type. */
type Place = { readonly path: readonly string[]; readonly type: TypeId };

/** Returns a member whose name differs only by `_`, else the member `wanted` of a nested struct. */
function otherPlace(t: TypeTable, struct: string, wanted: string): Place | null {
  const root = findByNameKind(t, BtfKind.STRUCT, struct);
  if (root === null) return null;
  const plain = (name: string) => name.replaceAll('_', '');
  const outer = membersOf(t, root);
  // The struct itself has the member: no other place is needed.
  if (outer.some(({ name }) => name === wanted)) return null;
  const near = outer.find(({ name }) => name !== '' && plain(name) === plain(wanted));
  if (near !== undefined) {
    return near.bitfieldSize !== 0 ? null : { path: [near.name], type: near.type };
  }
  let left = MAX_MEMBERS;
  for (const member of outer) {
    const of = skipModifiers(t, member.type);
    if (member.name === '' || kindOf(t, of) !== BtfKind.STRUCT) continue;
    const members = membersOf(t, of);
    left -= members.length;
    if (left < 0) return null;
    const inner = members.find(({ name }) => name === wanted);
    if (inner === undefined || inner.bitfieldSize !== 0) continue;
    return { path: [member.name, inner.name], type: inner.type };
  }
  return null;
}

/** Number of BPF_CORE_FIELD_BYTE_OFFSET, the relocation kind of BPF_CORE_READ. */
const BYTE_OFFSET = 0;
/** Size in bytes of a flavour's structs: any will do, since libbpf does not compare it. */
const ANY_SIZE = 8;

/** Returns an object that reads the flavour's member; its types are split BTF on the kernel's. */
function readOf(base: TypeTable, flavour: string, { path, type }: Place): CoreObject {
  const { endian } = base;
  const { firstId, strBase } = standingOn(base);
  const writer = new BtfWriter({ endian, base: { firstId, strLen: strBase } });
  let member: number = type;
  for (const [i, name] of path.toReversed().entries()) {
    member = writer.addType({
      kind: BtfKind.STRUCT,
      name: i === path.length - 1 ? flavour : '',
      size: ANY_SIZE,
      members: [{ name, type: member, bitOffset: 0 }],
    });
  }
  const blob = writer.finish();
  const reader = new ByteReader(blob, '.BTF');
  const { types: area, strings } = readBtfHeader(reader);
  const { count, recordOff } = walkTypes(reader.as(endian), area, null);
  const types: TypeTable = {
    ...standingOn(base),
    blob,
    count,
    recordOff,
    strStart: strings.start,
    strEnd: strings.end,
  };
  const accessStr = ['0', ...path.map(() => '0')].join(':');
  const asked = [{ kind: BYTE_OFFSET, accessStr }];
  return withoutInsns({ types, endian, root: typeId(member), asked });
}
