// SPDX-License-Identifier: MIT
// What the running kernel says of BTF blobs. Needs root: BPF_BTF_LOAD.
//
// Reads blobs from the standard input, each after its length and before the number of maps and
// the maps, all 32-bit numbers in the byte order of the machine. Prints a line for each: errno,
// the id of the last line of the log that names a type ("-" where none does), the errno of
// BPF_MAP_CREATE for each map ("-" for none), and the last line, separated by tabs.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/bpf.h>

struct map {
	uint32_t type, flags, key, value, value_size;
};

static char log_text[1 << 20];
static unsigned char bytes[1 << 25];

/* The last line, without its end; the line before it is cut off for the next call. */
static char *last_line(char *text)
{
	size_t length = strlen(text);
	char *newline;

	while (length > 0 && text[length - 1] == '\n')
		text[--length] = 0;
	newline = strrchr(text, '\n');
	if (!newline)
		return text;
	*newline = 0;
	return newline + 1;
}

static int create(const struct map *map, int btf_fd)
{
	union bpf_attr attr = {};
	int is_storage = map->type >= BPF_MAP_TYPE_SK_STORAGE && map->type != BPF_MAP_TYPE_STRUCT_OPS;
	int fd;

	attr.map_type = map->type;
	attr.map_flags = map->flags | (is_storage ? BPF_F_NO_PREALLOC : 0);
	attr.key_size = 4;
	attr.value_size = map->value_size;
	attr.max_entries = is_storage ? 0 : 1;
	attr.btf_fd = btf_fd;
	attr.btf_key_type_id = map->key;
	attr.btf_value_type_id = map->value;
	fd = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

int main(void)
{
	uint32_t size;

	while (fread(&size, sizeof(size), 1, stdin) == 1) {
		union bpf_attr attr = {};
		char *line, *named;
		int fd, error = 0;
		uint32_t count;
		struct map map;

		if (size > sizeof(bytes) || fread(bytes, 1, size, stdin) != size)
			return 1;
		attr.btf = (unsigned long)bytes;
		attr.btf_size = size;
		attr.btf_log_buf = (unsigned long)log_text;
		attr.btf_log_size = sizeof(log_text);
		attr.btf_log_level = 2;
		log_text[0] = 0;
		fd = syscall(SYS_bpf, BPF_BTF_LOAD, &attr, sizeof(attr));
		if (fd < 0)
			error = errno;
		line = last_line(log_text);
		for (named = line; *named != '[' && named != log_text;)
			named = last_line(log_text);
		if (*named == '[')
			printf("%d\t%d\t", error, atoi(named + 1));
		else
			printf("%d\t-\t", error);
		if (fread(&count, sizeof(count), 1, stdin) != 1)
			return 1;
		for (uint32_t i = 0; i < count; i++) {
			if (fread(&map, sizeof(map), 1, stdin) != 1)
				return 1;
			printf("%s%d", i ? " " : "", error ? error : create(&map, fd));
		}
		printf("%s\t%s\n", count ? "" : "-", line);
		if (fd >= 0)
			close(fd);
	}
	return 0;
}
