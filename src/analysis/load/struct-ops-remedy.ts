/** Suggests how an object can set a struct_ops callback that some kernels lack. */
import type { LoadKernel } from '#analysis/kernel/kernel.ts';
import { judgeLoad } from '#analysis/libbpf/load.ts';
import type { LoadObject } from '#analysis/libbpf/open.ts';
import type { StructOpsMap } from '#analysis/libbpf/struct-ops-open.ts';
import { declaratorText, isSpellable } from '#analysis/types/declarator.ts';
import { partAt, type Value } from '#analysis/values/decode.ts';
import { variableValue } from '#analysis/values/variables.ts';
import { decodeText } from '#bytes/text.ts';
import { membersOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { MAX_DECLARATION } from './flavour-remedy.ts';

/** A change of the source, and whether it removes the reason on a kernel. */
type Change = {
  readonly title: string;
  readonly lines: readonly string[];
  readonly works: (kernel: LoadKernel) => boolean;
};

/** Returns the changes for a callback that is set to a program; none if a name is no C name. */
export function callbackChanges(
  object: LoadObject,
  mapName: string,
  member: string,
): readonly Change[] {
  const t = object.model.types;
  const map = object.structOps.find((row) => row.map.name === mapName);
  if (t === null || map === undefined) return [];
  const index = membersOf(t, map.structOps.struct).find(({ name }) => name === member)?.index ?? -1;
  const program = map.programs.get(index);
  const second = `${mapName}_${member}`;
  if (program === undefined || ![mapName, member, program.name].every(isSpellable)) return [];
  const isMissing = (changed: LoadObject) => (kernel: LoadKernel) =>
    judgeLoad(changed, kernel).reasons.some(
      ({ about }) => about?.of === 'callback' && about.map === mapName && about.member === member,
    );
  const without = withoutCallback(object, map, index);
  const isMissingWithout = isMissing(without);
  const isMissingInBoth = isMissing(withSecondMap(without, map, second));
  const section = map.map.section.replace(/^\?/, '');
  return [
    {
      title: `set ${member} in a second map, which is not created by default`,
      lines: [
        ...mapLines(object, t, map, { section, name: mapName, leftOut: index }),
        '',
        ...mapLines(object, t, map, { section: `?${section}`, name: second, leftOut: -1 }),
        '',
        `/* in the loader before loading, where the kernel has ${member}: */`,
        `bpf_map__set_autocreate(skel->maps.${mapName}, false);`,
        `bpf_map__set_autocreate(skel->maps.${second}, true);`,
      ],
      works: (kernel) => !isMissingInBoth(kernel),
    },
    {
      title: `set ${member} to NULL in the loader, where the kernel lacks it`,
      lines: [
        `/* in the loader before loading, where the kernel lacks ${member}: */`,
        `skel->struct_ops.${mapName}->${member} = NULL;`,
      ],
      works: (kernel) => !isMissingWithout(kernel),
    },
  ];
}

/** Returns the object after its loader set a member to NULL: libbpf does not load its program. */
function withoutCallback(object: LoadObject, map: StructOpsMap, index: number): LoadObject {
  const dropped = map.programs.get(index);
  const programs = new Map(map.programs);
  programs.delete(index);
  return {
    ...object,
    structOps: object.structOps.map((row) => (row === map ? { ...map, programs } : row)),
    programs: object.programs.map((row) =>
      row.func === dropped ? { ...row, autoload: false } : row,
    ),
  };
}

function withSecondMap(object: LoadObject, map: StructOpsMap, name: string): LoadObject {
  const second = { ...map.map, name, autocreate: false };
  return {
    ...object,
    maps: [...object.maps, second],
    structOps: [...object.structOps, { ...map, map: second }],
  };
}

type Written = {
  readonly section: string;
  readonly name: string;
  /** Index of the member to leave out; -1 for none. */
  readonly leftOut: number;
};

/** Returns the definition of a struct_ops variable in C. */
function mapLines(
  { model, sectionBytes }: LoadObject,
  t: TypeTable,
  { structOps, programs }: StructOpsMap,
  { section, name, leftOut }: Written,
): string[] {
  const value = variableValue(model, sectionBytes, structOps.variable);
  const lines = membersOf(t, structOps.struct).flatMap(({ name: member, index }) => {
    const program = programs.get(index);
    if (index === leftOut || !isSpellable(member)) return [];
    if (program !== undefined) return `.${member} = (void *)${program.name},`;
    return constantLine(value === null ? null : partAt(value, index));
  });
  const declared = declaratorText(t, structOps.struct, name, MAX_DECLARATION);
  return [`SEC("${section}")`, `${declared} = {`, ...lines.map((line) => `    ${line}`), '};'];
}

/** Returns the line that sets a member to its value; none for zeros. */
function constantLine(value: Value | null): string[] {
  if (value === null) return [];
  const { content, name, scope, bitOffset, bitSize } = value;
  const bytes = scope.bytes.subarray(bitOffset / 8, (bitOffset + bitSize) / 8);
  if (bytes.every((byte) => byte === 0)) return [];
  switch (content.kind) {
    case 'int':
    case 'char':
    case 'bool':
    case 'enum':
      return [`.${name} = ${content.value},`];
    case 'string': {
      const text = decodeText(content.bytes);
      if (/^[ !#-[\]-~]*$/.test(text)) return [`.${name} = "${text}",`];
    }
  }
  return [`/* .${name} as before */`];
}
