// Derives similar kernels ("neighbours") from a kernel, each from the previous one as in patch
// releases. In a hundred structs a member is added, moved, renamed or removed; some functions get
// another name or a parameter more, some enums an enumerator more. Every tenth is a variant in
// which many structs lack a member, and the next one is derived from the kernel before the variant.
// Structs that are contained in other types stay the same, so that sizes stay right.

import { BTF_MAGIC, btfBlob, KIND, kindOf, recordLength } from '../btf-blob.mjs';

/** Kinds that add a name or a qualifier to another type. */
const MODIFIERS = new Set([KIND.TYPEDEF, KIND.VOLATILE, KIND.CONST, KIND.RESTRICT, KIND.TYPE_TAG]);

const CHANGED_STRUCTS = 110;
const CHANGED_FUNCTIONS = 40;
const CHANGED_ENUMS = 10;
const VARIANT_STRUCTS = 300;

const vlenOf = (words) => words[1] & 0xffff;
const setVlen = (words, vlen) => {
  words[1] = ((words[1] & 0xffff0000) | vlen) >>> 0;
};

/** Yields `count` BTF blobs. The same `seed` gives the same blobs. */
export function* neighbours(blob, count, seed) {
  const random = randomFrom(seed);
  const kernel = read(blob);
  for (let i = 1; i <= count; i++) {
    if (i % 10 === 0) {
      const variant = { ...kernel, types: kernel.types.map((words) => words.slice()) };
      for (let left = VARIANT_STRUCTS; left > 0; left--) takeOut(pick(variant, random), random);
      yield write(variant);
      continue;
    }
    release(kernel, i, random);
    yield write(kernel);
  }
}

/**
 * Returns the name of neighbour `number`: another patch level, or for every tenth another flavour.
 */
export function neighbourName(name, number) {
  const [version, major, minor, patch = '0'] = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(name);
  const flavour = number % 10 === 0 ? '-variant' : '';
  return `${major}.${minor}.${Number(patch) + number}${name.slice(version.length)}${flavour}`;
}

/** Returns a generator of random numbers from 0 to 1 (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function read(blob) {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
  const little = view.getUint16(0, true) === BTF_MAGIC;
  const u32 = (at) => view.getUint32(at, little);
  const header = u32(4);
  const start = header + u32(8);
  const end = start + u32(12);
  const types = [[0, 0, 0]];
  for (let at = start; at < end; ) {
    const length = recordLength(u32(at + 4)) / 4;
    types.push(Array.from({ length }, (_, i) => u32(at + 4 * i)));
    at += 4 * length;
  }
  const strings = blob.subarray(header + u32(16), header + u32(16) + u32(20));
  return { little, types, strings, added: [], ...targets(types) };
}

/**
 * Returns the types that may change: functions, enums, and structs with three or more members that
 * no struct contains.
 */
function targets(types) {
  const embedded = new Set();
  const users = new Map();
  let pointer = 0;
  for (const [id, words] of types.entries()) {
    const kind = kindOf(words[1]);
    if (kind === KIND.PTR && pointer === 0) pointer = id;
    if (kind === KIND.FUNC) users.set(words[2], (users.get(words[2]) ?? 0) + 1);
    if (kind === KIND.VAR) embedded.add(byValue(types, words[2]));
    if (kind !== KIND.STRUCT && kind !== KIND.UNION) continue;
    for (let at = 3; at < words.length; at += 3) embedded.add(byValue(types, words[at + 1]));
  }
  const ids = (isTarget) => [...types.keys()].filter((id) => isTarget(types[id], id));
  return {
    pointer,
    structs: ids(
      (words, id) =>
        kindOf(words[1]) === KIND.STRUCT &&
        words[0] !== 0 &&
        words[1] >>> 31 === 0 &&
        vlenOf(words) > 2 &&
        !embedded.has(id),
    ),
    functions: ids((words) => kindOf(words[1]) === KIND.FUNC && users.get(words[2]) === 1),
    enums: ids((words) => kindOf(words[1]) === KIND.ENUM && words[0] !== 0),
  };
}

