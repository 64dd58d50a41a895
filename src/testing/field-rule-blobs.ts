/**
 * Blobs that each break one rule of Linux 6.18 for special fields, and functions to build such
 * blobs.
 */
import { FIELD_RULES, type KernelRule } from '#analysis/kernel/rules.ts';
import { btfBlob } from './btf-blob.ts';
import {
  array,
  declTag,
  fwd,
  int,
  type Member,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
} from './btf-types.ts';
import { headerBlobs, metaBlobs, referenceBlobs, wholeBlobs } from './kernel-rule-blobs.ts';

export const word = int('int', 4);
/** Returns a member at the byte offset `offset`. */
export const at = (offset: number, type: number, name = `m${offset}`): Member => ({
  name,
  type,
  bitOffset: offset * 8,
});
export const opaque = (name: string, size: number) => struct(name, size, []);

/** Ids of the types 2 to 8 in `special`. */
export const LOCK = 2;
export const HEAD = 3;
export const NODE = 4;
const ROOT = 5;
export const RBNODE = 6;
export const COUNT = 7;
export const RESLOCK = 8;
export const special: readonly TypeRecord[] = [
  word,
  opaque('bpf_spin_lock', 4),
  opaque('bpf_list_head', 16),
  opaque('bpf_list_node', 24),
  opaque('bpf_rb_root', 16),
  opaque('bpf_rb_node', 32),
  opaque('bpf_refcount', 4),
  opaque('bpf_res_spin_lock', 4),
];
/** Id of the first type that a blob adds after those of `special`. */
export const NEXT = 9;

/**
 * Returns a struct with a list and a lock, and the tag that declares the type of the list's nodes.
 */
export const listOf = (value: string, id = NEXT): TypeRecord[] => [
  struct('root', 24, [at(0, HEAD, 'head'), at(16, LOCK, 'lock')]),
  declTag(`contains:${value}`, id, 0),
];
export const item = struct('item', 24, [at(0, NODE, 'l')]);
/**
 * Returns an `item` of 32 bytes with a list node and, at offset 24, a pointer; `chain` is the
 * pointer's type.
 */
export const withPointer = (...chain: TypeRecord[]) => [
  struct('item', 32, [at(0, NODE, 'l'), at(24, NEXT + 1, 'p')]),
  ...chain,
];

