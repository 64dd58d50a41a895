// SPDX-License-Identifier: MIT
// Guards on types, enum values, kfuncs and options, and guards in subprograms.
#include "reach.h"

extern int fresh_kfunc(int x) __ksym __weak;
extern int stale_kfunc(int x) __ksym __weak;
extern int both_kfunc(int x) __ksym;
extern int LINUX_KERNEL_VERSION __kconfig;
extern _Bool CONFIG_FRESH __kconfig __weak;
extern unsigned int CONFIG_HZ __kconfig __weak;

// A symbol that is not there has the address 0; clang 19 takes the address of a function for set.
static __always_inline void *address(const void *symbol)
{
	void *at = (void *)symbol;

	asm("" : "+r"(at));
	return at;
}

PROGRAM(type_guard__ok__ok)
{
	struct fresh_type *fresh = (void *)ctx;

	if (HAS_TYPE)
		READ(fresh, value);
	return 0;
}

PROGRAM(type_unguarded__rejected__ok)
{
	struct fresh_type *fresh = (void *)ctx;

	READ(fresh, value);
	return 0;
}

// libbpf writes the size 0, which is no error.
PROGRAM(type_size_of_missing__ok__ok)
{
	sink = core_type_size(struct fresh_type);
	return 0;
}

PROGRAM(type_size_guarded__ok__ok)
{
	if (HAS_TYPE)
		sink = core_type_size(struct fresh_type);
	return 0;
}

PROGRAM(type_matches__ok__ok)
{
	struct fresh_type *fresh = (void *)ctx;

	if (core_type_matches(struct fresh_type))
		READ(fresh, value);
	return 0;
}

PROGRAM(type_else_other__ok__ok)
{
	struct fresh_type *fresh = (void *)ctx;
	struct stale_type *stale = (void *)ctx;

	if (HAS_TYPE)
		READ(fresh, value);
	else
		READ(stale, value);
	return 0;
}

PROGRAM(value_guard__ok__ok)
{
	if (HAS_VALUE)
		sink = core_enum_value(enum state, STATE_FRESH);
	return 0;
}

PROGRAM(value_unguarded__rejected__ok)
{
	sink = core_enum_value(enum state, STATE_FRESH);
	return 0;
}

PROGRAM(value_guards_field__ok__ok)
{
	if (!HAS_VALUE)
		return 1;
	READ_FRESH;
	return 0;
}

PROGRAM(value_of_other_guarded__ok__ok)
{
	if (core_enum_value_exists(enum state, STATE_STALE))
		READ_STALE;
	return 0;
}

PROGRAM(value_by_data__rejected__ok)
{
	if (ctx[0])
		sink = core_enum_value(enum state, STATE_FRESH);
	return 0;
}

PROGRAM(kfunc_guard__ok__ok)
{
	if (address(fresh_kfunc))
		sink = fresh_kfunc(1);
	return 0;
}

PROGRAM(kfunc_unguarded__rejected__ok)
{
	sink = fresh_kfunc(1);
	return 0;
}

PROGRAM(kfunc_else__ok__ok)
{
	if (address(fresh_kfunc))
		sink = fresh_kfunc(1);
	else if (address(stale_kfunc))
		sink = stale_kfunc(2);
	return 0;
}

PROGRAM(kfunc_guard_of_other__rejected__ok)
{
	if (address(both_kfunc))
		sink = fresh_kfunc(both_kfunc(1));
	return 0;
}

PROGRAM(kfunc_guards_field__ok__ok)
{
	if (address(fresh_kfunc))
		READ_FRESH;
	return 0;
}

PROGRAM(kfunc_by_data__rejected__ok)
{
	if (ctx[0] > 5)
		sink = fresh_kfunc(1);
	return 0;
}

PROGRAM(version_guard__ok__ok)
{
	if (LINUX_KERNEL_VERSION >= (6 << 16))
		READ_FRESH;
	return 0;
}

PROGRAM(version_else__ok__ok)
{
	if (LINUX_KERNEL_VERSION < (6 << 16))
		READ_STALE;
	else
		READ_FRESH;
	return 0;
}

PROGRAM(version_too_low__rejected__ok)
{
	if (LINUX_KERNEL_VERSION >= (4 << 16))
		READ_FRESH;
	return 0;
}

PROGRAM(option_guard__ok__ok)
{
	if (CONFIG_FRESH)
		READ_FRESH;
	return 0;
}

PROGRAM(option_number__ok__ok)
{
	if (CONFIG_HZ == 1000)
		READ_FRESH;
	return 0;
}

static __noinline int read_it(struct task_struct *task)
{
	READ(task, fresh);
	return sink;
}

static __noinline int read_if(struct task_struct *task, int has)
{
	if (has)
		READ(task, fresh_part);
	return sink;
}

static __noinline int has_it(void)
{
	sink++;
	return HAS_FRESH;
}

static __noinline int guarded_itself(struct task_struct *task)
{
	if (!HAS_FRESH)
		return 0;
	READ(task, fresh);
	return sink;
}

static __noinline int outer(struct task_struct *task)
{
	if (sink == 77)
		return 0;
	return read_it(task) + 1;
}

__noinline int global_guarded(int unused)
{
	if (HAS_FRESH)
		READ_FRESH;
	return unused;
}

PROGRAM(call_guarded__ok__ok)
{
	if (HAS_FRESH)
		return read_it(TASK);
	return 0;
}

PROGRAM(call_unguarded__rejected__ok)
{
	return read_it(TASK);
}

PROGRAM(call_by_data__rejected__ok)
{
	if (ctx[0])
		return read_it(TASK);
	return 0;
}

PROGRAM(call_guards_itself__ok__ok)
{
	return guarded_itself(TASK);
}

PROGRAM(guard_as_argument__ok__ok)
{
	return read_if(TASK, HAS_FRESH);
}

PROGRAM(guard_as_result__ok__ok)
{
	if (has_it())
		READ_FRESH;
	return 0;
}

PROGRAM(guard_as_result_wrong__ok__rejected)
{
	if (has_it())
		READ_STALE;
	return 0;
}

PROGRAM(call_of_call_guarded__ok__ok)
{
	if (!HAS_FRESH)
		return 1;
	return outer(TASK);
}

PROGRAM(call_of_call__rejected__ok)
{
	return outer(TASK);
}

PROGRAM(call_of_global__ok__ok)
{
	return global_guarded(3);
}

PROGRAM(call_then_read__rejected__ok)
{
	sink = guarded_itself(TASK);
	READ_FRESH;
	return 0;
}
