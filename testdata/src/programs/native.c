// SPDX-License-Identifier: MIT
// For machines that are not BPF: code, data and debug information with relocations.
struct list { struct list *next; int value; };
extern int outside(int);
extern struct list far_away;
struct list first = { &far_away, 1 };
static const char *const names[] = { "one", "two", "three" };
static struct list chain[3] = { { &chain[1], 1 }, { &chain[2], 2 }, { &first, 3 } };

const char *name_of(int index)
{
	return names[index % 3];
}

int sum(struct list *list)
{
	int total = outside(chain[0].value);

	for (; list; list = list->next)
		total += list->value + far_away.value;
	return total;
}
