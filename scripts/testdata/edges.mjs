// Makes files at the border between readable and rejected: BTF with one odd or wrong part, ELF
// objects with one changed field, archives, compressed files, and others. In the table `accept` and
// `report` are what this project should do, `tools` what other tools did.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BtfStrings, btfBlob, infoOf, KIND, TAIL_SIZES } from '../btf-blob.mjs';
import { readBtf, readElf } from './elf.mjs';
import { bzip2Sync, gzip } from './pack.mjs';
import { attempt, run, sha256Of } from './tools.mjs';

/**
 * Returns a type as `[name, kind, vlen, sizeOrType, words, kindFlag]`. In `words` a text means its
 * string offset.
 */
const int = (name, size = 4, encoding = 1) => [
  name,
  KIND.INT,
  0,
  size,
  [(encoding << 24) | (size * 8)],
];
const ref = (kind, type, name = '') => [name, kind, 0, type, []];
const struct = (name, size, members, kindFlag = 0, kind = KIND.STRUCT) => [
  name,
  kind,
  members.length,
  size,
  members.flat(),
  kindFlag,
];
const array = (type, index, count) => ['', KIND.ARRAY, 0, 0, [type, index, count]];
const proto = (result, ...params) => ['', KIND.FUNC_PROTO, params.length, result, params.flat()];
const func = (name, type, linkage = 1) => [name, KIND.FUNC, linkage, type, []];

/**
 * Returns a BTF blob. Options: `big` (byte order), `header` (length), `layout`, `strings` (bytes),
 * `base` (bytes of the base's strings).
 */
function blob(
  types,
  { big = false, header = 24, layout = null, tail = Buffer.alloc(0), strings, base = 0, edit } = {},
) {
  const table = new BtfStrings(base);
  const word = (value) => (typeof value === 'number' ? value : table.offset(value));
  const records = types.map(([name, kind, vlen, value, rest, flag = 0]) => [
    word(name),
    infoOf(kind, vlen, flag !== 0),
    value,
    ...rest.map(word),
  ]);
  const plain = btfBlob({
    types: records,
    strings: strings ?? table.bytes,
    layout,
    headerLength: header,
    isBig: big,
  });
  const bytes = Buffer.concat([plain, tail]);
  edit?.(bytes, {
    u32: (at, value) =>
      big ? bytes.writeUInt32BE(value >>> 0, at) : bytes.writeUInt32LE(value >>> 0, at),
    typesAt: header,
    stringsAt: header + (big ? bytes.readUInt32BE(16) : bytes.readUInt32LE(16)),
  });
  return bytes;
}

/** Types of every kind. The kernel accepts a blob of these types. */
const ALL = [
  int('int'),
  int('char', 1),
  int('unsigned long', 8, 0),
  ref(KIND.PTR, 1),
  array(2, 1, 16),
  struct('pair', 24, [
    ['a', 1, 0],
    ['b', 3, 64],
    ['c', 4, 128],
  ]),
  struct(
    'bits',
    8,
    [
      ['x', 1, 3 << 24],
      ['y', 1, (5 << 24) | 3],
      ['z', 1, 32],
    ],
    1,
  ),
  struct(
    'either',
    8,
    [
      ['i', 1, 0],
      ['l', 3, 0],
    ],
    0,
    KIND.UNION,
  ),
  ['colour', KIND.ENUM, 2, 4, ['RED', 0, 'BLUE', 5]],
  ['level', KIND.ENUM, 2, 4, ['BELOW', -1, 'ABOVE', 1], 1],
  ref(KIND.FWD, 0, 'hidden'),
  ref(KIND.TYPEDEF, 6, 'pair_t'),
  ref(KIND.VOLATILE, 1),
  ref(KIND.CONST, 13),
  ref(KIND.RESTRICT, 4),
  proto(1, ['first', 4], ['second', 3]),
  func('function', 16, 0),
  ['variable', KIND.VAR, 0, 1, [1]],
  ['.data', KIND.DATASEC, 1, 4, [18, 0, 4]],
  ref(KIND.FLOAT, 8, 'double'),
  ['tag', KIND.DECL_TAG, 0, 6, [0xffffffff]],
  ['tag_of_member', KIND.DECL_TAG, 0, 6, [1]],
  ref(KIND.TYPE_TAG, 1, 'user'),
  ref(KIND.PTR, 23),
  ['wide', KIND.ENUM64, 2, 8, ['LOW', 1, 0, 'HIGH', 0, 0x80000000]],
  ref(KIND.CONST, 0),
  ref(KIND.PTR, 26),
];
const N = ALL.length;
const FUTURE = [
  ['future', 23, 2, 8, [1, 2]],
  int('after', 2),
  ref(KIND.TYPEDEF, N + 1, 'of_future'),
  ['other', 25, 0, 4, []],
  ref(KIND.TYPEDEF, 1, 'last'),
];
const layoutOf = (count, more = {}) =>
  Array.from({ length: count }, (_, kind) => more[kind] ?? TAIL_SIZES[kind] ?? [0, 0]);
const withFuture = (count) => layoutOf(count, { 23: [0, 4], 25: [0, 0] });

const row = (name, what, accept, report, bytes, more = {}) => ({
  name,
  kind: 'btf',
  what,
  accept,
  report,
  bytes,
  ...more,
});

