// Makes blobs of structs with special fields, which the kernel recognizes by the type's name. They
// are valid except in one or two places, so that they reach the kernel's rules for special fields.
import { blobOf, Dice } from './blob.mjs';

const SPECIALS = [
  ['bpf_spin_lock', 4, 4],
  ['bpf_res_spin_lock', 4, 4],
  ['bpf_list_head', 16, 8],
  ['bpf_list_node', 24, 8],
  ['bpf_rb_root', 16, 8],
  ['bpf_rb_node', 32, 8],
  ['bpf_refcount', 4, 4],
  ['bpf_timer', 16, 8],
  ['bpf_wq', 16, 8],
  ['bpf_task_work', 8, 8],
];
const ROOTS = ['bpf_list_head', 'bpf_rb_root'];
const TAGS = ['kptr', 'kptr', 'kptr_untrusted', 'percpu_kptr', 'uptr', 'rcu', 'user', 'kptr_'];
/** Structs of the kernel: kptrs may be to the first three. */
const OF_KERNEL = 'task_struct bpf_cpumask prog_test_member bpf_dynptr sock file list_head'.split(
  ' ',
);
const MODIFIERS = ['const', 'volatile', 'typedef', 'restrict'];

/** Returns the blob for a seed. */
export function specialFieldsBlob(seed) {
  const dice = new Dice(seed);
  const made = new Maker(dice);
  return blobOf(made.types, { isBig: dice.once(60) });
}

class Maker {
  #dice;
  #all = [];
  /** Types of special fields by name. */
  #specials = new Map();
  #structs = [];
  #int = { kind: 'int', name: 'int', size: 4, tail: [0x01000020], bytes: 4, align: 4 };
  /** One in this many choices is wrong. */
  #rarity;

