/**
 * One type out of a kernel, as a header that compiles alone: the type, what it holds
 * by value, typedefs and enums defined in order, all else declared.
 *
 * In: any type that C can define. Out: the text that `bpftool btf dump … root_id`
 * would give, but for what bpftool 7.1 leaves out though the layout needs it: the
 * sizes of enums and the packing of unions. The layout is that of machines whose
 * pointers have 8 bytes, as those of BPF have. A name that is none in C is spelled anew,
 * so that it can do nothing to the text around it.
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
  /**
   * Names of the members of a struct or union that are wanted, null: all. One in an
   * anonymous struct or union brings all of that with it.
   */
  readonly members?: readonly string[] | null;
  /** The macro that keeps the header from being read twice; made of the type's name, unless given. */
  readonly guard?: string;
  /**
   * For CO-RE: offsets are looked up when the program is loaded, so that members which
   * are not wanted leave nothing behind. Otherwise they leave padding.
   */
  readonly preserveAccessIndex?: boolean;
};

/** Each is 64 KiB or as many steps. A whole kernel has fifty. */
const MAX_PAUSES = 256;
/** Bytes. A name may be longer than what is between two pauses. */
const MAX_LENGTH = 1 << 24;
/** Members of anonymous members that are looked at in search of a name. */
const MAX_LOOKS = 1 << 20;

export const PUSH =
  '#pragma clang attribute push (__attribute__((preserve_access_index)), apply_to = record)\n\n';
export const POP = '#pragma clang attribute pop\n\n';

/** The header of type `id`. Never throws; says in a comment what it cannot do. Names may be of any script: escape the text when drawn. */
export function selfContainedHeader(t: TypeTable, id: TypeId, options: HeaderOptions = {}): string {
  const { members = null, preserveAccessIndex = false } = options;
  const guard = (options.guard ?? `__${nameOf(t, id) || `TYPE_${id}`}_H__`)
    .replace(/\W|^(?=\d)/g, '_')
    .toUpperCase();
  const names = new Wanted(members ?? []);
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

/** The definitions of `ids` and of what they need, as C that compiles. Of each only what `choice` has. */
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

/** Names of members, and which of them have been met. */
class Wanted {
  readonly #names: ReadonlySet<string>;
  readonly #found = new Set<string>();
  #looks = 0;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  get notFound(): string[] {
    return [...this.#names].filter((name) => !this.#found.has(name));
  }

  /** The members of the struct or union that `id` stands for which bring a wanted name; null when it is neither. */
  choiceOf(t: TypeTable, id: TypeId, isPadded: boolean): MemberChoice | null {
    const type = skipModifiers(t, id);
    if (!isComposite(kindOf(t, type))) return null;
    const indices = new Set<number>();
    for (let index = 0; index < memberCount(t, type); index++) {
      if (this.#isWanted(t, type, index)) indices.add(index);
    }
    return { type, has: (_id, index) => indices.has(index), isPadded };
  }

  /** By its own name, or when it has none by those of the members inside it. */
  #isWanted(t: TypeTable, type: TypeId, index: number): boolean {
    const stack: [TypeId, number][] = [[type, index]];
    const entered = new Set<TypeId>();
    let isWanted = false;
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const member = memberAt(t, ...top);
      if (member === null) continue;
      if (this.#names.has(member.name)) {
        this.#found.add(member.name);
        isWanted = true;
      }
      if (member.name !== '') continue;
      const inner = skipModifiers(t, member.type);
      if (entered.has(inner)) continue;
      entered.add(inner);
      const count = memberCount(t, inner);
      for (let i = 0; i < count && this.#looks < MAX_LOOKS; i++, this.#looks++) {
        stack.push([inner, i]);
      }
    }
    return isWanted;
  }
}