function btfRows() {
  const rows = [];
  for (const big of [false, true]) {
    const end = big ? 'be' : 'le';
    rows.push(
      row(`btf_hdr24_${end}.btf`, 'all 19 kinds', 'ok', [], blob(ALL, { big }), { types: N }),
      row(
        `btf_hdr32_layout_${end}.btf`,
        'a header of 32 bytes with a layout of the 20 known kinds',
        'ok',
        [],
        blob(ALL, { big, header: 32, layout: layoutOf(20) }),
        { types: N },
      ),
      row(
        `btf_layout_future_${end}.btf`,
        'kinds 23 and 25 are unknown, the layout says how long they are',
        'warn',
        [
          '2 types of unknown kinds 23, 25 skipped by the layout',
          'typedefs refer to types of unknown kind',
        ],
        blob([...ALL, ...FUTURE], { big, header: 32, layout: withFuture(28) }),
        { types: N + 5 },
      ),
      row(
        `btf_future_nolayout_${end}.btf`,
        'the same types without a layout',
        'warn',
        [`type [${N + 1}]: unknown kind 23 and no layout, types from there on unreadable`],
        blob([...ALL, ...FUTURE], { big }),
        { types: N, stop_at: N + 1 },
      ),
      row(
        `btf_layout_short_${end}.btf`,
        'the layout has 24 entries: kind 25 is not in it',
        'warn',
        [`type [${N + 4}]: kind 25 outside the layout, types from there on unreadable`],
        blob([...ALL, ...FUTURE], { big, header: 32, layout: withFuture(24) }),
        { types: N + 3, stop_at: N + 4 },
      ),
    );
  }
  const plain = blob(ALL);
  const edited = (edit, options = {}) => blob(ALL, { ...options, edit });
  const warn = (name, what, report, bytes, more) =>
    rows.push(row(name, what, 'warn', report, bytes, more));
  const refuse = (name, what, report, bytes) => rows.push(row(name, what, 'refuse', report, bytes));
  const ok = (name, what, bytes, more) => rows.push(row(name, what, 'ok', [], bytes, more));
  const layout = layoutOf(20);
  warn(
    'btf_layout_flags.btf',
    'layout flags are not zero',
    ['unknown layout flags 0x8001'],
    blob(ALL, { header: 32, layout: layout.map(([a, b], i) => [a, b, i === 3 ? 0x8001 : 0]) }),
    { types: N },
  );
  refuse(
    'btf_layout_len_odd.btf',
    'layout_len is no multiple of 4',
    ['invalid layout section length 77'],
    edited((_b, { u32 }) => u32(28, 77), { header: 32, layout }),
  );
  refuse(
    'btf_layout_overlaps_types.btf',
    'the layout lies inside the types',
    ['layout section overlaps the type section'],
    edited((_b, { u32 }) => u32(24, 8), { header: 32, layout }),
  );
  refuse(
    'btf_layout_past_strings.btf',
    'layout_len runs past the start of the strings',
    ['layout section overlaps the string section'],
    edited((_b, { u32 }) => u32(28, 160), { header: 32, layout }),
  );
  warn(
    'btf_layout_elem_odd.btf',
    'the layout size of kind 23 is 3',
    [
      `type [${N + 1}]: layout size 3 of kind 23 is not a multiple of 4, types from there on unreadable`,
    ],
    blob([...ALL, ...FUTURE], { header: 32, layout: layoutOf(28, { 23: [3, 4] }) }),
    { types: N, stop_at: N + 1 },
  );
  ok(
    'btf_hdr36_zero.btf',
    'a header of 36 bytes, those beyond what is known are zero',
    blob(ALL, { header: 36 }),
    { types: N },
  );
  warn(
    'btf_hdr40_nonzero.btf',
    'a header of 40 bytes, an unknown one is not zero',
    ['unknown header data at offset 36'],
    edited((bytes) => bytes.writeUInt8(7, 36), { header: 40 }),
    { types: N },
  );
  for (const length of [0, 4, 23])
    refuse(
      `btf_hdrlen_${length}.btf`,
      `hdr_len says ${length}`,
      [`header length ${length} too short`],
      edited((_b, { u32 }) => u32(4, length)),
    );
  refuse(
    'btf_magic_9feb.btf',
    'the magic of the other byte order',
    ['big-endian magic but header length 402653184'],
    edited((bytes) => bytes.set([0xeb, 0x9f], 0)),
  );
  refuse(
    'btf_magic_0000.btf',
    'magic 0',
    ['not BTF'],
    edited((bytes) => bytes.set([0, 0], 0)),
  );
  warn(
    'btf_flags1.btf',
    'flags 1',
    ['unknown BTF flags 0x1'],
    edited((bytes) => bytes.set([1], 3)),
    { types: N },
  );
  const many = Array.from({ length: 70000 }, (_, i) => [`m${i % 50}`, 1, 32 * i]);
  ok(
    'btf_struct_vlen65535.btf',
    'a struct of 65,535 members',
    blob([int('int'), struct('large', 4 * 65535, many.slice(0, 65535))]),
    { types: 2 },
  );
  ok(
    'btf_struct_vlen70000.btf',
    'a struct of 70,000 members: vlen of 24 bits',
    blob([int('int'), struct('larger', 4 * 70000, many)]),
    { types: 2 },
  );
  ok(
    'btf_proto_vlen65540.btf',
    'a function of 65,540 arguments',
    blob([int('int'), proto(1, ...Array.from({ length: 65540 }, (_, i) => [`p${i % 40}`, 1]))]),
    { types: 2 },
  );
  ok('btf_no_types.btf', 'no type at all', blob([]), { types: 0 });
  refuse(
    'btf_header_only.btf',
    'a header and nothing else',
    ['empty string section'],
    blob([], { strings: Buffer.alloc(0) }),
  );
  refuse('btf_empty.btf', 'an empty file', ['empty file'], Buffer.alloc(0));
  refuse(
    'btf_strings_first_not_nul.btf',
    'the first byte of the strings is not NUL',
    ['string section does not start with NUL: split BTF without its base?'],
    edited((bytes, { stringsAt }) => bytes.set([0x78], stringsAt)),
  );
  warn(
    'btf_trailing.btf',
    '14 bytes after the strings',
    ['14 bytes after the string section'],
    blob(ALL, { tail: Buffer.from('fourteen bytes') }),
    { types: N },
  );
  refuse(
    'btf_sections_overlap.btf',
    'the strings start inside the types',
    ['type and string sections overlap'],
    edited((bytes, { u32 }) => u32(16, bytes.readUInt32LE(16) - 8)),
  );
  warn(
    'btf_type_len_cut.btf',
    'type_len ends inside the last type',
    [`type [${N}]: runs past the end of the type section`],
    edited((bytes, { u32 }) => u32(12, bytes.readUInt32LE(12) - 4)),
    { types: N - 1, stop_at: N },
  );
  refuse(
    'btf_str_len_past.btf',
    'str_len past the file',
    ['string section past the end of the file'],
    edited((bytes, { u32 }) => u32(20, bytes.readUInt32LE(20) + 100)),
  );
  refuse(
    'btf_offsets_wrap.btf',
    'str_off + str_len wraps in 32 bits',
    ['string section past the end of the file'],
    edited((_b, { u32 }) => u32(16, 0xfffffff0)),
  );
  for (const length of [1, 4, 12, 20, 23])
    refuse(
      `btf_cut_${String(length).padStart(4, '0')}.btf`,
      `btf_hdr24_le.btf cut to ${length} bytes`,
      ['truncated: header incomplete'],
      plain.subarray(0, length),
    );
  for (const length of [24, 30, 36])
    refuse(
      `btf_cut_${String(length).padStart(4, '0')}.btf`,
      `btf_hdr24_le.btf cut to ${length} bytes`,
      ['truncated: sections past the end of the file'],
      plain.subarray(0, length),
    );
  rows.push(...nameRows(), ...cycleRows(), ...oddRows(), ...splitRows());
  return rows;
}

