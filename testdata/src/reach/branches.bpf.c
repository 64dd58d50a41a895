// SPDX-License-Identifier: MIT
// Branches before an instruction that CO-RE cannot relocate on a kernel without `fresh`. The table
// branches.tsv has what Linux says to each program.
#include "reach.h"

struct value {
	__u32 number;
	__u32 flags;
	__u64 wide;
	__u8 small;
	__u8 other;
	__s16 middle;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, struct value);
} hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, struct value);
} array SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

struct xdp_md {
	__u32 data;
	__u32 data_end;
	__u32 data_meta;
	__u32 ingress_ifindex;
	__u32 rx_queue_index;
};

struct sk_buff_context {
	__u32 len;
	__u32 pkt_type;
	__u32 mark;
	__u32 queue_mapping;
	__u32 protocol;
};

static __u32 (*const bpf_get_prandom_u32)(void) = (void *)7;
static __u32 (*const bpf_get_smp_processor_id)(void) = (void *)8;
static __u64 (*const bpf_get_current_uid_gid)(void) = (void *)15;
static long (*const bpf_get_current_comm)(void *to, __u32 size) = (void *)16;
static long (*const bpf_get_stack)(void *ctx, void *to, __u32 size, __u64 flags) = (void *)67;
static void (*const bpf_ringbuf_discard)(void *record, __u64 flags) = (void *)133;

#define XDP(name) SEC("xdp") int name(struct xdp_md *ctx)
#define TC(name) SEC("tc") int name(struct sk_buff_context *ctx)
#define barrier_var(variable) asm volatile("" : "+r"(variable))

const volatile int chosen = 0;
const volatile __u32 wanted = 0;
volatile __u32 seen;
volatile __u64 seen_wide;

PROGRAM(always)
{
	READ_FRESH;
	return 0;
}

PROGRAM(after_reserve)
{
	struct value *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record)
		return 0;
	READ_FRESH;
	bpf_ringbuf_discard(record, 0);
	return 0;
}

PROGRAM(reserve_failed)
{
	struct value *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record) {
		READ_FRESH;
		return 0;
	}
	bpf_ringbuf_discard(record, 0);
	return 0;
}

PROGRAM(found_in_hash)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);

	if (!value)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(not_found_in_hash)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);

	if (!value)
		READ_FRESH;
	return 0;
}

PROGRAM(found_in_array)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&array, &key);

	if (value)
		READ_FRESH;
	return 0;
}

PROGRAM(not_found_in_array)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&array, &key);

	if (!value)
		READ_FRESH;
	return 0;
}

PROGRAM(not_found_in_array_of_any_key)
{
	__u32 key = ctx[0];
	struct value *value = bpf_map_lookup_elem(&array, &key);

	if (!value)
		READ_FRESH;
	return 0;
}

PROGRAM(map_value_above)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);

	if (value && value->number > 3)
		READ_FRESH;
	return 0;
}

PROGRAM(map_value_equal)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);

	if (value && value->wide == 0x123456789abull)
		READ_FRESH;
	return 0;
}

PROGRAM(map_value_signed)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);

	if (value && value->middle < -5)
		READ_FRESH;
	return 0;
}

PROGRAM(map_value_mask)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);

	if (value && (value->flags & 0x30) == 0x20)
		READ_FRESH;
	return 0;
}

PROGRAM(map_value_impossible_mask)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);
	__u32 masked;

	if (!value)
		return 0;
	masked = value->flags & 0x30;
	barrier_var(masked);
	if (masked == 0x40)
		READ_FRESH;
	return 0;
}

PROGRAM(byte_above_255)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);
	__u64 number;

	if (!value)
		return 0;
	number = value->small;
	barrier_var(number);
	if (number > 255)
		READ_FRESH;
	return 0;
}

PROGRAM(byte_above_254)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);
	__u64 number;

	if (!value)
		return 0;
	number = value->small;
	barrier_var(number);
	if (number > 254)
		READ_FRESH;
	return 0;
}

