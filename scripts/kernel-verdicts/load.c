// SPDX-License-Identifier: MIT
// What the running kernel says of BTF blobs. Needs root: BPF_BTF_LOAD.
//
// Reads blobs from the standard input, each after its length as a 32-bit number in the byte
// order of the machine. Prints a line for each: errno, the id of the last line of the log that
// names a type ("-" where none does), and the last line, separated by tabs.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/bpf.h>

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

int main(void)
{
	uint32_t size;

	while (fread(&size, sizeof(size), 1, stdin) == 1) {
		union bpf_attr attr = {};
		char *line, *named;
		int fd, error = 0;

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
		else
			close(fd);
		line = last_line(log_text);
		for (named = line; *named != '[' && named != log_text;)
			named = last_line(log_text);
		if (*named == '[')
			printf("%d\t%d\t%s\n", error, atoi(named + 1), line);
		else
			printf("%d\t-\t%s\n", error, line);
	}
	return 0;
}
