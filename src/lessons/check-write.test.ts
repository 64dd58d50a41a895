/** Checks how exercises explain the first text of the editor and likely mistakes in typed C. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lessonIds, lessonOf } from '#testing/lesson-files.ts';
import { runs } from '#testing/runs.ts';
import { checkWrite } from './check-write.ts';
import { MAX_WRITTEN, type Question, type WriteAsk } from './lesson.ts';

type Written = Extract<Question, { readonly kind: 'write' }>;

const EXERCISES = lessonIds().flatMap((id) =>
  lessonOf(id).steps.flatMap(({ id: step, question }): [string, Written][] =>
    question?.kind === 'write' ? [[`${id}, ${step}`, question]] : [],
  ),
);

/** For each exercise, the expected explanation of the first text of the editor. */
const STARTS: Readonly<Record<string, string>> = {
  'externs, the-type-must-fit': 'There is no ENUM `libbpf_tristate`.',
  'from-source, a-hole-in-what-is-stored': '`when` is at byte 8; it must be at byte 0.',
  'maps, write-one': 'In `struct flow_key`, behind `port`, is no member; it must be `zero`.',
  'struct-ops, write-a-table': 'There is no STRUCT `tcp_congestion_ops___old`.',
  'vmlinux-h, without-the-header': 'In `struct cred` the first is `usage`; it must be `uid`.',
  'access-strings, from-the-string-back-to-c':
    'The access string of `p->address.v6[3]` is `0:1:1:3`; it must be `0:2:0:3`.',
  'bit-field-relocations, choose-the-shift': '`kind` is at bit 20; it must be at bit 0.',
  'bpf-object, what-a-map-holds':
    '`key` of the type of `last_seen` is `__u32 *`; it must be `struct flow *`.',
  'bpf-object, a-section-of-your-own': '`udp_limit` is in `.data`; it must be in `.data.limits`.',
  'elf-relocations, give-it-a-symbol': '`hits` is static; it must be global.',
  'info-word, set-the-flag-yourself':
    '`low` of `struct half` is no bit-field; it must be a bit-field of 4 bits.',
  'info-word, a-record-of-28-bytes':
    '`typedef compare_t` is `int (*)(const void *)`; it must be `int (*)(const void *, const void *)`.',
  'kinds, linkage-is-a-word-of-c': '`scale` is global; it must be static.',
  'kinds, about-a-member-about-the-whole':
    'There must be the decl tag `protected` on `struct session`.',
  'other-kernel, a-description-that-matches':
    '`uid` of `struct cred___now` is `struct cred *`; it must be `kuid_t`.',
  'reading-c, a-table-of-functions':
    '`handlers` of `struct table` is `int (*)(void *)`; it must be `int (*[4])(void *)`.',
  'split-btf, by-value-or-by-pointer':
    '`list` of `struct watch_rule` is `struct list_head`; it must be `struct list_head *`.',
  'structs, a-member-into-the-hole': '`cpu` is at byte 24; it must be at byte 4.',
  'structs, a-gap-of-your-own': '`speed` is at bit 3; it must be at bit 8.',
  'exercises-btf, a-second-name':
    '`typedef node_ptr` is `struct node`; it must be `struct node *`.',
  'exercises-btf, what-is-constant':
    '`text` of `struct message` is `char * const`; it must be `const char *`.',
  'exercises-btf, a-pointer-to-a-function':
    'Line 2, column 7: compare is a function, and members are values: point at it.',
  'exercises-btf, three-dots':
    '`log` of `struct logger` is `int (*)(const char *)`; it must be `int (*)(const char *, ...)`.',
  'exercises-btf, values-of-an-enum': '`GREEN` is 1; it must be 5.',
  'exercises-btf, below-zero': '`BACK` is 0; it must be -1.',
  'exercises-btf, more-than-32-bits': '`mask` is of kind ENUM; it must be ENUM64.',
  'exercises-btf, only-a-name':
    'The type of `hidden` of `struct user` is of kind STRUCT; it must be FWD.',
  'exercises-btf, a-tag-on-a-member':
    'There must be the decl tag `guarded_by:lock` on `guarded` of `struct tagged`.',
  'exercises-btf, a-tag-in-a-type':
    '`from_user` of `struct request` is `const char *`; it must be `const char __attribute__((btf_type_tag("user"))) *`.',
  'exercises-btf, three-sections': '`limit` is in `.data`; it must be in `.rodata`.',
  'exercises-btf, challenge-a-map': '`protocols` is in `.bss`; it must be in `.maps`.',
  'exercises-core, an-index-not-an-offset':
    'The access string of `task->tgid` is `0:2`; it must be `0:3`.',
  'exercises-core, an-element':
    'The access string of `signal->pids[3]` is `0:1:3`; it must be `0:0:3`.',
  'exercises-core, a-member-without-a-name':
    'The access string of `mm->total_vm` is `0:1`; it must be `0:0:1`.',
  'exercises-core, all-of-it':
    'The access string of `s[1].c[5]` is `1:1:1:5`; it must be `1:2:0:5`.',
  'it-fails, two-names-for-one-thing': 'There is no STRUCT `flow_stats___old`.',
  'exercises-core, a-flavour': 'There is no STRUCT `task_struct___old`.',
  'exercises-core, a-ring-buffer': '`events` is in `.bss`; it must be in `.maps`.',
  'exercises-core, set-by-the-loader': '`only_pid` is in `.bss`; it must be in `.rodata`.',
  'exercises-core, challenge-a-value-of-the-kernel':
    '`LINUX_KERNEL_VERSION` is global; it must be extern.',
  'exercises-layout, order-the-members': '`started` is at byte 8; it must be at byte 0.',
  'exercises-layout, name-the-padding': '`spare` has 1 byte; it must have 7.',
  'exercises-layout, no-padding-at-all': '`started` is at byte 8; it must be at byte 1.',
  'exercises-layout, a-whole-cache-line': '`struct counter` has 16 bytes; it must have 64.',
  'exercises-layout, an-aligned-member': '`tail` is at byte 4; it must be at byte 64.',
  'exercises-layout, bit-fields': '`ihl` has 8 bits; it must have 4.',
  'exercises-layout, to-the-next-word': '`late` is at bit 42; it must be at bit 64.',
  'exercises-layout, one-place-for-two': '`pair` is at byte 16; it must be at byte 8.',
  'exercises-layout, as-many-as-there-are': '`items` has 16 bytes; it must have 0.',
  'exercises-layout, challenge-a-struct-of-the-kernel':
    '`ns` of `struct upid` is `struct pid_namespace`; it must be `struct pid_namespace *`.',
};

