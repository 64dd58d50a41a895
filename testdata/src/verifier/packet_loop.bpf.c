// packet-bounds R1: a loop reads options of the packet without a check in each round.
#include "vmlinux.h"

SEC("xdp")
int packet_loop(struct xdp_md *ctx)
{
	void *data_end = (void *)(long)ctx->data_end;
	__u8 *option = (void *)(long)ctx->data;
	int count = 0;

	if ((void *)(option + 2) > data_end) /* FROM */
		return XDP_PASS;
	for (int i = 0; i < 8; i++) {
#ifdef FIX
		if ((void *)(option + 2) > data_end)
			break;
#endif
		if (option[0] == 0) /* FAIL */
			break;
		count++;
		option += option[1]; /* FROM */
	}
	return count > 4 ? XDP_DROP : XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
