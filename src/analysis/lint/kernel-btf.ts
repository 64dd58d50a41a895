/** Lint of the BTF of a kernel or module: its encoder, its readers, kfuncs, and equal names. */
import { essentialName } from '#analysis/core/essential-name.ts';
import { findByNameKind } from '#analysis/kernel/kernel.ts';
import {
  type ImplicitArg,
  implicitArgKfuncs,
  registeredKfuncs,
  taggedKfuncs,
} from '#analysis/kernel/kfuncs.ts';
import { append } from '#bytes/arrays.ts';
import { type Issue, IssueCollector } from '#bytes/issue.ts';
import { counted } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type BtfIdTable, btfIdKind, btfIdName } from '#model/btf-ids.ts';
import type { TypeId } from '#model/ids.ts';
import { btfOf, isBpf, type ObjectModel } from '#model/object-model.ts';
import { paramsOf } from '#model/type-items.ts';
import { recordSpan, type TypeTable } from '#model/type-table.ts';
import { btfContents } from './btf-contents.ts';
import { type Encoder, encoderOf } from './encoder.ts';
import { funcPrototype } from './func-prototype.ts';
import { type Readers, readersOf, readersText } from './readers.ts';
import { RESOLVED_NAMES, sameNames } from './same-names.ts';

/** Encoder and readers of the BTF of a kernel or module. */
export type BtfOrigin = { readonly encoder: Encoder; readonly readers: Readers };

export type KernelBtf = { readonly origin: BtfOrigin; readonly issues: readonly Issue[] };

const known = new WeakMap<TypeTable, KernelBtf>();

/**
 * Checks the BTF of a kernel or module; null for a file without BTF and for a BPF object. Yields
 * between small steps.
 */
export function* checkKernelBtf(model: ObjectModel): Generator<void, KernelBtf | null> {
  const types = btfOf(model);
  if (types === null || isBpf(model)) return null;
  const before = known.get(types);
  if (before !== undefined) return before;
  const region = model.format === 'elf' ? '.BTF' : model.name;
  const contents = yield* btfContents(types, model.splitBase?.distilled != null);
  const names = yield* sameNames(types, region, resolvedNames(model.btfIds));
  const origin = {
    encoder: encoderOf(contents, names.mixedFuncs),
    readers: readersOf(contents),
  };
  const issues: Issue[] = originNotes(origin, region);
  append(issues, kfuncIssues(types, model.btfIds, region));
  append(issues, names.issues);
  const result = { origin, issues };
  known.set(types, result);
  return result;
}

/** Returns the names of structs that the build of the kernel looks up in its BTF. */
function resolvedNames(ids: BtfIdTable): ReadonlySet<string> {
  const names = new Set(RESOLVED_NAMES);
  for (let row = 0; row < ids.count; row++) {
    if (btfIdKind(ids, row) === 'struct') names.add(btfIdName(ids, row));
  }
  return names;
}

function originNotes({ encoder, readers }: BtfOrigin, region: string): Issue[] {
  const place = { severity: 'note', region, span: null } as const;
  return [
    {
      ...place,
      code: 'btf.encoder',
      message: encoder.statement,
      found: encoder.signs.map(({ found, tells }) => `${found} (${tells})`).join('; '),
      advice: encoder.advice,
    },
    {
      ...place,
      code: 'btf.readers',
      message: `Readers: ${readersText(readers)}`,
      found: readers.needs
        .map(({ what, note }) => (note === '' ? what : `${what} (${note})`))
        .join('; '),
    },
  ];
}

function kfuncIssues(t: TypeTable, ids: BtfIdTable, region: string): readonly Issue[] {
  const issues = new IssueCollector(region);
  const registered = registeredKfuncs(ids);
  const tagged = taggedKfuncs(t).size;
  const implicit = implicitArgKfuncs(t, registered);
  for (const kfunc of implicit) {
    issues.add('btf.kfunc-implicit-argument', () => implicitIssue(t, kfunc, tagged));
  }
  const untagged = untaggedOf(t, registered ?? new Set());
  if (tagged === 0 && untagged.length > 0) {
    issues.add('btf.kfuncs-untagged', () => ({
      severity: 'note',
      message: `None of the ${counted(untagged.length, 'kfunc')} of .BTF_ids has the DECL_TAG bpf_kfunc`,
      span: null,
      advice: `bpftool writes no prototypes of them into vmlinux.h. ${TAGS_ADVICE}`,
    }));
  } else {
    const reported = new Set(implicit.map(({ func }) => func));
    for (const { func, name } of untagged) {
      if (reported.has(func)) continue;
      issues.add('btf.kfunc-untagged', () => ({
        severity: 'note',
        message: `kfunc ${name} [${func}] of .BTF_ids has no DECL_TAG bpf_kfunc`,
        found: `${counted(tagged, 'FUNC')} of this BTF with the tag`,
        span: recordSpan(t, func),
        advice: `bpftool writes no prototype of it into vmlinux.h. ${TAGS_ADVICE}`,
      }));
    }
  }
  return issues.issues();
}

const TAGS_ADVICE =
  'Build the kernel with pahole 1.27 or later and decl_tag_kfuncs in --btf_features, as Linux 6.10 and later do.';
function implicitIssue(t: TypeTable, kfunc: ImplicitArg, tagged: number) {
  const { func, proto, name, declared, isRegistered } = kfunc;
  const argument = paramsOf(t, proto).at(-1)?.name || 'without a name';
  return {
    message: `kfunc ${name} [${func}] still has its implicit argument ${argument}`,
    span: recordSpan(t, func),
    expected: `${funcPrototype(t, proto, name, declared)}; and a FUNC ${name}_impl with all arguments`,
    found: funcPrototype(t, proto, name),
    advice: [
      `A program that declares ${counted(declared, 'argument')}, as documented, does not load${logLine(t, kfunc)}. A weak extern counts as missing.`,
      `If the program declares the last argument too, the verifier refuses the call: "kernel function btf_id ${func} does not have a valid func_proto".`,
      `${isRegistered ? '.BTF_ids lists the function as a kfunc' : 'The name and the last argument are those of a kfunc'}, but it has no DECL_TAG bpf_kfunc${tagged === 0 ? '' : ` (${counted(tagged, 'other')} in this BTF)`}, so resolve_btfids left the argument in place.`,
      tagged === 0
        ? TAGS_ADVICE
        : 'pahole tagged others and missed this one: build the kernel with a newer pahole, and check the tag by bpftool btf dump.',
    ].join(' '),
  };
}

/** Returns libbpf's line about the prototype. Source: bpf_object__resolve_ksym_func_btf_id. */
function logLine(t: TypeTable, { name, proto }: ImplicitArg): string {
  // libbpf looks a name with a flavour up without it, and names the module of a split BTF.
  if (t.split || essentialName(name) !== name) return '';
  return `: "extern (func ksym) '${name}': func_proto [L] incompatible with vmlinux [${proto}]", where L is the prototype of the program`;
}

/** Returns the FUNCs of `.BTF_ids` kfuncs that have no tag. */
function untaggedOf(t: TypeTable, registered: ReadonlySet<string>) {
  const tagged = taggedKfuncs(t);
  const untagged: { readonly func: TypeId; readonly name: string }[] = [];
  for (const name of registered) {
    const func = findByNameKind(t, BtfKind.FUNC, name);
    if (func !== null && func >= t.firstId && !tagged.has(func)) untagged.push({ func, name });
  }
  return untagged;
}