describe('the exercises', () => {
  it('have different starts', () => {
    expect(EXERCISES.map(([name]) => name).toSorted()).toEqual(Object.keys(STARTS).toSorted());
  });

  it.each(EXERCISES)('%s: the start is wrong, with an explanation', (name, question) => {
    expect(checkWrite(question, question.start)).toEqual({ isRight: false, why: STARTS[name] });
  });

  it.each(EXERCISES)('%s: the answer is right, and there is a hint', (_, question) => {
    const { isRight, why } = checkWrite(question, question.right);
    expect(isRight, why).toBe(true);
    expect(question.hint.length).toBeGreaterThan(0);
  });
});

/** Likely mistakes: the part of the right text, what is typed in its place, and the explanation. */
const MISTAKES: readonly (readonly [name: string, right: string, typed: string, why: string])[] = [
  ['info-word, set-the-flag-yourself', ' : 28', '', '`high` of `struct half` is no bit-field'],
  ['info-word, set-the-flag-yourself', 'int high', 'int top', 'it must be `high`.'],
  ['info-word, a-record-of-28-bytes', 'const void *right', 'void *right', '(const void *, void *)'],
  ['info-word, a-record-of-28-bytes', ', const void *right', ', ...', '(const void *, ...)'],
  ['kinds, linkage-is-a-word-of-c', '__attribute__((noinline)) ', '', 'There is no FUNC `scale`.'],
  ['kinds, linkage-is-a-word-of-c', 'int run', 'static int run', 'There is no FUNC `run`.'],
  [
    'kinds, about-a-member-about-the-whole',
    'int owner',
    'int owner __tag("protected")',
    'on `owner` of `struct session` is not asked for',
  ],
  ['structs, a-member-into-the-hole', '__u32 cpu', '__u64 cpu', '`cpu` is at byte 8'],
  [
    'structs, a-member-into-the-hole',
    '\n};',
    '\n} __attribute__((packed));',
    '`cpu` is at byte 1; it must be at byte 4.',
  ],
  ['structs, a-gap-of-your-own', '__u32 : 5', '__u32 : 4', '`speed` is at bit 7'],
  ['structs, a-gap-of-your-own', '__u32 : 3', '__u32 : 0', '`duplex` is at byte 4'],
  ['structs, a-gap-of-your-own', 'speed : 5', 'speed : 8', '`speed` has 8 bits'],
  ['access-strings, from-the-string-back-to-c', 'int flags;', '', 'is `0:1:0:3`'],
  ['access-strings, from-the-string-back-to-c', '} address', '}', 'leads nowhere'],
  ['other-kernel, a-description-that-matches', 'kuid_t uid', 'kuid_t *uid', 'is `kuid_t *`'],
  ['bpf-object, what-a-map-holds', 'value, __u64', 'value, __u32', 'it must be `__u64 *`.'],
  ['bpf-object, what-a-map-holds', ' SEC(".maps")', '', 'it must be in `.maps`.'],
  ['bpf-object, a-section-of-your-own', '.data.l', 'data.l', 'it must be in `.data.limits`.'],
  ['split-btf, by-value-or-by-pointer', 'struct list_head *list', 'void *list', 'is `void *`'],
  ['reading-c, a-table-of-functions', '(*handlers[4])', '*handlers[4]', 'Line 2, column 16'],
  ['reading-c, a-table-of-functions', '(*handlers[4])', '(*(*handlers)[4])', 'int (*(*)[4])'],
  ['bit-field-relocations, choose-the-shift', 'kind : 12', 'kind : 20', '`kind` has 20 bits'],
  [
    'externs, the-type-must-fit',
    'enum libbpf_tristate',
    'int',
    'There is no ENUM `libbpf_tristate`.',
  ],
  ['externs, the-type-must-fit', ' __kconfig', '', 'it must be in `.kconfig`'],
  ['from-source, a-hole-in-what-is-stored', '\t__u32 uid;\n', '', 'has no member `uid`.'],
  ['from-source, a-hole-in-what-is-stored', '__u32 uid', '__u64 uid', '`uid` is at byte 16'],
  ['maps, write-one', 'key, struct flow_key', 'key, struct flow_key *', 'is `struct flow_key **`'],
  ['maps, write-one', '\t__u32 zero;\n', '', 'it must be `zero`.'],
  ['maps, write-one', '__type(value, struct counter)', '__type(value, __u64)', 'is `__u64 *`'],
  ['struct-ops, write-a-table', '.struct_ops.link', '.struct_ops', '`grow` is in `.struct_ops`'],
  [
    'vmlinux-h, without-the-header',
    'kuid_t uid;',
    'kuid_t uid;\n\tkuid_t euid;',
    '`euid` of `struct cred` is not asked for',
  ],
  ['vmlinux-h, without-the-header', 'kuid_t uid', 'unsigned int uid', 'it must be `kuid_t`.'],
  ['elf-relocations, give-it-a-symbol', 'int hits', 'extern int hits', '`hits` is extern'],
];

