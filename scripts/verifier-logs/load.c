/*
 * Loads one program of a BPF object through libbpf and keeps the verifier's logs as the kernel
 * writes them: `load PREFIX OBJECT PROGRAM [OPTION…]`. libbpf rewrites the end of some logs, so they
 * are taken at the system call: for each level the call of libbpf is made with a buffer of ours
 * before libbpf's own. Nothing is pinned or attached.
 *
 * Options: `levels=1,2` (default 1,2,4); `max=BYTES` (of a log; the kernel keeps the end, default
 * 3000000); `caps=bpf` (all capabilities but CAP_BPF and CAP_NET_ADMIN are dropped before the load);
 * `without=MAP` (a map that libbpf does not create); `strict` (BPF_F_STRICT_ALIGNMENT).
 *
 * Writes PREFIX.lN.log for each level. Output, a line each: `version TEXT`, `open CODE`,
 * `program AUTOLOAD NAME` for each program, `large MAP` if the maps need more than 64 MB,
 * `level N ERRNO BYTES` for each log, and `load CODE`. What libbpf prints goes to standard error.
 */
#include "../open-object.h"
#include <linux/bpf.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_MAP_BYTES (1ull << 26)

static const char *prefix, *target;
static const char *levels = "1,2,4";
static unsigned int max_bytes = 3000000;
static int is_taken;

static int print_line(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_DEBUG ? 0 : vfprintf(stderr, format, args);
}

static long call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

/* Makes the load of `attr` once at `level`, and writes its log. */
static void take_log(const union bpf_attr *attr, unsigned int size, int level)
{
	char *buffer = calloc(1, max_bytes);
	/* libbpf may know a longer attribute than the header. */
	union {
		union bpf_attr attr;
		char bytes[1024];
	} copy = {};
	char path[4096];
	long result;
	FILE *file;

	memcpy(&copy, attr, size < sizeof(copy) ? size : sizeof(copy));
	copy.attr.log_level = level;
	copy.attr.log_buf = (unsigned long)buffer;
	copy.attr.log_size = max_bytes;
	result = call(SYS_bpf, BPF_PROG_LOAD, (long)&copy, size, 0, 0, 0);
	if (result >= 0)
		close(result);
	snprintf(path, sizeof(path), "%s.l%d.log", prefix, level);
	file = fopen(path, "w");
	if (file == NULL) {
		perror(path);
		exit(1);
	}
	fwrite(buffer, 1, strnlen(buffer, max_bytes), file);
	fclose(file);
	printf("level %d %ld %zu\n", level, result < 0 ? -result : 0, strnlen(buffer, max_bytes));
	free(buffer);
}

/* Stands in for the C library's function, which libbpf calls for bpf(). */
long syscall(long number, ...)
{
	long a[6], result;
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_bpf && a[0] == BPF_PROG_LOAD && target != NULL && !is_taken) {
		const union bpf_attr *attr = (const void *)a[1];

		/* libbpf's probes of the kernel have other names. */
		if (strncmp(attr->prog_name, target, BPF_OBJ_NAME_LEN - 1) == 0) {
			is_taken = 1;
			for (const char *level = levels; level != NULL; level = strchr(level, ',')) {
				level += *level == ',';
				take_log(attr, a[2], atoi(level));
			}
		}
	}
	result = call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (result < 0) {
		errno = -result;
		return -1;
	}
	return result;
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	data[CAP_NET_ADMIN / 32].effective |= 1u << (CAP_NET_ADMIN % 32);
	data[CAP_BPF / 32].effective |= 1u << (CAP_BPF % 32);
	data[0].permitted = data[0].effective;
	data[1].permitted = data[1].effective;
	if (syscall(SYS_capset, &header, data) != 0) {
		perror("capset");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct bpf_program *program;
	struct bpf_object *object;
	int is_unprivileged = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: load PREFIX OBJECT PROGRAM [OPTION...]\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	libbpf_set_print(print_line);
	printf("version %s\n", libbpf_version_string());
	prefix = argv[1];
	object = open_object(argv[2], argv[3], MAX_MAP_BYTES);
	if (object == NULL)
		return 0;
	program = bpf_object__find_program_by_name(object, argv[3]);
	if (program == NULL)
		return 0;
	for (int i = 4; i < argc; i++) {
		if (strncmp(argv[i], "levels=", 7) == 0)
			levels = argv[i] + 7;
		else if (strncmp(argv[i], "max=", 4) == 0)
			max_bytes = strtoul(argv[i] + 4, NULL, 10);
		else if (strcmp(argv[i], "caps=bpf") == 0)
			is_unprivileged = 1;
		else if (strncmp(argv[i], "without=", 8) == 0)
			bpf_map__set_autocreate(bpf_object__find_map_by_name(object, argv[i] + 8), false);
		else if (strcmp(argv[i], "strict") == 0)
			bpf_program__set_flags(program, bpf_program__flags(program) | BPF_F_STRICT_ALIGNMENT);
	}
	if (is_unprivileged)
		drop_capabilities();
	target = argv[3];
	printf("load %d\n", bpf_object__load(object));
	return 0;
}