function nameRows() {
  const names = [
    '<b>bold</b>',
    'a\tb\nc',
    'left\u202eright',
    'zero\u200bwidth',
    Buffer.from([0x61, 0xff, 0xfe, 0x62]),
    'x'.repeat(65536),
    '__proto__',
    'constructor',
    'Größe',
    'a b',
    '0start',
    "it's",
    '"quoted"',
    'back\\slash',
  ];
  const types = [int('int')];
  for (const name of names) {
    types.push(
      struct(name, 4, [[name, 1, 0]]),
      [name, KIND.ENUM, 1, 4, [name, 0]],
      ref(KIND.TYPEDEF, 1, name),
      [name, KIND.DECL_TAG, 0, types.length + 1, [0xffffffff]],
    );
  }
  const offsets = blob([
    int('int'),
    struct('first', 4, [['irst', 1, 0]]),
    struct(0x7fffffff, 4, [[0x10000, 1, 0]]),
  ]);
  return [
    row(
      'btf_names.btf',
      'names with markup, control characters, direction overrides, bytes that are no UTF-8, 65,536 characters, and names of JavaScript objects',
      'warn',
      [
        'names that are not C identifiers',
        'bytes that are no UTF-8 shown as escapes',
        'direction and zero-width characters made visible',
      ],
      blob(types),
      { types: types.length },
    ),
    row(
      'btf_name_offsets.btf',
      'two name offsets outside the strings',
      'warn',
      ['type [3]: name offset outside the strings'],
      offsets,
      { types: 3 },
    ),
  ];
}

function cycleRows() {
  const warn = (name, what, report, types) =>
    row(name, what, 'warn', report, blob(types), { types: types.length });
  return [
    warn(
      'btf_cycle_typedef_three_tail.btf',
      'a typedef that leads into a cycle of three',
      ['types [3], [4], [5]: cycle without a pointer'],
      [
        int('int'),
        ref(KIND.TYPEDEF, 3, 'tail'),
        ref(KIND.TYPEDEF, 4, 'a'),
        ref(KIND.TYPEDEF, 5, 'b'),
        ref(KIND.TYPEDEF, 3, 'c'),
      ],
    ),
    warn(
      'btf_cycle_struct_self.btf',
      'a struct that contains itself',
      ['type [2]: contains itself'],
      [int('int'), struct('self', 8, [['me', 2, 0]])],
    ),
    warn(
      'btf_cycle_struct_array.btf',
      'a struct that contains an array of itself',
      ['types [2], [3]: contains itself'],
      [int('int'), struct('self', 8, [['me', 3, 0]]), array(2, 1, 2)],
    ),
    warn(
      'btf_cycle_proto.btf',
      'a function that returns itself and takes itself',
      ['type [2]: function prototype as argument and result'],
      [int('int'), proto(2, ['p', 2])],
    ),
    warn(
      'btf_cycle_anon_union.btf',
      'anonymous members that contain each other',
      ['types [2], [3]: contain each other'],
      [int('int'), struct('', 8, [['', 3, 0]], 0, KIND.UNION), struct('', 8, [['', 2, 0]])],
    ),
    warn(
      'btf_dangling.btf',
      'ids past the end in every place that has one',
      ['10 references to types that do not exist'],
      [
        int('int'),
        ref(KIND.PTR, 90),
        array(91, 92, 1),
        struct('s', 4, [['m', 93, 0]]),
        ref(KIND.TYPEDEF, 94, 't'),
        func('f', 95),
        proto(96, ['p', 97]),
        ['v', KIND.VAR, 0, 98, [1]],
        ['.bss', KIND.DATASEC, 1, 4, [99, 0, 4]],
        ['t', KIND.DECL_TAG, 0, 100, [0xffffffff]],
      ],
    ),
    warn(
      'btf_void_places.btf',
      'void where no void can be',
      ['type [2]: array of void', 'type [3] member 0: void'],
      [int('int'), array(0, 1, 3), struct('s', 4, [['m', 0, 0]]), ['v', KIND.VAR, 0, 0, [1]]],
    ),
    warn(
      'btf_huge_array.btf',
      'arrays whose sizes pass 32 and 64 bits',
      ['sizes past 2^32'],
      [int('int'), array(1, 1, 0xffffffff), array(2, 1, 0xffffffff), array(3, 1, 0xffffffff)],
    ),
  ];
}

