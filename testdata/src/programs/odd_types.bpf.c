// SPDX-License-Identifier: MIT
// Types whose printed C takes thought: pointers to arrays, functions that return
// functions, nested anonymous types, names used twice, forward references, and
// layouts that need packed or aligned attributes.
#include "bpf_helpers.h"

struct node;
typedef int (*compare_t)(const struct node *left, const struct node *right);
typedef compare_t (*choose_t)(int how, compare_t *all[4]);
typedef int matrix_t[3][5];
typedef struct node *node_list_t[2];
typedef struct { int anonymous; } alone_t;
typedef enum { ALONE_A, ALONE_B = 10, ALONE_C } alone_e;

struct node {
	struct node *next;
	const struct node *const *volatile back;
	matrix_t grid;
	int (*row)[5];
	node_list_t both;
	compare_t compare;
	choose_t choose;
	void (*cleanup)(void);
	int (*printer)(const char *format, ...);
	union {
		struct {
			__u8 a;
			__u16 b __attribute__((packed));
		} __attribute__((packed));
		__u32 whole;
		struct {
			__u32 x : 3, : 5, y : 8;
			__u32 : 0;
			__u32 z : 30;
		} bits;
	};
	alone_t alone;
	alone_e mode;
	char tail[];
};

struct one_byte { char c; };
struct packed_pair { __u8 tag; struct one_byte inner; __u32 value; } __attribute__((packed));
struct aligned_one { int x; } __attribute__((aligned(32)));
struct holder { char before; struct aligned_one aligned; char after; };
struct holes { char a; long b; char c; short d; char e; int f; char g; };
union mixed { char bytes[13]; long long number; struct holes holes; };
struct bit_gaps { int a : 7; long b : 33; char c : 3; char : 2; char d : 3; short e : 9; };
struct self_pointer { struct self_pointer *(*get)(struct self_pointer *(*)(void)); };
struct { int of_variable; struct { int deep; } inner; } unnamed_variable;
enum negative { NEG = -5, ZERO = 0, POS = 2147483647 };
enum big { BIG = 0xffffffffU };
enum one_value { ONLY = 42 };
struct with_enum { enum negative n; enum big b; enum one_value o : 8; _Bool flags[2]; };
struct floats { float f; double d; };
struct wide { __int128 a; unsigned __int128 b; };

struct node global_node;
struct packed_pair packed_pair;
struct holder holder;
union mixed mixed;
struct bit_gaps bit_gaps;
struct self_pointer self_pointer;
struct with_enum with_enum;
struct floats floats;
struct wide wide;
const volatile __u64 tuned = 12;
static int hidden_counter;
extern int kernel_symbol __ksym;
extern int CONFIG_HZ __kconfig __weak;

SEC("socket")
int use(struct node *node)
{
	hidden_counter += node->grid[1][2] + (int)tuned + CONFIG_HZ;
	return unnamed_variable.inner.deep + hidden_counter + (kernel_symbol != 0);
}

char LICENSE[] SEC("license") = "GPL";
