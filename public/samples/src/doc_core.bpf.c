// SPDX-License-Identifier: BSD-2-Clause
// All thirteen kinds of CO-RE relocation: the last examples of the kernel's
// Documentation/bpf/llvm_reloc.rst.
//
// Look at: the records in .BTF.ext. alpha() asks for nothing: the attribute on
// struct foo makes clang record each access. bravo() has the kinds for fields,
// charlie() those for types, delta() those for enum values.
struct foo {
	int a;
	int b;
	unsigned c : 15;
} __attribute__((preserve_access_index));

enum bar { U, V };

void alpha(struct foo *s, volatile unsigned long *g)
{
	*g = s->a;
	s->a = 1;
}

void bravo(struct foo *s, volatile unsigned long *g)
{
	*g = __builtin_preserve_field_info(s->b, 0 /* byte offset */);
	*g = __builtin_preserve_field_info(s->b, 1 /* byte size */);
	*g = __builtin_preserve_field_info(s->b, 2 /* existence */);
	*g = __builtin_preserve_field_info(s->b, 3 /* signedness */);
	*g = __builtin_preserve_field_info(s->c, 4 /* left shift */);
	*g = __builtin_preserve_field_info(s->c, 5 /* right shift */);
}

void charlie(struct foo *s, volatile unsigned long *g)
{
	*g = __builtin_preserve_type_info(*s, 0 /* existence */);
	*g = __builtin_preserve_type_info(*s, 1 /* size */);
	*g = __builtin_preserve_type_info(*s, 2 /* match */);
	*g = __builtin_btf_type_id(*s, 0 /* id in this file */);
	*g = __builtin_btf_type_id(*s, 1 /* id in the kernel */);
}

void delta(struct foo *s, volatile unsigned long *g)
{
	*g = __builtin_preserve_enum_value(*(enum bar *)U, 0 /* existence */);
	*g = __builtin_preserve_enum_value(*(enum bar *)V, 1 /* value */);
}