function oddRows() {
  const warn = (name, what, report, types) =>
    row(name, what, 'warn', report, blob(types), { types: types.length });
  const ok = (name, what, types) => row(name, what, 'ok', [], blob(types), { types: types.length });
  const chain = (count, kind) => [
    int('int'),
    ...Array.from({ length: count }, (_, i) =>
      ref(kind, i + 1, kind === KIND.TYPEDEF ? `t${i}` : ''),
    ),
  ];
  return [
    warn(
      'btf_bits_odd.btf',
      'bit-fields wider than their type, overlapping, past the end, of a struct',
      ['member 0: wider than its type', 'members overlap'],
      [
        int('int'),
        int('char', 1),
        struct(
          'odd',
          4,
          [
            ['wide', 2, 20 << 24],
            ['over', 1, (9 << 24) | 4],
            ['past', 1, (30 << 24) | 20],
            ['of_struct', 4, 3 << 24],
          ],
          1,
        ),
        struct('inner', 4, [['m', 1, 5]]),
      ],
    ),
    warn(
      'btf_enum_odd.btf',
      'an enum of 3 bytes, values that do not fit, a name twice',
      ['enum size 3'],
      [int('int'), ['e', KIND.ENUM, 2, 3, ['A', 1, 'A', 2]], ['f', KIND.ENUM, 1, 1, ['BIG', 1000]]],
    ),
    warn(
      'btf_linkage.btf',
      'unknown linkage of a function and a variable, a function whose type is none',
      ['type [3]: unknown linkage'],
      [int('int'), proto(0), func('f', 2, 9), ['v', KIND.VAR, 0, 1, [77]], func('g', 1)],
    ),
    warn(
      'btf_modifier_names.btf',
      'a pointer with a name, an int and a typedef without',
      ['names that are not wanted'],
      [int('int'), ref(KIND.PTR, 1, 'named'), int(''), ref(KIND.TYPEDEF, 1, '')],
    ),
    ok('btf_deep_typedef.btf', 'a chain of 5,000 typedefs', chain(5000, KIND.TYPEDEF)),
    ok('btf_deep_struct.btf', '3,000 structs, each in the next', [
      int('int'),
      ...Array.from({ length: 3000 }, (_, i) => struct(`s${i}`, 4, [['in', i + 1, 0]])),
    ]),
    ok('btf_deep_array.btf', 'an array of 2,000 dimensions of one element', [
      int('int'),
      ...Array.from({ length: 2000 }, (_, i) => array(i + 1, 1, 1)),
    ]),
    warn(
      'btf_kind0.btf',
      'kind 0 among the types',
      ['type [2]: kind 0'],
      [int('int'), ['', 0, 0, 0, []], int('char', 1)],
    ),
  ];
}

function splitRows() {
  const base = [
    int('int'),
    struct('base_struct', 4, [['m', 1, 0]]),
    ref(KIND.PTR, 2),
    ref(KIND.TYPEDEF, 1, 'base_t'),
    int('long', 8),
    ref(KIND.PTR, 1),
  ];
  const baseBytes = blob(base);
  const stringsOf = (bytes) => readBtf(bytes).strings.length;
  const length = stringsOf(baseBytes);
  const module = [
    struct('own', 8, [['link', 3, 0]]),
    ref(KIND.PTR, 7),
    ref(KIND.TYPEDEF, 4, 'own_t'),
    array(2, 1, 4),
    func('own_function', 12),
    proto(1, ['p', 7]),
  ];
  const moduleBytes = blob(module, { base: length });
  const second = blob(
    [
      struct('on_top', 16, [
        ['a', 7, 0],
        ['b', 2, 64],
      ]),
    ],
    { base: length + moduleBytes.readUInt32LE(20) },
  );
  const more = (types, base_, first) => ({ types, base: base_, first_id: first });
  const report = ['refers to a base BTF that is not loaded'];
  return [
    row('split_base.btf', 'base of the split examples', 'ok', [], baseBytes, { types: 6 }),
    row(
      'split_module.btf',
      'split BTF: ids start at 7, strings continue those of split_base.btf',
      'warn',
      report,
      moduleBytes,
      more(6, 'split_base.btf', 7),
    ),
    row(
      'split_of_split.btf',
      'a second split on top of split_module.btf',
      'warn',
      report,
      second,
      more(1, 'split_module.btf', 13),
    ),
    row(
      'split_wrong_base.btf',
      'the same split bytes; opened over btf_hdr24_le.btf its ids and strings mean other things',
      'warn',
      ['no way to tell for sure: say which base is in use'],
      moduleBytes,
      { base: 'btf_hdr24_le.btf' },
    ),
    row(
      'split_no_strings.btf',
      'split BTF with an empty string section: all names are in the base',
      'ok',
      [],
      blob([ref(KIND.TYPEDEF, 2, 5)], { base: length, strings: Buffer.alloc(0) }),
      more(1, 'split_base.btf', 7),
    ),
  ];
}

