// Makes random C types, changed copies of them, and programs that access them by CO-RE. The same
// seed gives the same text. Used for the random cases and for the fillers of the small kernels.

/** Returns a generator of random numbers from 0 to 1 by seed (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const INTS = [
  ...['signed char', 'unsigned char', 'short', 'unsigned short', 'int', 'unsigned int'],
  ...['long', 'unsigned long', 'long long', 'unsigned long long', '_Bool'],
];
const BITS = {
  int: 32,
  'unsigned int': 32,
  short: 16,
  'unsigned long long': 64,
  'unsigned char': 8,
};
const WORDS = [
  ...['state', 'count', 'flags', 'owner', 'next', 'prev', 'len', 'data', 'node', 'lock', 'id'],
  ...['type', 'size', 'ops', 'parent', 'child', 'time', 'mask', 'index', 'head', 'tail', 'key'],
];

class Maker {
  constructor(seed) {
    this.random = randomOf(seed);
    this.serial = 0;
  }

  below(n) {
    return Math.floor(this.random() * n);
  }

  chance(p) {
    return this.random() < p;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  word() {
    return `${this.pick(WORDS)}${this.serial++}`;
  }

  /** Returns a random type. `known` are the structs that it may contain by value. */
  type(known, enums, depth = 0) {
    const roll = this.random();
    if (roll < 0.42) return { k: 'int', c: this.pick(INTS) };
    if (roll < 0.58) {
      const to = known.length > 0 && this.chance(0.6) ? `struct ${this.pick(known)}` : 'void';
      return { k: 'ptr', to, isConst: this.chance(0.2) };
    }
    if (roll < 0.7) {
      return { k: 'arr', n: 1 + this.below(5), of: this.type(known, enums, depth + 1) };
    }
    if (roll < 0.78 && enums.length > 0) return { k: 'enum', name: this.pick(enums) };
    if (roll < 0.88 && known.length > 0) return { k: 'struct', name: this.pick(known) };
    if (roll < 0.93) return { k: 'fn' };
    if (depth > 2) return { k: 'int', c: 'int' };
    return this.anonymous(known, enums, depth);
  }

  anonymous(known, enums, depth) {
    const tag = this.chance(0.4) ? 'union' : 'struct';
    const members = this.members(2 + this.below(3), known, enums, depth + 1);
    return { k: 'anon', tag, members };
  }

  members(count, known, enums, depth = 0) {
    return Array.from({ length: count }, () => {
      if (this.chance(0.14)) {
        const c = this.pick(Object.keys(BITS));
        return { name: this.word(), type: { k: 'int', c }, bits: 1 + this.below(BITS[c]) };
      }
      if (depth < 2 && this.chance(0.12)) {
        return { name: '', type: this.anonymous(known, enums, depth) };
      }
      return { name: this.word(), type: this.type(known, enums, depth) };
    });
  }
}

/** Returns random types: enums, and structs that may contain earlier structs. */
export function randomModel(seed, { structs = 5, enums = 3, prefix = '' } = {}) {
  const maker = new Maker(seed);
  const enumList = Array.from({ length: enums }, (_, i) => {
    const name = `${prefix}enum_${i}`;
    const start = maker.chance(0.3) ? -maker.below(10) : maker.below(5);
    const values = Array.from({ length: 2 + maker.below(4) }, (__, j) => ({
      name: `${name}_value_${j}`.toUpperCase(),
      value: start + j * (1 + maker.below(3)),
    }));
    return { name, values };
  });
  const list = [];
  for (let i = 0; i < structs; i++) {
    const known = list.filter(({ tag }) => tag === 'struct').map(({ name }) => name);
    const tag = maker.chance(0.15) ? 'union' : 'struct';
    const members = maker.members(
      3 + maker.below(6),
      known,
      enumList.map(({ name }) => name),
    );
    list.push({ tag, name: `${prefix}${maker.pick(WORDS)}_${i}`, members });
  }
  return { enums: enumList, structs: list };
}

