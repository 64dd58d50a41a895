/** Terms of split BTF. */
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { sectionNamed } from './find-objects.ts';
import { flow, record } from './picture.ts';
import { btfRst } from './sources.ts';
import type { Place, TermCard } from './term.ts';

const BASE = btfRst('4.4 .BTF.base section', 'btf-base-section');

/** The first type of split BTF. */
function firstSplitType({ types }: ObjectModel): Place | null {
  return types?.split === true && types.count > 0
    ? { selection: typeSelection(typeId(types.firstId)), view: 'types' }
    : null;
}

export const SPLIT_CARDS: readonly TermCard[] = [
  {
    id: 'split-btf',
    says: [
      'BTF with only the types that its base does not have: a module’s own types on top of those of the kernel.',
      'Its ids and string offsets continue after those of the base, so it is readable only with the same base.',
    ],
    picture: flow(['base: 1 … n', 'split: n + 1 …'], 1),
    source: BASE,
    related: ['base-btf', 'distilled-base', 'type-id'],
    find: firstSplitType,
  },
  {
    id: 'base-btf',
    says: [
      'The BTF that split BTF extends: vmlinux for modules.',
      'Another build of the kernel has other ids and strings: on it, types and names come out wrong, without an error.',
    ],
    picture: flow(['base: 1 … n', 'split: n + 1 …'], 0),
    source: BASE,
    related: ['split-btf', 'distilled-base', 'target'],
    find: null,
  },
  {
    id: 'distilled-base',
    says: [
      'The section .BTF.base with the named types of the base that a module refers to: INTs and FLOATs whole, STRUCTs, UNIONs and ENUMs without their items, and FWDs.',
      'With it the kernel finds these types, by name and size, in a changed base.',
    ],
    picture: flow(['.BTF', '.BTF.base', 'vmlinux BTF'], 1),
    source: BASE,
    related: ['split-btf', 'base-btf'],
    find: sectionNamed('.BTF.base'),
  },
  {
    id: 'btf-ids',
    says: [
      'Lists and sets of type ids for the kernel’s or a module’s own use, such as those of its kfuncs.',
      'They are compiled as 0; resolve_btfids fills them in by symbol name.',
    ],
    picture: record('set of two ids', 'cnt:4 id[0]:4 id[1]:4', 'id[0]'),
    source: btfRst('4.3 .BTF_ids section', 'btf-ids-section'),
    related: ['type-id', 'kfunc'],
    find: sectionNamed('.BTF_ids', 'overview'),
  },
  {
    id: 'btf-id-macros',
    says: [
      'BTF_ID_LIST begins a list, and each BTF_ID(type, name) reserves four zero bytes with a symbol __BTF_ID__type__name__number; the kernel reads the list as u32 list[].',
      'The type is struct, union, typedef or func: only such a type is taken for the name; BTF_ID_UNUSED reserves four bytes without a symbol, which stay 0.',
    ],
    picture: record('bpf_skb_output_btf_ids', 'sk_buff:4 UNUSED:4 task_struct:4', 'UNUSED'),
    source: btfRst('4.3 .BTF_ids section', 'btf-ids-section'),
    related: ['btf-ids', 'btf-id-set', 'type-id'],
    find: sectionNamed('.BTF_ids', 'overview'),
  },
  {
    id: 'btf-id-set',
    says: [
      'BTF_SET_START and BTF_SET_END make a sorted set with a count, which has the symbol __BTF_ID__set__name and comes before the ids.',
      'The kernel reads it as struct btf_id_set, and looks for an id by halving.',
    ],
    picture: record('struct btf_id_set', 'cnt:4 ids[0]:4 ids[1]:4', 'cnt'),
    source: btfRst('4.3 .BTF_ids section', 'btf-ids-section'),
    related: ['btf-ids', 'btf-id-macros', 'kfunc'],
    find: sectionNamed('.BTF_ids', 'overview'),
  },
];