/** Returns objects with one change each, made from src/programs/edge.c by clang. */
function elfRows(work) {
  const whole = readFileSync(join(work, 'edge/elf_small.o'));
  const elf = readElf(whole);
  const types = readBtf(elf.section('.BTF').data).types.length;
  const strings = readBtf(elf.section('.BTF').data);
  const stringAt = (text) => strings.strings.indexOf(Buffer.from(`${text}\0`));
  const ext = elf.section('.BTF.ext');
  const u32 = (at) => whole.readUInt32LE(at);
  const header = ext.offset + u32(ext.offset + 4);
  const [func, line, core] = [8, 16, 24].map((at) => header + u32(ext.offset + at));
  const code = elf.section('tc');
  const rows = [];
  const add = (name, accept, what, report, edit, more = { types }) => {
    const bytes = Buffer.from(whole);
    const changed = edit(bytes) ?? bytes;
    rows.push({ name, kind: 'elf', what, accept, report, bytes: changed, ...more });
  };
  const put = (at, value) => (bytes) => {
    bytes.writeUInt32LE(value >>> 0, at);
  };
  const warn = (name, what, report, edit, more) =>
    add(name, 'warn', what, [report].flat(), edit, more);
  add('elf_small.o', 'ok', 'an object with records of all three sorts', [], () => undefined);
  add('elf_rebuilt.o', 'ok', 'the same object', [], () => undefined);
  warn(
    'elf_ext_magic.o',
    '.BTF.ext with a wrong magic',
    '.BTF.ext: bad magic',
    put(ext.offset, 0x01001234),
  );
  add('elf_ext_hdr24.o', 'ok', '.BTF.ext with a header of 24 bytes', [], (bytes) => {
    const data = Buffer.concat([
      ext.data.subarray(0, 24),
      ext.data.subarray(32, 32 + u32(ext.offset + 24)),
    ]);
    data.writeUInt32LE(24, 4);
    data.copy(bytes, ext.offset);
    bytes.writeBigUInt64LE(BigInt(data.length), ext.at + 32);
    // Without relocations: they would be at offsets that no longer exist or are 8 bytes too large.
    const rel = elf.section('.rel.BTF.ext');
    if (rel !== null) bytes.writeBigUInt64LE(0n, rel.at + 32);
  });
  for (const [part, at, sizes] of [
    ['func', func, [0, 7]],
    ['line', line, [0, 9]],
    ['core', core, [0, 7, 9]],
  ]) {
    const name = part === 'core' ? 'core_info' : `${part}_info`;
    for (const size of sizes)
      warn(
        `elf_ext_${part}_recsize${size}.o`,
        `${name} record size ${size}`,
        `.BTF.ext: bad ${name} record size ${size}`,
        put(at, size),
      );
    warn(
      `elf_ext_${part}_num_huge.o`,
      `${name} says 4294967295 records`,
      `.BTF.ext: ${name} records past the end`,
      put(at + 8, 0xffffffff),
    );
    if (part !== 'line')
      warn(
        `elf_ext_${part}_num0.o`,
        `${name} section of 0 records`,
        `.BTF.ext: ${name} section without records`,
        put(at + 8, 0),
      );
  }
  warn(
    'elf_ext_line_len_huge.o',
    'core_relo_off past the section',
    '.BTF.ext: line_info past the end',
    put(ext.offset + 24, 0x7ffffff0),
  );
  warn(
    'elf_ext_core_secname_oob.o',
    'core_info section name outside the strings',
    '.BTF.ext: core_info section name outside the strings',
    put(core + 4, 0x7fffffff),
  );
  for (const kind of [13, 255, 0xffffffff])
    warn(
      `elf_ext_core_kind${kind}.o`,
      `first CO-RE record of kind ${kind}`,
      `CO-RE record 0: unknown kind ${kind}`,
      put(core + 24, kind),
    );
  for (const [name, value] of [
    ['odd', 3],
    ['past', 1048576],
    ['neg', 4294967288],
  ])
    warn(
      `elf_ext_core_insn_${name}.o`,
      `first CO-RE record at instruction offset ${value}`,
      'CO-RE record 0: no such instruction',
      put(core + 12, value),
    );
  for (const [name, value] of [
    ['void', 0],
    ['oob', 9999],
  ])
    warn(
      `elf_ext_core_type_${name}.o`,
      `first CO-RE record with root type ${value}`,
      'CO-RE record 0: root type does not fit',
      put(core + 16, value),
    );
  warn(
    'elf_ext_core_str_oob.o',
    'access string outside the strings',
    'CO-RE record 0: access string outside the strings',
    put(core + 20, 0x7fffffff),
  );
  for (const [name, text] of [
    ['01', '0:'],
    ['02', ':0'],
    ['03', '0:a'],
    ['06', '0:99'],
    ['07', '0:0:0'],
    ['13', '0::1'],
    ['15', '18446744073709551616'],
  ]) {
    warn(
      `elf_core_access_${name}.o`,
      `access string '${text}'`,
      `CO-RE record 0: access string '${text}' does not parse or does not fit`,
      put(core + 20, stringAt(text)),
    );
  }
  warn(
    'elf_ext_line_unsorted.o',
    'line records in falling order',
    'line records not sorted',
    (bytes) => {
      const [first, last] = [line + 12, line + 12 + 16 * (u32(line + 8) - 1)];
      const kept = Buffer.from(bytes.subarray(first, first + 16));
      bytes.copy(bytes, first, last, last + 16);
      kept.copy(bytes, last);
    },
  );
  warn(
    'elf_ext_func_type_int.o',
    'function record whose type is not a FUNC',
    'function record 0: type is not a FUNC',
    put(func + 16, strings.types.find(({ kind }) => kind === KIND.INT).id),
  );
  warn(
    'elf_ext_func_type_oob.o',
    'function record with a type that does not exist',
    'function record 0: no such type',
    put(func + 16, 9999),
  );
  warn(
    'elf_text_half_imm64.o',
    'code ends with the first half of a 64-bit load',
    'tc: 64-bit load cut at the end',
    (bytes) => {
      bytes.set([0x18, 0, 0, 0, 0, 0, 0, 0], code.offset + code.size - 8);
    },
  );
  warn(
    'elf_text_all_opcodes.o',
    'one instruction of each of the 256 opcodes',
    'unknown opcodes',
    (bytes) => {
      const text = elf.section('many');
      for (let op = 0; op < 256; op++) bytes.set([op, 0, 0, 0, 0, 0, 0, 0], text.offset + 8 * op);
    },
  );
  warn(
    'elf_text_jumps_out.o',
    'jumps before the start, past the end and into the middle of a 64-bit load',
    ['jump targets outside', 'jump into a 64-bit load'],
    (bytes) => {
      const { offset } = elf.section('many');
      const insns = [
        [5, 0, 0xf0, 0xff],
        [5, 0, 0xff, 0x7f],
        [5, 0, 1, 0],
        [0x18, 0, 0, 0],
        [0, 0, 0, 0],
      ];
      for (const [i, insn] of insns.entries()) bytes.set([...insn, 0, 0, 0, 0], offset + 8 * i);
    },
  );
  warn('elf_text_regs.o', 'register numbers 11 to 15', 'registers that do not exist', (bytes) => {
    const { offset } = elf.section('many');
    for (const [i, register] of [0xb, 0xc, 0xf].entries()) {
      bytes.set([0xbf, (register << 4) | register, 0, 0, 0, 0, 0, 0], offset + 8 * i);
    }
  });
  for (const value of [0, 3])
    add(
      `elf_class${value}.o`,
      'refuse',
      `EI_CLASS ${value}`,
      [`unknown ELF class ${value}`],
      (bytes) => {
        bytes[4] = value;
      },
      {},
    );
  add(
    'elf_class1_lie.o',
    'refuse',
    'EI_CLASS says 32-bit, the file is 64-bit',
    ['section headers make no sense'],
    (bytes) => {
      bytes[4] = 1;
    },
    {},
  );
  add(
    'elf_data0.o',
    'refuse',
    'EI_DATA 0',
    ['unknown byte order 0'],
    (bytes) => {
      bytes[5] = 0;
    },
    {},
  );
  add(
    'elf_data_lie.o',
    'refuse',
    'EI_DATA says big-endian, the file is little-endian',
    ['section headers make no sense'],
    (bytes) => {
      bytes[5] = 2;
    },
    {},
  );
  warn('elf_version9.o', 'EI_VERSION 9', 'unknown ELF version', (bytes) => {
    bytes[6] = 9;
  });
  add('elf_osabi99.o', 'ok', 'EI_OSABI 99', [], (bytes) => {
    bytes[7] = 99;
  });
  warn(
    'elf_machine0.o',
    'e_machine 0 (old clang wrote this)',
    'machine is none, code reads as BPF?',
    (bytes) => {
      bytes.writeUInt16LE(0, 18);
    },
  );
  warn('elf_machine_unknown.o', 'e_machine 0xabcd', 'unknown machine 43981', (bytes) => {
    bytes.writeUInt16LE(0xabcd, 18);
  });
  warn('elf_type_exec.o', 'e_type ET_EXEC', 'not a relocatable file', (bytes) => {
    bytes.writeUInt16LE(2, 16);
  });
  warn('elf_type_core.o', 'e_type ET_CORE', 'a core dump', (bytes) => {
    bytes.writeUInt16LE(4, 16);
  });
  warn(
    'elf_shoff_past.o',
    'e_shoff past the end',
    'section header table past the end of the file',
    (bytes) => {
      bytes.writeBigUInt64LE(0x100000n, 0x28);
    },
    {},
  );
  for (const size of [3, 4, 5, 15, 16, 58, 63]) {
    const report = size === 3 ? 'not ELF' : 'ELF header truncated';
    add(
      `elf_cut_${String(size).padStart(5, '0')}.o`,
      'refuse',
      `elf_small.o cut to ${size} bytes`,
      [report],
      () => whole.subarray(0, size),
      {},
    );
  }
  for (const size of [64, 65, 500, whole.length - 100]) {
    add(
      `elf_cut_${String(size).padStart(5, '0')}.o`,
      'warn',
      `elf_small.o cut to ${size} bytes`,
      ['section header table past the end of the file'],
      () => whole.subarray(0, size),
      {},
    );
  }
  return rows;
}

