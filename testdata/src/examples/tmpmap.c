#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

enum A { A1, A2, A3, A4, A5 };
typedef enum A ___A;
struct tmp_t {
  char a1:4;
  int a2:4;
  int :4;
  __u32 a3:4;
  int b;
  ___A b1:4;
  enum A b2:4;
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __type(key, int);
  __type(value, struct tmp_t);
  __uint(max_entries, 1);
} tmpmap SEC(".maps");
