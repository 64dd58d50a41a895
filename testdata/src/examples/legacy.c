#include <linux/bpf.h>

#define SEC(name) __attribute__((section(name), used))
#define BPF_ANNOTATE_KV_PAIR(name, type_key, type_val) \
  struct ____btf_map_##name { type_key key; type_val value; }; \
  struct ____btf_map_##name SEC(".maps." #name) ____btf_map_##name = {}

struct bpf_map_def {
  unsigned int type, key_size, value_size, max_entries, map_flags;
};
struct ipv_counts { unsigned int v4, v6; };

struct bpf_map_def SEC("maps") btf_map = {
  .type = BPF_MAP_TYPE_ARRAY,
  .key_size = sizeof(int),
  .value_size = sizeof(struct ipv_counts),
  .max_entries = 4,
};
BPF_ANNOTATE_KV_PAIR(btf_map, int, struct ipv_counts);