/** Returns native objects of other machines, and an object with 20,000 relocations. */
function compiledRows(work) {
  const rows = [];
  const targets = {
    x86_64: 'x86_64-linux-gnu',
    armv7: 'armv7-linux-gnueabihf',
    riscv64: 'riscv64-linux-gnu',
    s390x: 's390x-linux-gnu',
    powerpc64le: 'powerpc64le-linux-gnu',
    powerpc: 'powerpc-linux-gnu',
    mips: 'mips-linux-gnu',
    loongarch64: 'loongarch64-linux-gnu',
    sparcv9: 'sparcv9-linux-gnu',
  };
  for (const [name, target] of Object.entries(targets)) {
    const file = `edge/native_${name}.o`;
    const command = [
      'clang-19',
      `--target=${target}`,
      '-ffreestanding',
      '-g',
      '-O1',
      '-w',
      '-fdebug-compilation-dir=.',
      '-c',
      'src/programs/native.c',
      '-o',
      file,
    ];
    run(command, { cwd: work });
    rows.push({
      name: `native_${name}.o`,
      kind: 'elf',
      what: `native object for ${target} with DWARF`,
      accept: 'ok',
      report: ['not BPF: sections, symbols and relocations only', 'no BTF'],
      types: 0,
      bytes: readFileSync(join(work, file)),
      command: command.join(' '),
    });
  }
  const many = [
    'clang-19',
    '--target=bpfel',
    '-g',
    '-O2',
    '-w',
    '-fdebug-compilation-dir=.',
    '-c',
    'src/programs/many_relocations.c',
    '-o',
    'edge/elf_rel_many.o',
  ];
  run(many, { cwd: work });
  const bytes = readFileSync(join(work, 'edge/elf_rel_many.o'));
  const types = readBtf(readElf(bytes).section('.BTF').data).types.length;
  rows.push({
    name: 'elf_rel_many.o',
    kind: 'elf',
    what: '20,000 relocations on one section',
    accept: 'ok',
    report: ['20000 relocations'],
    types,
    bytes,
    command: many.join(' '),
  });
  return rows;
}