function declare(type, name) {
  switch (type.k) {
    case 'int':
      return `${type.c} ${name}`;
    case 'ptr':
      return `${type.isConst ? 'const ' : ''}${type.to} *${name}`;
    case 'arr':
      return declare(type.of, `${name}[${type.n}]`);
    case 'enum':
      return `enum ${type.name} ${name}`;
    case 'struct':
      return `struct ${type.name} ${name}`;
    case 'fn':
      return `int (*${name})(void *, int)`;
    default:
      return `${type.tag} {\n${membersText(type.members)}} ${name}`;
  }
}

function membersText(members) {
  return members
    .map(({ name, type, bits }) => {
      // For an array of function pointers the brackets belong directly after the name.
      const arrayOfFn = type.k === 'arr' && type.of.k === 'fn';
      if (arrayOfFn) return `int (*${name}[${type.n}])(void *, int);\n`;
      const nested = type.k === 'arr' && type.of.k === 'arr' && type.of.of.k === 'fn';
      if (nested) return `int (*${name}[${type.n}][${type.of.n}])(void *, int);\n`;
      return `${declare(type, name).trimEnd()}${bits ? ` : ${bits}` : ''};\n`;
    })
    .join('');
}

/** Returns the C declarations, with `attribute` after each struct. */
export function modelText({ enums, structs }, attribute = '') {
  const enumTexts = enums.map(
    ({ name, values }) =>
      `enum ${name} { ${values.map((v) => `${v.name} = ${v.value}${typeof v.value === 'bigint' ? 'LL' : ''}`).join(', ')} };\n`,
  );
  const structTexts = structs.map(
    ({ tag, name, members }) => `${tag} ${name} {\n${membersText(members)}}${attribute};\n`,
  );
  return [...enumTexts, ...structTexts].join('');
}

/** Returns variables of all types, because compilers leave out unused types. */
export function variablesText({ enums, structs }) {
  return [
    ...enums.map(({ name }, i) => `enum ${name} enum_variable_${i};\n`),
    ...structs.map(({ tag, name }, i) => `${tag} ${name} variable_${i};\n`),
  ].join('');
}

/** Changes a copy of the types `count` times; returns it with a description of each change. */
export function mutated(model, seed, count) {
  const maker = new Maker(seed);
  maker.serial = 1000;
  const copy = structuredClone(model);
  const words = [];
  for (let i = 0; i < count; i++) words.push(mutateOnce(copy, maker, i));
  return { model: copy, words };
}

function mutateOnce({ enums, structs }, maker, i) {
  const struct = maker.pick(structs);
  const member = maker.pick(struct.members);
  const at = struct.members.indexOf(member);
  const where = `${struct.name}.${member.name || '(anonymous)'}`;
  const { values, name: enumName } = maker.pick(enums);
  const value = maker.pick(values);
  switch (maker.below(14)) {
    case 0:
      if (member.name === '') break;
      member.name = `${member.name}_renamed`;
      return `${where} renamed`;
    case 1:
      if (struct.members.length < 2) break;
      struct.members.splice(at, 1);
      return `${where} removed`;
    case 2:
      struct.members.splice(at, 0, {
        name: `pad${i}`,
        type: { k: 'arr', n: 3 + maker.below(40), of: { k: 'int', c: 'char' } },
      });
      return `bytes before ${where}`;
    case 3:
      if (member.type.k !== 'int' || member.bits) break;
      member.type.c = maker.pick(INTS);
      return `${where} is now ${member.type.c}`;
    case 4:
      if (member.name === '') break;
      struct.members[at] = {
        name: '',
        type: {
          k: 'anon',
          tag: 'struct',
          members: [member, { name: `beside${i}`, type: { k: 'int', c: 'int' } }],
        },
      };
      return `anonymous struct around ${where}`;
    case 5:
      if (member.type.k !== 'arr') break;
      member.type.n += maker.chance(0.5) ? 2 : -Math.min(1, member.type.n - 1);
      return `${where} has ${member.type.n} elements`;
    case 6: {
      const flavour = `${struct.name}___other${i}`;
      const members = structuredClone(struct.members);
      if (maker.chance(0.6)) members.unshift({ name: `front${i}`, type: { k: 'int', c: 'long' } });
      structs.push({ tag: struct.tag, name: flavour, members });
      return `${flavour} beside it`;
    }
    case 7:
      value.value = Number(value.value) + 1 + maker.below(9);
      return `${value.name} is ${value.value}`;
    case 8:
      value.name = `${value.name}_RENAMED`;
      return `${value.name}`;
    case 9:
      if (values.length < 2) break;
      values.splice(values.indexOf(value), 1);
      return `${enumName} without ${value.name}`;
    case 10:
      if (member.bits) {
        delete member.bits;
        return `${where} is no bit-field any more`;
      }
      if (member.type.k !== 'int' || !BITS[member.type.c]) break;
      member.bits = 1 + maker.below(BITS[member.type.c]);
      return `${where} has ${member.bits} bits`;
    case 11:
      struct.members.reverse();
      return `${struct.name} in the opposite order`;
    case 12:
      if (member.name === '') break;
      member.type = { k: 'ptr', to: 'void', isConst: false };
      delete member.bits;
      return `${where} is a pointer`;
    default:
      values.push({ name: `${enumName.toUpperCase()}_WIDE${i}`, value: 0x100000000n + BigInt(i) });
      return `${enumName} has a value of 33 bits`;
  }
  return `no change (${i})`;
}

