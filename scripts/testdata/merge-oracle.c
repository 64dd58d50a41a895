// SPDX-License-Identifier: MIT
// Several split BTFs on one base as libbpf merges them: btf__dedup of all of their types.
// btf__add_btf of libbpf 1.1 takes no split BTF, so that the types are added one by one, and
// their ids moved as newer versions do.
//
// Usage: merge-oracle BASE OUT FILE...
// Writes the merged split BTF to OUT.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

static __u32 first_own, moved;

static void move(__u32 *id)
{
	if (*id >= first_own)
		*id += moved;
}

static void move_ids(struct btf_type *t)
{
	int n = btf_vlen(t);

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return;
	case BTF_KIND_ARRAY:
		move(&btf_array(t)->type);
		move(&btf_array(t)->index_type);
		return;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		while (n-- > 0)
			move(&btf_members(t)[n].type);
		return;
	case BTF_KIND_DATASEC:
		while (n-- > 0)
			move(&btf_var_secinfos(t)[n].type);
		return;
	case BTF_KIND_FUNC_PROTO:
		while (n-- > 0)
			move(&btf_params(t)[n].type);
	}
	move(&t->type);
}

static void *need(void *got, const char *what)
{
	if (libbpf_get_error(got) || !got) {
		fprintf(stderr, "merge-oracle: %s\n", what);
		exit(1);
	}
	return got;
}

int main(int argc, char **argv)
{
	struct btf *base, *all;
	const void *raw;
	__u32 size;
	FILE *out;

	if (argc < 4)
		return 2;
	base = need(btf__parse(argv[1], NULL), argv[1]);
	all = need(btf__new_empty_split(base), "no split BTF");
	first_own = btf__type_cnt(base);
	for (int i = 3; i < argc; i++) {
		struct btf *file = need(btf__parse_split(argv[i], base), argv[i]);
		__u32 end = btf__type_cnt(file);

		moved = btf__type_cnt(all) - first_own;
		for (__u32 id = first_own; id < end; id++) {
			int added = btf__add_type(all, file, btf__type_by_id(file, id));

			if (added < 0)
				return 1;
			move_ids((struct btf_type *)btf__type_by_id(all, added));
		}
	}
	if (btf__dedup(all, NULL) != 0)
		return 1;
	raw = need((void *)btf__raw_data(all, &size), "no data");
	out = need(fopen(argv[2], "wb"), argv[2]);
	return fwrite(raw, 1, size, out) == size && fclose(out) == 0 ? 0 : 1;
}