/** Returns archives, compressed files, and files of other kinds. */
function wrappedRows(work) {
  const object = readFileSync(join(work, 'edge/elf_small.o'));
  const types = readBtf(readElf(object).section('.BTF').data).types.length;
  const rows = [];
  const make = (name, command) => {
    run(command, { cwd: join(work, 'edge') });
    return { bytes: readFileSync(join(work, 'edge', name)), command: command.join(' ') };
  };
  const archive = (name, accept, what, report, made, more = {}) =>
    rows.push({ name, kind: 'archive', what, accept, report, ...made, ...more });
  for (const [from, to] of [
    ['elf_small.o', 'a.o'],
    ['elf_small.o', 'a_member_with_a_long_name.o'],
    ['native_armv7.o', 'b.o'],
  ]) {
    writeFileSync(join(work, 'edge', to), readFileSync(join(work, 'edge', from)));
  }
  const gnu = make('archive_gnu.a', [
    'llvm-ar-19',
    '--format=gnu',
    'rcSD',
    'archive_gnu.a',
    'a.o',
    'a_member_with_a_long_name.o',
    'b.o',
  ]);
  archive(
    'archive_gnu.a',
    'ok',
    'ar archive (GNU) of three objects, one with a long name',
    ['3 members'],
    gnu,
    { members: ['a.o', 'a_member_with_a_long_name.o', 'b.o'] },
  );
  archive(
    'archive_llvm_symtab.a',
    'ok',
    'archive with a symbol index',
    ['2 members'],
    make('archive_llvm_symtab.a', ['llvm-ar-19', 'rcsD', 'archive_llvm_symtab.a', 'a.o', 'b.o']),
    { members: ['a.o', 'b.o'] },
  );
  archive('archive_empty.a', 'warn', 'archive with no member', ['no members'], {
    bytes: Buffer.from('!<arch>\n'),
  });
  const bad = Buffer.from(gnu.bytes);
  bad.write('999999999 ', bad.lastIndexOf('b.o/') + 48, 'latin1');
  archive('archive_bad_size.a', 'warn', 'member size past the end', ['member runs past the end'], {
    bytes: bad,
  });
  archive(
    'archive_thin.a',
    'refuse',
    'thin archive: members are other files',
    ['thin archive: members not inside'],
    make('archive_thin.a', ['llvm-ar-19', '--thin', 'rcSD', 'archive_thin.a', 'a.o']),
  );
  const packs = (name, accept, what, report, bytes, command, more = { types }) =>
    rows.push({ name, kind: 'compressed', what, accept, report, bytes, command, ...more });
  const zipped = gzip(object);
  packs('compressed.o.gz', 'ok', 'gzip', ['compressed (gz)'], zipped, 'gzip -n9');
  packs(
    'compressed_two_members.o.gz',
    'ok',
    'gzip in two members',
    ['compressed (gz)'],
    Buffer.concat([gzip(object.subarray(0, 1000)), gzip(object.subarray(1000))]),
    'gzip -n9, twice',
  );
  const wrong = Buffer.from(zipped);
  wrong[wrong.length - 8] ^= 0xff;
  packs(
    'compressed_crc.o.gz',
    'warn',
    'gzip with a wrong checksum',
    ['checksum of the compressed data is wrong'],
    wrong,
    'gzip -n9',
    {},
  );
  packs(
    'compressed_cut.o.gz',
    'warn',
    'gzip stream cut',
    ['compressed data truncated'],
    zipped.subarray(0, zipped.length >> 1),
    'gzip -n9',
    {},
  );
  const filter = (command) => run(command, { input: object, binary: true });
  const xz = filter(['xz', '-c', '--check=crc64']);
  packs('compressed.o.xz', 'ok', 'xz', ['compressed (xz)'], xz, 'xz -c --check=crc64');
  packs(
    'compressed_cut.o.xz',
    'warn',
    'xz stream cut',
    ['compressed data truncated'],
    xz.subarray(0, xz.length >> 1),
    'xz -c --check=crc64',
    {},
  );
  packs(
    'compressed.o.lzma',
    'ok',
    'lzma',
    ['compressed (lzma)'],
    filter(['xz', '-c', '--format=lzma']),
    'xz -c --format=lzma',
  );
  packs('compressed.o.bz2', 'ok', 'bzip2', ['compressed (bz2)'], bzip2Sync(object), 'bzip2 -c');
  packs(
    'compressed.o.zst',
    'ok',
    'zstd',
    ['compressed (zst)'],
    run(['zstd', '-q', '-c', join(work, 'edge/elf_small.o')], { binary: true }),
    'zstd -c',
  );
  packs(
    'compressed_nosize.o.zst',
    'ok',
    'zstd from a pipe: no content size, no checksum',
    ['compressed (zst)'],
    filter(['zstd', '-q', '-c', '--no-check']),
    'zstd -c --no-check',
  );
  const other = (name, what, content) =>
    rows.push({
      name,
      kind: 'other',
      what,
      accept: 'refuse',
      report: ['not a file this reader knows'],
      bytes: Buffer.from(content),
    });
  other('not_text.txt', 'plain text', 'This is a text, not an object.\n');
  other('not_html.html', 'a web page', '<!doctype html><title>page</title>\n');
  other('not_macho.bin', 'a Mach-O file', [
    0xcf,
    0xfa,
    0xed,
    0xfe,
    7,
    0,
    0,
    1,
    ...Array(60).fill(0),
  ]);
  other('not_wasm.wasm', 'a WebAssembly module', [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  other(
    'not_bom_elf.o',
    'a UTF-8 byte order mark before an object',
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), object.subarray(0, 200)]),
  );
  other('not_base64.txt', 'an object in base64', object.subarray(0, 300).toString('base64'));
  other('not_json.json', 'JSON', '{"kind": "no object"}\n');
  return rows;
}