/** Yields paths into a struct, such as `.a.b[1]`, with the type of the member. */
function* placesIn(model, members, prefix, depth) {
  for (const member of members) {
    const path = member.name === '' ? prefix : `${prefix}.${member.name}`;
    let { type } = member;
    let full = path;
    if (member.name !== '') yield { path: full, type, bits: member.bits };
    while (type.k === 'arr') {
      full += `[${type.n - 1}]`;
      type = type.of;
      yield { path: full, type };
    }
    if (depth > 3) continue;
    if (type.k === 'anon') yield* placesIn(model, type.members, full, depth + 1);
    if (type.k === 'struct') {
      const inner = model.structs.find(({ name }) => name === type.name);
      yield* placesIn(model, inner.members, full, depth + 1);
    }
  }
}

/**
 * Returns a BPF program with accesses, and CO-RE relocations of fields, types and enum values. Uses
 * the first `infos` of six field kinds, because clang 19 fails for signs and shifts of some fields.
 */
export function programText(model, seed, infos = 6) {
  const maker = new Maker(seed);
  const functions = [];
  const isScalar = (type) => ['int', 'enum', 'ptr'].includes(type.k);
  for (const [n, { tag, name, members }] of model.structs.entries()) {
    const places = [...placesIn(model, members, '', 0)];
    const lines = [];
    for (let i = 0; i < Math.min(14, places.length); i++) {
      const { path, type, bits } = maker.pick(places);
      const field = `p->${path.slice(1)}`;
      if (bits === undefined && isScalar(type) && maker.chance(0.6))
        lines.push(`*g = (unsigned long)${field};`);
      const kinds = bits !== undefined || ['int', 'enum'].includes(type.k) ? infos : 3;
      lines.push(`*g = __builtin_preserve_field_info(${field}, ${maker.below(kinds)});`);
      if (maker.chance(0.3)) lines.push(`*g = __builtin_preserve_field_info(${field}, 2);`);
    }
    const type = `${tag} ${name}`;
    lines.push(
      ...[0, 1, 2].map((info) => `*g = __builtin_preserve_type_info(*(${type} *)0, ${info});`),
      ...[0, 1].map((info) => `*g = __builtin_btf_type_id(*(${type} *)0, ${info});`),
    );
    functions.push([n, type, lines]);
  }
  const enumLines = model.enums.flatMap(({ name, values }) =>
    values.flatMap((value) =>
      [0, 1].map(
        (info) => `*g = __builtin_preserve_enum_value(*(enum ${name} *)${value.name}, ${info});`,
      ),
    ),
  );
  const texts = functions.map(
    ([n, type, lines]) =>
      `__attribute__((section("raw_tp/f${n}"), used))\nint f${n}(${type} *p, volatile unsigned long *g)\n{\n${lines.map((line) => `\t${line}\n`).join('')}\treturn 0;\n}\n`,
  );
  const enumText = `__attribute__((section("tp_btf/enums"), used))\nint enums(void *p, volatile unsigned long *g)\n{\n${enumLines.map((line) => `\t${line}\n`).join('')}\treturn 0;\n}\n`;
  return `${modelText(model, ' __attribute__((preserve_access_index))')}${texts.join('')}${enumText}`;
}
