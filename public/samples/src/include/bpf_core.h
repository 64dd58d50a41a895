// SPDX-License-Identifier: MIT
// CO-RE in macros. Each one ends in a compiler builtin; its second argument
// chooses which bpf_core_relo_kind clang writes into .BTF.ext.
#ifndef SAMPLES_BPF_CORE_H
#define SAMPLES_BPF_CORE_H

#define __core __attribute__((preserve_access_index))

#define core_field_offset(field) __builtin_preserve_field_info(field, 0)
#define core_field_size(field) __builtin_preserve_field_info(field, 1)
#define core_field_exists(field) __builtin_preserve_field_info(field, 2)
#define core_field_signed(field) __builtin_preserve_field_info(field, 3)
#define core_field_lshift(field) __builtin_preserve_field_info(field, 4)
#define core_field_rshift(field) __builtin_preserve_field_info(field, 5)

#define core_type_exists(type) __builtin_preserve_type_info(*(type *)0, 0)
#define core_type_size(type) __builtin_preserve_type_info(*(type *)0, 1)
#define core_type_matches(type) __builtin_preserve_type_info(*(type *)0, 2)
#define core_type_id_local(type) __builtin_btf_type_id(*(type *)0, 0)
#define core_type_id_target(type) __builtin_btf_type_id(*(type *)0, 1)

#define core_enum_value_exists(type, value) __builtin_preserve_enum_value(*(type *)value, 0)
#define core_enum_value(type, value) __builtin_preserve_enum_value(*(type *)value, 1)

// Copies one field out of kernel memory; the address carries the relocation.
#define core_read(to, field) \
	bpf_probe_read_kernel(to, sizeof(*(to)),                                          \
			      (const void *)__builtin_preserve_access_index(&(field)))

// The value behind a path of up to four names, as BPF_CORE_READ of libbpf's
// bpf_core_read.h: a comma is a pointer that is followed, with a read and a record.
#define core_path_1(to, object, a) core_read(to, (object)->a)
#define core_path_2(to, object, a, b)                                                     \
	({                                                                                \
		typeof((object)->a) path_2;                                               \
                                                                                          \
		core_path_1(&path_2, object, a);                                          \
		core_path_1(to, path_2, b);                                               \
	})
#define core_path_3(to, object, a, b, c)                                                  \
	({                                                                                \
		typeof((object)->a) path_3;                                               \
                                                                                          \
		core_path_1(&path_3, object, a);                                          \
		core_path_2(to, path_3, b, c);                                            \
	})
#define core_path_4(to, object, a, b, c, d)                                               \
	({                                                                                \
		typeof((object)->a) path_4;                                               \
                                                                                          \
		core_path_1(&path_4, object, a);                                          \
		core_path_3(to, path_4, b, c, d);                                         \
	})
#define core_arrow_1(object, a) (object)->a
#define core_arrow_2(object, a, b) (object)->a->b
#define core_arrow_3(object, a, b, c) (object)->a->b->c
#define core_arrow_4(object, a, b, c, d) (object)->a->b->c->d
#define core_pick(_1, _2, _3, _4, name, ...) name
#define BPF_CORE_READ(object, ...)                                                        \
	({                                                                                \
		__typeof_unqual__(core_pick(__VA_ARGS__, core_arrow_4, core_arrow_3,      \
					    core_arrow_2, core_arrow_1)(object,           \
									__VA_ARGS__)) \
			value;                                                            \
                                                                                          \
		core_pick(__VA_ARGS__, core_path_4, core_path_3, core_path_2,             \
			  core_path_1)(&value, object, __VA_ARGS__);                      \
		value;                                                                    \
	})

// The address of the bytes that hold a bit-field, whose own address C forbids.
#define core_bitfield_bytes(object, field) \
	((const void *)(object) + core_field_offset((object)->field))

// A bit-field's 64 bits moved to the top, then down to the bottom again. The
// shift to the right is arithmetic when the field is signed in the kernel.
#define core_bitfield_shift(object, field, bits)                                          \
	(core_field_signed((object)->field)                                               \
		 ? (__u64)((__s64)((bits) << core_field_lshift((object)->field)) >>       \
			   core_field_rshift((object)->field))                            \
		 : (bits) << core_field_lshift((object)->field) >>                        \
			   core_field_rshift((object)->field))

// Copies a bit-field of memory that may not be read directly. The number of bytes
// is only known when the program is loaded; they must end at the low end of the
// 64 bits, on either byte order.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define core_low_bytes(bits, size) ((void *)&(bits))
#else
#define core_low_bytes(bits, size) ((void *)&(bits) + (8 - (size)))
#endif

#define core_read_bitfield(object, field)                                                 \
	({                                                                                \
		__u64 bits = 0;                                                           \
		__u32 size = core_field_size((object)->field);                            \
                                                                                          \
		bpf_probe_read_kernel(core_low_bytes(bits, size), size,                   \
				      core_bitfield_bytes(object, field));                \
		core_bitfield_shift(object, field, bits);                                 \
	})

#endif
