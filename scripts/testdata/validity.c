// SPDX-License-Identifier: MIT
// What the running kernel and libbpf say of BTF blobs. Needs root: BPF_BTF_LOAD.
//
// Usage: validity btf|ext|open FILE...   Prints a JSON object for each file.
//   btf: BPF_BTF_LOAD of the file with log level 2, and libbpf's btf__new
//   ext: libbpf's btf_ext__new
//   open: opens the object with libbpf and writes the BTF that it would load to FILE.opened
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

static char warning[1 << 14], log_text[1 << 24];

// Of src/btf.h and src/libbpf_internal.h; not in the public headers.
struct btf_ext *btf_ext__new(const __u8 *data, __u32 size);

static int keep(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_DEBUG ? 0 : vsnprintf(warning, sizeof(warning), format, args);
}

static void print_json(const char *key, const char *text)
{
	printf("\"%s\":\"", key);
	for (const unsigned char *c = (const void *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			printf("\\%c", *c);
		else if (*c < 32 || *c > 126)
			printf("\\u%04x", *c);
		else
			putchar(*c);
	}
	putchar('"');
}

static const char *last_lines(const char *text, int count)
{
	const char *at = text + strlen(text);

	if (at > text && at[-1] == '\n')
		at--;
	while (at > text && (at[-1] != '\n' || --count > 0))
		at--;
	return at;
}

static void ask_kernel(void *bytes, size_t size)
{
	union bpf_attr attr = {};
	int fd, error = 0;

	attr.btf = (unsigned long)bytes;
	attr.btf_size = size;
	attr.btf_log_buf = (unsigned long)log_text;
	attr.btf_log_size = sizeof(log_text);
	attr.btf_log_level = 2;
	log_text[0] = 0;
	fd = syscall(SYS_bpf, BPF_BTF_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		error = errno;
	else
		close(fd);
	printf("\"errno\":%d,", error);
	print_json("log", last_lines(log_text, 12));
	printf(",");
}

int main(int argc, char **argv)
{
	libbpf_set_print(keep);
	for (int i = 2; i < argc; i++) {
		static unsigned char bytes[1 << 24];
		FILE *file = fopen(argv[i], "rb");
		size_t size = fread(bytes, 1, sizeof(bytes), file);
		long error = 0;

		fclose(file);
		warning[0] = 0;
		printf("{");
		if (!strcmp(argv[1], "btf")) {
			struct btf *btf;

			ask_kernel(bytes, size);
			btf = btf__new(bytes, size);
			error = libbpf_get_error(btf);
			if (!error)
				btf__free(btf);
		} else if (!strcmp(argv[1], "ext")) {
			struct btf_ext *ext = btf_ext__new(bytes, size);

			error = libbpf_get_error(ext);
			if (!error)
				btf_ext__free(ext);
		} else {
			struct bpf_object *object = bpf_object__open(argv[i]);

			error = libbpf_get_error(object);
			if (!error) {
				__u32 length;
				const void *data;
				char name[4096];
				struct btf *btf = bpf_object__btf(object);

				if (btf) {
					data = btf__raw_data(btf, &length);
					snprintf(name, sizeof(name), "%s.opened", argv[i]);
					file = fopen(name, "wb");
					fwrite(data, 1, length, file);
					fclose(file);
				}
				bpf_object__close(object);
			}
		}
		printf("\"libbpf\":%ld,", -error);
		warning[strcspn(warning, "\n")] = 0;
		print_json("libbpf_msg", warning);
		printf("}\n");
	}
	return 0;
}