  constructor(dice) {
    this.#dice = dice;
    this.#rarity = dice.of([4, 12, 12, 40, 40, 1000]);
    this.#all.push(this.#int);
    this.#makeSpecials();
    const count = 1 + dice.below(dice.once(4) ? 9 : 4);
    const chain = dice.once(40) ? 26 + dice.below(12) : 0;
    for (let i = 0; i < count; i++) this.#makeStruct(i);
    for (let i = 0; i < chain; i++) this.#wrapLast(i);
    if (dice.once(12)) this.#tie();
    for (const one of [...this.#structs]) this.#tagRoots(one);
    if (dice.once(3)) this.#makeSection();
    if (dice.once(6)) this.#makeFunction();
  }

  get types() {
    const dice = this.#dice;
    if (dice.once(3)) return dice.shuffled(this.#all);
    return this.#all;
  }

  #goesWrong() {
    return this.#dice.once(this.#rarity);
  }

  #add(type) {
    this.#all.push(type);
    return type;
  }

  #makeSpecials() {
    const dice = this.#dice;
    for (const [name, size, align] of SPECIALS) {
      if (dice.once(30)) continue;
      const right = { kind: 'struct', name, size, bytes: size, align, items: [] };
      if (size % 8 === 0 && dice.once(2)) {
        const long = { kind: 'int', name: 'u64', size: 8, tail: [64], bytes: 8, align: 8 };
        const opaque = { kind: 'array', tail: [this.#add(long), this.#int, size / 8] };
        right.items = [[{ name: '__opaque' }, this.#add(opaque), 0]];
      }
      if (this.#goesWrong() && dice.once(3)) {
        right.size = dice.of([0, size + 4, size + 8, size * 2]);
        right.bytes = right.size;
      }
      const other = this.#goesWrong() && dice.once(2) ? this.#otherOfName(name, size) : null;
      if (other !== null && dice.once(2)) this.#add(other);
      this.#add(right);
      if (other !== null && !this.#all.includes(other)) this.#add(other);
      this.#specials.set(name, other !== null && dice.once(2) ? other : right);
    }
  }

  #otherOfName(name, size) {
    const dice = this.#dice;
    const shape = { name, bytes: size, align: 4 };
    switch (dice.below(5)) {
      case 0:
        return { kind: 'union', ...shape, size, items: [] };
      case 1:
        return { kind: 'fwd', ...shape, bytes: 0 };
      case 2:
        return { kind: 'typedef', ...shape, type: this.#int, bytes: 4 };
      case 3:
        return { kind: 'struct', ...shape, name: `${name}___flavour`, size, items: [] };
      default:
        return { kind: 'struct', ...shape, size: size + dice.below(3) * 4, items: [] };
    }
  }

  /** Returns a random type for a member, and its size in bytes. */
  #memberType() {
    const dice = this.#dice;
    switch (dice.below(14)) {
      case 0:
        return this.#int;
      case 1:
      case 2:
      case 3:
        return this.#pointer();
      case 4:
        return this.#array(this.#memberType());
      case 5:
        return this.#structs.length > 0 ? dice.of(this.#structs) : this.#int;
      case 6: {
        const inner = this.#special();
        if (!dice.once(4)) return inner;
        const { bytes, align } = inner;
        const kind = dice.of(MODIFIERS);
        const name = kind === 'typedef' ? 'alias_t' : '';
        return this.#add({ kind, name, type: inner, bytes, align });
      }
      case 7: {
        if (!dice.once(3)) return this.#int;
        const inner = this.#special();
        const items = [[{ name: 'u' }, inner, 0]];
        const { bytes, align } = inner;
        return this.#add({ kind: 'union', name: '', size: bytes, items, bytes, align });
      }
      default:
        return this.#special();
    }
  }

  #special() {
    return this.#specials.get(this.#dice.of(SPECIALS)[0]) ?? this.#int;
  }

  #array(element) {
    const dice = this.#dice;
    let inner = element;
    const dimensions = dice.once(12) ? dice.of([2, 3, 30, 31, 32, 33]) : 1;
    for (let i = 0; i < dimensions; i++) {
      const nelems = dimensions > 4 ? 1 : dice.of([0, 1, 1, 2, 2, 3, 5, 11, 12]);
      const bytes = inner.bytes * nelems;
      const tail = [inner, this.#int, nelems];
      inner = this.#add({ kind: 'array', tail, bytes, align: inner.align });
    }
    return inner;
  }

  #pointer() {
    const dice = this.#dice;
    let target = this.#target();
    if (dice.once(3)) {
      const kind = dice.of(MODIFIERS);
      target = this.#add({ kind, name: kind === 'typedef' ? 'target_t' : '', type: target });
    }
    const tags = dice.once(8) ? 0 : this.#goesWrong() ? 2 : 1;
    for (let i = 0; i < tags; i++) {
      const usual = dice.once(6) ? 'uptr' : dice.of(TAGS.slice(0, 4));
      const name = this.#goesWrong() ? dice.of(TAGS) : usual;
      target = this.#add({ kind: 'type_tag', name, flag: this.#goesWrong(), type: target });
    }
    const pointer = this.#add({ kind: 'ptr', type: target, bytes: 8, align: 8 });
    if (!dice.once(5)) return pointer;
    const kind = dice.of(['volatile', 'volatile', 'const', 'typedef']);
    const name = kind === 'typedef' ? 'pointer_t' : '';
    return this.#add({ kind, name, type: pointer, bytes: 8, align: 8 });
  }

  /** Returns a type for a kptr to point to. */
  #target() {
    const dice = this.#dice;
    if (this.#goesWrong()) {
      const inner = { kind: 'union', name: 'own_union', size: 4, items: [] };
      const fwd = { kind: 'fwd', name: 'own_fwd', flag: dice.once(3) };
      const nameless = { kind: 'struct', name: '', size: 8, items: [] };
      const one = dice.of([inner, fwd, nameless, null, this.#int, this.#special()]);
      return one === null || this.#all.includes(one) ? one : this.#add(one);
    }
    if (this.#structs.length > 0 && dice.once(2)) return dice.of(this.#structs);
    const size = dice.of([8, 8, 8, 0, 4096, 8192]);
    const name = dice.once(6) ? dice.of(OF_KERNEL) : `own_target_${dice.below(3)}`;
    return this.#add({ kind: 'struct', name, size, items: [] });
  }

  #makeStruct(index) {
    const dice = this.#dice;
    const members = [];
    const wanted = dice.of([1, 2, 2, 3, 3, 4, 6, 12, 14]);
    const planned = this.#plan(wanted);
    let end = 0;
    let isFlagged = false;
    for (const [i, type] of planned.entries()) {
      const align = this.#goesWrong() ? 4 : (type.align ?? 4);
      let offset = Math.ceil(end / align) * align;
      if (this.#goesWrong() && i > 0 && dice.once(2)) offset = members.at(-1).offset;
      if (this.#goesWrong() && dice.once(4)) {
        // Adds a bit-field before the member.
        members.push({
          name: `b${i}`,
          type: this.#int,
          offset,
          bits: dice.of([1, 3, 8]),
          at: dice.of([0, 0, 8, 3]),
        });
        isFlagged = true;
        offset += Math.max(align, 4);
      }
      const name = dice.once(10) ? 'm0' : `m${i}`;
      members.push({ name, type, offset });
      end = Math.max(end, offset + (type.bytes ?? 4));
    }
    const isUnion = dice.once(40);
    const size = Math.ceil(end / 8) * 8;
    if (dice.once(20)) isFlagged = true;
    const one = {
      kind: isUnion ? 'union' : 'struct',
      name: dice.once(12) ? dice.of(['', 'own_0']) : `own_${index}`,
      flag: isFlagged,
      size,
      bytes: size,
      align: 8,
      members,
      items: members.map(({ name, type, offset, bits = 0, at = 0 }) => [
        { name },
        type,
        (isUnion ? 0 : offset * 8 + at) + (isFlagged ? bits * 2 ** 24 : 0),
      ]),
    };
    this.#structs.push(this.#add(one));
  }

  /** Returns groups of members that are often together, such as a list's root and its lock. */
  #plan(count) {
    const dice = this.#dice;
    const types = [];
    const special = (name) => this.#specials.get(name) ?? this.#int;
    if (dice.once(2)) types.push(special(dice.of(['bpf_list_node', 'bpf_rb_node'])));
    if (dice.once(2)) {
      types.push(special(dice.of(ROOTS)));
      if (!this.#goesWrong())
        types.push(special(dice.of(['bpf_spin_lock', 'bpf_spin_lock', 'bpf_res_spin_lock'])));
    }
    if (dice.once(3)) types.push(special('bpf_refcount'));
    while (types.length < count) types.push(this.#memberType());
    return dice.once(2) ? dice.shuffled(types) : types;
  }

  /** Adds a struct that contains the struct added before. */
  #wrapLast(index) {
    const inner = this.#structs.at(-1);
    const { bytes } = inner;
    const members = [{ name: 'w', type: inner, offset: 0 }];
    const items = [[{ name: 'w' }, inner, 0]];
    const one = {
      kind: 'struct',
      name: `wrap_${index}`,
      size: bytes,
      bytes,
      align: 8,
      members,
      items,
    };
    this.#structs.push(this.#add(one));
    if (index % 9 !== 8) return;
    const lock = this.#specials.get('bpf_spin_lock');
    if (lock === undefined) return;
    one.items.push([{ name: 'l' }, lock, bytes * 8]);
    one.size += 8;
    one.bytes += 8;
  }

  /** Adds structs whose lists contain each other, in a chain or a ring. */
  #tie() {
    const [head, node, lock] = ['bpf_list_head', 'bpf_list_node', 'bpf_spin_lock'].map((name) =>
      this.#specials.get(name),
    );
    if (head === undefined || node === undefined || lock === undefined) return;
    const count = 1 + this.#dice.below(4);
    const isClosed = this.#dice.once(2);
    const made = Array.from({ length: count }, (_, i) => ({
      kind: 'struct',
      name: `tied_${i}`,
      size: 48,
      bytes: 48,
      align: 8,
      members: [],
      items: [
        [{ name: 'n' }, node, 0],
        [{ name: 'h' }, head, 192],
        [{ name: 'l' }, lock, 320],
      ],
    }));
    if (!isClosed) made.at(-1).items.splice(1, 2);
    for (const one of made) this.#structs.push(this.#add(one));
    for (const [i, one] of made.entries()) {
      if (one.items.length < 3) continue;
      const name = `contains:tied_${(i + 1) % count}:n`;
      this.#add({ kind: 'decl_tag', name, type: one, tail: [1] });
    }
  }

  /** Adds "contains" tags for the roots in a struct, most of them right. */
  #tagRoots(one) {
    for (const [index, [, type]] of one.items.entries()) {
      if (one.members.length === 0) continue;
      const root = rootIn(type);
      if (root !== null) this.#tagRoot(one, index, root);
    }
  }

  #tagRoot(target, index, root) {
    const dice = this.#dice;
    if (this.#goesWrong()) return;
    const nodeName = root === 'bpf_list_head' ? 'bpf_list_node' : 'bpf_rb_node';
    const found = this.#structs.flatMap((one) =>
      one.items
        .filter(([, type]) => type?.name === nodeName)
        .map(([{ name }]) => `${one.name}:${name}`),
    );
    const isWrong = this.#goesWrong() || found.length === 0;
    const value = isWrong
      ? dice.of(['own_0:m0', 'own_1:m1', 'own_0', 'own_0:', ':m0', 'own_9:m0', 'own_0:m0:x', ''])
      : dice.of(found);
    const prefix = this.#goesWrong() ? dice.of(['contains', 'contain:', 'Contains:']) : 'contains:';
    const component = this.#goesWrong() ? dice.of([0, -1]) : index;
    const tag = { kind: 'decl_tag', name: prefix + value, type: target, tail: [component] };
    this.#add(tag);
    if (this.#goesWrong())
      this.#add({ ...tag, name: dice.of([tag.name, 'contains:other:x', 'other']) });
  }

  #makeSection() {
    const dice = this.#dice;
    const items = [];
    let end = 0;
    for (let i = 1 + dice.below(3); i > 0; i--) {
      const type = dice.once(2) ? this.#memberType() : dice.of(this.#structs);
      const bytes = Math.max(1, type.bytes ?? 4);
      const variable = this.#add({ kind: 'var', name: `v${i}`, type, tail: [1] });
      const start = Math.ceil(end / 8) * 8;
      items.push([variable, start, bytes]);
      end = start + bytes;
      const root = rootIn(type);
      if (root !== null) this.#tagRoot(variable, -1, root);
    }
    this.#add({
      kind: 'datasec',
      name: dice.of(['.bss', '.data', '.bss.private']),
      size: end,
      items,
    });
  }

  #makeFunction() {
    const dice = this.#dice;
    const argument = dice.of(this.#structs);
    const pointer = this.#add({ kind: 'ptr', type: argument });
    const proto = this.#add({
      kind: 'func_proto',
      type: this.#int,
      items: [[{ name: 'p' }, pointer]],
    });
    const func = this.#add({ kind: 'func', name: 'f', vlen: dice.below(2), type: proto });
    const tag = dice.of(['arg:nonnull', 'exception_callback:f', 'contains:own_0:m0']);
    this.#add({ kind: 'decl_tag', name: tag, type: func, tail: [dice.of([0, -1, -1, 1])] });
  }
}

/** Returns the name of the root type that `type` is or is an array of. */
function rootIn(type) {
  let inner = type;
  while (inner?.kind === 'array') inner = inner.tail[0];
  return ROOTS.includes(inner?.name) && inner.kind === 'struct' ? inner.name : null;
}