function byValue(types, id) {
  let at = id;
  for (let left = 100; left > 0; left--) {
    const words = types[at];
    const kind = kindOf(words[1]);
    if (kind === KIND.ARRAY) at = words[3];
    else if (MODIFIERS.has(kind)) at = words[2];
    else break;
  }
  return at;
}

const oneOf = (list, random) => list[Math.floor(random() * list.length)];
const pick = (kernel, random) => kernel.types[oneOf(kernel.structs, random)];

/** Adds a string to the kernel's new strings; returns its offset. */
function newName(kernel, text) {
  const { strings, added } = kernel;
  const offset = strings.length + added.reduce((sum, { length }) => sum + length + 1, 0);
  added.push(text);
  return offset;
}

function release(kernel, number, random) {
  const name = (what) => newName(kernel, `${what}_${number}_${kernel.added.length}`);
  for (let left = CHANGED_STRUCTS; left > 0; left--) {
    const words = pick(kernel, random);
    const way = random();
    if (way < 0.4) addMember(kernel, words, vlenOf(words), name('added'));
    else if (way < 0.65) {
      addMember(kernel, words, Math.floor(random() * vlenOf(words)), name('inserted'));
    } else if (way < 0.8) swap(words, random);
    else if (way < 0.9) words[3 + 3 * Math.floor(random() * vlenOf(words))] = name('renamed');
    else takeOut(words, random);
  }
  for (let left = CHANGED_FUNCTIONS; left > 0; left--) {
    const words = kernel.types[oneOf(kernel.functions, random)];
    if (random() < 0.6) words[0] = name('function');
    else {
      const proto = kernel.types[words[2]];
      proto.push(name('param'), kernel.pointer);
      setVlen(proto, vlenOf(proto) + 1);
    }
  }
  for (let left = CHANGED_ENUMS; left > 0; left--) {
    const words = kernel.types[oneOf(kernel.enums, random)];
    words.push(name('ENUMERATOR'), 0x1000 + number);
    setVlen(words, vlenOf(words) + 1);
  }
  // The added names become part of the strings, for the next kernel.
  kernel.strings = joined(kernel);
  kernel.added = [];
}

/** Inserts a pointer as member `index`; moves later members by the size of a pointer. */
function addMember({ pointer }, words, index, name) {
  const size = 64;
  const at = 3 + 3 * index;
  const offset = at < words.length ? words[at + 2] : 8 * words[2];
  if (offset % size !== 0) return;
  for (let next = at; next < words.length; next += 3) words[next + 2] += size;
  words.splice(at, 0, name, pointer, offset);
  words[2] += size / 8;
  setVlen(words, vlenOf(words) + 1);
}

/** Swaps two members of equal size; sizes are derived from offsets. */
function swap(words, random) {
  const index = Math.floor(random() * (vlenOf(words) - 2));
  const at = 3 + 3 * index;
  const gap = (from) => words[from + 5] - words[from + 2];
  if (at + 8 >= words.length || gap(at) !== gap(at + 3)) return;
  [words[at], words[at + 3]] = [words[at + 3], words[at]];
  [words[at + 1], words[at + 4]] = [words[at + 4], words[at + 1]];
}

/** Removes a member; its bytes become padding. */
function takeOut(words, random) {
  if (vlenOf(words) < 3) return;
  words.splice(3 + 3 * Math.floor(random() * vlenOf(words)), 3);
  setVlen(words, vlenOf(words) - 1);
}

function joined({ strings, added }) {
  return Buffer.concat([strings, ...added.map((text) => Buffer.from(`${text}\0`))]);
}

function write({ little, types, strings }) {
  return btfBlob({ types: types.slice(1), strings, isBig: !little });
}
