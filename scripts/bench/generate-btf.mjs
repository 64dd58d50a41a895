// Generates BTF like that of a kernel, for machines whose kernel has none: a similar size and mix
// of kinds (shares of a 6.18 kernel with 126,565 types). The bytes are always the same. Spec:
// Documentation/bpf/btf.rst, "BTF Type and String Encoding".

import { BtfStrings, btfBlob, infoOf, KIND } from '../btf-blob.mjs';

/** Number of types of each kind per 1,000 types. */
const SHARES = [
  ['func', 445],
  ['func_proto', 228],
  ['ptr', 120],
  ['struct', 85],
  ['const', 28],
  ['array', 27],
  ['typedef', 27],
  ['union', 20],
  ['enum', 20],
];

const INTS = [
  ['char', 1],
  ['unsigned char', 1],
  ['short', 2],
  ['unsigned short', 2],
  ['int', 4],
  ['unsigned int', 4],
  ['long', 8],
  ['unsigned long', 8],
];

const WORDS = (
  'acpi addr alloc bio block bpf bus cache cgroup clk cpu crypto dev dma drm entry event ext4 ' +
  'file flags fs futex gpio hash head idle inet inode io irq kernel key kobj list lock map mem ' +
  'mm mount msg net node nfs ops page path pci perf pid pm pool proc queue ref ring rq rtnl ' +
  'sched scsi seq sk skb slab sock state sync sys task tcp time tty usb user vfs vm wait work xfs'
).split(' ');

const TASK_MEMBERS = 250;

/** Returns a little-endian `.BTF` blob with `count` types, `struct task_struct` among them. */
export function generateBtf(count) {
  const types = new Types();
  for (const [name, size] of INTS) types.addInt(name, size);
  types.addPtr();
  types.addComposite('struct', 'task_struct', ['pid', ...types.names(TASK_MEMBERS - 1)]);
  types.addProto();
  const total = SHARES.reduce((sum, [, share]) => sum + share, 0);
  while (types.count < count) {
    let at = types.below(total);
    const [kind] = SHARES.find(([, share]) => {
      at -= share;
      return at < 0;
    });
    types.addAny(kind);
  }
  return types.blob();
}

class Types {
  count = 0;
  #words = [];
  #strings = new BtfStrings();
  /** Ids and sizes in bytes of the types that variables and members can have. */
  #data = [];
  #protos = [];
  #seed = 1;

  /** Returns a random integer below `limit` by xorshift32, in the same order on every machine. */
  below(limit) {
    let x = this.#seed;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#seed = x;
    return (x >>> 0) % limit;
  }

  name() {
    const word = () => WORDS[this.below(WORDS.length)];
    return `${word()}_${word()}_${word()}`;
  }

  names(count) {
    return Array.from({ length: count }, () => this.name());
  }

  addInt(name, size) {
    this.#data.push({ id: this.#add(name, KIND.INT, 0, size, size * 8), size });
  }

  addPtr() {
    this.#data.push({ id: this.#add('', KIND.PTR, 0, this.#anyData().id), size: 8 });
  }

  addProto() {
    const params = this.names(this.below(7)).flatMap((name) => [name, this.#anyData().id]);
    const tail = params.map((word) =>
      typeof word === 'string' ? this.#strings.offset(word) : word,
    );
    this.#protos.push(this.#add('', KIND.FUNC_PROTO, tail.length / 2, this.#anyData().id, ...tail));
  }

  addComposite(kind, name, memberNames) {
    const isStruct = kind === 'struct';
    const tail = [];
    let end = 0;
    for (const memberName of memberNames) {
      const { id, size } = this.#anyData();
      const byteOffset = isStruct ? Math.ceil(end / Math.min(size, 8)) * Math.min(size, 8) : 0;
      tail.push(this.#strings.offset(memberName), id, byteOffset * 8);
      end = Math.max(end, byteOffset + size);
    }
    const size = Math.ceil(end / 8) * 8;
    const id = this.#add(name, KIND[kind.toUpperCase()], memberNames.length, size, ...tail);
    // Larger types are not used by value, since sizes would grow without limit.
    if (size > 0 && size <= 64) this.#data.push({ id, size });
  }

  addAny(kind) {
    switch (kind) {
      case 'func':
        this.#add(this.name(), KIND.FUNC, 0, this.#protos[this.below(this.#protos.length)]);
        break;
      case 'func_proto':
        this.addProto();
        break;
      case 'ptr':
        this.addPtr();
        break;
      case 'struct':
        this.addComposite('struct', this.name(), this.names(1 + this.below(11)));
        break;
      case 'union':
        this.addComposite('union', this.name(), this.names(1 + this.below(4)));
        break;
      case 'array':
        this.#add('', KIND.ARRAY, 0, 0, this.#anyData().id, 1, 1 + this.below(64));
        break;
      case 'enum':
        this.#addEnum();
        break;
      default: {
        const { id, size } = this.#anyData();
        const name = kind === 'typedef' ? `${this.name()}_t` : '';
        this.#data.push({ id: this.#add(name, KIND[kind.toUpperCase()], 0, id), size });
      }
    }
  }

  blob() {
    return btfBlob({ types: [this.#words], strings: this.#strings.bytes });
  }

  #addEnum() {
    const tail = this.names(1 + this.below(15)).flatMap((name, value) => [
      this.#strings.offset(name.toUpperCase()),
      value,
    ]);
    this.#data.push({
      id: this.#add(this.name(), KIND.ENUM, tail.length / 2, 4, ...tail),
      size: 4,
    });
  }

  #anyData() {
    return this.#data[this.below(this.#data.length)];
  }

  #add(name, kind, vlen, sizeOrType, ...tail) {
    this.#words.push(this.#strings.offset(name), infoOf(kind, vlen), sizeOrType, ...tail);
    return ++this.count;
  }
}
