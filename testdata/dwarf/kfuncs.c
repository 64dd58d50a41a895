/* Functions in a set of kfuncs of .BTF_ids, as the macros of include/linux/btf_ids.h make it: two of three. */
struct arena_thing { int a; };
__attribute__((noinline,used)) struct arena_thing *my_kfunc(struct arena_thing *p, int n) { return p + n; }
__attribute__((noinline,used)) int my_fast(int a) { return a + 1; }
__attribute__((noinline,used)) int not_kfunc(int a) { return a + 2; }
asm(".pushsection .BTF_ids,\"a\"\n"
".local __BTF_ID__set8__my_set\n.global dummy_sym\n"
".type __BTF_ID__set8__my_set,@object\n__BTF_ID__set8__my_set:\n.long 2\n.long 1\n"
".local __BTF_ID__func__my_kfunc__1\n.type __BTF_ID__func__my_kfunc__1,@object\n.size __BTF_ID__func__my_kfunc__1,4\n__BTF_ID__func__my_kfunc__1:\n.zero 4\n.long 0x6000\n"
".local __BTF_ID__func__my_fast__2\n.type __BTF_ID__func__my_fast__2,@object\n__BTF_ID__func__my_fast__2:\n.zero 4\n.long 0x1000\n"
".size __BTF_ID__set8__my_set, .-__BTF_ID__set8__my_set\n"
".local __BTF_ID__func__not_kfunc__3\n__BTF_ID__func__not_kfunc__3:\n.zero 4\n.long 0\n"
"dummy_sym: .zero 4\n.popsection\n");
