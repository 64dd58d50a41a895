import type { Endian } from '#bytes/span.ts';
import { BtfWriter } from '#formats/btf/write.ts';

export type DeclarationExample = {
  /** Identifies the example in links; the same in all releases. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
};

const example = (id: string, title: string, text: string): DeclarationExample => ({
  id,
  title,
  text: `${text}\n`,
});

/** Examples of declarations. The workbench shows the first one at the start. */
export const EXAMPLES: readonly [DeclarationExample, ...DeclarationExample[]] = [
  example(
    'event',
    'A record for a ring buffer',
    `enum event_kind {
	EVENT_EXEC,
	EVENT_EXIT,
};

struct event {
	enum event_kind kind;
	u64 ts;
	u32 pid;
	u32 tgid;
	char comm[16];
	u8 cpu;
};`,
  ),
  example(
    'padding',
    'Padding: the order of members counts',
    `// 24 bytes: two holes of seven bytes.
struct scattered {
	u8 flag;
	u64 when;
	u8 state;
};

// The same members in 16 bytes.
struct sorted {
	u64 when;
	u8 flag;
	u8 state;
};`,
  ),
  example(
    'packed',
    'packed: no holes, and no alignment',
    `struct plain {
	u8 type;
	u32 length;
	u16 port;
};

// 7 bytes; length begins at byte 1.
struct wire {
	u8 type;
	u32 length;
	u16 port;
} __attribute__((packed));`,
  ),
  example(
    'bit-fields',
    'Bit-fields set kind_flag',
    `// kind_flag=1: the offset word of each member is split
// into 8 bits of size and 24 bits of offset.
struct with_bits {
	u32 version : 4;
	u32 length : 4;
	u32 : 8;
	u32 id : 16;
	u32 whole;
};

// kind_flag=0: the whole word is the offset.
struct without_bits {
	u32 version;
	u32 length;
};`,
  ),
  example(
    'anonymous-union',
    'An anonymous union, and a struct in it',
    `// CO-RE writes the anonymous member as a number of its own:
// value.as_u32 is 0:1:0:1.
struct value {
	u32 kind;
	union {
		u64 as_u64;
		u32 as_u32[2];
		struct {
			u16 low;
			u16 high;
		};
	};
};`,
  ),
  example(
    'function-pointer',
    'A function pointer: PTR to FUNC_PROTO',
    `struct file {
	u64 flags;
};

struct file_operations {
	int (*open)(struct file *file, int flags);
	long (*read)(struct file *file, char *to, u64 count);
	void (*release)(struct file *file);
	int (*log)(const char *format, ...);
};`,
  ),
  example(
    'flexible-array',
    'A flexible array has no elements of its own',
    `struct message {
	u32 length;
	u32 flags;
	u8 data[];
};`,
  ),
  example(
    'forward',
    'A forward declaration: only the name is known',
    `// struct device is only declared: a pointer needs no more.
struct request {
	struct device *device;
	union payload *payload;
	struct request *next;
};`,
  ),
  example(
    'cycle',
    'Two structs that point at each other',
    `struct child;

struct parent {
	struct child *first;
	u32 count;
};

struct child {
	struct parent *parent;
	struct child *next;
	u32 id;
};`,
  ),
  example(
    'enum64',
    'enum and enum64: how wide, and signed or not',
    `enum small {
	SMALL_NONE,
	SMALL_ALL = 0xffffffff,
};

enum negative {
	NEGATIVE_ERROR = -1,
	NEGATIVE_OK,
};

// One value has more than 32 bits.
enum flags {
	FLAG_A = 1 << 0,
	FLAG_FAR = 1ULL << 40,
};

struct uses {
	enum small small;
	enum negative negative;
	enum flags flags;
};`,
  ),
  example(
    'aligned',
    'aligned: a counter with its own cache line',
    `struct counter {
	u64 value;
} __attribute__((aligned(64)));

struct counters {
	struct counter received;
	struct counter sent;
	u32 last_cpu;
};`,
  ),
  example(
    'arrays',
    'Arrays of arrays, and the index type',
    `// Every ARRAY names the type of its index: __ARRAY_SIZE_TYPE__.
struct table {
	u8 key[4][16];
	u32 *slots[8];
	int (*row)[4];
};`,
  ),
  example(
    'qualifiers',
    'typedef, const, volatile: chains of records',
    `typedef u32 addr_t;
typedef const addr_t *addr_ref;

struct route {
	const char *name;
	addr_ref from;
	volatile u64 hits;
	addr_t *const to;
};`,
  ),
  example(
    'variables',
    'Variables add VAR and DATASEC',
    `struct config {
	u32 max;
	bool enabled;
};

const struct config defaults;
struct config now;
u64 counters[4];`,
  ),
];

/** Returns a blob without types. Its string section has only the empty string. */
export function emptyBtf(endian: Endian): Uint8Array {
  return new BtfWriter({ endian }).finish();
}
