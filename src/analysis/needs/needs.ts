/**
 * What an object needs of a kernel, without a kernel at hand: the oldest version of Linux that has
 * all of it, what decides that, what depends on the kernel's BTF, and what the object can do
 * without. The verifier's other rules are not checked.
 */
import { helperName } from '#analysis/code/helpers.ts';
import { coreKind, TYPE_ID_LOCAL } from '#analysis/core/core-kinds.ts';
import type { CoreRecord } from '#analysis/core/core-records.ts';
import { essentialName } from '#analysis/core/essential-name.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { INSN_VERSIONS, type InsnRefusal, refusedInsn } from '#analysis/kernel/insn-fields.ts';
import { insnNeed } from '#analysis/kernel/insn-needs.ts';
import { REPLACED_HELPERS } from '#analysis/kernel/kernel-enums.ts';
import { type FeatureKind, featureNames, featureSince } from '#analysis/kernel/kernel-features.ts';
import { mapType, mapTypeName } from '#analysis/kernel/map-types.ts';
import { compareVersions, type Version } from '#analysis/kernel/version.ts';
import { attachTypeOf } from '#analysis/libbpf/attach-types.ts';
import type { Extern } from '#analysis/libbpf/externs.ts';
import { needsBtf } from '#analysis/libbpf/load-steps.ts';
import type { ObjectMap } from '#analysis/libbpf/object-maps.ts';
import type { LoadObject, LoadProgram } from '#analysis/libbpf/open.ts';
import { sourceAt } from '#analysis/libbpf/program-code.ts';
import { kernelProgramType, namesModule } from '#analysis/libbpf/program-types.ts';
import type { FunctionRange } from '#analysis/objects/functions.ts';
import { type Insn, isCall } from '#formats/bpf/insn.ts';
import { CALL_SOURCE, OPCODE } from '#formats/bpf/opcodes.ts';
import { membersOf } from '#model/type-items.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';
import { pathText } from './core-needs.ts';
import { EXISTENCE_KINDS, guardedCode, type PlacedInsn } from './guarded-code.ts';
import { compareKinds, type Need, type Needed, NeedList } from './need.ts';

export type Needs = {
  /** Oldest version known to have all of `required`; null if nothing has a version. */
  readonly version: Version | null;
  /** Newest version known to lack one of `required`; null if none is known. */
  readonly lacking: Version | null;
  /** Needs with a known version; those that decide `version` come first. */
  readonly required: readonly Need[];
  /** Instructions that no kernel has. */
  readonly never: readonly Need[];
  /** Needs that depend on the BTF, symbols or options of the kernel. */
  readonly undecided: readonly Need[];
  /** What the object can do without: uses behind a guard, programs and maps that are not loaded. */
  readonly optional: readonly Need[];
  /** True if libbpf needs the BTF of the kernel. */
  readonly needsBtf: boolean;
};

/** Returns what an opened object needs of a kernel. */
export function needsOf(object: LoadObject): Needs {
  const list = new NeedList();
  const off = programsOff(object);
  for (const map of object.maps) addMap(list, object, map);
  for (const program of object.programs) {
    addProgram(list, object, program, program.autoload && !off.has(program.func));
  }
  addStrongExterns(list, object);
  const all = list.all(true);
  const required = all
    .filter(({ since }) => since !== null)
    .toSorted((a, b) => byVersion(b, a) || compareKinds(a.kind, b.kind));
  const versions = required.flatMap(({ since }) => since ?? []);
  const lacking = versions
    .flatMap((since) => since.lacking ?? [])
    .toSorted(compareVersions)
    .at(-1);
  return {
    version: versions[0]?.version ?? null,
    lacking: lacking ?? null,
    required,
    never: all.filter((need) => need.since === null && isNever(need)),
    undecided: sorted(all.filter((need) => need.since === null && !isNever(need))),
    optional: sorted(list.all(false)),
    needsBtf: needsBtf(object),
  };
}

/** Returns true for an instruction that no kernel has: the table has all others. */
function isNever({ kind }: Need): boolean {
  return kind === 'instruction';
}

const LOWEST: Version = '0.0';

function byVersion(a: Need, b: Need): number {
  return compareVersions(a.since?.version ?? LOWEST, b.since?.version ?? LOWEST);
}

function sorted(needs: readonly Need[]): readonly Need[] {
  return needs.toSorted((a, b) => compareKinds(a.kind, b.kind));
}

/** Returns the needs that decide the version: those that the version before it lacks. */
export function decidingNeeds({ version, required }: Needs): readonly Need[] {
  return required.filter(({ since }) => since?.version === version);
}

