// SPDX-License-Identifier: MIT
// CO-RE relocations as libbpf resolves them: drives the functions of libbpf's
// src/relo_core.c record by record, on the static library, whose internal names can
// still be linked. What is written again here is bpf_core_find_cands and
// bpf_core_add_cands of src/libbpf.c, which need a whole bpf_object.
//
// Usage: core-oracle LOCAL.btf VMLINUX.btf [NAME MODULE.btf]... < records
// A record a line: PROG RELO_INDEX INSN_INDEX KIND TYPE_ID ACCESS_STR HEX_OF_INSN
// Prints a JSON object a line.
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

// Of src/relo_core.h in libbpf 1.1.
struct bpf_core_cand { const struct btf *btf; __u32 id; };
struct bpf_core_cand_list { struct bpf_core_cand *cands; int len; };
#define BPF_CORE_SPEC_MAX_LEN 64
struct bpf_core_accessor { __u32 type_id; __u32 idx; const char *name; };
struct bpf_core_spec {
	const struct btf *btf;
	struct bpf_core_accessor spec[BPF_CORE_SPEC_MAX_LEN];
	__u32 root_type_id;
	enum bpf_core_relo_kind relo_kind;
	int len;
	int raw_spec[BPF_CORE_SPEC_MAX_LEN];
	int raw_len;
	__u32 bit_offset;
};
struct bpf_core_relo_res {
	__u64 orig_val, new_val;
	bool poison, validate, fail_memsz_adjust;
	__u32 orig_sz, orig_type_id, new_sz, new_type_id;
};
int bpf_core_calc_relo_insn(const char *prog_name, const struct bpf_core_relo *relo, int relo_idx,
			    const struct btf *local_btf, struct bpf_core_cand_list *cands,
			    struct bpf_core_spec *specs_scratch, struct bpf_core_relo_res *targ_res);
int bpf_core_patch_insn(const char *prog_name, struct bpf_insn *insn, int insn_idx,
			const struct bpf_core_relo *relo, int relo_idx,
			const struct bpf_core_relo_res *res);
int bpf_core_format_spec(char *buf, size_t buf_sz, const struct bpf_core_spec *spec);
const struct btf_type *skip_mods_and_typedefs(const struct btf *btf, __u32 id, __u32 *res_id);

static char log_text[1 << 20], last_warning[1 << 14];
static size_t log_length;

static int keep_log(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[1 << 14];
	int length = vsnprintf(line, sizeof(line), format, args);

	if (log_length + length < sizeof(log_text)) {
		memcpy(log_text + log_length, line, length + 1);
		log_length += length;
	}
	if (level == LIBBPF_WARN)
		strcpy(last_warning, line);
	return length;
}

static int say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep_log(LIBBPF_DEBUG, format, args);
	va_end(args);
	return 0;
}