PROGRAM(second_test_agrees)
{
	__u64 number = ctx[0];

	if (number < 10)
		return 0;
	barrier_var(number);
	if (number > 20)
		READ_FRESH;
	return 0;
}

PROGRAM(second_test_contradicts)
{
	__u64 number = ctx[0];

	if (number > 10)
		return 0;
	barrier_var(number);
	if (number > 20)
		READ_FRESH;
	return 0;
}

PROGRAM(equal_then_different)
{
	__u64 number = ctx[0];

	if (number != 7)
		return 0;
	barrier_var(number);
	if (number != 7)
		READ_FRESH;
	return 0;
}

PROGRAM(copy_is_tested)
{
	__u64 number = ctx[0];
	__u64 copy = number;

	barrier_var(copy);
	if (number != 9)
		return 0;
	if (copy == 9)
		READ_FRESH;
	return 0;
}

PROGRAM(sum_of_two)
{
	__u64 sum = ctx[0] + ctx[1];

	if (sum == 77)
		READ_FRESH;
	return 0;
}

PROGRAM(two_compared)
{
	if (ctx[0] > ctx[1])
		READ_FRESH;
	return 0;
}

PROGRAM(two_equal)
{
	if (ctx[0] == ctx[1])
		READ_FRESH;
	return 0;
}

PROGRAM(itself_compared)
{
	__u64 number = ctx[0];
	__u64 same = number;

	barrier_var(same);
	if (number == same)
		READ_FRESH;
	return 0;
}

PROGRAM(high_half)
{
	if (bpf_get_current_pid_tgid() >> 32 == 4242)
		READ_FRESH;
	return 0;
}