/** Writes all files and their table, with the results of bpftool and the kernel. */
export function writeEdges(work, output, askKernel) {
  mkdirSync(join(work, 'edge'), { recursive: true });
  const small = [
    'clang-19',
    '--target=bpfel',
    '-mcpu=v3',
    '-g',
    '-O2',
    '-w',
    '-Isrc/samples/include',
    '-fdebug-compilation-dir=.',
    '-c',
    'src/programs/edge.c',
    '-o',
    'edge/elf_small.o',
  ];
  run(small, { cwd: work });
  run(['llvm-strip-19', '-g', 'edge/elf_small.o'], { cwd: work });
  const rows = [...btfRows(), ...elfRows(work), ...compiledRows(work), ...wrappedRows(work)];
  const table = rows.map(({ bytes, command, ...row_ }) => {
    const place = join(work, 'edge', row_.name);
    writeFileSync(place, bytes);
    const how =
      command ??
      (row_.kind === 'elf' ? `${small.join(' ')}; edges.mjs` : 'scripts/testdata/edges.mjs');
    const file = output.writePacked(`edge/${row_.name}`, bytes, how);
    const golden = goldenOf(work, output, row_, rows);
    const tools =
      row_.kind === 'btf' && !row_.base && bytes.length > 0 && bytes.length < 200_000
        ? { 'kernel_6.18': askKernel(place) }
        : {};
    return { ...row_, file, ...golden, tools, size: bytes.length, sha256: sha256Of(bytes) };
  });
  output.writeRows('edge/edge.jsonl', table, 'scripts/testdata/edges.mjs');
  return table.length;
}

/** Writes bpftool's output for accepted BTF; returns the fields of the table about it. */
function goldenOf(work, output, { name, kind, accept, base }, rows) {
  if (kind !== 'btf' || accept === 'refuse') return {};
  // bpftool cannot read a base that has a base itself.
  if (base && rows.find((other) => other.name === base)?.base) return {};
  const words = [
    'bpftool',
    ...(base ? ['-B', join(work, 'edge', base)] : []),
    'btf',
    'dump',
    'file',
    join(work, 'edge', name),
    'format',
    'raw',
  ];
  if (base) {
    // The base is written already: it precedes this file in the list.
  }
  const { status, stdout } = attempt(words, { binary: true });
  if (status !== 0 || stdout.length > 200_000) return {};
  const golden = base
    ? `edge/goldens/${name.replace(/\.btf$/, '')}.raw.txt`
    : `edge/goldens/${name}.raw.txt`;
  output.write(
    golden,
    stdout,
    `bpftool${base ? ` -B edge/${base}` : ''} btf dump file edge/${name} format raw`,
  );
  return base ? {} : { golden_raw: golden, golden_tool: 'bpftool 7.1.0' };
}
