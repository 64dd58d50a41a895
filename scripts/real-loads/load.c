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
#include "../open-object.h"
#include <stdarg.h>

#define MAX_BYTES (1ull << 28)

static int print_line(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;

	setvbuf(stdout, NULL, _IOLBF, 0);
	libbpf_set_print(print_line);
	printf("version %s\n", libbpf_version_string());
	if (argc < 2) {
		printf("bpf %d\n", libbpf_probe_bpf_prog_type(BPF_PROG_TYPE_SOCKET_FILTER, NULL));
		return 0;
	}
	object = open_object(argv[1], argc > 2 ? argv[2] : NULL, MAX_BYTES);
	if (object != NULL)
		printf("load %d\n", bpf_object__load(object));
	return 0;
}
