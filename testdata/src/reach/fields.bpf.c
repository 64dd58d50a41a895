// SPDX-License-Identifier: MIT
// Guards on fields: conditions, early returns, switches, loops.
#include "reach.h"

PROGRAM(plain_if__ok__ok)
{
	if (HAS_FRESH)
		READ_FRESH;
	return 0;
}

PROGRAM(no_guard__rejected__ok)
{
	READ_FRESH;
	return 0;
}

PROGRAM(no_guard_of_stale__ok__rejected)
{
	READ_STALE;
	return 0;
}

PROGRAM(if_else__ok__ok)
{
	if (HAS_FRESH)
		READ_FRESH;
	else
		READ_STALE;
	return 0;
}

PROGRAM(wrong_arms__rejected__rejected)
{
	if (HAS_FRESH)
		READ_STALE;
	else
		READ_FRESH;
	return 0;
}

PROGRAM(early_return__ok__ok)
{
	if (!HAS_FRESH)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(early_return_of_other__rejected__ok)
{
	if (ctx[0] == 7)
		sink = 1;
	READ_FRESH;
	return 0;
}

PROGRAM(return_by_data__rejected__ok)
{
	if (ctx[0] == 7)
		return 0;
	READ_FRESH;
	return 0;
}

PROGRAM(and_with_data__ok__ok)
{
	if (HAS_FRESH && ctx[0] == 7)
		READ_FRESH;
	return 0;
}

PROGRAM(data_and_guard__ok__ok)
{
	if (ctx[0] == 7 && HAS_FRESH)
		READ_FRESH;
	return 0;
}

PROGRAM(or_with_data__rejected__ok)
{
	if (HAS_FRESH || ctx[0] == 7)
		READ_FRESH;
	return 0;
}

PROGRAM(and_of_guards__ok__ok)
{
	if (HAS_FRESH && HAS_TYPE && HAS_VALUE)
		READ_FRESH;
	return 0;
}

PROGRAM(or_of_guards__rejected__ok)
{
	if (HAS_FRESH || HAS_STALE)
		READ_FRESH;
	return 0;
}

PROGRAM(not_or__ok__ok)
{
	if (!(!HAS_FRESH || ctx[1] == 3))
		READ_FRESH;
	return 0;
}

PROGRAM(nested__ok__ok)
{
	if (ctx[0] > 2) {
		if (HAS_FRESH) {
			if (ctx[1] > 2)
				READ_FRESH;
		}
	}
	return 0;
}

PROGRAM(nested_wrong__ok__rejected)
{
	if (ctx[0] > 2) {
		if (HAS_FRESH) {
			if (ctx[1] > 2)
				READ_STALE;
		}
	}
	return 0;
}

PROGRAM(guard_on_other_field__ok__ok)
{
	// Both fields came with the same kernel.
	if (core_field_exists(((struct task_struct *)0)->fresh_part))
		READ_FRESH;
	return 0;
}

PROGRAM(guard_on_common_field__rejected__ok)
{
	if (core_field_exists(((struct task_struct *)0)->pid))
		READ_FRESH;
	return 0;
}

PROGRAM(guard_in_variable__ok__ok)
{
	int has = HAS_FRESH;

	sink = bpf_ktime_get_ns();
	if (has)
		READ_FRESH;
	return 0;
}

PROGRAM(guard_in_variable_across_calls__ok__ok)
{
	__u32 has = HAS_FRESH;
	__u64 sum = 0;

	for (int i = 0; i < 5; i++)
		sum += bpf_ktime_get_ns() ^ sum;
	sink = sum;
	if (has && sum > 4)
		READ_FRESH;
	return 0;
}

PROGRAM(ternary__ok__ok)
{
	int value = 0;
	struct task_struct *task = TASK;

	core_read(&value, task->pid);
	sink = HAS_FRESH ? ({
		core_read(&value, task->fresh);
		value;
	}) : value;
	return 0;
}

PROGRAM(ternary_of_three__ok__ok)
{
	int value = 0;

	sink = HAS_FRESH ? ({ core_read(&value, TASK->fresh); value; })
	     : HAS_STALE ? ({ core_read(&value, TASK->stale); value; })
			 : 9;
	return 0;
}

PROGRAM(switch_on_data__ok__ok)
{
	switch (ctx[0]) {
	case 1:
		if (!HAS_FRESH)
			return 0;
		READ_FRESH;
		break;
	case 2:
		sink = 4;
		break;
	default:
		return 0;
	}
	return 1;
}

PROGRAM(switch_unguarded__rejected__ok)
{
	switch (ctx[0]) {
	case 1:
		READ_FRESH;
		break;
	case 2:
		sink = 4;
		break;
	case 5:
		sink = 8;
		break;
	}
	return 1;
}

PROGRAM(switch_on_guards__ok__ok)
{
	switch (HAS_FRESH + 2 * HAS_STALE) {
	case 1:
		READ_FRESH;
		break;
	case 2:
		READ_STALE;
		break;
	}
	return 0;
}

PROGRAM(switch_all_arms__rejected__ok)
{
	struct task_struct *task = TASK;

	switch (ctx[0]) {
	case 1:
		READ(task, fresh);
		sink++;
		break;
	case 2:
		READ(task, fresh);
		sink += 7;
		break;
	default:
		READ(task, fresh_part->fresh);
		sink += 9;
	}
	return 0;
}

// clang moves the offset, which CO-RE relocates, out of the loop and before the guard.
PROGRAM(loop_guarded__rejected__ok)
{
	for (int i = 0; i < 9; i++) {
		if (!HAS_FRESH)
			break;
		READ_FRESH;
		if (sink > 100)
			break;
	}
	return 0;
}

PROGRAM(loop_by_data__rejected__ok)
{
	for (__u32 i = 0; i < (__u32)(ctx[0] & 7); i++)
		READ_FRESH;
	return 0;
}

PROGRAM(loop_of_constant__rejected__ok)
{
	#pragma clang loop unroll(disable)
	for (int i = 0; i < 4; i++)
		READ_FRESH;
	return 0;
}

PROGRAM(loop_continue__ok__ok)
{
	#pragma clang loop unroll(disable)
	for (int i = 0; i < 6; i++) {
		if (ctx[0] == i)
			continue;
		if (!HAS_FRESH)
			continue;
		READ_FRESH;
	}
	return 0;
}

PROGRAM(behind_loop__rejected__ok)
{
	#pragma clang loop unroll(disable)
	for (int i = 0; i < 6; i++)
		sink += ctx[0];
	READ_FRESH;
	return 0;
}

PROGRAM(goto_out__ok__ok)
{
	if (!HAS_FRESH)
		goto out;
	READ_FRESH;
	if (sink == 3)
		goto out;
	READ_FRESH;
out:
	return 0;
}

PROGRAM(both_kernels_wrong__rejected__rejected)
{
	READ_FRESH;
	READ_STALE;
	return 0;
}

PROGRAM(flavours__ok__ok)
{
	struct task_struct___old *old = (void *)TASK;
	struct task_struct___new *new = (void *)TASK;

	if (core_field_exists(new->fresh))
		READ(new, fresh);
	else
		READ(old, stale);
	return 0;
}

PROGRAM(flavour_unguarded__ok__rejected)
{
	struct task_struct___old *old = (void *)TASK;

	READ(old, stale);
	return 0;
}

PROGRAM(flavour_chain__ok__ok)
{
	struct task_struct___old *old = (void *)TASK;
	struct task_struct___new *new = (void *)TASK;

	if (core_field_exists(old->stale)) {
		READ(old, stale);
		return 1;
	}
	if (core_field_exists(new->fresh_part)) {
		READ(new, fresh_part->fresh);
		return 2;
	}
	return 0;
}

PROGRAM(size_in_common_field__ok__ok)
{
	if (core_field_size(((struct task_struct *)0)->width) == 8)
		READ_FRESH;
	else
		READ_STALE;
	return 0;
}

PROGRAM(size_compared__ok__ok)
{
	if (core_field_size(((struct task_struct *)0)->width) > 4)
		READ_FRESH;
	return 0;
}

PROGRAM(size_of_missing__rejected__ok)
{
	sink = core_field_size(((struct task_struct *)0)->fresh);
	return 0;
}

PROGRAM(offset_of_missing__rejected__ok)
{
	sink = core_field_offset(((struct task_struct *)0)->fresh);
	return 0;
}

PROGRAM(offset_of_missing_guarded__ok__ok)
{
	if (HAS_FRESH)
		sink = core_field_offset(((struct task_struct *)0)->fresh);
	return 0;
}

PROGRAM(part_of_part__ok__ok)
{
	if (core_field_exists(((struct part *)0)->fresh))
		READ(TASK, part.fresh);
	return 0;
}

PROGRAM(direct_access__rejected__ok)
{
	const struct task_struct *task = (const void *)ctx;

	return task->fresh;
}

PROGRAM(direct_access_guarded__ok__ok)
{
	const struct task_struct *task = (const void *)ctx;

	if (HAS_FRESH)
		return task->fresh;
	return task->pid;
}

PROGRAM(data_in_global__rejected__ok)
{
	if (choice)
		READ_FRESH;
	return 0;
}

PROGRAM(stack_copy__ok__ok)
{
	volatile int has = HAS_FRESH;

	if (has)
		READ_FRESH;
	return 0;
}

PROGRAM(inverted_twice__ok__ok)
{
	int lacks = !HAS_FRESH;

	if (!lacks)
		READ_FRESH;
	return 0;
}

PROGRAM(product_of_guards__ok__ok)
{
	if (HAS_FRESH * HAS_VALUE)
		READ_FRESH;
	return 0;
}

PROGRAM(mask_of_guards__ok__ok)
{
	__u32 features = HAS_FRESH | HAS_STALE << 1 | HAS_TYPE << 2;

	if (features & 4)
		READ_FRESH;
	if (features & 2)
		READ_STALE;
	return 0;
}
