/**
 * Opens the struct_ops variables of an object: checks their types, and finds the programs that the
 * relocations of their sections set as callbacks. Source: libbpf 1.8, libbpf.c:
 * init_struct_ops_maps, bpf_object__collect_st_ops_relos.
 */
import { type FunctionRange, functionAt } from '#analysis/objects/functions.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { datasecsOf } from '#analysis/types/datasecs.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { lowerBound } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { SLOT_SIZE } from '#formats/bpf/insn.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { SHN, SHT } from '#formats/elf/constants.ts';
import { relocIndex, sectionIndex, type TypeId, VOID } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { type Member, membersOf } from '#model/type-items.ts';
import { kindOf, nameOf, refOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import {
  type ObjectMap,
  STRUCT_OPS_SECTION,
  type StructOps,
  structOpsVariables,
} from './object-maps.ts';
import { type Failure, failed, RELOC } from './outcome.ts';
import { isStructOps, programType } from './program-types.ts';

/** The map of a struct_ops variable, and the program of each member by the member's index. */
export type StructOpsMap = {
  readonly map: ObjectMap;
  readonly structOps: StructOps;
  readonly programs: ReadonlyMap<number, FunctionRange>;
};

export type OpenedStructOps = {
  readonly maps: readonly StructOpsMap[];
  /** Failure of the first variable with a wrong type; null if there is none. */
  readonly typeFailure: Failure | null;
  /** Failure of the first relocation that sets no program of a callback; null if there is none. */
  readonly relocationFailure: Failure | null;
};

/** Returns the struct_ops maps of an object with the programs of their members. */
export function openStructOps(model: ObjectModel, maps: readonly ObjectMap[]): OpenedStructOps {
  const t = model.types;
  const typeFailure = t === null ? null : wrongType(model, t);
  const slots = new Slots(model, maps);
  const relocationFailure = t === null || typeFailure !== null ? null : slots.fill(t);
  return { maps: slots.maps, typeFailure, relocationFailure };
}

function wrongType(model: ObjectModel, t: TypeTable): Failure | null {
  const say = (errno: string, text: string) => failed(errno, `struct_ops init: ${text}`);
  for (const { section, name, variables } of structOpsVariables(model)) {
    if (!datasecsOf(t).has(name)) return say('EINVAL', `DATASEC ${name} not found`);
    for (const { name: variable, varId, type, byteOffset } of variables) {
      const bare = type === null ? VOID : skipModifiers(t, type);
      if (bare === VOID) {
        return say('EINVAL', `Cannot resolve var type_id ${varId} in DATASEC ${name}`);
      }
      const typeName = nameOf(t, bare);
      if (typeName === '') return say('ENOTSUP', 'anonymous type is not supported');
      if (kindOf(t, bare) !== BtfKind.STRUCT) return say('EINVAL', `${typeName} is not a struct`);
      const end = BigInt(byteOffset ?? 0) + (sizeOf(t, bare) ?? 0n);
      if (end > (model.sections.declaredSize[section] ?? 0n)) {
        const shown = name.replace(/^\?/, '');
        return say('EINVAL', `var ${variable} is beyond the end of DATASEC ${shown}`);
      }
    }
  }
  return null;
}

type Filled = StructOpsMap & { readonly programs: Map<number, FunctionRange> };

/** The members of the struct_ops maps of an object, filled by relocations. */
class Slots {
  readonly maps: readonly Filled[];
  readonly #model: ObjectModel;
  /** Maps by section, in the order of their offsets. */
  readonly #bySection = new Map<number, { readonly starts: number[]; readonly maps: Filled[] }>();
  readonly #membersOf = new Map<TypeId, ReadonlyMap<number, Member>>();

  constructor(model: ObjectModel, maps: readonly ObjectMap[]) {
    this.#model = model;
    this.maps = maps.flatMap((map) => {
      const { structOps } = map;
      return structOps === null ? [] : [{ map, structOps, programs: new Map() }];
    });
    for (const map of this.maps) {
      const { sectionIndex: section, byteOffset } = map.structOps.variable;
      if (section === null || byteOffset === null) continue;
      const known = getOrCreate(this.#bySection, section, () => ({ starts: [], maps: [] }));
      known.starts.push(byteOffset);
      known.maps.push(map);
    }
  }

  /** Applies the relocations in the order of the file, up to the first that fails. */
  fill(t: TypeTable): Failure | null {
    const { relocations, sections } = this.#model;
    if (this.#bySection.size === 0) return null;
    for (let row = 0; row < relocations.count; row++) {
      const section = sectionIndex(relocations.relSection[row] ?? 0);
      const name = sectionName(sections, section);
      if (sections.type[section] !== SHT.rel || !name.startsWith('.rel')) continue;
      if (!STRUCT_OPS_SECTION.test(name.slice('.rel'.length))) continue;
      const failure = this.#set(t, row);
      if (failure !== null) return failure;
    }
    return null;
  }

  #mapAt(section: number, offset: number): Filled | null {
    const known = this.#bySection.get(section);
    const at = known === undefined ? -1 : lowerBound(known.starts, offset + 1) - 1;
    const map = known?.maps[at];
    const start = known?.starts[at] ?? 0;
    return map !== undefined && offset - start < map.map.valueSize ? map : null;
  }

  #memberAt(t: TypeTable, struct: TypeId, byteOffset: number): Member | null {
    const members = getOrCreate(this.#membersOf, struct, () => {
      const byOffset = new Map<number, Member>();
      for (const member of membersOf(t, struct)) {
        if (!byOffset.has(member.bitOffset)) byOffset.set(member.bitOffset, member);
      }
      return byOffset;
    });
    return members.get(8 * byteOffset) ?? null;
  }

  #set(t: TypeTable, row: number): Failure | null {
    const model = this.#model;
    const { relocations, symbols, sections } = model;
    const symbol = relocations.symbol[row] ?? -1;
    if (symbol < 0) {
      const number = (relocations.symbolNumber[row] ?? 0).toString(16);
      return failed('LIBBPF_ERRNO__FORMAT', `struct_ops reloc: symbol ${number} not found`);
    }
    const offset = relocationOffset(model, relocIndex(row));
    const slots = this.#mapAt(relocations.targetSection[row] ?? -1, offset);
    if (slots === null) {
      const line = `struct_ops reloc: cannot find map at rel->r_offset ${offset}`;
      return failed('EINVAL', line);
    }
    const { map, structOps, programs } = slots;
    const say = (text: string, errno = 'EINVAL') =>
      failed(errno, `struct_ops reloc ${map.name}: ${text}`);
    const shndx = symbols.shndx[symbol] ?? 0;
    const value = symbols.value[symbol] ?? 0n;
    if (shndx >= SHN.loreserve) {
      const where = `rel->r_offset ${offset} shdr_idx ${shndx}`;
      return say(`${where} unsupported non-static function`, RELOC);
    }
    if (value % BigInt(SLOT_SIZE) !== 0n) {
      return say(`invalid target program offset ${value}`, 'LIBBPF_ERRNO__FORMAT');
    }
    const memberOffset = offset - (structOps.variable.byteOffset ?? 0);
    const member = this.#memberAt(t, structOps.struct, memberOffset);
    if (member === null) return say(`cannot find member at moff ${memberOffset}`);
    if (!isFuncPointer(t, member.type)) return say(`cannot relocate non func ptr ${member.name}`);
    // libbpf reads only the symbol, not the addend at the place.
    const program = functionAt(model, sectionIndex(shndx), Number(value));
    if (program === null) {
      return say(`cannot find prog at shdr_idx ${shndx} to relocate func ptr ${member.name}`);
    }
    const section = sectionName(sections, program.section);
    if (!isStructOps(programType(section).kind)) {
      return say(`prog ${program.name} is not struct_ops BPF program`);
    }
    programs.set(member.index, program);
    return null;
  }
}

/** Returns true for a pointer to a function. Source: resolve_func_ptr. */
export function isFuncPointer(t: TypeTable, id: TypeId): boolean {
  const pointer = skipModifiers(t, id);
  const pointee = kindOf(t, pointer) === BtfKind.PTR ? refOf(t, pointer) : null;
  return pointee !== null && kindOf(t, skipModifiers(t, pointee)) === BtfKind.FUNC_PROTO;
}
