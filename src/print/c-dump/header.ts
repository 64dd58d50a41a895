/**
 * Writes one kernel type as a header that compiles alone, as `bpftool btf dump … root_id` does.
 * Adds what bpftool 7.1 omits: sizes of enums, packing of unions. Pointers have 8 bytes. Names that
 * are not valid in C are changed.
 */
import { decodeText } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberAt, memberCount } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { gathered } from '#print/byte-text.ts';
import { Dump } from './dump.ts';
import { type MemberChoice, type Records, recordsOf } from './records.ts';

export type HeaderOptions = {
  /** Names of members to keep, null = all. Anonymous structs and unions are kept whole. */
  readonly members?: readonly string[] | null;
  /** Name of the include guard. Default: derived from the type's name. */
  readonly guard?: string;
  /** True for CO-RE: other members are omitted. False: other members become padding. */
  readonly preserveAccessIndex?: boolean;
};

/** Limit of pauses, which come every 64 KiB or 65,536 steps. A whole kernel needs fifty. */
const MAX_PAUSES = 256;
/** Limit in bytes: a name may be longer than the text between two pauses. */
const MAX_LENGTH = 1 << 24;
/** Limit of members of anonymous members that a search for a name visits. */
const MAX_SEARCHED = 1 << 20;

export const PUSH =
  '#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)\n\n';
export const POP = '#pragma clang attribute pop\n\n';

/** Returns the header of type `id`. Failures become comments. Never throws. Not escaped. */
export function selfContainedHeader(t: TypeTable, id: TypeId, options: HeaderOptions = {}): string {
  const { members = null, preserveAccessIndex = false } = options;
  const guard = (options.guard ?? `__${nameOf(t, id) || `TYPE_${id}`}_H__`)
    .replace(/\W|^(?=\d)/g, '_')
    .toUpperCase();
  const names = new WantedNames(members ?? []);
  const choice = members === null ? null : names.choiceOf(t, id, !preserveAccessIndex);
  const { text, spelledCount, isCut } = definitionsText(recordsOf(t), [id], choice);
  const remarks = names.notFound.map((name) => `no member ${name}`);
  if (spelledCount > 0)
    remarks.push(
      `${spelledCount} ${spelledCount === 1 ? 'name' : 'names'} that C cannot spell are written in another form`,
    );
  if (text === '') remarks.push(`nothing to define for ${kindName(kindOf(t, id))} [${id}]`);
  if (isCut) remarks.push(`cut after ${text.length} characters`);
  return [
    `#ifndef ${guard}\n#define ${guard}\n\n`,
    preserveAccessIndex ? PUSH : '',
    text,
    ...remarks.map((text) => `/* ${text.replace(/[^\w .[\]]/g, '?')} */\n\n`),
    preserveAccessIndex ? POP : '',
    `#endif /* ${guard} */\n`,
  ].join('');
}

/** Returns C that compiles: `ids` and their dependencies, with only the members of `choice`. */
export function definitionsText(
  records: Records,
  ids: Iterable<number>,
  choice: MemberChoice | null,
): { readonly text: string; readonly spelledCount: number; readonly isCut: boolean } {
  let pauses = 0;
  let spelledCount = 0;
  let isCut = false;
  const bytes = gathered((out) => {
    const dump = new Dump(records, out, { exact: true, choice });
    for (const id of ids) {
      if (isCut) break;
      dump.start(id);
      while (!isCut && !dump.resume()) isCut = ++pauses === MAX_PAUSES || out.length > MAX_LENGTH;
    }
    spelledCount = dump.spelledCount;
  });
  return { text: decodeText(bytes), spelledCount, isCut };
}

/** The wanted names of members, and the names that matched a member. */
class WantedNames {
  readonly #names: ReadonlySet<string>;
  readonly #matched = new Set<string>();
  #searched = 0;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  get notFound(): string[] {
    return [...this.#names].filter((name) => !this.#matched.has(name));
  }

  /** Returns the members of a struct or union that are or contain a wanted one; otherwise null. */
  choiceOf(t: TypeTable, id: TypeId, isPadded: boolean): MemberChoice | null {
    const type = skipModifiers(t, id);
    if (!isComposite(kindOf(t, type))) return null;
    const indices = new Set<number>();
    for (let index = 0; index < memberCount(t, type); index++) {
      if (this.#isWanted(t, type, index)) indices.add(index);
    }
    return { type, has: (_id, index) => indices.has(index), isPadded };
  }

  /** Returns true if the member has a wanted name, or is anonymous and contains a wanted name. */
  #isWanted(t: TypeTable, type: TypeId, index: number): boolean {
    const stack: [TypeId, number][] = [[type, index]];
    const entered = new Set<TypeId>();
    let isWanted = false;
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const member = memberAt(t, ...top);
      if (member === null) continue;
      if (this.#names.has(member.name)) {
        this.#matched.add(member.name);
        isWanted = true;
      }
      if (member.name !== '') continue;
      const inner = skipModifiers(t, member.type);
      if (entered.has(inner)) continue;
      entered.add(inner);
      const count = memberCount(t, inner);
      for (let i = 0; i < count && this.#searched < MAX_SEARCHED; i++, this.#searched++) {
        stack.push([inner, i]);
      }
    }
    return isWanted;
  }
}