static void print_json(const char *text)
{
	putchar('"');
	for (const unsigned char *c = (const void *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			printf("\\%c", *c);
		else if (*c < 32)
			printf("\\u%04x", *c);
		else
			putchar(*c);
	}
	putchar('"');
}

static const char *const KIND_NAMES[] = {
	"unknown", "int", "ptr", "array", "struct", "union", "enum", "fwd", "typedef", "volatile",
	"const", "restrict", "func", "func_proto", "var", "datasec", "float", "decl_tag",
	"type_tag", "enum64",
};

static const char *kind_name(const struct btf_type *t)
{
	unsigned int kind = btf_kind(t);

	return kind < sizeof(KIND_NAMES) / sizeof(*KIND_NAMES) ? KIND_NAMES[kind] : "unknown";
}

// The length without the flavour: what follows the last ___ that has something before and behind it.
static size_t essential_length(const char *name)
{
	size_t length = strlen(name);

	for (int i = (int)length - 5; i >= 0; i--)
		if (name[i] != '_' && !strncmp(name + i + 1, "___", 3) && name[i + 4] != '_')
			return i + 1;
	return length;
}

static bool same_kind(const struct btf_type *a, const struct btf_type *b)
{
	bool is_enum_a = btf_is_any_enum(a), is_enum_b = btf_is_any_enum(b);

	return is_enum_a || is_enum_b ? is_enum_a && is_enum_b : btf_kind(a) == btf_kind(b);
}

struct target { const char *name; struct btf *btf; __u32 first; };
static struct target targets[32];
static int target_count;

struct cached { __u32 id; struct bpf_core_cand_list list; int all; __u32 *all_ids; const char *module; };
static struct cached cache[4096];
static int cached_count;

static struct cached *candidates_of(const struct btf *local, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(local, id);
	const char *name = btf__name_by_offset(local, t->name_off);
	size_t length = essential_length(name);
	struct cached *entry;

	for (int i = 0; i < cached_count; i++)
		if (cache[i].id == id)
			return &cache[i];
	if (length == 0)
		return NULL;
	entry = &cache[cached_count++];
	entry->id = id;
	for (int n = 0; n < target_count; n++) {
		struct target *target = &targets[n];

		// Modules are asked only when the kernel itself has no candidate.
		if (n == 1 && entry->list.len > 0)
			break;
		for (__u32 i = target->first; i < btf__type_cnt(target->btf); i++) {
			const struct btf_type *other = btf__type_by_id(target->btf, i);
			const char *other_name = btf__name_by_offset(target->btf, other->name_off);

			if (!same_kind(t, other) || !*other_name || essential_length(other_name) != length ||
			    strncmp(name, other_name, length))
				continue;
			say("libbpf: CO-RE relocating [%d] %s %s: found target candidate [%d] %s %s in [%s]\n",
			    id, kind_name(t), name, i, kind_name(other), other_name, target->name);
			entry->list.cands = realloc(entry->list.cands, (entry->list.len + 1) * sizeof(struct bpf_core_cand));
			entry->list.cands[entry->list.len].btf = target->btf;
			entry->list.cands[entry->list.len++].id = i;
		}
	}
	entry->all = entry->list.len;
	entry->all_ids = calloc(entry->all + 1, sizeof(__u32));
	for (int i = 0; i < entry->all; i++)
		entry->all_ids[i] = entry->list.cands[i].id;
	return entry;
}

static const char *module_of(const struct btf *btf)
{
	for (int i = 1; i < target_count; i++)
		if (targets[i].btf == btf)
			return targets[i].name;
	return NULL;
}

static void print_ids(const char *key, const struct bpf_core_cand_list *list, const __u32 *ids, int count)
{
	printf(",\"%s\":[", key);
	for (int i = 0; i < count; i++)
		printf("%s%u", i ? "," : "", ids ? ids[i] : list->cands[i].id);
	printf("]");
}

static void print_hex(const char *key, const unsigned char *bytes, int length)
{
	printf(",\"%s\":\"", key);
	for (int i = 0; i < length; i++)
		printf("%02x", bytes[i]);
	printf("\"");
}

int main(int argc, char **argv)
{
	static char prog[256], access[4096], hex[64];
	unsigned int relo_index, insn_index, kind, type_id;
	struct btf *local = btf__parse_raw(argv[1]);

	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	targets[target_count++] = (struct target){ "vmlinux", btf__parse_raw(argv[2]), 1 };
	for (int i = 3; i + 1 < argc; i += 2) {
		struct btf *btf = btf__parse_raw_split(argv[i + 1], targets[0].btf);

		targets[target_count++] = (struct target){ argv[i], btf, btf__type_cnt(targets[0].btf) };
	}
	if (libbpf_get_error(local) || libbpf_get_error(targets[0].btf))
		return 1;
	// The first search for a string moves the types of a BTF: before anything points to them.
	btf__find_str(local, "");
	libbpf_set_print(keep_log);
	while (scanf("%255s %u %u %u %u %4095s %63s", prog, &relo_index, &insn_index, &kind, &type_id, access, hex) == 7) {
		unsigned char insn[16] = {}, before[16];
		int length = strlen(hex) / 2, err, patch_err = 0;
		struct bpf_core_spec specs[3] = {};
		struct bpf_core_relo_res res = {};
		struct cached *found = NULL;
		struct bpf_core_cand_list none = {}, *list = &none;
		struct bpf_core_relo relo = { insn_index * 8, type_id, 0, kind };
		const struct btf_type *t = btf__type_by_id(local, type_id);
		char spec[4096] = "", target_spec[4096] = "", error[1 << 14];
		int in = 0;
		bool no_candidates = false;
		const char *module = NULL;

		// The string section of the local BTF has the access string.
		relo.access_str_off = btf__find_str(local, access);
		log_length = 0;
		log_text[0] = last_warning[0] = 0;
		for (int i = 0; i < length; i++)
			sscanf(hex + 2 * i, "%2hhx", &insn[i]);
		memcpy(before, insn, sizeof(insn));
		if (kind != BPF_CORE_TYPE_ID_LOCAL) {
			found = candidates_of(local, type_id);
			if (found) {
				list = &found->list;
				in = list->len;
				if (found->all)
					module = module_of(found->list.cands[0].btf);
			} else {
				no_candidates = true;
			}
		}
		printf("{\"kind\":%u,\"local_kind\":\"%s\",\"local_root_name\":", kind, kind_name(t));
		print_json(btf__name_by_offset(local, t->name_off));
		__u32 in_ids[1024];
		for (int i = 0; i < in && i < 1024; i++)
			in_ids[i] = list->cands[i].id;
		// A record that fails leaves the list half cut. libbpf stops there; the rows go on
		// with the list as it was.
		struct bpf_core_cand *kept = calloc(in + 1, sizeof(*kept));
		memcpy(kept, list->cands ? list->cands : kept, in * sizeof(*kept));
		err = no_candidates ? -EINVAL :
			bpf_core_calc_relo_insn(prog, &relo, relo_index, local, list, specs, &res);
		bool resolved = err == 0;
		if (!resolved && in > 0) {
			memcpy(list->cands, kept, in * sizeof(*kept));
			list->len = in;
		}
		free(kept);
		if (resolved)
			patch_err = bpf_core_patch_insn(prog, (void *)insn, insn_index, &relo, relo_index, &res);
		if (specs[0].btf)
			bpf_core_format_spec(spec, sizeof(spec), &specs[0]);
		bool has_target = resolved && kind != BPF_CORE_TYPE_ID_LOCAL && found && list->len > 0 && specs[2].btf;
		if (has_target)
			bpf_core_format_spec(target_spec, sizeof(target_spec), &specs[2]);
		printf(",\"spec_text\":");
		print_json(spec);
		print_ids("candidates", list, found ? found->all_ids : NULL, found ? found->all : 0);
		print_ids("cands_in", list, in_ids, in);
		print_ids("matched", list, NULL, resolved && found ? list->len : 0);
		if (module) {
			printf(",\"module\":");
			print_json(module);
		}
		printf(",\"resolve_err\":%d,\"patch_err\":%d", err, patch_err);
		if (resolved)
			printf(",\"orig_val\":\"%llu\",\"new_val\":\"%llu\",\"validate\":%s,\"poison\":%s,\"fail_memsz_adjust\":%s,"
			       "\"orig_sz\":%u,\"new_sz\":%u,\"orig_type_id\":%u,\"new_type_id\":%u",
			       (unsigned long long)res.orig_val, (unsigned long long)res.new_val,
			       res.validate ? "true" : "false", res.poison ? "true" : "false",
			       res.fail_memsz_adjust ? "true" : "false", res.orig_sz, res.new_sz, res.orig_type_id, res.new_type_id);
		if (has_target) {
			printf(",\"target_spec\":");
			print_json(target_spec);
		}
		print_hex("insn_before", before, length);
		print_hex("insn_after", insn, length);
		snprintf(error, sizeof(error), "%s", last_warning);
		if (no_candidates)
			strcpy(error, "target candidate search failed: -22");
		error[strcspn(error, "\n")] = 0;
		printf(",\"error\":");
		print_json(error);
		printf(",\"log\":");
		print_json(log_text);
		printf("}\n");
	}
	return 0;
}
