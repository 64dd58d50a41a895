// helper-packet-access R2: a packet pointer is passed to a helper that takes none.
#include "vmlinux.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

SEC("xdp")
int packet_to_helper(struct xdp_md *xdp)
{
	void *data = (void *)(long)xdp->data; /* FROM */
	void *end = (void *)(long)xdp->data_end;

	if (data + 14 > end)
		return XDP_PASS;
#ifdef FIX
	struct ethhdr copy = *(struct ethhdr *)data;

	bpf_ringbuf_output(&events, &copy, sizeof(copy), 0);
#else
	bpf_ringbuf_output(&events, data, 14, 0); /* FAIL */
#endif
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
