// SPDX-License-Identifier: MIT
// Twenty thousand relocations on one section of data.
extern int target;
#define TEN(x) x, x, x, x, x, x, x, x, x, x
#define HUNDRED(x) TEN(TEN(x))
#define THOUSAND(x) TEN(HUNDRED(x))
int *pointers[20000] = { THOUSAND(&target), THOUSAND(&target), THOUSAND(&target), THOUSAND(&target),
	THOUSAND(&target), THOUSAND(&target), THOUSAND(&target), THOUSAND(&target),
	THOUSAND(&target), THOUSAND(&target), THOUSAND(&target), THOUSAND(&target),
	THOUSAND(&target), THOUSAND(&target), THOUSAND(&target), THOUSAND(&target),
	THOUSAND(&target), THOUSAND(&target), THOUSAND(&target), THOUSAND(&target) };
int other_data[4] = { 1, 2, 3, 4 };

__attribute__((section("socket"), used)) int use(void *ctx)
{
	return other_data[1];
}
