/*
 * Loads one BPF object through libbpf, for scripts/real-loads.mjs: `load OBJECT [PROGRAM]`. With
 * PROGRAM, only that program is set to be loaded. Nothing is pinned or attached, and the kernel
 * frees all that was loaded when the process ends.
 *
 * An object whose maps need more than 256 MB is not loaded: `large MAP`.
 *
 * Output, a line each: `version TEXT`, and without OBJECT `bpf NUMBER`, which is 1 where programs
 * can be loaded at all; then `open CODE`, `program AUTOLOAD NAME` for each program, and `load CODE`.
 * Warnings of libbpf go to standard error.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Maps of more bytes are not created: they would take the machine's memory. */
#define MAX_BYTES (1ull << 28)

static int print_line(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

int main(int argc, char **argv)
{
	struct bpf_program *program;
	struct bpf_object *object;
	struct bpf_map *map;
	unsigned long long bytes = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	libbpf_set_print(print_line);
	printf("version %s\n", libbpf_version_string());
	if (argc < 2) {
		printf("bpf %d\n", libbpf_probe_bpf_prog_type(BPF_PROG_TYPE_SOCKET_FILTER, NULL));
		return 0;
	}
	object = bpf_object__open(argv[1]);
	printf("open %d\n", object == NULL ? -errno : 0);
	if (object == NULL)
		return 0;
	bpf_object__for_each_program(program, object) {
		const char *name = bpf_program__name(program);

		printf("program %d %s\n", bpf_program__autoload(program), name);
		if (argc > 2)
			bpf_program__set_autoload(program, strcmp(argv[2], name) == 0);
	}
	/* A map that the object pins by name is created as any other. */
	bpf_object__for_each_map(map, object) {
		/* At least a pointer for an entry; per-CPU maps have one value for each processor. */
		unsigned long long size = bpf_map__key_size(map) + bpf_map__value_size(map) + 8ull;

		bytes += size * bpf_map__max_entries(map) * libbpf_num_possible_cpus();
		bpf_map__set_pin_path(map, NULL);
		if (bytes > MAX_BYTES) {
			printf("large %s\n", bpf_map__name(map));
			return 0;
		}
	}
	printf("load %d\n", bpf_object__load(object));
	return 0;
}
