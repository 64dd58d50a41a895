// SPDX-License-Identifier: MIT
// What libbpf says of BTF and .BTF.ext.
//
// Reads inputs from the standard input: a 32-bit number (0 BTF, 1 .BTF.ext), bytes of the base and
// the base (none: 0), bytes of the blob and the blob; numbers in the byte order of the machine.
// Prints a line for each: errno, the last line of libbpf's log, the number of types without those of
// the base, and a hash (FNV-1a) of their kinds, names and sizes, separated by tabs.
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

static unsigned char base_bytes[1 << 22], bytes[1 << 22];
static char last[1024];

static int keep(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	vsnprintf(last, sizeof(last), format, args);
	last[strcspn(last, "\n")] = 0;
	return 0;
}

static uint32_t hash;

static void add(const void *data, size_t size)
{
	const unsigned char *byte = data;

	while (size-- > 0)
		hash = (hash ^ *byte++) * 16777619u;
}

static uint32_t hash_of(const struct btf *btf, uint32_t first)
{
	hash = 2166136261u;
	for (uint32_t id = first; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, t->name_off);
		unsigned char kind = btf_kind(t);
		int32_t size = btf__resolve_size(btf, id);

		add(&kind, 1);
		add(name, strlen(name) + 1);
		add(&size, sizeof(size));
	}
	return hash;
}

static uint32_t read_blob(unsigned char *to)
{
	uint32_t size;

	if (fread(&size, sizeof(size), 1, stdin) != 1 || size > sizeof(bytes))
		return 0;
	return fread(to, 1, size, stdin) == size ? size : 0;
}

int main(void)
{
	uint32_t is_ext;

	libbpf_set_print(keep);
	while (fread(&is_ext, sizeof(is_ext), 1, stdin) == 1) {
		uint32_t base_size = read_blob(base_bytes), size = read_blob(bytes), first = 1;
		struct btf *base = NULL, *btf = NULL;
		struct btf_ext *ext = NULL;
		int error;

		if (base_size > 0) {
			base = btf__new(base_bytes, base_size);
			if (!base)
				return 1;
			first = btf__type_cnt(base);
		}
		last[0] = 0;
		errno = 0;
		if (is_ext)
			ext = btf_ext__new(bytes, size);
		else
			btf = btf__new_split(bytes, size, base);
		error = ext || btf ? 0 : errno;
		if (btf)
			printf("0\t\t%u\t%u\n", btf__type_cnt(btf) - first, hash_of(btf, first));
		else
			printf("%d\t%s\t0\t0\n", error, error ? last : "");
		fflush(stdout);
		btf_ext__free(ext);
		btf__free(btf);
		btf__free(base);
	}
	return 0;
}
