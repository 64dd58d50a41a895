// SPDX-License-Identifier: MIT
// Every BTF kind that clang writes, each in its plainest form.
//
// Look at: the list of types. All 19 kinds are there: INT PTR ARRAY STRUCT UNION
// ENUM FWD TYPEDEF VOLATILE CONST RESTRICT FUNC FUNC_PROTO VAR DATASEC FLOAT
// DECL_TAG TYPE_TAG ENUM64. The same types stand alone in kinds.btf, and in the
// encoding of 2026 in kinds_2026.btf.
#include "include/bpf_helpers.h"

#define __tag(text) __attribute__((btf_decl_tag(text)))
#define __user __attribute__((btf_type_tag("user")))
#define __rcu __attribute__((btf_type_tag("rcu")))

// INT in all its encodings and sizes; 16 bytes is the largest there is.
struct integers {
	_Bool flag;
	char letter;
	signed char small;
	unsigned char byte;
	short half;
	int word;
	unsigned long address;
	long long wide;
	__int128 widest;
};

// FLOAT has a size and nothing else.
struct floats {
	float single;
	double twice;
};

// ENUM: unsigned by default, signed (kind_flag) when a value is below 0.
enum colour { RED, GREEN = 5, BLUE };
enum offset { BACK = -1, STAY, AHEAD };
// ENUM64: a value that 32 bits cannot hold, without and with a sign.
enum mask { MASK_LOW = 1, MASK_TOP = 0x8000000000000000ULL };
enum span { SPAN_LEAST = -0x7fffffffffffffffLL - 1, SPAN_MOST = 0x7fffffffffffffffLL };

// FWD: named, never defined; kind_flag tells a union from a struct.
struct hidden;
union hidden_union;

// kind_flag on a struct: its members carry a bit size beside their bit offset.
struct bits {
	unsigned int first : 1;
	unsigned int : 3;
	unsigned int second : 4;
	int below_zero : 12;
	enum colour colour : 3;
	_Bool on : 1;
	unsigned long long far : 40;
};

// Members without a name: their own members count as the outer struct's.
struct anonymous {
	union {
		struct {
			__u16 low;
			__u16 high;
		};
		__u32 both;
	};
	__u8 kind;
};

// No padding: the 4 bytes of `length` begin at byte 1.
struct wire {
	__u8 type;
	__u32 length;
	__u16 check;
} __attribute__((packed));

// A flexible array member is an ARRAY of no elements.
struct record {
	__u32 count;
	struct wire items[];
};

// ARRAY of ARRAY, PTR to itself, PTR to FUNC_PROTO, variable arguments.
struct node {
	struct node *next;
	int matrix[3][4];
	int (*compare)(const struct node *, const struct node *);
	int (*log)(const char *format, ...);
	void *anything;
};

union value {
	__u64 number;
	double real;
	char text[8];
};

// DECL_TAG on a struct (component -1) and on one member; TYPE_TAG on a pointee.
struct tagged {
	int plain;
	int guarded __tag("guarded_by:lock");
	const char __user *from_user;
	struct node __rcu *head;
} __tag("sample");

typedef struct node *node_ptr __tag("alias");
typedef int (*callback_t)(int, void *);

struct all {
	struct integers integers;
	struct floats floats;
	enum colour colour;
	enum offset offset;
	enum mask mask;
	enum span span;
	struct hidden *hidden;
	union hidden_union *hidden_union;
	struct bits bits;
	struct anonymous anonymous;
	struct wire wire;
	struct record *record;
	union value value;
	struct tagged tagged;
	callback_t callback;
};

// VAR in a DATASEC, one DATASEC a section: global and static, with and without
// a value, read-only. A pointee is written in full only when a variable or an
// argument points to it, hence `records`.
struct all everything;
struct record *records;
const volatile int limit SEC(".rodata") = 7;
static volatile int calls;
node_ptr first __tag("root");
int table[4] = { 1, 2, 3, 4 };

// FUNC with extern linkage; weak, so that loading does not need it.
extern int outside(int number) __ksym __weak;

// FUNC with static linkage; RESTRICT, and a DECL_TAG on its second argument.
static __noinline int add(int *restrict to, const int *restrict from __tag("in"))
{
	calls++;
	*to += *from;
	return *to;
}

// FUNC with global linkage, and a DECL_TAG on it.
__tag("entry") SEC("socket") int all_kinds(void *ctx)
{
	int sum = limit;

	add(&sum, &table[calls & 3]);
	if (outside)
		sum += outside(sum);
	everything.bits.second = (unsigned int)sum;
	return sum;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