describe('a mistake in an exercise', () => {
  it.each(MISTAKES)('%s: %s as %s', (name, right, typed, why) => {
    const question = new Map(EXERCISES).get(name);
    if (question === undefined) throw new Error('there is no such exercise');
    expect(question.right).toContain(right);
    const answer = checkWrite(question, question.right.replace(right, typed));
    expect(answer.isRight).toBe(false);
    expect(answer.why).toContain(why);
  });
});

function asked(asks: WriteAsk, right: string): Written {
  return { kind: 'write', prompt: [], asks, start: '', hint: [], right };
}

const said = (right: string, typed: string) => checkWrite(asked({ what: 'btf' }, right), typed);

describe('the comparison', () => {
  it('ignores the order of declarations, and in layouts the spelling of types', () => {
    const two = 'struct a { int x; }; struct b { int y; };';
    expect(said(two, 'struct b { int y; }; struct a { int x; };').isRight).toBe(true);
    const layout = asked({ what: 'layout', root: 'struct:s' }, 'struct s { __u32 a; __u64 b; };');
    const typed =
      'struct s { unsigned int a; struct { int c[2]; } b __attribute__((aligned(8))); };';
    expect(checkWrite(layout, typed).isRight).toBe(true);
  });

  it.each([
    ['struct s { int a; };', '', 'There is no STRUCT `s`.'],
    ['struct s { int a; };', 'union s { int a; };', '`s` is of kind UNION; it must be STRUCT.'],
    [
      'struct s { int a; int b; };',
      'struct s { int b; int a; };',
      'In `struct s` the first is `b`; it must be `a`.',
    ],
    [
      'struct s { int a; int b; };',
      'struct s { int a; };',
      'In `struct s`, behind `a`, is no member; it must be `b`.',
    ],
    [
      'struct s { int a; };',
      'struct s { int a; int b; };',
      '`b` of `struct s` is not asked for: remove it.',
    ],
    [
      'struct s { int a : 3; };',
      'struct s { int a : 4; };',
      '`a` of `struct s` is a bit-field of 4 bits; it must be a bit-field of 3 bits.',
    ],
    [
      'struct s { int a : 3; };',
      'struct s { int a; };',
      '`a` of `struct s` is no bit-field; it must be a bit-field of 3 bits.',
    ],
    [
      'struct s { union { int a; unsigned b; }; };',
      'struct s { union { int a; int b; }; };',
      '`b` of the type of a member without a name of `struct s` is `int`; it must be `unsigned int`.',
    ],
    [
      'struct s { int a; } __attribute__((aligned(8)));',
      'struct s { int a; };',
      '`struct s` has 4 bytes; it must have 8.',
    ],
    [
      'enum e { A, B };',
      'enum e { A, C };',
      'Enumerator 1 of `enum e`, counted from 0, is `C`; it must be `B`.',
    ],
    ['enum e { A };', 'enum e { A, B };', '`B` of `enum e` is not asked for: remove it.'],
    [
      'typedef int (*f)(int a);',
      'typedef int (*f)(int a, int b);',
      '`typedef f` is `int (*)(int, int)`; it must be `int (*)(int)`.',
    ],
    [
      'int f(int a) { return a; }',
      'int f(int b) { return b; }',
      'Parameter 1 of `f` has the name `b`; it must have `a`.',
    ],
    ['int a;', 'int a; int b;', '`b` is not asked for: remove it.'],
    ['int a = 1;', 'int a;', '`a` is in `.bss`; it must be in `.data`.'],
    [
      'struct s { int a; };',
      'struct s { int a; } __attribute__((btf_decl_tag("x")));',
      'The decl tag `x` on `struct s` is not asked for: remove it.',
    ],
    ['struct s { int a; };', 'struct s {\n\tint a\n};', 'Line 3, column 1: '],
    ['struct s { int a[2]; };', 'struct s { int a[3]; };', '`int [3]`; it must be `int [2]`.'],
  ])('%s against %s', (right, typed, why) => {
    const answer = said(right, typed);
    expect(answer.isRight).toBe(false);
    expect(answer.why).toContain(why);
  });

  it('ends for types that refer to each other in a circle', () => {
    const list = 'struct a { struct b *b; }; struct b { struct a *a; };';
    expect(said(list, list).isRight).toBe(true);
  });

  it('has a limit of characters, and reports an invalid answer', () => {
    expect(said('int a;', ' '.repeat(MAX_WRITTEN + 1)).why).toContain('more than 20000');
    expect(said('int a', 'int a;').why).toMatch(/^The answer of this step does not compile\./);
    const layout = asked({ what: 'layout', root: 'struct:s' }, 'int a;');
    expect(checkWrite(layout, 'int a;').why).toBe('The answer of this step has no such type.');
    const access = asked(
      { what: 'access', root: 'struct:s', path: 's->b' },
      'struct s { int a; };',
    );
    expect(checkWrite(access, 'struct s { int b; };').why).toMatch(/^The answer of this step/);
  });

  it('takes any text', () => {
    const words = [
      'struct',
      's',
      '{',
      '}',
      ';',
      'int',
      'a',
      '*',
      '(',
      ')',
      '[',
      '2',
      ']',
      ':',
      ',',
    ];
    const c = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((text) => text.join(' '));
    const right = 'struct s { int a; struct s *b; };';
    fc.assert(
      fc.property(fc.oneof(fc.string(), c), (typed) => {
        expect(said(right, typed).why).not.toBe('');
        const layout = asked({ what: 'layout', root: 'struct:s' }, right);
        expect(checkWrite(layout, typed).why).not.toBe('');
      }),
      { numRuns: runs(200) },
    );
  });
});
