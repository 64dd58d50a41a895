// SPDX-License-Identifier: MIT
// Types and data, no function: an object whose only BTF is that of its variables.
struct point {
	int x, y;
};

struct point points[3] = { { 1, 2 }, { 3, 4 } };
const char *names[2] = { "first", "second" };
