// SPDX-License-Identifier: MIT
// Loads each program of an object alone. Prints its name and `ok`, `rejected` if the verifier comes
// to an instruction that libbpf made invalid, or `other` with an error number.
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>

static char log_text[1 << 20];

static int quiet(enum libbpf_print_level level, const char *format, va_list arguments)
{
	return 0;
}

/* Loads program number `at`. Returns 0 after the last program. */
static int load(const char *path, int at)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	struct bpf_program *program, *wanted = NULL;
	int count = 0, error;

	if (!object)
		return 0;
	bpf_object__for_each_program(program, object) {
		if (count == at)
			wanted = program;
		bpf_program__set_autoload(program, count++ == at);
	}
	if (wanted) {
		log_text[0] = 0;
		bpf_program__set_log_buf(wanted, log_text, sizeof(log_text));
		bpf_program__set_log_level(wanted, 1);
		error = bpf_object__load(object);
		printf("%s\t", bpf_program__name(wanted));
		if (!error)
			printf("ok\n");
		else if (strstr(log_text, "invalid func unknown#195896080") ||
			 strstr(log_text, "<invalid CO-RE relocation>"))
			printf("rejected\n");
		else
			printf("other %d\n", error);
	}
	bpf_object__close(object);
	return wanted != NULL;
}

int main(int argc, char **argv)
{
	libbpf_set_print(quiet);
	for (int at = 0; argc == 2 && load(argv[1], at); at++)
		;
	return argc != 2;
}
