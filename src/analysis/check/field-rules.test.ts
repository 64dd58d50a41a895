import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  declTag,
  fwd,
  int,
  type Member,
  modifier,
  ptr,
  record,
  struct,
  type TypeRecord,
  typedef,
  typeTag,
} from '#testing/btf-types.ts';
import { checkBtf } from './check.ts';
import { FIELD_RULES, type KernelRule } from './kernel-rules.ts';

const word = int('int', 4);
/** `offset` in bytes. */
const at = (offset: number, type: number, name = `m${offset}`): Member => ({
  name,
  type,
  bitOffset: offset * 8,
});
const opaque = (name: string, size: number) => struct(name, size, []);

/** Types 1 to 8 of most blobs here. */
const LOCK = 2;
const HEAD = 3;
const NODE = 4;
const ROOT = 5;
const RBNODE = 6;
const COUNT = 7;
const RESLOCK = 8;
const special: readonly TypeRecord[] = [
  word,
  opaque('bpf_spin_lock', 4),
  opaque('bpf_list_head', 16),
  opaque('bpf_list_node', 24),
  opaque('bpf_rb_root', 16),
  opaque('bpf_rb_node', 32),
  opaque('bpf_refcount', 4),
  opaque('bpf_res_spin_lock', 4),
];
/** The id of the first type behind `special`. */
const NEXT = 9;

const verdictOf = (...types: readonly TypeRecord[]) =>
  checkBtf(btfBlob({ types: [...special, ...types] }).bytes, null).kernel;

/** A struct with a list of `node`s, whose type is `nodeType`, and the tag that says so. */
const listOf = (value: string, id = NEXT): TypeRecord[] => [
  struct('root', 24, [at(0, HEAD, 'head'), at(16, LOCK, 'lock')]),
  declTag(`contains:${value}`, id, 0),
];
const item = struct('item', 24, [at(0, NODE, 'l')]);
/** item { list node; `more` at 24 } of `size` bytes, with the records that follow it. */
const withPointer = (...chain: TypeRecord[]) => [
  struct('item', 32, [at(0, NODE, 'l'), at(24, NEXT + 1, 'p')]),
  ...chain,
];

describe('special fields that Linux 6.18 accepts', () => {
  it.each<[string, readonly TypeRecord[]]>([
    ['a list', [...listOf('item:l'), item]],
    [
      'a list under a bpf_res_spin_lock',
      [
        struct('root', 24, [at(0, HEAD), at(16, RESLOCK)]),
        declTag('contains:item:l', NEXT, 0),
        item,
      ],
    ],
    [
      'a node in a list and in a tree, counted',
      [struct('n', 64, [at(0, NODE), at(24, RBNODE), at(56, COUNT)])],
    ],
    [
      'a list of lists of items',
      [
        struct('root', 24, [at(0, HEAD), at(16, LOCK)]),
        declTag('contains:both:l', NEXT, 0),
        struct('both', 48, [at(0, NODE, 'l'), at(24, HEAD), at(40, LOCK)]),
        declTag('contains:item:l', NEXT + 2, 1),
        item,
      ],
    ],
    [
      'a kptr, volatile',
      withPointer(
        modifier('volatile', NEXT + 2),
        ptr(NEXT + 3),
        typeTag('kptr', NEXT + 4),
        modifier('const', NEXT + 5),
        struct('t', 4, [at(0, 1)]),
      ),
    ],
    [
      'an untrusted kptr to a struct that every kernel has',
      withPointer(ptr(NEXT + 2), typeTag('kptr_untrusted', COUNT)),
    ],
    [
      'a kptr that is not aligned, which is passed over',
      [
        struct('item', 40, [at(0, NODE), at(28, NEXT + 1)]),
        ptr(NEXT + 2),
        typeTag('kptr', NEXT + 3),
        fwd('t'),
      ],
    ],
    [
      'a pointer with another tag in a struct without special fields',
      [struct('s', 8, [at(0, NEXT + 1)]), ptr(NEXT + 2), typeTag('rcu', 1)],
    ],
    ['a uptr to a FWD', withPointer(ptr(NEXT + 2), typeTag('uptr', NEXT + 3), fwd('t'))],
    [
      'a tag that is an attribute',
      withPointer(ptr(NEXT + 2), { ...typeTag('rcu', NEXT + 3), kindFlag: true }, fwd('t')),
    ],
    [
      'a list in a union, which is passed over',
      [record(5, { name: 'u', sizeOrType: 16 }), struct('s', 24, [at(0, NEXT), at(16, LOCK)])],
    ],
    [
      'kptrs in an array',
      [
        struct('item', 80, [at(0, NEXT + 1), at(56, NODE)]),
        array(NEXT + 2, 1, 7),
        ptr(NEXT + 3),
        typeTag('kptr', NEXT + 4),
        struct('t', 4, []),
      ],
    ],
  ])('%s', (_what, types) => {
    expect(verdictOf(...types)).toEqual({ verdict: 'ok' });
  });
});

describe('special fields that Linux 6.18 rejects without a log line', () => {
  const rows: readonly (readonly [KernelRule, string, readonly TypeRecord[]])[] = [
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
      FIELD_RULES.kptrTarget,
      'an untrusted kptr to an INT',
      withPointer(ptr(NEXT + 2), typeTag('kptr_untrusted', 1)),
    ],
    [
      FIELD_RULES.contains,
      'a list without a tag',
      [struct('root', 24, [at(0, HEAD), at(16, LOCK)])],
    ],
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

  for (const [{ errno, rule }, what, types] of rows) {
    it(`${what}: ${rule}`, () => {
      expect(verdictOf(...types)).toMatchObject({ errno, rule, word: '', typeId: null });
    });
  }

  it('have a row for each rule but one with a test below, and one that no blob breaks', () => {
    const broken = new Set(rows.map(([{ rule }]) => rule));
    const others = Object.values(FIELD_RULES).filter(({ rule }) => !broken.has(rule));
    expect(others).toEqual([FIELD_RULES.end, FIELD_RULES.owned]);
  });

  it('of a size that no kernel has make the struct one without any', () => {
    const types = [word, opaque('bpf_list_node', 16), struct('s', 16, [at(0, 2)])];
    const { kernel, problems } = checkBtf(btfBlob({ types }).bytes, null);
    expect(kernel).toMatchObject({ errno: 'EFAULT', rule: FIELD_RULES.none.rule });
    expect(problems.map(({ typeId, sentence }) => [typeId, sentence])).toEqual([
      [3, '[3] STRUCT s has no special field of the right size and alignment.'],
    ]);
  });

  it('of a second struct of a name are not looked for', () => {
    // The node's struct is not the first bpf_list_node, so that item is not parsed.
    const types = [
      ...special,
      ...listOf('item:l'),
      opaque('bpf_list_node', 24),
      struct('item', 24, [at(0, NEXT + 2, 'l')]),
    ];
    const { kernel } = checkBtf(btfBlob({ types }).bytes, null);
    expect(kernel).toMatchObject({ errno: 'EFAULT', rule: FIELD_RULES.owned.rule });
  });

  it('are not looked at while another rule is broken', () => {
    const { problems } = checkBtf(
      btfBlob({ types: [...special, struct('s', 8, [at(0, LOCK), at(4, LOCK)]), ptr(999)] }).bytes,
      null,
    );
    expect(problems.map(({ word: w }) => w)).toEqual(['Invalid type_id']);
  });
});
