/* Opening one BPF object through libbpf, for the loaders of scripts/. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * Opens an object and prints `open CODE`, and `program AUTOLOAD NAME` for each program. With ONLY,
 * only that program is set to be loaded. No map is pinned. Returns NULL, having printed
 * `large MAP`, if the maps need more than MAX_BYTES: they would take the machine's memory.
 */
static struct bpf_object *open_object(const char *path, const char *only, unsigned long long max_bytes)
{
	struct bpf_object *object = bpf_object__open(path);
	unsigned long long bytes = 0;
	struct bpf_program *program;
	struct bpf_map *map;

	printf("open %d\n", object == NULL ? -errno : 0);
	if (object == NULL)
		return NULL;
	bpf_object__for_each_program(program, object) {
		const char *name = bpf_program__name(program);

		printf("program %d %s\n", bpf_program__autoload(program), name);
		if (only != NULL)
			bpf_program__set_autoload(program, strcmp(only, name) == 0);
	}
	/* A map that the object pins by name is created as any other. */
	bpf_object__for_each_map(map, object) {
		/* At least a pointer for an entry; per-CPU maps have one value for each processor. */
		unsigned long long size = bpf_map__key_size(map) + bpf_map__value_size(map) + 8ull;

		bytes += size * bpf_map__max_entries(map) * libbpf_num_possible_cpus();
		bpf_map__set_pin_path(map, NULL);
		if (bytes > max_bytes) {
			printf("large %s\n", bpf_map__name(map));
			return NULL;
		}
	}
	return object;
}