/** Returns the programs of struct_ops maps that libbpf does not create. */
function programsOff({ structOps }: LoadObject): ReadonlySet<FunctionRange> {
  const inMaps = (isCreated: boolean) =>
    structOps
      .filter(({ map }) => map.autocreate === isCreated)
      .flatMap(({ programs }) => [...programs.values()]);
  const on = new Set(inMaps(true));
  return new Set(inMaps(false).filter((program) => !on.has(program)));
}

type Place = Pick<Needed, 'program' | 'map' | 'insn' | 'sourceOf'>;

/** The place of a need of the whole object. */
const NOWHERE: Place = { program: null, map: null, insn: null, sourceOf: () => null };

function feature(kind: FeatureKind, name: string): Pick<Needed, 'kind' | 'name' | 'since'> {
  return { kind, name, since: featureSince(kind, name) };
}

/** Flags that libbpf removes for an old kernel from its own maps. Source: sanitize_maps. */
const MMAPABLE = 1n << 10n;
const STRUCT_OPS = mapType('STRUCT_OPS');

function addMap(list: NeedList, object: LoadObject, map: ObjectMap): void {
  const { name, type, autocreate, inner, section, structOps } = map;
  const place = { ...NOWHERE, map: name, isRequired: autocreate };
  list.add({ ...feature('map-type', mapTypeName(type)), ...place });
  const flags = section === '.maps' ? map.flags : map.flags & ~MMAPABLE;
  for (const [bit, flag] of featureNames('map-flag').entries()) {
    if ((flags >> BigInt(bit)) & 1n) list.add({ ...feature('map-flag', flag), ...place });
  }
  const { types } = object.model;
  if (type === STRUCT_OPS && structOps !== null && types !== null) {
    const struct = essentialName(nameOf(types, structOps.struct));
    list.add({ ...feature('struct_ops', struct), ...place });
    const programs = object.structOps.find((one) => one.map === map)?.programs;
    for (const { index, name: member } of membersOf(types, structOps.struct)) {
      if (programs?.has(index) !== true) continue;
      list.add({ kind: 'callback', name: `${struct}.${member}`, since: null, ...place });
    }
  }
  if (inner !== null) addMap(list, object, inner);
}

/** Flag of programs that may sleep, which kernels have for one kind of program after the other. */
const SLEEPABLE = 'BPF_F_SLEEPABLE';

function addProgram(
  list: NeedList,
  object: LoadObject,
  program: LoadProgram,
  isLoaded: boolean,
): void {
  const { name, kind } = program;
  const place = { ...NOWHERE, program: name, isRequired: isLoaded };
  const type = kernelProgramType(kind);
  if (type !== '') list.add({ ...feature('program-type', `BPF_PROG_TYPE_${type}`), ...place });
  const attachType = attachTypeOf(kind);
  if (attachType !== null) list.add({ ...feature('attach-type', attachType), ...place });
  if (kind.endsWith('.s')) {
    const of = kind.slice(0, -2).replace(/^(?:uret|ksys|us)?probe.*|^uretprobe.*|^usdt/, 'uprobe');
    list.add({ ...feature('program-flag', `${SLEEPABLE} of ${of}`), ...place });
  }
  if (kind.startsWith('xdp.frags')) {
    list.add({ ...feature('program-flag', 'BPF_F_XDP_HAS_FRAGS'), ...place });
  }
  addTarget(list, program, place);
  if (program.load.insnCount > MAX_INSNS_BEFORE_5_2) {
    list.add({ ...feature('instruction', 'more than 4096 instructions'), ...place });
  }
  addCode(list, object, program, isLoaded);
}

/** Maximum number of instructions of a program before Linux 5.2: BPF_MAXINSNS. */
const MAX_INSNS_BEFORE_5_2 = 4096;

/** Adds the function, tracepoint, hook or iterator that libbpf looks for in the kernel's BTF. */
function addTarget(
  list: NeedList,
  program: LoadProgram,
  place: Place & Pick<Needed, 'isRequired'>,
): void {
  const { kind, section } = program;
  const slash = section.indexOf('/');
  const isNamed = ['TRACING', 'LSM'].includes(kernelProgramType(kind)) && !namesModule(program);
  if (slash < 0 || !isNamed) return;
  const name = section.slice(slash + 1);
  const by = kind.replace(/\.s$/, '');
  if (by === 'iter') list.add({ ...feature('iterator', name), ...place });
  else list.add({ kind: 'target', name, by, since: null, ...place });
}

