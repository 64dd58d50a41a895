// SPDX-License-Identifier: MIT
// What the running kernel says of programs with BTF, func_info and line_info. Needs root:
// BPF_BTF_LOAD, BPF_PROG_LOAD.
//
// Reads programs from the standard input: bytes of the BTF and the BTF, number of instructions
// and the instructions, then for func_info and for line_info bytes of a record, number of
// records and the records; all 32-bit numbers in the byte order of the machine. Prints a line
// for each: errno and the last line of the log, separated by a tab.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/bpf.h>

static char log_text[1 << 20];
static unsigned char btf[1 << 16], insns[1 << 16], funcs[1 << 16], lines[1 << 16];

static uint32_t word(void)
{
	uint32_t value = 0;

	if (fread(&value, sizeof(value), 1, stdin) != 1)
		value = 0;
	return value;
}

static int bytes(void *to, size_t count)
{
	return count <= 1 << 16 && fread(to, 1, count, stdin) == count;
}

/* The last line before the statistics, of which some lines are not ended. */
static const char *last_line(char *text)
{
	char *newline, *statistics = strstr(text, "processed ");
	size_t length = statistics ? statistics - text : strlen(text);

	text[length] = 0;
	while (length > 0 && text[length - 1] == '\n')
		text[--length] = 0;
	newline = strrchr(text, '\n');
	return newline ? newline + 1 : text;
}

int main(void)
{
	uint32_t size;

	while ((size = word()) != 0) {
		union bpf_attr load = {}, attr = {};
		int btf_fd, fd, error;

		if (!bytes(btf, size))
			return 1;
		load.btf = (unsigned long)btf;
		load.btf_size = size;
		btf_fd = syscall(SYS_bpf, BPF_BTF_LOAD, &load, sizeof(load));
		if (btf_fd < 0)
			return 1;
		attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
		attr.license = (unsigned long)"GPL";
		attr.prog_btf_fd = btf_fd;
		attr.insns = (unsigned long)insns;
		attr.insn_cnt = word();
		if (!bytes(insns, 8 * attr.insn_cnt))
			return 1;
		attr.func_info = (unsigned long)funcs;
		attr.func_info_rec_size = word();
		attr.func_info_cnt = word();
		if (!bytes(funcs, attr.func_info_rec_size * attr.func_info_cnt))
			return 1;
		attr.line_info = (unsigned long)lines;
		attr.line_info_rec_size = word();
		attr.line_info_cnt = word();
		if (!bytes(lines, attr.line_info_rec_size * attr.line_info_cnt))
			return 1;
		attr.log_buf = (unsigned long)log_text;
		attr.log_size = sizeof(log_text);
		attr.log_level = 1;
		log_text[0] = 0;
		fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
		error = fd < 0 ? errno : 0;
		printf("%d\t%s\n", error, last_line(log_text));
		if (fd >= 0)
			close(fd);
		close(btf_fd);
	}
	return 0;
}
