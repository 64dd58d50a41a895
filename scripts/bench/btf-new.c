// Measures how long libbpf takes to index a BTF blob: `btf-new FILE RUNS` prints one time in
// milliseconds per line. The blob is in memory before the clock starts.
#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
	size_t capacity = 64 << 20;
	void *blob = malloc(capacity);

	if (!file || !blob)
		return 2;
	size_t size = fread(blob, 1, capacity, file);

	for (int left = atoi(argv[2]); left > 0; left--) {
		double start = now_ms();
		struct btf *btf = btf__new(blob, size);

		if (!btf)
			return 1;
		printf("%.3f\n", now_ms() - start);
		btf__free(btf);
	}
	return 0;
}