function addCode(
  list: NeedList,
  object: LoadObject,
  program: LoadProgram,
  isLoaded: boolean,
): void {
  const { model } = object;
  const code = guardedCode(object, program);
  const placeAt = (slot: number, isAlways: boolean) => ({
    ...{ program: program.name, map: null, insn: slot },
    isRequired: isLoaded && (isAlways || !code.isGuarded(slot)),
    sourceOf: () => sourceAt(model, program, slot),
  });
  const hasArena = object.maps.some(({ type }) => type === ARENA);
  for (const placed of code.insns) {
    const { slot, insn, extern } = placed;
    const needed = insnNeed(insn);
    const isDead = code.isDead(slot);
    const refused = refusedByAll(insn, hasArena);
    if (refused !== null && (refused === 'always' || !isDead)) {
      const name = `opcode 0x${insn.opcode.toString(16).padStart(2, '0')} with such fields`;
      list.add({ kind: 'instruction', name, since: null, ...placeAt(slot, refused === 'always') });
    }
    if (needed !== null && (needed.isAlways || !isDead)) {
      list.add({ ...feature('instruction', needed.feature), ...placeAt(slot, needed.isAlways) });
    }
    if (isDead) continue;
    const helper = helperOf(placed);
    if (helper !== null) list.add({ ...feature('helper', helper), ...placeAt(slot, false) });
    const need = extern === null ? null : ofExtern(extern);
    if (need === null || extern === null) continue;
    const place = placeAt(slot, !extern.weak);
    // The address of a weak extern that the kernel lacks is 0, which no kernel refuses.
    const canBeZero = extern.weak && !isCall(insn);
    list.add({ ...need, ...place, isRequired: place.isRequired && !canBeZero });
  }
  const { types } = model;
  for (const { slot, record } of types === null ? [] : code.records) {
    if (types === null || code.isDead(slot)) continue;
    const need = ofRecord(types, record);
    if (need === null) continue;
    const isExistence = EXISTENCE_KINDS.has(record.kind);
    const place = placeAt(slot, false);
    list.add({ ...need, ...place, isRequired: place.isRequired && !isExistence });
  }
}

const ARENA = mapType('ARENA');

/** Returns when each kernel refuses the instruction; null if one accepts it. */
function refusedByAll(insn: Insn, hasArena: boolean): InsnRefusal['pass'] | null {
  if (insn.opcode === OPCODE.callx) return null;
  const context = { hasSecondSlot: true, hasArena };
  let pass: InsnRefusal['pass'] | null = null;
  for (const version of INSN_VERSIONS) {
    const refusal = refusedInsn(insn, context, version);
    if (refusal === null || !refusal.isSure) return null;
    pass = pass === 'reached' ? pass : refusal.pass;
  }
  return pass;
}

/** Returns the name of the helper that an instruction calls, `helper 500` if unknown; else null. */
function helperOf({ insn, isRelocated }: PlacedInsn): string | null {
  const isHelper = isCall(insn) && insn.srcReg === CALL_SOURCE.helper && !isRelocated;
  if (!isHelper || REPLACED_HELPERS.includes(insn.imm)) return null;
  return helperName(insn.imm) ?? `helper ${insn.imm}`;
}

function ofExtern({ kind, name }: Extern): Pick<Needed, 'kind' | 'name' | 'since'> | null {
  switch (kind) {
    case 'func ksym':
      return feature('kfunc', essentialName(name));
    case 'var ksym':
      return { kind: 'variable', name, since: null };
    case 'ksym':
      return { kind: 'symbol', name, since: null };
    case 'kcfg':
      return name.startsWith('CONFIG_') ? { kind: 'option', name, since: null } : null;
  }
}

/** Adds the externs without which libbpf gives up, even if no program refers to them. */
function addStrongExterns(list: NeedList, { externs }: LoadObject): void {
  for (const extern of externs) {
    const need = extern.weak ? null : ofExtern(extern);
    if (need !== null) list.add({ ...need, ...NOWHERE, isRequired: true });
  }
}

/** Returns the type, member or enumerator that a record needs; null for a local type id. */
function ofRecord(
  types: TypeTable,
  { kind, root, accessStr, index }: CoreRecord,
): Pick<Needed, 'kind' | 'name' | 'since' | 'record'> | null {
  const group = coreKind(kind)?.group;
  if (group === undefined || kind === TYPE_ID_LOCAL) return null;
  const type = essentialName(nameOf(types, root));
  const path = pathText(walkAccess(types, root, accessStr, kind));
  const name = path === '' ? type : `${type}.${path}`;
  const needKind = path === '' ? 'type' : group === 'enum' ? 'enumerator' : 'member';
  return { kind: needKind, name, since: null, record: index };
}