/** Rule, description, the blob that breaks the rule, and the records that it adds to `special`. */
export const fieldBlobs: readonly (readonly [
  rule: KernelRule,
  what: string,
  types: readonly TypeRecord[],
])[] = [
  [
    FIELD_RULES.bits,
    'a bit-field',
    [struct('s', 8, [at(0, LOCK), { name: 'b', type: 1, bitOffset: 33, bitfieldSize: 3 }])],
  ],
  [FIELD_RULES.unique, 'two locks', [struct('s', 8, [at(0, LOCK), at(4, LOCK)])]],
  [
    FIELD_RULES.count,
    '12 nodes',
    [
      struct(
        's',
        288,
        Array.from({ length: 12 }, (_, i) => at(i * 24, NODE)),
      ),
    ],
  ],
  [
    FIELD_RULES.count,
    '12 kptrs in an array',
    [
      struct('s', 120, [at(0, NEXT + 1), at(96, NODE)]),
      array(NEXT + 2, 1, 12),
      ptr(NEXT + 3),
      typeTag('kptr', NEXT + 4),
      struct('t', 4, []),
    ],
  ],
  [
    FIELD_RULES.count,
    '11 nodes and an array of them',
    [
      struct('s', 312, [
        ...Array.from({ length: 11 }, (_, i) => at(i * 24, NODE)),
        at(264, NEXT + 1),
      ]),
      array(NODE, 1, 2),
    ],
  ],
  [
    FIELD_RULES.count,
    '11 nodes and a struct with a node before a bit-field',
    [
      struct('s', 296, [
        ...Array.from({ length: 11 }, (_, i) => at(i * 24, NODE)),
        at(264, NEXT + 1),
      ]),
      struct('inner', 32, [at(0, NODE), { name: 'b', type: 1, bitOffset: 193, bitfieldSize: 3 }]),
    ],
  ],
  [
    FIELD_RULES.bits,
    '11 nodes and a struct with a node behind a bit-field',
    [
      struct('s', 296, [
        ...Array.from({ length: 11 }, (_, i) => at(i * 24, NODE)),
        at(264, NEXT + 1),
      ]),
      struct('inner', 32, [
        { name: 'b', type: 1, bitOffset: 1, bitfieldSize: 3 },
        { ...at(8, NODE), bitfieldSize: 0 },
      ]),
    ],
  ],
  [
    FIELD_RULES.depth,
    '32 structs around each other',
    [
      opaque('', 4),
      ...Array.from({ length: 31 }, (_, i) => struct('', 4, [at(0, NEXT + i)])),
      struct('s', 8, [at(0, LOCK), at(4, NEXT + 31)]),
    ],
  ],
  [
    FIELD_RULES.depth,
    'an array of 32 dimensions',
    [
      array(1, 1, 1),
      ...Array.from({ length: 31 }, (_, i) => array(NEXT + i, 1, 1)),
      struct('s', 32, [at(0, NODE), at(24, NEXT + 31)]),
    ],
  ],
  [
    FIELD_RULES.repeated,
    'an array of nodes',
    [struct('s', 72, [at(0, NEXT + 1), at(48, NODE)]), array(NODE, 1, 2)],
  ],
  [
    FIELD_RULES.repeated,
    'an array of structs with a lock',
    [
      struct('s', 12, [at(0, NEXT + 1), at(8, LOCK)]),
      array(NEXT + 2, 1, 2),
      struct('locked', 4, [at(0, LOCK)]),
    ],
  ],
  [
    FIELD_RULES.tags,
    'two tags',
    withPointer(ptr(NEXT + 2), typeTag('kptr', NEXT + 3), typeTag('user', 1)),
  ],
  [
    FIELD_RULES.tagName,
    'the tag rcu',
    withPointer(ptr(NEXT + 2), typeTag('rcu', NEXT + 3), struct('t', 4, [])),
  ],
  [
    FIELD_RULES.kptrTarget,
    'a kptr to a FWD',
    withPointer(ptr(NEXT + 2), typeTag('kptr', NEXT + 3), fwd('t')),
  ],
  [
    FIELD_RULES.destructor,
    'a kptr to a bpf_refcount',
    withPointer(ptr(NEXT + 2), typeTag('kptr', COUNT)),
  ],
  [
    FIELD_RULES.destructor,
    'a kptr to a bpf_dynptr',
    withPointer(ptr(NEXT + 2), typeTag('kptr', NEXT + 3), struct('bpf_dynptr', 16, [])),
  ],
  [
    FIELD_RULES.kptrTarget,
    'an untrusted kptr to an INT',
    withPointer(ptr(NEXT + 2), typeTag('kptr_untrusted', 1)),
  ],
  [FIELD_RULES.contains, 'a list without a tag', [struct('root', 24, [at(0, HEAD), at(16, LOCK)])]],
  [
    FIELD_RULES.contains,
    'a list with its tag on the struct',
    [struct('root', 24, [at(0, HEAD), at(16, LOCK)]), declTag('contains:item:l', NEXT), item],
  ],
  [
    FIELD_RULES.contains,
    'a list with two tags',
    [...listOf('item:l'), declTag('contains:item:l', NEXT, 0), item],
  ],
  [FIELD_RULES.contains, 'a tag without a node', [...listOf('item'), item]],
  [FIELD_RULES.contains, 'a tag with an empty node', [...listOf('item:'), item]],
  [FIELD_RULES.containsType, 'a list of nothing', [...listOf('nothing:l'), item]],
  [
    FIELD_RULES.containsType,
    'a list of a typedef',
    [...listOf('td:l'), typedef('td', NEXT + 3), item],
  ],
  [
    FIELD_RULES.overlap,
    'two nodes at one place',
    [struct('s', 24, [at(0, NODE, 'a'), at(0, NODE, 'b')])],
  ],
  [
    FIELD_RULES.node,
    'a node of another kind',
    [...listOf('item:n'), struct('item', 56, [at(0, NODE, 'l'), at(24, RBNODE, 'n')])],
  ],
  [
    FIELD_RULES.node,
    'a node that is twice there',
    [...listOf('item:l'), struct('item', 48, [at(0, NODE, 'l'), at(24, NODE, 'l')])],
  ],
  [
    FIELD_RULES.node,
    'a node that is not aligned',
    [...listOf('item:l'), struct('item', 28, [at(4, NODE, 'l')])],
  ],
  [FIELD_RULES.nodeMissing, 'a node that is not there', [...listOf('item:x'), item]],
  [FIELD_RULES.bothLocks, 'both locks', [struct('s', 8, [at(0, LOCK), at(4, RESLOCK)])]],
  [
    FIELD_RULES.noLock,
    'a tree without a lock',
    [
      struct('root', 16, [at(0, ROOT)]),
      declTag('contains:item:n', NEXT, 0),
      struct('item', 32, [at(0, RBNODE, 'n')]),
    ],
  ],
  [
    FIELD_RULES.noRefcount,
    'two kinds of node without a count',
    [struct('n', 56, [at(0, NODE), at(24, RBNODE)])],
  ],
  [FIELD_RULES.none, 'a node that is not aligned', [struct('s', 28, [at(4, NODE)])]],
  [
    FIELD_RULES.owned,
    'a list whose node is of the second struct of its name, which is not looked for',
    [...listOf('item:l'), opaque('bpf_list_node', 24), struct('item', 24, [at(0, NEXT + 2, 'l')])],
  ],
  [
    FIELD_RULES.cycle,
    'a list that contains itself',
    [
      struct('s', 48, [at(0, NODE, 'l'), at(24, HEAD), at(40, LOCK)]),
      declTag('contains:s:l', NEXT, 1),
    ],
  ],
  [
    FIELD_RULES.cycle,
    'a list in a list in a list',
    [
      struct('s', 48, [at(0, NODE, 'l'), at(24, HEAD), at(40, LOCK)]),
      declTag('contains:t:l', NEXT, 1),
      struct('t', 48, [at(0, NODE, 'l'), at(24, HEAD), at(40, LOCK)]),
      declTag('contains:item:l', NEXT + 2, 1),
      item,
    ],
  ],
];

/** Returns blobs that each break one rule, for fields, types and the header. */
export function ruleBlobs(): Uint8Array[] {
  return [
    ...wholeBlobs.map(([, , bytes]) => bytes),
    ...headerBlobs.map(([, spec]) => btfBlob(spec).bytes),
    ...[...metaBlobs, ...referenceBlobs].map(([, types]) => btfBlob({ types }).bytes),
    ...fieldBlobs.map(([, , types]) => btfBlob({ types: [...special, ...types] }).bytes),
  ];
}