PROGRAM(low_half)
{
	if ((__u32)bpf_get_current_pid_tgid() != 1)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(user_is_root)
{
	if ((__u32)bpf_get_current_uid_gid() == 0)
		READ_FRESH;
	return 0;
}

PROGRAM(random_number)
{
	if (bpf_get_prandom_u32() % 10 == 3)
		READ_FRESH;
	return 0;
}

PROGRAM(random_below)
{
	__u32 number = bpf_get_prandom_u32() % 10;

	barrier_var(number);
	if (number > 9)
		READ_FRESH;
	return 0;
}

PROGRAM(cpu_number_zero)
{
	if (bpf_get_smp_processor_id() == 0)
		READ_FRESH;
	return 0;
}

PROGRAM(cpu_number_huge)
{
	if (bpf_get_smp_processor_id() > 100000)
		READ_FRESH;
	return 0;
}

PROGRAM(helper_failed)
{
	__u32 key = 1;
	struct value value = {};

	if (bpf_map_update_elem(&hash, &key, &value, 0) < 0)
		READ_FRESH;
	return 0;
}

PROGRAM(helper_worked)
{
	__u32 key = 1;
	struct value value = {};

	if (bpf_map_update_elem(&hash, &key, &value, 0))
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(string_read)
{
	char text[16];
	long length = bpf_probe_read_kernel_str(text, sizeof(text), (void *)ctx[0]);

	if (length < 0)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(string_too_long)
{
	char text[16];
	long length = bpf_probe_read_kernel_str(text, sizeof(text), (void *)ctx[0]);

	barrier_var(length);
	if (length > 16)
		READ_FRESH;
	return 0;
}

PROGRAM(read_from_kernel)
{
	int number;

	bpf_probe_read_kernel(&number, sizeof(number), (void *)ctx[0]);
	if (number == 5)
		READ_FRESH;
	return 0;
}

PROGRAM(read_and_failed)
{
	__u64 number = 0;

	if (bpf_probe_read_kernel(&number, sizeof(number), (void *)ctx[0]) || !number)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(command_name)
{
	char name[16];

	bpf_get_current_comm(name, sizeof(name));
	if (name[0] == 's' && name[1] == 's' && name[2] == 'h')
		READ_FRESH;
	return 0;
}

PROGRAM(stack_variable)
{
	volatile int number = 3;

	if (number == 3)
		READ_FRESH;
	return 0;
}

PROGRAM(stack_variable_other)
{
	volatile int number = 3;

	if (number == 4)
		READ_FRESH;
	return 0;
}

PROGRAM(constant_false)
{
	int zero = 0;

	asm volatile("%0 = 0" : "=r"(zero));
	if (zero)
		READ_FRESH;
	return 0;
}

PROGRAM(constant_sum)
{
	__u64 number;

	asm volatile("%0 = 5; %0 += 7; %0 <<= 2" : "=r"(number));
	if (number == 48)
		READ_FRESH;
	return 0;
}

PROGRAM(constant_of_both_branches)
{
	int number = 1;

	if (ctx[0] > 4)
		number = 1;
	barrier_var(number);
	if (number == 2)
		READ_FRESH;
	return 0;
}

PROGRAM(number_by_branch)
{
	int number = 1;

	if (ctx[0] > 4) {
		number = 2;
		sink = 4;
	}
	barrier_var(number);
	if (number == 2)
		READ_FRESH;
	return 0;
}

PROGRAM(number_by_same_condition)
{
	__u64 first = ctx[0];
	int number = 1;

	if (first > 4) {
		number = 2;
		sink = 4;
	}
	barrier_var(number);
	barrier_var(first);
	if (number == 2 && first < 3)
		READ_FRESH;
	return 0;
}

PROGRAM(global_number)
{
	if (seen > 6)
		READ_FRESH;
	return 0;
}

PROGRAM(global_number_wide)
{
	if (seen_wide == 6)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(constant_choice_off)
{
	if (chosen)
		READ_FRESH;
	return 0;
}

PROGRAM(constant_choice_on)
{
	if (!chosen)
		READ_FRESH;
	return 0;
}

PROGRAM(constant_choice_before)
{
	if (chosen)
		sink = 3;
	READ_FRESH;
	return 0;
}

PROGRAM(process_of_choice)
{
	__u32 process = bpf_get_current_pid_tgid() >> 32;

	if (wanted && process != wanted)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(loop_over_numbers)
{
	for (int i = 0; i < 20; i++) {
		barrier_var(i);
		if (ctx[0] == i)
			READ_FRESH;
	}
	return 0;
}

PROGRAM(loop_until_found)
{
	__u64 number = ctx[0];

	for (int i = 0; i < 30; i++) {
		barrier_var(number);
		if (number == 11)
			break;
		number = bpf_get_prandom_u32();
	}
	READ_FRESH;
	return 0;
}

PROGRAM(loop_last_round)
{
	__u32 i;

	for (i = 0; i < 50; i++) {
		barrier_var(i);
		if (i == 49)
			READ_FRESH;
	}
	return 0;
}

PROGRAM(loop_round_too_far)
{
	__u32 i;

	for (i = 0; i < 50; i++) {
		barrier_var(i);
		if (i == 51)
			READ_FRESH;
	}
	return 0;
}

static __noinline int classify(__u64 number)
{
	if (number > 1000)
		return 2;
	if (number > 10)
		return 1;
	return 0;
}

PROGRAM(subprogram_answers)
{
	if (classify(ctx[0]) == 2)
		READ_FRESH;
	return 0;
}

PROGRAM(subprogram_never_answers)
{
	int class = classify(ctx[0]);

	barrier_var(class);
	if (class == 3)
		READ_FRESH;
	return 0;
}

static __noinline int in_subprogram(__u64 number)
{
	if (number == 0)
		return 0;
	READ_FRESH;
	return 1;
}

PROGRAM(subprogram_has_it)
{
	return in_subprogram(ctx[1]);
}

static __noinline int in_dead_subprogram(__u64 number)
{
	barrier_var(number);
	if (number == 1)
		READ_FRESH;
	return 1;
}

PROGRAM(subprogram_of_constant)
{
	return in_dead_subprogram(2);
}

__noinline int in_global_function(int number)
{
	barrier_var(number);
	if (number > 8)
		READ_FRESH;
	return 1;
}

PROGRAM(global_function_has_it)
{
	return in_global_function(2);
}

static int each_round(__u64 index, void *unused)
{
	if (index > 2)
		READ_FRESH;
	return 0;
}

PROGRAM(callback_of_loop)
{
	bpf_loop(10, each_round, NULL, 0);
	return 0;
}

static int each_element(void *map, const __u32 *key, struct value *value, void *unused)
{
	if (value->number == 4)
		READ_FRESH;
	return 0;
}

PROGRAM(callback_of_elements)
{
	bpf_for_each_map_elem(&hash, each_element, NULL, 0);
	return 0;
}

PROGRAM(after_loop_helper)
{
	if (bpf_loop(10, each_round, NULL, 0) < 0)
		return 0;
	READ_FRESH;
	return 0;
}

XDP(packet_long_enough)
{
	void *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;

	if (data + 14 > end)
		return 2;
	READ_FRESH;
	return 2;
}

XDP(packet_too_short)
{
	void *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;

	if (data + 14 > end)
		READ_FRESH;
	return 2;
}

XDP(packet_protocol)
{
	__u8 *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;

	if ((void *)data + 34 > end)
		return 2;
	if (*(__u16 *)(data + 12) == bpf_htons(0x0800) && data[23] == 6)
		READ_FRESH;
	return 2;
}

XDP(packet_checked_twice)
{
	__u8 *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;

	if ((void *)data + 14 > end)
		return 2;
	sink = data[3];
	if ((void *)data + 34 > end)
		return 2;
	if ((data[14] & 0xf) == 5)
		READ_FRESH;
	return 2;
}

XDP(packet_shorter_after_check)
{
	__u8 *data = (void *)(long)ctx->data;
	void *end = (void *)(long)ctx->data_end;

	if ((void *)data + 34 > end)
		return 2;
	barrier_var(data);
	if ((void *)data + 14 > end)
		READ_FRESH;
	return 2;
}

XDP(context_number)
{
	if (ctx->rx_queue_index > 3)
		READ_FRESH;
	return 2;
}

TC(mark_of_packet)
{
	if (ctx->mark == 0x1234)
		READ_FRESH;
	return 0;
}

TC(length_of_packet)
{
	if (ctx->len < 60 || ctx->len > 1500)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(one_after_another)
{
	if (ctx[0] == 1)
		return 0;
	if (ctx[1] > 100)
		return 0;
	if ((__u32)ctx[2] & 4)
		return 0;
	if ((__s64)ctx[3] > -1)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(switch_of_numbers)
{
	switch (ctx[0]) {
	case 1:
		sink = 1;
		break;
	case 22:
		sink = 5;
		break;
	case 333:
		READ_FRESH;
		break;
	case 4444:
		sink = 9;
		break;
	}
	return 0;
}

PROGRAM(shifted_number)
{
	__u64 number = ctx[0];

	if (((number >> 8) & 0xff) == 0x42)
		READ_FRESH;
	return 0;
}

PROGRAM(multiplied_number)
{
	__u64 number = ctx[0] * 8;

	barrier_var(number);
	if (number == 64)
		READ_FRESH;
	return 0;
}

PROGRAM(odd_product)
{
	__u64 number = ctx[0] & 0xff;

	number *= 2;
	barrier_var(number);
	if (number == 63)
		READ_FRESH;
	return 0;
}

PROGRAM(null_of_found_again)
{
	__u32 key = 1;
	struct value *value = bpf_map_lookup_elem(&hash, &key);
	struct value *again;

	if (!value)
		return 0;
	again = value;
	barrier_var(again);
	if (!again)
		READ_FRESH;
	return 0;
}

PROGRAM(after_other_trap)
{
	if (ctx[0] > 3)
		READ_FRESH;
	if (ctx[1] == 2)
		READ(TASK, fresh_part);
	return 0;
}

PROGRAM(task_is_there)
{
	if (!bpf_get_current_task())
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(comparison_of_32_bits)
{
	__u64 number = ctx[0];

	if ((__s32)number < 0)
		READ_FRESH;
	return 0;
}

PROGRAM(stack_too_short)
{
	char text[64];
	long length = bpf_get_stack((void *)ctx, text, sizeof(text), 0);

	if (length <= 0)
		return 0;
	READ_FRESH;
	return 0;
}
